/** The values of requests that the OpenAPI document describes without a limit (docs/operation-checklist.md). */

type Schema = Record<string, unknown> & {
  $ref?: string
  type?: string | string[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  patternProperties?: Record<string, Schema>
}

/** Fields without a limit in the document, with the rule that limits them. The size of the body limits all. */
export const LIMITED_BY_RULE: Record<string, string> = {
  cursor: 'the id of a row',
  ids: 'at most 100 ids, separated by commas',
  after: 'the id of an event',
  leadId: 'an id',
  view: 'an id, or one of the views of Parley',
  assignee: '`me`, `none`, or an id',
  teamId: '`none`, or an id',
  state: 'a list of known states',
  events: 'names of the catalog',
  contactIds: 'ids; the list has a limit',
  phones: 'numbers; the list has a limit',
  phone: 'parsed as a number',
  e164: 'parsed as a number',
  from: 'a clock time, a moment, or an id',
  to: 'a clock time, or a moment',
  at: 'a clock time, or a moment',
  date: 'a day',
  timeZone: 'a time zone of the system',
  shortcut: '50 characters, by its pattern',
  keywords: '100 or 200 characters each, after spaces are removed',
  patterns: '200 characters each, after spaces are removed',
  name: '120 characters, after spaces are removed',
  caption: "the network's limit (post-rules.ts)",
  gstin: '15 characters, with a check digit',
  placeOfSupply: 'a state code of GST, or 96',
  country: 'a country code of two letters',
  variables: "the operator's limit for the template",
  headerText: "the operator's limit for the template",
  prefix: 'the characters of a series',
  fields: 'the answers of a stored submission',
  emoji: 'one emoji, by the operator',
  policy: 'ignored',
  couponCode: "the operator's limit (fill-buttons.ts)",
  fileBase64: 'the limit of uploads, while the file arrives',
  value: 'a number that the column can store',
  latitude: 'degrees',
  longitude: 'degrees',
  card_index: "the operator's limit",
  page: 'a page past the end is empty',
  version: 'a version past the last is not found',
}

const isLimited = (schema: Schema): boolean => {
  if (schema.enum || schema.const !== undefined) return true
  return [schema.type].flat().every((type) => {
    if (type === 'string') return 'maxLength' in schema || 'format' in schema || 'pattern' in schema
    if (type === 'number' || type === 'integer') return 'maximum' in schema || 'exclusiveMaximum' in schema
    return type !== 'array' || 'maxItems' in schema
  })
}

/** Returns the name of every value in `schema` without a limit; a value in a list has the name of the list. */
export function unlimitedIn(
  schema: Schema,
  resolve: (schema: Schema) => Schema,
  name: string,
  outer: readonly Schema[] = [],
): string[] {
  const resolved = resolve(schema)
  if (outer.includes(resolved)) return []
  const inside = (part: Schema, as: string) => unlimitedIn(part, resolve, as, [...outer, resolved])
  const options = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (resolved[key] ?? []) as Schema[])
  const { items, properties = {}, patternProperties = {}, additionalProperties } = resolved
  return [
    ...(isLimited(resolved) ? [] : [name]),
    ...options.flatMap((option) => inside(option, name)),
    ...(items ? inside(items, name) : []),
    ...Object.entries(properties).flatMap(([key, field]) => inside(field, key)),
    ...Object.values(patternProperties).flatMap((value) => inside(value, name)),
    ...(typeof additionalProperties === 'object' ? inside(additionalProperties as Schema, name) : []),
  ]
}
