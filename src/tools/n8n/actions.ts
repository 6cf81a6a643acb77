/** The actions of the n8n node: each endpoint with `tool` or `action`, as an operation of a resource. */
import { type Endpoint, isWrite } from '../../core/endpoint.ts'
import type { Part } from '../../http/mcp/json-schemas.ts'
import { inputOf, KEY_ARGUMENT, type ToolInput } from '../../http/mcp/tool-input.ts'
import { subjectOf } from '../../http/openapi/operation.ts'
import { type SdkMethod, sdkMethods } from '../sdk-names.ts'
import { type Alternatives, alternativesOf } from './alternatives.ts'
import { Code, fieldOf, type Place } from './fields.ts'
import { descriptionOf, operationOf, operationTitle, resourceOf, titleOf } from './names.ts'

type Field = Record<string, unknown>

/** An operation of the node. `fields` are the parameters that it shows. */
export type N8nAction = {
  endpoint: Endpoint
  resource: string
  operation: string
  /** The entry of the list of operations. */
  option: Field & { name: string }
  fields: Field[]
}

/** Fields that the node fills by itself: the paging of lists, and the file of an upload. */
const PAGING = ['limit', 'cursor', 'page', 'pageSize']
const FILE_FIELDS = ['mimeType']

export const isAction = ({ tool, action }: Endpoint): boolean => tool !== undefined || action !== undefined

/** Returns the fields of the whole request, although an assistant's tool may offer fewer. A field that the tool requires is required here too. */
function requestInput(value: Endpoint): ToolInput {
  const { tool, describedBody: _, ...whole } = value
  const input = inputOf(whole as Endpoint)
  if (tool?.body === undefined) return input
  const required = [input, inputOf(value)].flatMap(({ schema }) => (schema.required ?? []) as string[])
  return { ...input, schema: { ...input.schema, required: [...new Set(required)] } }
}

const placeOf = ({ names }: ToolInput, name: string): Place => {
  if (names.path.includes(name)) return 'path'
  return names.query.includes(name) ? 'query' : 'body'
}

const shownFor = (resource: string, operation: string, more: Field = {}): Field => ({
  displayOptions: { show: { resource: [resource], operation: [operation], ...more } },
})

const idTitle = (value: Endpoint, name: string): string =>
  name === 'id' ? titleOf(`${(subjectOf(value) ?? 'object').replaceAll(' ', '_')}_id`) : titleOf(name)

const KEY_FIELD: Field = {
  displayName: 'Idempotency Key',
  name: KEY_ARGUMENT,
  type: 'string',
  default: '',
  description:
    'A text of your choice for this change, such as the ID of an order. Parley makes the change once for each key. By default, the key comes from the execution, so that a retry changes nothing twice.',
}

const byTitle = (a: Field, b: Field): number => (String(a.displayName) < String(b.displayName) ? -1 : 1)

/** The name of the collection with the optional fields, as n8n's own nodes call it. */
function collectionOf({ method }: Endpoint): { name: string; title: string; button: string } {
  if (method === 'GET') return { name: 'filters', title: 'Filters', button: 'Add Filter' }
  return method === 'PATCH'
    ? { name: 'updateFields', title: 'Update Fields', button: 'Add Field' }
    : { name: 'additionalFields', title: 'Additional Fields', button: 'Add Field' }
}

function listFields(resource: string, operation: string): Field[] {
  return [
    {
      displayName: 'Return All',
      name: 'returnAll',
      type: 'boolean',
      default: false,
      description: 'Whether to return all results or only up to a given limit',
      ...shownFor(resource, operation),
    },
    {
      displayName: 'Limit',
      name: 'limit',
      type: 'number',
      typeOptions: { minValue: 1 },
      default: 50,
      description: 'Max number of results to return',
      routing: { output: { maxResults: '={{ $value }}' } },
      ...shownFor(resource, operation, { returnAll: [false] }),
    },
  ]
}

const fileField = (title: string, description: string): Field => ({
  displayName: title,
  name: 'binaryPropertyName',
  type: 'string',
  required: true,
  default: 'data',
  description,
})

const inputFile = fileField('Input Data Field Name', 'The name of the input field with the file to upload')
const outputFile = fileField('Put Output File in Field', 'The name of the output field for the file')

/** How an operation reads, pages, and returns: the parts of its routing. */
type Variant = {
  operation: string
  title: string
  summary: string
  returns: 'data' | 'file' | 'link'
  format?: string[]
}

/** Returns a field that only some kinds of the request have, and that these require. */
const choiceField = (field: Field, name: string, { by, requires }: Alternatives): Field => ({
  ...field,
  required: true,
  ...(requires[name] ? { shownIf: { [by]: requires[name] } } : {}),
})

function routingOf(method: SdkMethod, { returns, operation }: Variant, hasKey: boolean): Field {
  const { endpoint, paging, fileField: uploaded } = method
  const url = endpoint.path.replace(/:(\w+)/g, '{{ encodeURIComponent($parameter["$1"]) }}')
  const pages =
    paging && operation === operationOf(method)
      ? `${paging.by === 'cursor' ? 'byCursor' : 'byPage'}('${paging.items}')`
      : undefined
  const preSend = [
    ...(uploaded ? [new Code(`withFile('${uploaded}')`)] : []),
    ...(hasKey ? [new Code('withKey')] : []),
  ]
  const read = { data: [], file: [new Code('toFile')], link: [new Code('downloadLink')] }[returns]
  return {
    request: {
      method: endpoint.method,
      url: url === endpoint.path ? url : `=${url}`,
      ...(returns === 'file' ? { encoding: 'arraybuffer', json: false } : {}),
    },
    ...(pages || preSend.length > 0
      ? { send: { ...(pages ? { paginate: true } : {}), ...(preSend.length > 0 ? { preSend } : {}) } }
      : {}),
    output: { postReceive: [new Code('throwRefusal'), ...read] },
    ...(pages ? { operations: { pagination: new Code(pages) } } : {}),
  }
}

function actionOf(method: SdkMethod, variant: Variant): N8nAction {
  const { endpoint } = method
  const { operation, returns, format } = variant
  const resource = resourceOf(method)
  const input = requestInput(endpoint)
  const properties = input.schema.properties as Record<string, Part>
  const required = (input.schema.required ?? []) as string[]
  const isUpload = method.fileField !== null
  const isPaged = method.paging !== null && returns === 'data'
  const hasKey = isWrite(endpoint) && endpoint.tool?.effect !== 'reads'
  const left = [
    KEY_ARGUMENT,
    ...(method.paging ? PAGING : []),
    ...(isUpload ? [method.fileField!, ...FILE_FIELDS] : []),
  ]
  const names = Object.keys(properties).filter((name) => !left.includes(name))
  const make = (name: string): Field =>
    fieldOf(name, properties[name]!, placeOf(input, name), {
      required: required.includes(name),
      title: input.names.path.includes(name) ? idTitle(endpoint, name) : undefined,
    })
  const alternatives = alternativesOf(endpoint)
  const choices = names.filter((name) => !required.includes(name) && name in alternatives.requires)
  const main = [
    ...names.filter((name) => required.includes(name)).map(make),
    ...choices.map((name) => choiceField(make(name), name, alternatives)),
  ]
  const optional = names.filter((name) => !required.includes(name) && !choices.includes(name)).map(make)
  const collected = [...optional, ...(hasKey ? [KEY_FIELD] : [])].sort(byTitle)
  const collection = collectionOf(endpoint)
  const formats = format === undefined || format.length === 0 ? [] : [formatField(format)]
  return {
    endpoint,
    resource,
    operation,
    option: {
      name: operationTitle(operation),
      value: operation,
      action: variant.title,
      description: descriptionOf(variant.summary),
      routing: routingOf(method, variant, hasKey),
    },
    fields: [
      ...[
        ...main,
        ...formats,
        ...(isUpload ? [inputFile] : []),
        ...(returns === 'data' ? [] : [outputFile]),
      ].map(({ shownIf, ...field }) => ({ ...field, ...shownFor(resource, operation, shownIf as Field) })),
      ...(isPaged ? listFields(resource, operation) : []),
      ...(collected.length === 0
        ? []
        : [
            {
              displayName: collection.title,
              name: collection.name,
              type: 'collection',
              placeholder: collection.button,
              default: {},
              options: collected,
              ...shownFor(resource, operation),
            },
          ]),
    ],
  }
}

const formatField = (formats: string[]): Field =>
  fieldOf('format', { enum: formats, description: 'Format of the file.' }, 'query', { required: true })

function variantsOf(method: SdkMethod): Variant[] {
  const { endpoint, download } = method
  const title = (endpoint.tool ?? endpoint.action)!.title
  const operation = operationOf(method)
  const summary = endpoint.summary
  const data: Variant = { operation, title, summary, returns: 'data' }
  // The reply is a link that is valid for minutes: a workflow wants the file.
  if (endpoint.name === 'getMessageMedia')
    return [
      data,
      { ...data, operation: 'downloadMedia', title: 'Download the file of a message', returns: 'link' },
    ]
  if (download === null) return [data]
  const file: Variant = {
    operation: download.verb,
    title: title.replace(/^(?:Get|List|Read)/, 'Download'),
    summary,
    returns: 'file',
    format: download.formats,
  }
  return [data, file]
}

/** Returns the actions in the order of the catalog. */
export const n8nActions = (endpoints: Endpoint[]): N8nAction[] =>
  sdkMethods(endpoints.filter(isAction)).flatMap((method) =>
    variantsOf(method).map((variant) => actionOf(method, variant)),
  )
