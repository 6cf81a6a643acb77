import { fillPlaces } from '../../core/values/fill-places.ts'

/**
 * Placeholders of a template's texts: `{{1}}`, `{{2}}` …, or with named parameters `{{first_name}}`
 * (docs/formats.md section 6.2).
 */
const placeholder = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g

/** Returns the placeholders of a text, each once, in order of first appearance. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(placeholder)].map((match) => match[1] ?? '')),
]

/** Returns whether the name is a position. */
export const isPosition = (name: string): boolean => /^\d+$/.test(name)

/**
 * Returns the text with its placeholders filled, cut to `max` characters; placeholders unknown to
 * `valueNamed` stay unchanged.
 */
export const fillVariables = (
  text: string,
  valueNamed: (name: string) => string | undefined,
  max: number,
): string => fillPlaces(text, placeholder, valueNamed, max)
