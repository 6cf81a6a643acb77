import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { inWorkspace } from '../../../../../test/support/in-workspace.ts'
import { makeReceivers, type Receiver } from '../../../../../test/support/receiver.ts'
import { storePastMessages } from './operations/store-past-messages.ts'
import type { PastMessage, PastSource } from './past-message.ts'

const CUSTOMER = '+919812345678'
const HOUR_MS = 3_600_000

let receivers: Awaited<ReturnType<typeof makeReceivers>>
let parley: TestParley
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env })
})
afterAll(async () => {
  await parley.close()
  await receivers.close()
})

const message = (n: number, more: Partial<PastMessage> = {}): PastMessage => ({
  externalId: `m${n}`,
  contact: { phone: CUSTOMER, name: 'Asha Rao' },
  direction: n % 2 === 0 ? 'inbound' : 'outbound',
  createdAt: new Date(Date.UTC(2023, 0, 1, 10, n)),
  content: { body: `text ${n}` },
  ...more,
})

const numberOf = async (shop: TestWorkspace): Promise<string> =>
  (await shop.get('/phone-numbers')).body.phoneNumbers[0].id

async function store(shop: TestWorkspace, messages: PastMessage[], source: PastSource = 'history_file') {
  const phoneNumberId = await numberOf(shop)
  return inWorkspace(parley, shop, (ctx) => storePastMessages(ctx, { phoneNumberId, source, messages }))
}

const messagesOf = async (shop: TestWorkspace, query = '') =>
  (await shop.get(`/messages?limit=100${query}`)).body.messages
const chatOf = async (shop: TestWorkspace) => (await shop.get('/conversations')).body.conversations[0]
const textsOf = async (shop: TestWorkspace) =>
  (await messagesOf(shop)).map(({ text }: { text: string }) => text)

test('past messages are stored once, in the order of their time, with their source', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const batch = [3, 1, 2, 0].map((n) => message(n))
  expect(await store(shop, batch)).toEqual({ stored: 4, known: 0, contacts: 1, leftOut: [] })
  expect(await textsOf(shop)).toEqual(['text 3', 'text 2', 'text 1', 'text 0'])
  expect(await messagesOf(shop)).toMatchObject([
    {
      direction: 'outbound',
      status: 'delivered',
      importedFrom: 'history_file',
      createdAt: '2023-01-01T10:03:00.000Z',
    },
    { direction: 'inbound', status: null },
    {},
    {},
  ])
  expect(await store(shop, [...batch, message(4)])).toEqual({ stored: 1, known: 4, contacts: 0, leftOut: [] })
  expect((await shop.get('/contacts')).body.contacts).toMatchObject([
    { phone: CUSTOMER, displayName: 'Asha Rao', lastSeenAt: '2023-01-01T10:04:00.000Z' },
  ])
})

test('imports at the same time store each message once', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const batch = Array.from({ length: 40 }, (_, n) =>
    message(n, { contact: { phone: `+9198123456${10 + (n % 5)}` }, chanmid: n < 10 ? `wamid.${n}` : null }),
  )
  const results = await Promise.all([store(shop, batch), store(shop, batch.toReversed()), store(shop, batch)])
  expect(results.reduce((sum, { stored }) => sum + stored, 0)).toBe(40)
  expect(results.reduce((sum, { contacts }) => sum + contacts, 0)).toBe(5)
  expect(await messagesOf(shop)).toHaveLength(40)
})

test("a message whose operator's id is stored is known", async () => {
  const shop = await parley.workspace({ sandbox: true })
  await shop.inbound(CUSTOMER, 'live')
  const [{ chanmid }] = await messagesOf(shop)
  const copy = message(0, { chanmid, contact: { phone: '+919812345679' } })
  expect(await store(shop, [copy])).toMatchObject({ stored: 0, known: 1, contacts: 0 })
  expect((await shop.get('/contacts')).body.contacts).toHaveLength(1)
})

test('messages of one moment keep the order that their source gives', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const createdAt = new Date(Date.UTC(2023, 0, 1))
  await store(
    shop,
    [4, 0, 3, 1, 2].map((order) => message(order, { createdAt, order })),
  )
  expect(await textsOf(shop)).toEqual(['text 4', 'text 3', 'text 2', 'text 1', 'text 0'])
})

test('a chat with only past messages is resolved and read, and a living chat stays as it is', async () => {
  const shop = await parley.workspace({ sandbox: true })
  await store(shop, [message(0)])
  expect(await chatOf(shop)).toMatchObject({
    state: 'resolved',
    unreadCount: 0,
    waitingSince: null,
    windowOpen: false,
    assignedAgentId: null,
    lastMessage: { text: 'text 0' },
    lastMessageAt: '2023-01-01T10:00:00.000Z',
  })
  await shop.inbound('+919812345679', 'hello')
  await shop.inbound(CUSTOMER, 'I am back')
  const list = async () =>
    (await shop.get('/conversations')).body.conversations.map(
      (chat: { id: string; lastMessage: { text: string } }) => [chat.id, chat.lastMessage.text],
    )
  const before = await list()
  const chat = await chatOf(shop)
  expect(chat).toMatchObject({ state: 'open', unreadCount: 1, lastMessage: { text: 'I am back' } })
  await store(shop, [message(1), message(2, { contact: { phone: '+919812345679' } })])
  expect(await list()).toEqual(before)
  expect(await chatOf(shop)).toMatchObject({ ...chat, updatedAt: expect.anything() })
})

test('the window opens only for a customer who wrote within 24 hours, and a stop in an old text changes nothing', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const old = { body: 'STOP' }
  await store(shop, [message(0, { content: old, createdAt: new Date(Date.now() - 25 * HOUR_MS) })])
  expect(await chatOf(shop)).toMatchObject({ windowOpen: false })
  expect((await shop.get('/contacts')).body.contacts).toMatchObject([{ optInStatus: 'unknown' }])
  const createdAt = new Date(Date.now() - 23 * HOUR_MS)
  await store(shop, [message(2, { createdAt })])
  expect(await chatOf(shop)).toMatchObject({
    windowOpen: true,
    windowExpiresAt: new Date(createdAt.getTime() + 24 * HOUR_MS).toISOString(),
    state: 'resolved',
  })
})

test('an import fires no webhook, sends nothing, and counts as no use', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const receiver: Receiver = await receivers.open()
  const { events } = (await shop.get('/webhooks/events')).body
  const endpoint = await shop.post('/webhooks', {
    url: receiver.url,
    events: events.map(({ event, name }: { event?: string; name?: string }) => event ?? name),
  })
  expect(endpoint.status, endpoint.text).toBe(201)
  const usage = (await shop.get('/usage')).body
  await store(
    shop,
    Array.from({ length: 20 }, (_, n) => message(n, { createdAt: new Date(Date.now() - n * HOUR_MS) })),
  )
  await shop.advance(60)
  // An event of another kind shows that earlier events would have arrived.
  await shop.post('/contacts', { phone: '+919812345670' })
  await receiver.wait(1)
  expect(receiver.received.map(({ body }) => body.event)).toEqual(['contact.created'])
  expect((await shop.get('/usage')).body.messages).toEqual(usage.messages)
  expect(await messagesOf(shop, '&status=queued')).toEqual([])
})

test('search finds past messages immediately', async () => {
  const shop = await parley.workspace({ sandbox: true })
  await store(shop, [message(0, { content: { body: 'The Himalayan tent' } })])
  const { results } = (await shop.get('/search?q=himalaya')).body
  expect(JSON.stringify(results)).toContain('Himalayan')
})

test('messages older than the workspace keeps are left out, and stored ones are deleted in their time', async () => {
  const shop = await parley.workspace({ sandbox: true })
  await store(shop, [message(0)])
  await shop.set({ messageDays: 90 })
  const createdAt = new Date(Date.now() - 80 * 24 * HOUR_MS)
  const result = await store(shop, [message(1), message(2, { createdAt })])
  expect(result).toMatchObject({ stored: 1, leftOut: [{ index: 0, cause: 'past_retention' }] })
  await shop.advance(1)
  await shop.advance(86_400)
  expect(await textsOf(shop)).toEqual(['text 2'])
  await shop.advance(10 * 86_400)
  expect(await textsOf(shop)).toEqual([])
})

test('messages of the future, and new contacts past the limit, are left out', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const later = new Date(Date.now() + HOUR_MS)
  expect(await store(shop, [message(0, { createdAt: later })])).toMatchObject({
    stored: 0,
    leftOut: [{ index: 0, cause: 'future' }],
  })
  await store(shop, [message(1)])
  await shop.set({ contactLimit: 1 })
  const result = await store(shop, [message(2), message(3, { contact: { phone: '+919812345679' } })])
  expect(result).toMatchObject({ stored: 1, leftOut: [{ index: 1, cause: 'contact_limit' }] })
})

test('customers with hidden numbers are found by their user ids', async () => {
  const shop = await parley.workspace({ sandbox: true })
  await store(shop, [message(0, { contact: { userId: 'IN.1234567890' } })], 'phone_app')
  await store(shop, [message(2, { contact: { userId: 'IN.1234567890', phone: CUSTOMER } })], 'phone_app')
  const contacts = (await shop.get('/contacts')).body.contacts
  expect(contacts).toMatchObject([{ phone: CUSTOMER, userId: 'IN.1234567890' }])
  expect(await textsOf(shop)).toEqual(['text 2', 'text 0'])
})
