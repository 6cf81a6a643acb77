/** Shortcuts of single letters that somebody has changed, page by page. */
import { currentPreferences, setPreferences } from './preferences.ts'

/** A single letter, digit or sign: what can be changed. */
export const isLetter = (keys: string): boolean => keys.length === 1

const nameOf = (page: string, keys: string): string => `${page}:${keys}`

/** The keys that do on `page` what `keys` do unless they were changed. */
export const keysOn = (page: string, keys: string): string =>
  isLetter(keys) ? (currentPreferences().keys[nameOf(page, keys)] ?? keys) : keys

/** Changes what `keys` are on `page`; their own letter takes the change back. */
export function changeKeys(page: string, keys: string, letter: string): void {
  const { [nameOf(page, keys)]: _, ...others } = currentPreferences().keys
  setPreferences({ keys: letter === keys ? others : { ...others, [nameOf(page, keys)]: letter } })
}

/** Takes all changes back. */
export const restoreKeys = (): void => setPreferences({ keys: {} })

/** Begins `g i` and the like. */
const SEQUENCE_START = 'g'

export type Refusal = 'modifier' | 'unknown' | 'sequence'

/** The letter that was pressed, or why it cannot be a shortcut; undefined while nothing but a modifier is held. */
export function letterOf(event: KeyboardEvent): { letter: string } | { refusal: Refusal } | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'].includes(key)) return undefined
  if (ctrlKey || metaKey || altKey || shiftKey) return { refusal: 'modifier' }
  const letter = key.toLowerCase()
  if (letter.length !== 1 || letter === ' ' || letter === '+') return { refusal: 'unknown' }
  return letter === SEQUENCE_START ? { refusal: 'sequence' } : { letter }
}
