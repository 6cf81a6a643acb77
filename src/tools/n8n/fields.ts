/** Writes the fields of an action as the fields of a declarative n8n node. */
import { isPart, type Part } from '../../http/mcp/json-schemas.ts'
import { descriptionOf, titleOf } from './names.ts'

/** A name or a call in the generated code. Everything else is data. */
export class Code {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Place = 'body' | 'query' | 'path'
type Field = Record<string, unknown>

/** The type of a value without null: its schema, and whether null is allowed. */
function withoutNull(part: Part): { part: Part; isNullable: boolean } {
  if (Array.isArray(part.type) && part.type.includes('null'))
    return { part: { ...part, type: part.type.find((type) => type !== 'null') }, isNullable: true }
  const options = (part.anyOf ?? part.oneOf) as Part[] | undefined
  const values = options?.filter(({ type }) => type !== 'null')
  if (!options || values!.length !== 1 || values!.length === options.length)
    return { part, isNullable: false }
  return { part: { ...part, anyOf: undefined, oneOf: undefined, ...values![0] }, isNullable: true }
}

const optionsOf = (values: readonly unknown[]): Field[] =>
  values
    .map((value) => ({ name: titleOf(String(value).replaceAll('-', '_')), value }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))

type Kind = { type: string; default: unknown; preSend?: string; more?: Field }

const limits = ({ type, minimum, maximum }: Part): Field => {
  const isLimit = (value: unknown): boolean =>
    typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER
  return {
    typeOptions: {
      ...(isLimit(minimum) ? { minValue: minimum } : {}),
      ...(isLimit(maximum) ? { maxValue: maximum } : {}),
      ...(type === 'integer' ? { numberPrecision: 0 } : {}),
    },
  }
}

function listKind(part: Part): Kind {
  const items = isPart(part.items) ? part.items : {}
  if (Array.isArray(items.enum))
    return { type: 'multiOptions', default: [], more: { options: optionsOf(items.enum) } }
  return items.type === 'string'
    ? { type: 'string', default: '', preSend: 'asList', more: { placeholder: 'e.g. first, second' } }
    : { type: 'json', default: '[]', preSend: 'asJson' }
}

const textKind = (part: Part, isNullable: boolean): Kind => ({
  type: 'string',
  default: part.default ?? '',
  ...(isNullable ? { preSend: 'orNull' } : {}),
  ...(part.format === 'email' ? { more: { placeholder: 'name@email.com' } } : {}),
})

function kindOf(part: Part, isNullable: boolean): Kind {
  if (Array.isArray(part.enum))
    return { type: 'options', default: part.default ?? part.enum[0], more: { options: optionsOf(part.enum) } }
  switch (part.type) {
    case 'string':
      if (part.format === 'date-time') return { type: 'dateTime', default: '', preSend: 'asInstant' }
      return textKind(part, isNullable)
    case 'integer':
    case 'number':
      return { type: 'number', default: part.default ?? part.minimum ?? 0, more: limits(part) }
    case 'boolean':
      return { type: 'boolean', default: part.default ?? false }
    case 'array':
      return listKind(part)
    default:
      return { type: 'json', default: '{}', preSend: 'asJson' }
  }
}

/** Long texts get a field of several lines. */
const MANY_LETTERS = 500

function hintOf({ type, preSend }: Kind, isNullable: boolean): string {
  if (preSend === 'asList') return ' Separate several by commas.'
  return isNullable && type !== 'json' ? ' Leave it empty to remove the value.' : ''
}

function wordsOf(name: string, part: Part, kind: Kind, isNullable: boolean): string {
  const text = typeof part.description === 'string' ? part.description : `${titleOf(name)}.`
  const isYesNo = kind.type === 'boolean' && !text.startsWith('Whether')
  return descriptionOf(`${isYesNo ? 'Whether to turn this on. ' : ''}${text}${hintOf(kind, isNullable)}`)
}

/** Returns the field of an n8n node for a field of a request. */
export function fieldOf(
  name: string,
  schema: Part,
  place: Place,
  options: { required: boolean; title?: string },
): Field {
  const { part, isNullable } = withoutNull(schema)
  const kind = kindOf(part, isNullable)
  const { typeOptions, ...more } = kind.more ?? {}
  const isLong = kind.type === 'string' && Number(part.maxLength ?? 0) > MANY_LETTERS
  const rows = isLong ? { rows: 4 } : {}
  const allOptions = { ...(typeOptions as Field | undefined), ...rows }
  const preSend = place === 'path' ? 'asPathPart' : kind.preSend
  return {
    displayName: options.title ?? titleOf(name),
    name,
    type: kind.type,
    ...(Object.keys(allOptions).length > 0 ? { typeOptions: allOptions } : {}),
    ...(options.required ? { required: true } : {}),
    ...more,
    default: kind.default,
    description: wordsOf(name, schema, kind, isNullable),
    routing: {
      send: {
        ...(place === 'path' ? {} : { type: place, property: name }),
        ...(preSend === undefined ? {} : { preSend: [new Code(`${preSend}('${name}')`)] }),
      },
    },
  }
}
