/**
 * The main purpose of the service, from end to end. A webhook endpoint is registered, a customer messages, we
 * answer, the customer reads the answer and sends STOP, and after a day the window closes. A real https
 * receiver checks every delivery against spec 6.1 and 6.2.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { makeReceivers, type Received, type Receiver, signatureBy } from '../support/receiver.ts'
import { everythingOf } from '../support/records.ts'
import { standingClock } from '../support/standing-clock.ts'

let receivers: Awaited<ReturnType<typeof makeReceivers>>
let parley: TestParley
let shop: TestWorkspace
let receiver: Receiver
let secret: string
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env, clock: standingClock() })
  shop = await parley.workspace({ sandbox: true })
  receiver = await receivers.open()
})
afterAll(async () => {
  await parley?.close()
  await receivers?.close()
})

const customer = '+919812345678'
const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const byId = (a: Received, b: Received): number => (a.body.id < b.body.id ? -1 : 1)

/** Returns the events so far, in the order in which they happened; checks each request. */
async function waitForEvents(count: number): Promise<Received[]> {
  // Several deliveries may run concurrently; the ids show the order of the events.
  const requests = (await receiver.wait(count)).sort(byId)
  for (const request of requests) {
    const { headers, body } = request
    expect(headers['x-webhook-signature']).toBe(signatureBy(secret, request))
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-webhook-id': body.id,
      'x-webhook-event': body.event,
      'x-webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    })
    expect(Math.abs(Number(headers['x-webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60)
    expect(Object.keys(body)).toEqual(['id', 'event', 'createdAt', 'data'])
    expect(body.createdAt).toMatch(ISO_UTC)
  }
  expect(receiver.received).toHaveLength(count)
  return requests
}
const namesOf = (requests: Received[]): string[] =>
  requests.map(({ body }) =>
    body.event === 'message.status' ? `message.status ${body.data.status}` : body.event,
  )

let messageId: string
let conversationId: string
let contactId: string

test('a webhook endpoint is registered and returns its signing secret, once', async () => {
  const answer = await shop.post('/webhooks', { url: receiver.url })
  expect(answer).toMatchObject({
    status: 201,
    body: { webhook: { url: receiver.url, events: null, active: true } },
  })
  secret = answer.body.secret
  const list = await shop.get('/webhooks')
  expect(list.body.webhooks).toHaveLength(1)
  expect(list.text).not.toContain(secret)
})

test('a customer messages: contact.created, conversation.opened, message.received', async () => {
  const inbound = await shop.inbound(customer, 'Is the blue one in stock?', { name: 'Asha Rao' })
  expect(inbound.body).toMatchObject({ ok: true, from: '919812345678' })
  const requests = await waitForEvents(3)
  expect(namesOf(requests)).toEqual(['contact.created', 'conversation.opened', 'message.received'])
  const [created, opened, received] = requests.map((request) => request.body.data)
  contactId = created.contactId
  conversationId = opened.conversationId
  const contact = { id: contactId, phone: customer, name: 'Asha Rao', userId: null, username: null }
  expect(created).toMatchObject({ phone: customer, name: 'Asha Rao', source: 'inbound_message' })
  expect(opened.contact).toEqual(contact)
  expect(Date.parse(opened.windowExpiresAt) - Date.parse(opened.openedAt)).toBe(86_400_000)
  expect(received).toEqual({
    messageId: inbound.body.messageId,
    chanmid: expect.any(String),
    conversationId,
    contact,
    type: 'text',
    content: { body: 'Is the blue one in stock?' },
    sentAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  })
  const shown = (await shop.get(`/contacts/${encodeURIComponent(customer)}`)).body.contact
  expect(shown).toMatchObject({ id: contactId, e164: customer, displayName: 'Asha Rao' })
})

test('we answer, and the answer goes from queued to read: message.status three times', async () => {
  const sent = await shop.post('/send', { to: customer, type: 'text', text: 'Yes, in every size.' })
  expect(sent).toMatchObject({ status: 200, body: { ok: true } })
  messageId = sent.body.messageId
  const states: string[] = []
  for (const seconds of [1, 1, 3]) {
    await shop.advance(seconds)
    states.push((await shop.get(`/messages/${messageId}`)).body.message.status)
  }
  expect(states).toEqual(['sent', 'delivered', 'read'])
  const requests = (await waitForEvents(6)).slice(3)
  expect(namesOf(requests)).toEqual([
    'message.status sent',
    'message.status delivered',
    'message.status read',
  ])
  const { chanmid } = (await shop.get(`/messages/${messageId}`)).body.message
  for (const { body } of requests)
    expect(body.data).toMatchObject({ messageId, chanmid, conversationId, errors: [] })
})

test('the customer sends STOP: every send is rejected and writes nothing', async () => {
  await shop.inbound(customer, 'Stop')
  expect(namesOf(await waitForEvents(7)).at(-1)).toBe('message.received')
  const before = await everythingOf(parley, shop.workspaceId)
  const refused = await shop.post('/send', { to: customer, type: 'text', text: 'Are you sure?' })
  expect(refused).toMatchObject({ status: 409, body: { error: 'contact_opted_out' } })
  expect(await everythingOf(parley, shop.workspaceId)).toEqual(before)
})

test('a day later the window closes: conversation.closed', async () => {
  await shop.advance(86_400)
  const closed = (await waitForEvents(8)).at(-1)!.body
  expect(closed.event).toBe('conversation.closed')
  expect(closed.data).toMatchObject({ conversationId, contact: { id: contactId, phone: customer } })
  const conversation = (await shop.get(`/conversations/${conversationId}`)).body.conversation
  expect(conversation).toMatchObject({ windowOpen: false, window: { open: false } })
})

test('while the receiver fails, events are retried unchanged', async () => {
  receiver.answer(503)
  await shop.inbound('+919800000001', 'Hello?')
  const first = (await receiver.wait(11)).slice(8).sort(byId)
  expect(namesOf(first)).toEqual(['contact.created', 'conversation.opened', 'message.received'])
  await shop.advance(5)
  receiver.answer(200)
  await shop.advance(60)
  const repeats = new Map((await receiver.wait(12)).slice(11).map((request) => [request.body.id, request]))
  await shop.advance(3600)
  for (const request of receiver.received.slice(11)) repeats.set(request.body.id, request)
  expect([...repeats.keys()].sort()).toEqual(first.map((request) => request.body.id).sort())
  for (const { raw, body, headers } of first) {
    const retry = repeats.get(body.id)!
    expect(retry.raw).toBe(raw)
    expect(retry.body.createdAt).toBe(body.createdAt)
    expect(retry.headers['x-webhook-id']).toBe(headers['x-webhook-id'])
    expect(retry.headers['x-webhook-signature']).toBe(signatureBy(secret, retry))
  }
})

test('in total: each event once, in the order in which it happened, and nothing else', async () => {
  const events = new Map(receiver.received.map(({ body }) => [body.id, body]))
  const log = [...events.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  const times = log.map((event) => event.createdAt)
  expect(times).toEqual([...times].sort())
  expect(log.map((event) => [event.event, event.data.status].filter(Boolean).join(' '))).toEqual([
    'contact.created',
    'conversation.opened',
    'message.received',
    'message.status sent',
    'message.status delivered',
    'message.status read',
    'message.received',
    'conversation.closed',
    'contact.created',
    'conversation.opened',
    'message.received',
  ])
  expect(new Set(log.map((event) => event.id)).size).toBe(11)
})
