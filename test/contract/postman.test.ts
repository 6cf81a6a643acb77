/** The Postman collection: a request for every endpoint, which the service accepts as it is. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ENDPOINTS } from '../../src/catalog.ts'
import { documentedPath } from '../../src/http/openapi/operation.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'

/** The parts of format 2.1 that the collection uses. */
const Variable = z.strictObject({ key: z.string(), value: z.string(), description: z.string() })
const Request = z.strictObject({
  name: z.string().min(1),
  request: z.strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    auth: z.strictObject({ type: z.literal('noauth') }).optional(),
    description: z.string(),
    header: z.array(z.strictObject({ key: z.string(), value: z.string() })),
    url: z.strictObject({
      raw: z.string().startsWith('{{site}}/api/v1/'),
      host: z.tuple([z.literal('{{site}}')]),
      path: z.array(z.string().min(1)),
      query: z.array(
        z.strictObject({
          key: z.string(),
          value: z.string(),
          description: z.string(),
          disabled: z.boolean(),
        }),
      ),
      variable: z.array(Variable),
    }),
    body: z
      .strictObject({
        mode: z.literal('raw'),
        raw: z.string(),
        options: z.strictObject({ raw: z.strictObject({ language: z.literal('json') }) }),
      })
      .optional(),
  }),
})
const Collection = z.strictObject({
  info: z.strictObject({
    name: z.string(),
    description: z.string(),
    schema: z.literal('https://schema.getpostman.com/json/collection/v2.1.0/collection.json'),
  }),
  auth: z.strictObject({
    type: z.literal('bearer'),
    bearer: z.array(
      z.strictObject({ key: z.literal('token'), value: z.literal('{{key}}'), type: z.string() }),
    ),
  }),
  variable: z.array(Variable),
  item: z.array(z.strictObject({ name: z.string(), description: z.string(), item: z.array(Request) })),
})

const path = join(import.meta.dirname, '../../docs/reference/postman.json')
const collection = Collection.parse(JSON.parse(readFileSync(path, 'utf8')))
const requests = collection.item.flatMap(({ item }) => item).map(({ request }) => request)
const nameOf = ({ method, url }: (typeof requests)[number]): string =>
  `${method} /${url.path.slice(2).join('/')}`.replace(/:(\w+)/g, '{$1}')

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  // A chat for the endpoint that takes the next one.
  await shop.inbound('+919812345679', 'Is the blue one in stock?')
})
afterAll(() => parley.close())

test('every endpoint has one request', () => {
  expect(requests.map(nameOf).sort()).toEqual(
    ENDPOINTS.map((value) => `${value.method} ${documentedPath(value.path)}`).sort(),
  )
})

describe('a request of the collection', () => {
  test.each(requests.map((request) => [nameOf(request), request] as const))(
    '%s has a route, a body, and a query that the service knows',
    async (_, { method, url, body, header, auth }) => {
      expect(url.variable.map(({ key }) => `:${key}`)).toEqual(
        url.path.filter((part) => part.startsWith(':')),
      )
      expect(header.length).toBe(body ? 1 : 0)
      const address = url.raw.replace('{{site}}', '').replace(/:\w+/g, '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10')
      const answer = await shop.call(method, address, body?.raw, auth ? { key: '' } : {})
      expect(answer.status, answer.text).not.toBeOneOf([401, 405, 500])
      // A path without its record, or a rule of the workspace; never an unknown field or a missing one.
      expect(answer.body.error, answer.text).not.toBeOneOf([
        'invalid',
        'invalid_json',
        'unsupported_media_type',
      ])
      if (url.variable.length === 0) expect(answer.body.error, answer.text).not.toBe('not_found')
    },
  )
})
