/** Writes the OpenAPI document as a Postman collection (format 2.1): a folder for each tag, a request for each endpoint. */

/** The parts of the OpenAPI document that a collection shows. */
export type ApiDocument = {
  info: { title: string; version: string; description?: string }
  tags?: { name: string; description?: string }[]
  paths: Record<string, Record<string, unknown>>
  components?: { parameters?: Record<string, unknown> }
}
type Parameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: { examples?: unknown[]; default?: unknown; enum?: unknown[] }
}
type Media = { example?: unknown; examples?: Record<string, { value?: unknown }> }
type Operation = {
  operationId: string
  tags: string[]
  summary?: string
  description?: string
  security?: unknown[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content?: Record<string, Media> }
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const METHODS = ['get', 'post', 'put', 'patch', 'delete']

const parametersOf = (document: ApiDocument, operation: Operation): Parameter[] =>
  (operation.parameters ?? []).map((parameter) =>
    '$ref' in parameter
      ? (document.components?.parameters?.[parameter.$ref.split('/').at(-1)!] as Parameter)
      : parameter,
  )

const exampleOf = ({ schema }: Parameter): string => {
  const example = schema?.examples?.[0] ?? schema?.default ?? schema?.enum?.[0] ?? ''
  return typeof example === 'string' ? example : JSON.stringify(example)
}

const bodyOf = (operation: Operation): unknown => {
  const media = operation.requestBody?.content?.['application/json']
  return media?.example ?? Object.values(media?.examples ?? {})[0]?.value
}

function requestItem(document: ApiDocument, method: string, path: string, operation: Operation): object {
  const parameters = parametersOf(document, operation)
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => ({
      key: parameter.name,
      value: exampleOf(parameter),
      description: parameter.description ?? '',
      // Optional filters are turned off until the reader wants them.
      disabled: !parameter.required,
    }))
  const parts = path
    .slice(1)
    .split('/')
    .map((part) => part.replace(/^\{(\w+)\}$/, ':$1'))
  const enabled = query.filter(({ disabled }) => !disabled)
  const search = enabled.length > 0 ? `?${enabled.map(({ key, value }) => `${key}=${value}`).join('&')}` : ''
  const body = bodyOf(operation)
  return {
    name: operation.summary ?? operation.operationId,
    request: {
      method: method.toUpperCase(),
      ...(operation.security?.length === 0 ? { auth: { type: 'noauth' } } : {}),
      description: operation.description ?? '',
      header: body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }],
      url: {
        raw: `{{site}}/api/v1/${parts.join('/')}${search}`,
        host: ['{{site}}'],
        path: ['api', 'v1', ...parts],
        query,
        variable: parameters
          .filter((parameter) => parameter.in === 'path')
          .map((parameter) => ({
            key: parameter.name,
            value: exampleOf(parameter),
            description: parameter.description ?? '',
          })),
      },
      ...(body === undefined
        ? {}
        : {
            body: {
              mode: 'raw',
              raw: JSON.stringify(body, null, 2),
              options: { raw: { language: 'json' } },
            },
          }),
    },
  }
}

/** Returns the collection. The reader sets the variables `site` and `key`. */
export function postmanCollection(openapi: object): object {
  const document = openapi as ApiDocument
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ method, path, value: item[method] as Operation }] : [])),
  )
  const tags = [...new Set(operations.map(({ value }) => value.tags[0]!))]
  return {
    info: { name: document.info.title, description: document.info.description ?? '', schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'site', value: 'http://localhost:4000', description: 'The address of your installation.' },
      { key: 'key', value: '', description: 'An API key of a sandbox.' },
    ],
    item: tags.map((tag) => ({
      name: tag,
      description: document.tags?.find(({ name }) => name === tag)?.description ?? '',
      item: operations
        .filter(({ value }) => value.tags[0] === tag)
        .map(({ method, path, value }) => requestItem(document, method, path, value)),
    })),
  }
}
