/** The filters of an account's list of templates, from the operator's published schema. */
import { isObject, objectsIn } from '../../core/storable.ts'
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
import type { KeptTemplate } from './kept-templates.ts'
import type { SimulatedObject } from './store.ts'

type Declared = { type: string; values?: string[] }
type Filter = keyof typeof schema.lists.message_templates.filters
type Given = string | string[] | number

const declared: Record<string, Declared> = schema.lists.message_templates.filters

const holds = (text: string, part: Given): boolean => text.toLowerCase().includes(String(part).toLowerCase())
const isOneOf = (value: string, given: Given): boolean => Array.isArray(given) && given.includes(value)

/** Returns whether a template matches a filter. For a new filter in the schema, add a row. */
const fits: Record<Filter, (template: KeptTemplate, given: Given) => boolean> = {
  category: ({ category }, given) => isOneOf(category, given),
  content: ({ components }, given) => holds(wordsOf(components), given),
  language: ({ language }, given) =>
    Array.isArray(given) && given.some((one) => one.replaceAll('-', '_') === language),
  name: ({ name }, given) => holds(name, given),
  name_or_content: ({ name, components }, given) => holds(name, given) || holds(wordsOf(components), given),
  quality_score: ({ quality }, given) => isOneOf(quality, given),
  since: ({ updatedAt }, given) => Date.parse(updatedAt) >= Number(given),
  source: (_template, given) => given === 'MANUAL',
  status: ({ status }, given) => isOneOf(status, given),
  until: ({ updatedAt }, given) => Date.parse(updatedAt) <= Number(given),
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

function readFilter(name: string, { type, values = [] }: Declared, given: unknown): Read<Given> {
  if (type === 'datetime') return momentParameter(name, given)
  if (type === 'enum') return enumParameter(name, given, values)
  if (type === 'list<enum>') return enumsParameter(name, given, values)
  return { ok: true, value: type === 'list<string>' ? textsParameter(given) : textParameter(given) }
}

/** Returns the figures for `summary=a,b`, all for `summary=true`; undefined if none are requested. */
export function summaryOf(
  asked: unknown,
  figures: Record<string, unknown>,
): Read<Record<string, unknown> | undefined> {
  const known = schema.lists.message_templates.summary
  const text = textParameter(asked)
  if (['', 'false', '0'].includes(text)) return { ok: true, value: undefined }
  const names = ['true', '1'].includes(text) ? known : text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) return refuse(`Tried accessing nonexistent summary field (${unknown})`)
  return { ok: true, value: Object.fromEntries(names.map((name) => [name, figures[name]])) }
}
