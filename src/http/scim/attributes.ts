/** Reads the attributes of SCIM's JSON. Their names are the same in any case (RFC 7643 section 2.1). */
import { attributePath } from './filter.ts'
import { refuseScim } from './scim-fault.ts'

export type Attributes = ReadonlyMap<string, unknown>

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the attributes of an object by their names in lower case. */
export const attributesOf = (value: Record<string, unknown>): Attributes =>
  new Map(Object.entries(value).map(([name, content]) => [attributePath(name), content]))

/** Returns the attributes of a body. Throws `invalidSyntax`. */
export const attributesOfBody = (body: unknown): Attributes =>
  isObject(body) ? attributesOf(body) : refuseScim('invalidSyntax', 'Send a JSON object.')

/** Returns a text; null for a missing or blank one. */
export function textOf(value: unknown, name: string): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') return refuseScim('invalidValue', `${name} must be text.`)
  return value.trim() === '' ? null : value.trim()
}

/** Returns a boolean; some providers send it as the text "True" or "False". */
export function booleanOf(value: unknown, name: string): boolean | undefined {
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'string' ? value.toLowerCase() : value
  if (text === true || text === 'true') return true
  if (text === false || text === 'false') return false
  return refuseScim('invalidValue', `${name} must be true or false.`)
}

/** Returns the values of an attribute with several values, which some providers send as one value, or as texts. */
export function valuesOf(value: unknown, name: string): Attributes[] {
  if (value === undefined || value === null) return []
  return [value].flat().map((item: unknown) => {
    if (typeof item === 'string') return new Map([['value', item]])
    return isObject(item)
      ? attributesOf(item)
      : refuseScim('invalidValue', `${name} must be a list of objects.`)
  })
}

/** Returns the main value of an attribute with several values: the primary one, the one of this type, or the first. */
export const mainValue = (values: Attributes[], type?: string): Attributes | undefined =>
  values.find((item) => booleanOf(item.get('primary'), 'primary') === true) ??
  values.find((item) => type !== undefined && item.get('type') === type) ??
  values[0]
