/**
 * No input stops the process: every text of every endpoint in the catalog, at its worst. The event loop is
 * never blocked for more than 100 ms of processor time, and memory does not grow by more than 50 MB.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { DASHBOARD_ENDPOINTS, ENDPOINTS } from '../../../src/catalog.ts'
import type { Clock } from '../../../src/core/clock.ts'
import type { Endpoint } from '../../../src/core/endpoint.ts'
import { boot, type TestParley, type TestWorkspace } from '../../support/boot.ts'
import { type Browser, DASHBOARD, signIn } from '../../support/sessions.ts'
import { arrange, arranging } from '../arrange.ts'
import { valuesOf } from '../fuzz/schema-values.ts'
import { nameOf, type Prepared } from '../requests.ts'
import { worstBodies } from './bodies.ts'
import { WORST_NAMES, worstText } from './texts.ts'
import { MAX_GROWTH_BYTES, type Watched, type WatchedClient, watchedClient } from './watched-requests.ts'

const ARRANGING = await arranging()

/** Other tests cover rate limits: before each request, an hour passes for the limiter. */
const HOUR_MS = 3_600_000
let aheadMs = 0
const clock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() + aheadMs }
const passHour = () => {
  aheadMs += HOUR_MS
}

let parley: TestParley
let shop: TestWorkspace
let admin: Browser
let client: WatchedClient
beforeAll(async () => {
  parley = await boot({ ...ARRANGING, clock })
  shop = await parley.workspace({ sandbox: true })
  admin = await signIn(parley, shop, 'admin')
  client = watchedClient(passHour)
})
afterAll(async () => {
  await client?.close()
  await parley?.close()
})

const LONGEST_QUERY = 6_000

/** Returns addresses of an endpoint with worst texts in their parts and queries. */
function addressesOf(value: Endpoint, knownPath: string, turn: number): { label: string; path: string }[] {
  const text = (i: number, length: number) =>
    encodeURIComponent(worstText(WORST_NAMES[(turn + i) % WORST_NAMES.length]!, length).toWellFormed())
  const shortText = (i: number) => text(i, 500).slice(0, LONGEST_QUERY)
  const parts = value.path.includes(':')
    ? [
        {
          label: 'its id',
          path: value.path.replace(/:\w+/g, () => text(0, 1_000).replace(/(%[^%]{0,1})?$/, '')),
        },
      ]
    : []
  const names = value.query instanceof z.ZodObject ? Object.keys(value.query.shape) : []
  const [path = ''] = knownPath.split('?')
  return [
    ...parts,
    ...names.map((name, i) => ({ label: `its ${name}`, path: `${path}?${name}=${shortText(i)}` })),
    { label: 'many parameters', path: `${path}?${'a=1&'.repeat(1_500)}` },
  ]
}

async function requestsOf(value: Endpoint, turn: number, prepared: Prepared): Promise<Watched[]> {
  const isOfDashboard = value.auth === 'session'
  const base = parley.url + (isOfDashboard ? DASHBOARD : '/api/v1')
  const headers: Record<string, string> = isOfDashboard
    ? { cookie: admin.cookie, 'parley-workspace': shop.workspaceId, 'sec-fetch-site': 'same-origin' }
    : { authorization: `Bearer ${shop.key}` }
  const { method } = value
  const ofAddress = addressesOf(value, prepared.path, turn).map(
    ({ label, path }): Watched => ({
      label: `${nameOf(value)}, ${label}`,
      method,
      url: base + path,
      headers,
    }),
  )
  if (!value.body) return method === 'GET' ? ofAddress : ofAddress.slice(0, 1)
  const ofBody = worstBodies(value.body, prepared.body, turn).map(
    ({ label, text }): Watched => ({
      label: `${nameOf(value)}, ${label}`,
      method,
      url: base + prepared.path,
      headers: { ...headers, 'content-type': 'application/json' },
      body: Buffer.from(text),
    }),
  )
  return [...ofAddress.slice(0, 1), ...ofBody]
}

async function expectNoStandstill(value: Endpoint, turn: number, prepared: Prepared): Promise<void> {
  const answers = await client.send(await requestsOf(value, turn, prepared))
  expect(client.slow.splice(0)).toEqual([])
  const failed = answers.filter(({ status }) => status >= 500 && status !== 503)
  expect(failed).toEqual([])
}

/** Endpoints that end something other tests use. */
const LEFT_OUT = ['DELETE /session', 'DELETE /workspace']

describe('no input of the API stops the process', () => {
  test.each(ENDPOINTS.map((value, turn) => [nameOf(value), value, turn] as const))(
    '%s',
    async (_, value, turn) => {
      aheadMs += HOUR_MS
      await expectNoStandstill(
        value,
        turn,
        value.role === null ? { path: value.path } : await arrange(value, shop),
      )
    },
  )
})

describe('no input of the dashboard stops the process', () => {
  test.each(
    DASHBOARD_ENDPOINTS.filter((value) => !LEFT_OUT.includes(nameOf(value))).map(
      (value, turn) => [nameOf(value), value, turn] as const,
    ),
  )('%s', async (_, value, turn) => {
    const schema = value.body && z.toJSONSchema(value.body, { io: 'input', unrepresentable: 'any' })
    const [body] = schema ? fc.sample(valuesOf(schema, schema), { numRuns: 1, seed: turn }) : []
    await expectNoStandstill(value, turn, { path: value.path.replace(/:\w+/g, crypto.randomUUID()), body })
  })
})

test('memory does not grow with the input', () => {
  expect(client.grownBytes()).toBeLessThan(MAX_GROWTH_BYTES)
})
