/** The methods of the Python SDK: their arguments, and the types of these and of their replies. */
import type { Endpoint } from '../core/endpoint.ts'
import { documentedPath } from '../http/openapi/operation.ts'
import type { Part, Schemas } from '../http/openapi/schemas.ts'
import { pascalCase, snakeCase } from './python-names.ts'
import { mergedObject, type PythonTypes } from './python-types.ts'
import type { SdkMethod } from './sdk-names.ts'

/** A keyword argument: a field of the body, of the query, or of the form. */
export type PythonParameter = {
  name: string
  wireName: string
  type: string
  required: boolean
  part: Part
}

export type PythonMethod = {
  method: SdkMethod
  name: string
  /** The part of the request with the arguments. */
  part: 'body' | 'query' | 'form' | null
  parameters: PythonParameter[]
  /** Fields of the query that are always the same. */
  fixed: Record<string, string>
  /** The type of the reply, and of an entry of a list. */
  reply: string
  entry: string | null
  returnsFile: boolean
}

/** The schemas of a method's request and reply, before their names are known. */
export type MethodSchemas = { method: SdkMethod; input: Part | null; reply: Part }

/** Names that a method uses itself, for its options and its reply. */
const TAKEN = ['self', 'result', 'request_options', 'timeout', 'max_attempts', 'idempotency_key']

export const resourceClass = (resource: string | null, flavor: 'sync' | 'async'): string =>
  `${flavor === 'async' ? 'Async' : ''}${resource === null ? 'Resources' : `${pascalCase(resource)}Resource`}`

/** Returns one schema for all successful replies of an endpoint. */
function replyPart(value: Endpoint, schemas: Schemas): Part {
  const parts = Object.entries(value.replies).map(([status, schema]) =>
    status === '204' ? { type: 'null' } : schemas.ofReply(schema),
  )
  const different = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()]
  if (different.length > 1) return { anyOf: different }
  const [only] = different
  return only!.properties
    ? { description: `Reply of \`${value.method} ${documentedPath(value.path)}\`.`, ...only }
    : only!
}

/** Converts the schemas of a method, so that `schemas` knows all shapes with names. */
export function methodSchemas(method: SdkMethod, schemas: Schemas): MethodSchemas {
  const { endpoint, input } = method
  const body = endpoint.describedBody ?? endpoint.body
  return {
    method,
    input: input === 'body' ? schemas.ofRequest(body!) : schemas.ofRequest(endpoint.query),
    reply: replyPart(endpoint, schemas),
  }
}

/** Arguments accept every sequence and mapping. */
const argumentType = (type: string): string =>
  type.replace(/(^| \| )List\[/g, '$1Sequence[').replace(/(^| \| )Dict\[/g, '$1Mapping[')

/** Returns the name of the type of an argument; `reply` of `createAutoReply` is not the reply of the operation. */
const inputType = (name: string, field: string): string =>
  field === 'reply' ? `${name}ReplyInput` : `${name}${pascalCase(field)}`

function parametersOf(part: Part, name: string, without: string[], types: PythonTypes): PythonParameter[] {
  const required = (part.required ?? []) as string[]
  const fields = Object.entries((part.properties ?? {}) as Record<string, Part>)
    .filter(([field]) => !without.includes(field))
    .map(([field, inner]) => ({
      name: snakeCase(field),
      wireName: field,
      type: argumentType(types.typeOf(inner, inputType(name, field))),
      required: required.includes(field),
      part: inner,
    }))
  const reserved = fields.filter((field) => TAKEN.includes(field.name))
  if (reserved.length > 0)
    throw new Error(`${name} has the argument ${reserved[0]!.name}, which a method uses itself`)
  // Required arguments come first.
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)]
}

const FILE: PythonParameter = {
  name: 'file',
  wireName: 'file',
  type: 'FileContent',
  required: true,
  part: { description: 'The file: its bytes, its path, or an open file.' },
}

/** Returns the Python methods of an operation: it, and the one that returns a file. */
export function pythonMethods(
  own: MethodSchemas,
  components: Record<string, Part>,
  types: PythonTypes,
): PythonMethod[] {
  const { method, input, reply } = own
  const { endpoint, paging, fileField, download } = method
  const resolve = (part: Part): Part =>
    typeof part.$ref === 'string' ? components[part.$ref.split('/').at(-1)!]! : part
  const name = pascalCase(endpoint.name)
  const fields = mergedObject(input ?? {}, resolve)
  const items = paging && ((resolve(reply).properties as Record<string, Part>)[paging.items]!.items as Part)
  const replyType = types.typeOf(reply, `${name}Reply`)
  const parameters = parametersOf(fields, name, ['format', ...(fileField ? [fileField] : [])], types)
  const data: PythonMethod = {
    method,
    name: snakeCase(method.verb),
    part: fileField ? 'form' : method.input,
    parameters: fileField ? [FILE, ...parameters] : parameters,
    fixed: {},
    reply: replyType,
    entry: items && types.typeOf(items, `${name}ReplyEntry`),
    returnsFile: false,
  }
  if (!download) return [data]
  const { verb, formats } = download
  const format: PythonParameter = {
    name: 'format',
    wireName: 'format',
    type: `Literal[${formats.map((text) => JSON.stringify(text)).join(', ')}]`,
    required: true,
    part: { description: 'The format of the file.' },
  }
  // A file contains all pages.
  const others = parameters.filter((parameter) => !['limit', 'cursor'].includes(parameter.name))
  const isChoice = formats.length > 1
  const file: PythonMethod = {
    ...data,
    name: snakeCase(verb),
    part: 'query',
    parameters: isChoice ? [format, ...others] : others,
    fixed: isChoice ? {} : { format: formats[0]! },
    returnsFile: true,
  }
  return [data, file]
}
