/** Handles single-letter shortcuts that a member has changed, for each page. */
import { currentPreferences, setPreferences } from './preferences.ts'

/** Returns whether keys are a single letter, digit, or sign: only those can be changed. */
export const isLetter = (keys: string): boolean => keys.length === 1

const nameOf = (page: string, keys: string): string => `${page}:${keys}`

/** Returns the current keys on `page` for the default `keys`. */
export const keysOn = (page: string, keys: string): string =>
  isLetter(keys) ? (currentPreferences().keys[nameOf(page, keys)] ?? keys) : keys

/** Changes the default `keys` on `page`; their own letter resets the change. */
export function changeKeys(page: string, keys: string, letter: string): void {
  const { [nameOf(page, keys)]: _, ...others } = currentPreferences().keys
  setPreferences({ keys: letter === keys ? others : { ...others, [nameOf(page, keys)]: letter } })
}

/** Resets all changes. */
export const restoreKeys = (): void => setPreferences({ keys: {} })

/** Starts sequences such as `g i`. */
const SEQUENCE_START = 'g'

export type Refusal = 'modifier' | 'unknown' | 'sequence'

/** Returns the pressed letter, or why it can't be a shortcut; undefined while only a modifier is pressed. */
export function letterOf(event: KeyboardEvent): { letter: string } | { refusal: Refusal } | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'].includes(key)) return undefined
  if (ctrlKey || metaKey || altKey || shiftKey) return { refusal: 'modifier' }
  const letter = key.toLowerCase()
  if (letter.length !== 1 || letter === ' ' || letter === '+') return { refusal: 'unknown' }
  return letter === SEQUENCE_START ? { refusal: 'sequence' } : { letter }
}
