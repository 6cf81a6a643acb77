import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../test/support/boot.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  for (let i = 0; i < 5; i++) await shop.post('/contacts', { phone: `+91981234567${i}` })
  await shop.inbound('+919812345670', 'hello')
})
afterAll(() => parley.close())

const names = (events: Body[]) => events.map((one) => one.event)

test('the event log is cursor-paginated, the newest first', async () => {
  const all = (await shop.get('/events')).body
  expect(all.nextCursor).toBeNull()
  expect(names(all.events)).toEqual([
    'message.received',
    'conversation.opened',
    ...Array<string>(5).fill('contact.created'),
  ])
  const first = (await shop.get('/events?limit=4')).body
  const second = (await shop.get(`/events?limit=4&cursor=${first.nextCursor}`)).body
  expect([...first.events, ...second.events]).toEqual(all.events)
})

test('with after it goes oldest first from there, for resuming consumers', async () => {
  const all = (await shop.get('/events')).body.events as Body[]
  const oldestFirst = [...all].reverse()
  const page = (await shop.get(`/events?limit=3&after=${oldestFirst[1].id}`)).body
  expect(page.events).toEqual(oldestFirst.slice(2, 5))
  const rest = (await shop.get(`/events?after=${oldestFirst[1].id}&cursor=${page.nextCursor}`)).body
  expect(rest).toEqual({ events: oldestFirst.slice(5), nextCursor: null })
  expect((await shop.get('/events?after=yesterday')).status).toBe(400)
})

test('each event also needs its own read scope', async () => {
  const narrow = await shop.as('viewer', { scopes: ['webhooks:read', 'contacts:read'] })
  expect(new Set(names((await narrow.get('/events')).body.events))).toEqual(new Set(['contact.created']))
  const none = await shop.as('viewer', { scopes: ['contacts:read'] })
  expect(await none.get('/events')).toMatchObject({ status: 403, body: { required: 'webhooks:read' } })
})

test("another workspace's events are not there", async () => {
  const other = await parley.workspace({ sandbox: true })
  expect((await other.get('/events')).body.events).toEqual([])
})

test('the log reaches 7 days back', async () => {
  const old = await parley.workspace({ sandbox: true })
  await old.post('/contacts', { phone: '+919812345679' })
  await old.advance(7 * 86_400 + 60)
  expect((await old.get('/events')).body.events).toEqual([])
})
