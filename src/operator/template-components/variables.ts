import { fillPlaces } from '../../core/fill-places.ts'

/** Placeholders of a template's texts: `{{1}}`, `{{2}}` … or, with named parameters, `{{first_name}}` (docs/formats.md section 6.2). */
const placeholder = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g

/** The names of the placeholders of a text, each once, in the order of their first appearance. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(placeholder)].map((match) => match[1] ?? '')),
]

/** Whether the name is that of a positional placeholder. */
export const isPosition = (name: string): boolean => /^\d+$/.test(name)

/** The text with its placeholders filled, cut to `max` characters; one that `valueNamed` does not know stays as it is. */
export const fillVariables = (
  text: string,
  valueNamed: (name: string) => string | undefined,
  max: number,
): string => fillPlaces(text, placeholder, valueNamed, max)
