import { texts } from '../texts.ts'
import en from './en.json'

export const t = texts('automations', en)
export type Key = keyof typeof en
/** Returns the text of a computed key; undefined if there is none. */
export const textIfExists = (key: string): string | undefined =>
  Object.hasOwn(en, key) ? t(key as Key) : undefined
