/** The arguments of a tool, and the request of the API that they make. */
import type { z } from 'zod'
import { type Endpoint, isWrite } from '../../core/endpoint.ts'
import { BASE_PATH } from '../wire/routes.ts'
import { isPart, jsonSchemaOf, type Part } from './json-schemas.ts'

/** The arguments by their place in the request. `body`: the fields of the body, or the argument that is the whole body. */
type ArgumentNames = { path: string[]; query: string[]; body: string[] | 'body' | null }

export type ToolInput = { schema: Part; names: ArgumentNames }

export type ToolRequest = {
  method: Endpoint['method']
  url: string
  body: string | undefined
  idempotencyKey: string | undefined
}

/** Rows of a list, if the assistant asks for no other number. */
const ROWS_DEFAULT = 20
const LIMITS = ['limit', 'pageSize']

export const KEY_ARGUMENT = 'idempotencyKey'
const KEY_SCHEMA: Part = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description:
    'A text of your choice for this change. Send the same text to repeat a call whose outcome you do not know: it has one effect.',
}

const propertiesOf = (part: Part): Part => (part.properties ?? {}) as Part
const requiredOf = (part: Part): string[] => (part.required ?? []) as string[]

/** Fields of a query that return a file, which a tool cannot read. */
const queryOf = (value: Endpoint): Part => {
  const part = jsonSchemaOf(value.query, 'input')
  const { format, ...others } = propertiesOf(part)
  const properties = value.alsoAs === undefined ? propertiesOf(part) : others
  return { ...part, properties: Object.fromEntries(Object.entries(properties).map(withFewRows)) }
}

const withFewRows = ([name, field]: [string, unknown]): [string, unknown] =>
  LIMITS.includes(name) && isPart(field)
    ? [
        name,
        {
          ...field,
          default: ROWS_DEFAULT,
          description: `Rows to return, 1 to 100. Default: ${ROWS_DEFAULT}.`,
        },
      ]
    : [name, field]

const isPlainObject = (part: Part): boolean =>
  isPart(part.properties) && !['anyOf', 'oneOf', 'allOf'].some((key) => key in part)

function bodyOf(value: Endpoint): Part | undefined {
  const schema: z.ZodType | null = value.tool?.body ?? value.describedBody ?? value.body
  return schema === null ? undefined : jsonSchemaOf(schema, 'input')
}

/** Returns the arguments of a tool: path, query, and body in one object. A body with alternatives is one argument, `body`. */
export function inputOf(value: Endpoint): ToolInput {
  const path = jsonSchemaOf(value.params, 'input')
  const query = queryOf(value)
  const body = bodyOf(value)
  const isFlat = body !== undefined && isPlainObject(body)
  const { $defs, ...wholeBody } = body ?? {}
  const bodyFields = isFlat ? propertiesOf(body) : body ? { body: wholeBody } : {}
  const names: ArgumentNames = {
    path: Object.keys(propertiesOf(path)),
    query: Object.keys(propertiesOf(query)),
    body: isFlat ? Object.keys(bodyFields) : body ? 'body' : null,
  }
  const own = isWrite(value) && value.tool?.effect !== 'reads' ? { [KEY_ARGUMENT]: KEY_SCHEMA } : {}
  const parts = [propertiesOf(path), propertiesOf(query), bodyFields, own]
  refuseSharedNames(value, parts)
  const required = [
    ...names.path,
    ...requiredOf(query),
    ...(isFlat ? requiredOf(body) : body && !value.bodyOptional ? ['body'] : []),
  ]
  return {
    names,
    schema: {
      type: 'object',
      properties: Object.assign({}, ...parts) as Part,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
      ...($defs === undefined ? {} : { $defs }),
    },
  }
}

function refuseSharedNames(value: Endpoint, parts: Part[]): void {
  const names = parts.flatMap(Object.keys)
  const shared = names.filter((name, i) => names.indexOf(name) !== i)
  if (shared.length > 0) throw new Error(`Two arguments of ${value.name} are called ${shared.join(', ')}.`)
}

/** Arguments that make no request. The message is for the assistant. */
export class BadArguments extends Error {}

/** Ids and names in addresses. A dot or a slash could lead to another address. */
const PATH_PART = /^[\w+:~-]{1,200}$/

function pathOf(value: Endpoint, names: string[], args: Part): string {
  return names.reduce((path, name) => {
    const part = args[name]
    if (typeof part !== 'string' || !PATH_PART.test(part))
      throw new BadArguments(`${name}: Must be an id, as another tool returned it.`)
    return path.replace(`:${name}`, encodeURIComponent(part))
  }, value.path)
}

/** Returns a value as the query of an address has it: lists are separated by commas. */
function queryText(name: string, value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(',')
  if (typeof value === 'object')
    throw new BadArguments(`${name}: Must be a text, a number, or true or false.`)
  return `${value as string | number | boolean}`
}

function queryOfArguments(names: string[], args: Part): string {
  const query = new URLSearchParams()
  for (const name of names) {
    const value = args[name] ?? (LIMITS.includes(name) ? ROWS_DEFAULT : undefined)
    if (value !== undefined) query.set(name, queryText(name, value).toWellFormed())
  }
  return query.size === 0 ? '' : `?${query}`
}

function bodyOfArguments(value: Endpoint, names: ArgumentNames['body'], args: Part): string | undefined {
  if (names === null) return undefined
  if (names === 'body') return args.body === undefined ? undefined : JSON.stringify(args.body)
  const fields = Object.entries(args).filter(([name]) => names.includes(name))
  return fields.length === 0 && value.bodyOptional ? undefined : JSON.stringify(Object.fromEntries(fields))
}

function refuseUnknown({ path, query, body }: ArgumentNames, schema: Part, args: Part): void {
  const known = Object.keys(propertiesOf(schema))
  const unknown = Object.keys(args).filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const count = path.length + query.length + (body === null ? 0 : body.length)
  const hint = count === 0 ? 'This tool has none.' : `Known arguments: ${known.join(', ')}.`
  throw new BadArguments(`Unknown argument ${JSON.stringify(unknown[0]!.slice(0, 100))}. ${hint}`)
}

/** Whether the value can be the text of a header. */
const isHeaderText = (value: unknown): value is string =>
  typeof value === 'string' && /^[!-~](?:[ -~]{0,253}[!-~])?$/.test(value)

/** Returns the request of a call. `sentKey` is the key that the client sent for its own repetitions. */
export function requestOf(
  value: Endpoint,
  { names, schema }: ToolInput,
  args: Part,
  sentKey: string | undefined,
): ToolRequest {
  refuseUnknown(names, schema, args)
  const { [KEY_ARGUMENT]: ownKey } = args
  if (ownKey !== undefined && !isHeaderText(ownKey))
    throw new BadArguments(`${KEY_ARGUMENT}: Must be 1 to 255 letters, digits, or signs of ASCII.`)
  return {
    method: value.method,
    url: BASE_PATH + pathOf(value, names.path, args) + queryOfArguments(names.query, args),
    body: bodyOfArguments(value, names.body, args),
    idempotencyKey: isWrite(value) ? (ownKey ?? sentKey) : undefined,
  }
}
