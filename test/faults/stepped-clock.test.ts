/** docs/reliability.md row 11: the machine's wall clock is set, forward and back, under a running service. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { later, MINUTE_MS, systemClock } from '../../src/core/clock.ts'
import { boot, type TestParley } from '../support/boot.ts'
import { makeReceivers } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const STEP_MS = 10 * MINUTE_MS
const clock = {
  aheadMs: 0,
  now: () => later(systemClock.now(), clock.aheadMs),
  monotonicMs: systemClock.monotonicMs,
}

let parley: TestParley
let receivers: Awaited<ReturnType<typeof makeReceivers>>
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env, clock })
})
afterAll(async () => {
  await parley.close()
  await receivers.close()
})

test('after each step new work is carried out immediately and once, and signed with the time of its attempt', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const receiver = await receivers.open()
  await shop.post('/webhooks', { url: receiver.url, events: ['message.status'] })
  const idempotencyKey = randomUUID()
  const first = { phone: '+919812340000', displayName: 'Once' }
  await shop.post('/contacts', first, { idempotencyKey })
  const sent: string[] = []
  for (const aheadMs of [0, STEP_MS, 0, -STEP_MS]) {
    clock.aheadMs = aheadMs
    await shop.post('/sandbox/inbound', { from: '+919812345678', text: 'hello' })
    const { status, body } = await shop.post('/send', { to: '+919812345678', type: 'text', text: 'Hi' })
    expect(status).toBe(200)
    sent.push(body.messageId)
    await shop.post('/sandbox/clock', { advanceSeconds: 5 })
    const { message } = (await shop.get(`/messages/${body.messageId}`)).body
    expect(message.status).toBe('read')
    const listReported = () =>
      receiver.received.filter((request) => request.body.data.messageId === body.messageId)
    await until(() => listReported().length === 3, 'each state is delivered')
    for (const { headers } of listReported()) {
      const signedMs = Number(headers['x-webhook-timestamp']) * 1_000
      expect(Math.abs(signedMs - clock.now().getTime())).toBeLessThan(5 * MINUTE_MS)
    }
    const retry = await shop.post('/contacts', first, { idempotencyKey })
    expect(retry).toMatchObject({ status: 201, headers: { 'idempotent-replayed': 'true' } })
  }
  const states = receiver.received.map(
    (request) => `${request.body.data.messageId} ${request.body.data.status}`,
  )
  expect(states.toSorted()).toEqual(
    sent.flatMap((id) => ['delivered', 'read', 'sent'].map((state) => `${id} ${state}`)).toSorted(),
  )
  expect(new Set(receiver.received.map((request) => request.body.id)).size).toBe(receiver.received.length)
})

test('a step during an attempt settles the attempt once; nothing is lost', async () => {
  clock.aheadMs = 0
  const shop = await parley.workspace()
  const held: (() => void)[] = []
  const receiver = await receivers.open((response) => void held.push(() => response.writeHead(200).end()))
  const { body } = await shop.post('/webhooks', { url: receiver.url })
  await shop.post('/contacts', { phone: '+919812340001', displayName: 'Stepped' })
  await until(() => held.length === 1, 'the attempt is running')
  clock.aheadMs = STEP_MS
  await shop.post('/contacts', { phone: '+919812340002', displayName: 'Later' })
  await until(() => held.length >= 2, 'the deliveries after the step are not delayed')
  receiver.answer(200)
  for (const answer of held) answer()
  const log = async () => (await shop.get(`/webhooks/${body.webhook.id}/deliveries`)).body.deliveries
  await until(
    async () => (await log()).every((entry: { status: string }) => entry.status === 'succeeded'),
    'all deliveries have a result',
  )
  expect((await log()).map((entry: { attempt: number }) => entry.attempt)).toEqual([1, 1])
})

test('a step neither fills nor empties a bucket', async () => {
  clock.aheadMs = 0
  const shop = await parley.workspace()
  const left: number[] = []
  for (const aheadMs of [0, STEP_MS, 0, -STEP_MS]) {
    clock.aheadMs = aheadMs
    const { status, headers } = await shop.post('/broadcasts', {})
    expect(status).toBe(400)
    left.push(Number(headers['ratelimit-remaining']))
  }
  expect(left).toEqual([9, 8, 7, 6])
})
