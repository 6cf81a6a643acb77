/** Finds the fields that a body requires for some values of a field, such as `text` for messages of type `text`. */
import type { Endpoint } from '../../core/endpoint.ts'
import { isPart, jsonSchemaOf, type Part, resolved } from '../../http/mcp/json-schemas.ts'

export type Alternatives = {
  /** The field that chooses. */
  by: string
  /** The values of that field for which a field is required, by the field's name; null for all. */
  requires: Record<string, unknown[] | null>
}

const NONE: Alternatives = { by: '', requires: {} }

/** Returns the properties and the required names of an object, also of one that is written as several parts. */
function objectOf(part: Part, definitions: Part): { properties: Record<string, Part>; required: string[] } {
  const whole = resolved(part, definitions)
  // Of nested alternatives, such as `to` or `recipient`, the first is offered.
  const choice = ((whole.oneOf ?? whole.anyOf ?? []) as Part[]).slice(0, 1)
  const parts = [...((whole.allOf ?? []) as Part[]), ...choice].map((inner) => objectOf(inner, definitions))
  return {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), whole.properties),
    required: [...parts.flatMap(({ required }) => required), ...((whole.required ?? []) as string[])],
  }
}

/** Returns the alternatives of a body that is one of several objects, each with its own constant in one field. */
export function alternativesOf({ describedBody }: Endpoint): Alternatives {
  if (!describedBody) return NONE
  const { $defs = {}, ...body } = jsonSchemaOf(describedBody, 'input')
  const options = ((body.oneOf ?? body.anyOf ?? []) as Part[]).map((option) =>
    objectOf(option, $defs as Part),
  )
  const [first] = options
  if (first === undefined) return NONE
  const by = Object.keys(first.properties).find((name) =>
    options.every(({ properties }) => isPart(properties[name]) && 'const' in properties[name]),
  )
  if (by === undefined) return NONE
  const names = new Set(options.flatMap(({ required }) => required).filter((name) => name !== by))
  const valuesFor = (name: string): unknown[] | null => {
    const users = options.filter(({ required }) => required.includes(name))
    return users.length === options.length ? null : users.map(({ properties }) => properties[by]!.const)
  }
  return { by, requires: Object.fromEntries([...names].map((name) => [name, valuesFor(name)])) }
}
