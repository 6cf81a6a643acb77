/** The filters of an account's list of templates, from the operator's published schema. */
import { isObject, objectsIn } from '../../core/values/storable.ts'
import {
  enumParameter,
  enumsParameter,
  momentParameter,
  type Read,
  refuse,
  textParameter,
  textsParameter,
} from './graph-parameters.ts'
import schema from './graph-schema.json' with { type: 'json' }
import type { SimulatedObject } from './store.ts'
import type { KeptTemplate } from './stored-templates.ts'

type Declared = { type: string; values?: string[] }
type Filter = keyof typeof schema.lists.message_templates.filters
type FilterValue = string | string[] | number

const declared: Record<string, Declared> = schema.lists.message_templates.filters

const contains = (text: string, part: FilterValue): boolean =>
  text.toLowerCase().includes(String(part).toLowerCase())
const isOneOf = (value: string, expected: FilterValue): boolean =>
  Array.isArray(expected) && expected.includes(value)

/** Returns whether a template matches a filter. For a new filter in the schema, add a row. */
const fits: Record<Filter, (template: KeptTemplate, expected: FilterValue) => boolean> = {
  category: ({ category }, expected) => isOneOf(category, expected),
  content: ({ components }, expected) => contains(wordsOf(components), expected),
  language: ({ language }, expected) =>
    Array.isArray(expected) && expected.some((candidate) => candidate.replaceAll('-', '_') === language),
  name: ({ name }, expected) => contains(name, expected),
  name_or_content: ({ name, components }, expected) =>
    contains(name, expected) || contains(wordsOf(components), expected),
  quality_score: ({ quality }, expected) => isOneOf(quality, expected),
  since: ({ updatedAt }, expected) => Date.parse(updatedAt) >= Number(expected),
  source: (_template, expected) => expected === 'MANUAL',
  status: ({ status }, expected) => isOneOf(status, expected),
  until: ({ updatedAt }, expected) => Date.parse(updatedAt) <= Number(expected),
}

/** Returns the texts that a template shows, including its buttons and cards. */
function wordsOf(part: unknown): string {
  if (Array.isArray(part)) return part.map(wordsOf).join('\n')
  if (!isObject(part)) return ''
  const own = typeof part.text === 'string' ? part.text : ''
  return [own, ...[part.buttons, part.cards, part.components].map((inner) => wordsOf(objectsIn(inner)))].join(
    '\n',
  )
}

/** Returns the templates that match every filter among the parameters. */
export function filterTemplates(
  templates: SimulatedObject[],
  values: Record<string, unknown>,
): Read<SimulatedObject[]> {
  let left = templates
  for (const name of Object.keys(declared) as Filter[]) {
    if (values[name] === undefined) continue
    const read = readFilter(name, declared[name]!, values[name])
    if (!read.ok) return read
    left = left.filter(({ value }) => fits[name](value as KeptTemplate, read.value))
  }
  return { ok: true, value: left }
}

function readFilter(name: string, { type, values = [] }: Declared, input: unknown): Read<FilterValue> {
  if (type === 'datetime') return momentParameter(name, input)
  if (type === 'enum') return enumParameter(name, input, values)
  if (type === 'list<enum>') return enumsParameter(name, input, values)
  return { ok: true, value: type === 'list<string>' ? textsParameter(input) : textParameter(input) }
}

/** Returns the figures for `summary=a,b`, all for `summary=true`; undefined if none are requested. */
export function summaryOf(
  input: unknown,
  figures: Record<string, unknown>,
): Read<Record<string, unknown> | undefined> {
  const fields = schema.lists.message_templates.summary
  const text = textParameter(input)
  if (['', 'false', '0'].includes(text)) return { ok: true, value: undefined }
  const names = ['true', '1'].includes(text) ? fields : text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !fields.includes(name))
  if (unknown !== undefined) return refuse(`Tried accessing nonexistent summary field (${unknown})`)
  return { ok: true, value: Object.fromEntries(names.map((name) => [name, figures[name]])) }
}
