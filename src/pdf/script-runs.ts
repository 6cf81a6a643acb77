/**
 * Splits a text into runs of one script each: a font has only some scripts, and joins letters within a run.
 */

/** Fonts by script; all other text uses the first font. */
export const DEFAULT_FONT = 'NotoSans'
const SCRIPT_FONTS: [RegExp, string][] = [
  [/\p{Script_Extensions=Devanagari}/u, 'NotoSansDevanagari'],
  [/\p{Script_Extensions=Tamil}/u, 'NotoSansTamil'],
  [/\p{Script_Extensions=Bengali}/u, 'NotoSansBengali'],
  [/\p{Script_Extensions=Telugu}/u, 'NotoSansTelugu'],
  [/\p{Script_Extensions=Kannada}/u, 'NotoSansKannada'],
  [/\p{Script_Extensions=Malayalam}/u, 'NotoSansMalayalam'],
  [/\p{Script_Extensions=Gujarati}/u, 'NotoSansGujarati'],
  [/\p{Script_Extensions=Gurmukhi}/u, 'NotoSansGurmukhi'],
  [/\p{Script_Extensions=Oriya}/u, 'NotoSansOriya'],
]
/** No font has emoji: they are removed, because each would be printed as a box. */
const PICTURES = /\p{RGI_Emoji}|[\p{Extended_Pictographic}--[©®™‼⁉]]\uFE0F?/gv
/** Spaces, digits, signs, and joiners belong to the character before them. */
const NEUTRAL = /[\p{Script=Common}\p{Script=Inherited}]/u

export type ScriptRun = { text: string; font: string }

const fontFor = (letter: string): string =>
  SCRIPT_FONTS.find(([script]) => script.test(letter))?.[1] ?? DEFAULT_FONT

/** Currency signs are common to all scripts, and only the first font has them. */
const isSign = (letter: string): boolean => /[\p{Sc}\p{N}]/u.test(letter)

export function scriptRuns(text: string): ScriptRun[] {
  const runs: ScriptRun[] = []
  for (const letter of text.replace(PICTURES, '')) {
    const last = runs.at(-1)
    const isNeutral = NEUTRAL.test(letter)
    const font = isNeutral ? (isSign(letter) ? DEFAULT_FONT : (last?.font ?? DEFAULT_FONT)) : fontFor(letter)
    if (last?.font === font) last.text += letter
    else runs.push({ text: letter, font })
  }
  return runs
}
