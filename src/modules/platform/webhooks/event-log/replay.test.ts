import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { boot, type Client, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { makeReceivers, type Receiver } from '../../../../../test/support/receiver.ts'

let parley: TestParley
let receivers: Awaited<ReturnType<typeof makeReceivers>>
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env })
})
afterAll(async () => {
  await parley.close()
  await receivers.close()
})

let people = 0
const happen = async (shop: Client): Promise<void> => {
  await shop.post('/contacts', { phone: `+9197${String(10_000_000 + people++)}` })
}

const register = async (shop: Client, receiver: Receiver, more: object = { event: 'contact.created' }) =>
  (await shop.post('/webhooks', { url: receiver.url, ...more })).body.webhook.id as string

/** Returns the endpoint's attempts, oldest first, once each has its first answer. */
const settledLog = (shop: Client, id: string, count: number) =>
  vi.waitFor(
    async () => {
      const deliveries = (await shop.get(`/webhooks/${id}/deliveries?limit=100`)).body.deliveries.reverse()
      const done = deliveries.filter((delivery: { status: string }) => delivery.status !== 'pending')
      if (done.length < count) throw new Error(`${done.length} of ${count} are settled`)
      return deliveries
    },
    { timeout: 60_000, interval: 25 },
  )

const LONG_AGO = '2020-01-01T00:00:00Z'
const timesOf = async (shop: TestWorkspace): Promise<{ id: string; createdAt: string }[]> =>
  (await shop.get('/events?limit=100')).body.events.reverse()

test('a replay sends the events of a time range again, with their own ids, times and bytes, oldest first', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const receiver = await receivers.open()
  const id = await register(shop, receiver)
  for (let i = 0; i < 5; i++) {
    await happen(shop)
    await shop.advance(60)
  }
  const first = await receiver.wait(5)
  const events = await timesOf(shop)
  const replay = await shop.post(`/webhooks/${id}/replay`, {
    from: events[1]!.createdAt,
    to: events[4]!.createdAt,
  })
  expect(replay).toMatchObject({ status: 202, body: { ok: true, queued: 3, nextCursor: null } })
  const requests = await receiver.wait(8)
  expect(new Set(requests.slice(5).map((request) => request.raw))).toEqual(
    new Set(first.slice(1, 4).map((request) => request.raw)),
  )
  const log = await settledLog(shop, id, 8)
  expect(log.slice(5)).toMatchObject(
    events.slice(1, 4).map((event) => ({ eventId: event.id, replayed: true, manual: false, attempt: 1 })),
  )
})

test('with only undelivered it sends the missing events, and repeating it is harmless', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const receiver = await receivers.open()
  const id = await register(shop, receiver)
  await happen(shop)
  await settledLog(shop, id, 1)
  // Fails, and waits for its second attempt.
  receiver.answer(500)
  await happen(shop)
  await settledLog(shop, id, 2)
  // Happens while the endpoint is paused.
  await shop.patch(`/webhooks/${id}`, { active: false })
  await happen(shop)
  await shop.patch(`/webhooks/${id}`, { active: true })
  receiver.answer(200)
  const replay = () => shop.post(`/webhooks/${id}/replay`, { from: LONG_AGO, only: 'undelivered' })
  const duplicates = await Promise.all([replay(), replay()])
  expect(duplicates.map((response) => response.body.queued).sort()).toEqual([0, 1])
  const events = await timesOf(shop)
  await expect.poll(() => receiver.received.at(-1)!.body.id).toBe(events[2]!.id)
  expect((await replay()).body.queued).toBe(0)
})

test('events whose attempts are exhausted are undelivered; a replayed delivery that fails is retried', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const receiver = await receivers.open(500)
  const id = await register(shop, receiver)
  await happen(shop)
  await settledLog(shop, id, 1)
  await shop.advance(24 * 3600)
  expect(receiver.received).toHaveLength(12)
  const replay = () => shop.post(`/webhooks/${id}/replay`, { from: LONG_AGO, only: 'undelivered' })
  expect((await replay()).body.queued).toBe(1)
  const log = await settledLog(shop, id, 13)
  expect(log.slice(12)).toMatchObject([
    { attempt: 1, replayed: true, status: 'failed' },
    { attempt: 2, replayed: true, status: 'pending' },
  ])
  expect((await replay()).body.queued, 'it waits for its second attempt').toBe(0)
  receiver.answer(200)
  await shop.advance(10)
  await settledLog(shop, id, 14)
  expect((await replay()).body.queued, 'it was taken').toBe(0)
})

test('events are filtered by name; a name to which the endpoint is not subscribed is rejected', async () => {
  const shop = await parley.workspace()
  const receiver = await receivers.open()
  const id = await register(shop, receiver, { events: ['contact.created', 'contact.deleted'] })
  await happen(shop)
  await receiver.wait(1)
  const replay = (body: object) => shop.post(`/webhooks/${id}/replay`, { from: LONG_AGO, ...body })
  expect((await replay({ event: 'contact.deleted' })).body).toMatchObject({ queued: 0 })
  expect((await replay({ events: ['contact.created'] })).body).toMatchObject({ queued: 1 })
  expect(await replay({ event: 'lead.created' })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'event' }] },
  })
  expect(await replay({ events: ['contact.made'] })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'events[0]' }] },
  })
})

test('a call reads up to 1,000 events and continues from nextCursor', async () => {
  const shop = await parley.workspace()
  for (let list = 0; list < 3; list++)
    await shop.post('/contacts/bulk', {
      contacts: Array.from({ length: 400 }, () => ({ phone: `+9197${String(10_000_000 + people++)}` })),
    })
  const receiver = await receivers.open()
  const id = await register(shop, receiver)
  const first = (await shop.post(`/webhooks/${id}/replay`, { from: LONG_AGO })).body
  expect(first).toMatchObject({ queued: 1000, nextCursor: expect.any(String) })
  const second = (await shop.post(`/webhooks/${id}/replay`, { from: LONG_AGO, cursor: first.nextCursor }))
    .body
  expect(second).toMatchObject({ queued: 200, nextCursor: null })
  const requests = await receiver.wait(1200, 60_000)
  expect(new Set(requests.map((request) => request.body.id)).size).toBe(1200)
})

test('a paused endpoint, an invalid range, and endpoints that the key may not manage are rejected', async () => {
  const shop = await parley.workspace()
  const receiver = await receivers.open()
  const id = await register(shop, receiver)
  const path = `/webhooks/${id}/replay`
  expect(await shop.post(path, {})).toMatchObject({ status: 400, body: { issues: [{ path: 'from' }] } })
  expect(await shop.post(path, { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'to' }] },
  })
  const agent = await shop.as('agent', { scopes: ['webhooks:manage', 'contacts:read'] })
  expect((await agent.post(path, { from: LONG_AGO })).status).toBe(404)
  await shop.patch(`/webhooks/${id}`, { active: false })
  expect(await shop.post(path, { from: LONG_AGO })).toMatchObject({
    status: 409,
    body: { error: 'conflict' },
  })
})

test('a key narrowed to scopes replays only events that it may read, as in a redelivery (spec 5.5)', async () => {
  const shop = await parley.workspace()
  const receiver = await receivers.open()
  const twoEvents = await register(shop, receiver, { events: ['contact.created', 'lead.created'] })
  const allEvents = await register(shop, await receivers.open(), { events: null })
  await happen(shop)
  await receiver.wait(1)
  const narrowedKey = await shop.as('admin', { scopes: ['webhooks:manage', 'contacts:read'] })
  const replay = (id: string, more: object = {}) =>
    narrowedKey.post(`/webhooks/${id}/replay`, { from: LONG_AGO, ...more })
  expect(await replay(twoEvents)).toMatchObject({
    status: 403,
    body: { error: 'insufficient_scope', required: 'crm:read' },
  })
  expect(await replay(allEvents)).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  for (const id of [twoEvents, allEvents])
    expect(await replay(id, { event: 'contact.created' })).toMatchObject({ status: 202, body: { queued: 1 } })
})
