import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { ENDPOINTS, EVENTS } from '../../src/catalog.ts'
import type { Endpoint } from '../../src/core/endpoint.ts'
import { buildOpenapi } from '../../src/http/openapi/document.ts'
import { documentedPath } from '../../src/http/openapi/operation.ts'
import type { Answered } from '../support/boot.ts'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its keys
export const document: any = buildOpenapi({
  endpoints: ENDPOINTS,
  events: EVENTS,
  serverUrl: 'https://parley.example/api/v1',
})

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(document, 'openapi')
const validators = new Map<string, ValidateFunction>()

const escapePart = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')

/** Returns the validator of a place in the document. */
export function validatorAt(...place: string[]): ValidateFunction {
  const pointer = `openapi#/${place.map((part) => encodeURIComponent(escapePart(part))).join('/')}`
  const validator = validators.get(pointer) ?? ajv.compile({ $ref: pointer })
  validators.set(pointer, validator)
  return validator
}

/** Fails unless the document lists this answer of the endpoint `value` and describes its body and headers. */
export function conform(value: Endpoint, answer: Answered): void {
  const path = documentedPath(value.path)
  const method = value.method.toLowerCase()
  const detail = `${value.method} ${value.path} answered ${answer.status}: ${answer.text.slice(0, 500)}`
  const response = document.paths[path][method].responses[answer.status]
  expect(response, `not in the document: ${detail}`).toBeDefined()
  const reference: string | undefined = response.$ref
  const place = reference
    ? reference.slice(2).split('/')
    : ['paths', path, method, 'responses', String(answer.status)]
  const described = reference ? document.components.responses[place[2] as string] : response
  const kind = String(answer.headers['content-type']).split(';')[0] as string
  const validate = validatorAt(...place, 'content', kind, 'schema')
  const isJson = kind === 'application/json'
  expect(validate(isJson ? answer.body : answer.text) || validate.errors, detail).toBe(true)
  if (answer.status >= 400) {
    const fields = Object.keys(document.components.schemas.ErrorBody.properties)
    expect(fields, detail).toEqual(expect.arrayContaining(Object.keys(answer.body)))
  }
  expect(answer.headers['x-request-id'], detail).toBeTruthy()
  for (const name of ['retry-after', 'idempotent-replayed'])
    if (answer.headers[name] !== undefined)
      expect(Object.keys(described.headers).map((header) => header.toLowerCase())).toContain(name)
}
