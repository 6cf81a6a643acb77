/** Requests for an operation of the OpenAPI document: valid, almost valid, and nonsense. */
import fc from 'fast-check'
import type { Prepared } from '../requests.ts'
import { brokenWire, corrupted, hostileQuery, hostileSegment, hostileText } from './hostile.ts'
import { valuesOf } from './schema-values.ts'

export type Case = {
  path: string
  body?: Buffer
  headers: Record<string, string>
  /** The operation must reject the request. */
  broken: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: the document is walked by its keys
type Document = any

/** The type of JSON, and types that libraries send by default: each is read as JSON. */
const READ_AS_JSON = [
  'application/json',
  'application/json',
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
]

/** Generates cases for the operation at `template` (`/contacts/{id}`); `prepared` is a valid request for it. */
export function casesOf(
  document: Document,
  template: string,
  method: string,
  prepared: Prepared,
): fc.Arbitrary<Case> {
  const operation = document.paths[template][method]
  const schema = operation.requestBody?.content['application/json'].schema
  const [knownPath = '', knownQuery] = prepared.path.split('?')
  const names: string[] = operation.parameters
    .filter((parameter: { in?: string }) => parameter.in === 'query')
    .map((parameter: { name: string }) => parameter.name)

  const path = template.includes('{')
    ? fc.oneof(
        { weight: 3, arbitrary: fc.constant(knownPath) },
        {
          weight: 1,
          arbitrary: hostileSegment.map((segment) => template.replace(/\{\w+\}/g, () => segment)),
        },
      )
    : fc.constant(knownPath)
  const query = fc.oneof(
    { weight: 4, arbitrary: fc.constant(knownQuery) },
    ...(names.length > 0 ? [{ weight: 3, arbitrary: queriesOf(document, operation) }] : []),
    { weight: names.length > 0 ? 3 : 1, arbitrary: hostileQuery(names) },
  )
  const address = fc
    .tuple(path, query)
    .map(([target, search]) =>
      search === undefined || target.includes('?') ? target : `${target}?${search}`,
    )

  if (!schema) return address.map((target) => ({ path: target, headers: {}, broken: false }))
  const valid = fc.oneof(fc.constant(prepared.body ?? {}), valuesOf(document, schema))
  const text = fc.oneof(
    { weight: 1, arbitrary: valid.map((value) => JSON.stringify(value)) },
    { weight: 6, arbitrary: valid.chain(corrupted) },
    { weight: 1, arbitrary: hostileText },
  )
  const readable = fc.tuple(text, fc.constantFrom(...READ_AS_JSON)).map(([content, type]) => ({
    body: Buffer.from(content),
    headers: { 'content-type': type },
    broken: false,
  }))
  const broken = valid
    .chain((value) => brokenWire(JSON.stringify(value)))
    .map((wire) => ({ ...wire, broken: true }))
  const body = fc.oneof({ weight: 5, arbitrary: readable }, { weight: 1, arbitrary: broken })
  return fc.tuple(address, body).map(([target, rest]) => ({ path: target, ...rest }))
}

/** Generates queries whose values match the description. */
function queriesOf(document: Document, operation: Document): fc.Arbitrary<string> {
  const fields = operation.parameters
    .filter((parameter: { in?: string }) => parameter.in === 'query')
    .map((parameter: { name: string; schema: object }) => [
      parameter.name,
      valuesOf(document, parameter.schema),
    ])
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] }).map((values) =>
    Object.entries(values)
      .map(([name, value]) => {
        const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
        return `${encodeURIComponent(name)}=${encodeURIComponent(text.toWellFormed())}`
      })
      .join('&'),
  )
}
