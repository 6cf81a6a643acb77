/**
 * Every route with a variable path part, including routes without a key, with parts that no reasonable client
 * sends.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { seedOf } from '../support/seed.ts'
import { hostileSegment } from './fuzz/hostile.ts'
import { KEYED, nameOf } from './requests.ts'

const RUNS = Number(process.env.FUZZ_RUNS) || 10
/** They represent no text, or a text that PostgreSQL can't store. */
const UNREADABLE = ['%00', 'a%00b', '%', '%zz', '%ff', '%c3%28', '%ed%a0%80', '%u0000']

type Route = { method: string; path: string }
/** Routes in addition to the endpoints of the catalog. */
const KEYLESS: Route[] = [
  ...['GET', 'POST'].map((method) => ({ method, path: '/api/operator/:workspaceId' })),
  ...['GET', 'POST', 'OPTIONS'].map((method) => ({ method, path: '/api/leads/capture/:token' })),
  { method: 'GET', path: '/media/:token/:filename' },
]
const ROUTES: Route[] = [...KEYED.filter((value) => value.path.includes(':')), ...KEYLESS]

const seed = seedOf('path parts')
let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot({ env: { PARLEY_ROLES: 'web' } })
})
afterAll(() => parley.close())

const send = ({ method, path }: Route, part: string) =>
  shop.call(
    method,
    path.replace(/:\w+/g, () => part),
    method === 'POST' || method === 'PATCH' ? {} : undefined,
  )

describe.each(ROUTES.map((route) => [nameOf(route as never), route] as const))('%s', (_, route) => {
  // Its own workspace for each, because a request that matches no endpoint costs a read too.
  beforeAll(async () => {
    shop = await parley.workspace({ sandbox: true })
  })

  test.each(UNREADABLE)('rejects %s as an invalid address', async (part) => {
    const answer = await send(route, part)
    expect(answer.status, answer.text).toBeOneOf([400, 404])
    expect(answer.body.error).toBeOneOf(['invalid', 'not_found'])
  })

  test('answers a part that is far too long like an unknown id', async () => {
    const [long, short] = [await send(route, 'x'.repeat(5_000)), await send(route, 'x'.repeat(100))]
    expect([long.status, long.body.error]).toEqual([short.status, short.body.error])
  })

  test('answers every part', async () => {
    await fc.assert(
      fc.asyncProperty(hostileSegment, async (part) => {
        const answer = await send(route, part)
        expect(answer.status, `${part}: ${answer.text}`).toBeLessThan(500)
      }),
      { seed, numRuns: RUNS, endOnFailure: true },
    )
  })
})
