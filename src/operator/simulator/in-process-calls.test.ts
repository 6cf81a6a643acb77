import { randomBytes } from 'node:crypto'
import { Agent } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../core/clock.ts'
import { type Exchange, type Exchanged, exchangeOnce } from '../cloud/exchange-once.ts'
import { type Director, plainDirector } from './behavior.ts'
import { nearCalls } from './in-process-calls.ts'
import { memoryObjects } from './memory-objects.ts'
import { startSimulator } from './start.ts'
import type { SimulatorStore } from './store.ts'

const number = { operatorId: '106', accountId: '102', token: 'token-1', displayNumber: '15550100' }
const ANSWER_MS = 5_000
const SHORT_MS = 50

let isAble = true
let ending: 'hang' | 'close' | undefined
const store: SimulatorStore = {
  ...memoryObjects(systemClock),
  findNumber: async (operatorId) => (operatorId === number.operatorId ? number : undefined),
  listNumbers: async (accountId) => (accountId === number.accountId ? [number] : []),
  findNumberByToken: async (token) => (token === number.token ? number : undefined),
  now: async () => systemClock.now(),
  async schedule() {
    if (!isAble) throw new Error('no database')
  },
}
const director: Director = {
  ...plainDirector,
  after: (_name, _call, answer) => (ending === undefined ? answer : { ...answer, ending }),
}

const agent = new Agent()
let simulator: Awaited<ReturnType<typeof startSimulator>>
let near: ReturnType<typeof nearCalls>
beforeAll(async () => {
  simulator = await startSimulator({ port: 0, host: '127.0.0.1', store, director })
  near = nearCalls({ origin: simulator.url, store, director })
})
afterAll(async () => {
  await agent.destroy()
  await simulator.close()
})

const exchangeOf = (changes: Partial<Exchange>): Exchange => ({
  method: 'POST',
  origin: simulator.url,
  path: '/v24.0/106/messages',
  headers: { authorization: 'Bearer token-1', 'content-type': 'application/json' },
  body: null,
  ...changes,
})

const VARYING = /wamid\.[\w=+/-]+|"fbtrace_id":"[^"]+"/g
/** Removes the parts that differ in each answer. */
const comparable = (exchanged: Exchanged | undefined) =>
  exchanged?.kind === 'answered'
    ? {
        status: exchanged.status,
        body: exchanged.body.replace(VARYING, ''),
        usage: exchanged.headers['x-business-use-case-usage'],
      }
    : exchanged && { kind: exchanged.kind, written: exchanged.written }

const message = { messaging_product: 'whatsapp', to: '+919812345678', type: 'text', text: { body: 'नमस्ते' } }

test.each<[string, () => Partial<Exchange>]>([
  ['a message', () => ({ body: JSON.stringify(message) })],
  ['a message of an unknown type', () => ({ body: JSON.stringify({ ...message, type: 'nothing' }) })],
  [
    'a read mark',
    () => ({ body: '{"messaging_product":"whatsapp","status":"read","message_id":"wamid.1"}' }),
  ],
  ['a body that is no JSON', () => ({ body: '{' })],
  ['a body that is too large', () => ({ body: `{"a":"${randomBytes(1_100_000).toString('base64url')}"}` })],
  ['no body', () => ({})],
  ['another version of the API', () => ({ path: '/v17.0/106/messages', body: JSON.stringify(message) })],
  ['a query', () => ({ method: 'GET', path: '/v24.0/106?fields=id,display_phone_number' })],
  ['a list within a node', () => ({ method: 'GET', path: '/v24.0/102?fields=phone_numbers{id}' })],
  [
    'a form',
    () => ({
      path: '/v24.0/102/subscribed_apps',
      headers: { authorization: 'Bearer token-1', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'subscribed_fields[]=messages',
    }),
  ],
  ['another token', () => ({ headers: { authorization: 'Bearer token-2' }, body: JSON.stringify(message) })],
  ['no token', () => ({ headers: {}, body: JSON.stringify(message) })],
  ['a number that nobody has', () => ({ path: '/v24.0/107/messages', body: JSON.stringify(message) })],
  ['a call that is not played', () => ({ method: 'DELETE', path: '/v24.0/106/nothing' })],
])('%s is answered as over a connection', async (_what, changes) => {
  const exchange = exchangeOf(changes())
  const far = await exchangeOnce(agent, exchange, ANSWER_MS)
  expect(far.kind).toBe('answered')
  expect(comparable(await near.exchange(exchange, ANSWER_MS))).toEqual(comparable(far))
})

test('a fault of the store is answered as service unavailable', async () => {
  isAble = false
  const exchange = exchangeOf({ body: JSON.stringify(message) })
  const far = await exchangeOnce(agent, exchange, ANSWER_MS)
  const answered = await near.exchange(exchange, ANSWER_MS)
  isAble = true
  expect(far).toMatchObject({ kind: 'answered', status: 500 })
  expect(comparable(answered)).toEqual(comparable(far))
})

test.each(['close', 'hang'] as const)('a call without an answer (%s) is unknown', async (endingKind) => {
  ending = endingKind
  const exchange = exchangeOf({ body: JSON.stringify(message) })
  const [far, answered] = await Promise.all([
    exchangeOnce(agent, exchange, SHORT_MS),
    near.exchange(exchange, SHORT_MS),
  ])
  ending = undefined
  expect(comparable(far)).toEqual({ kind: 'failed', written: true })
  expect(comparable(answered)).toEqual(comparable(far))
})

test('calls in flight are aborted when the line closes', async () => {
  ending = 'hang'
  const waiting = near.exchange(exchangeOf({ body: JSON.stringify(message) }), ANSWER_MS)
  near.close()
  expect(comparable(await waiting)).toEqual({ kind: 'failed', written: true })
  ending = undefined
})

test('a file is sent over a connection', () => {
  const headers = { authorization: 'Bearer token-1', 'content-type': 'multipart/form-data; boundary=b' }
  expect(near.exchange(exchangeOf({ headers, body: '--b--' }), ANSWER_MS)).toBeUndefined()
  expect(near.exchange(exchangeOf({ body: Buffer.from('{}') }), ANSWER_MS)).toBeUndefined()
})
