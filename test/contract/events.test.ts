/** Every event of the catalog: its description, its example, and an action that emits it (spec 6). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVENTS } from '../../src/catalog.ts'
import type { EventKind } from '../../src/core/event.ts'
import { SCOPES } from '../../src/core/scopes.ts'
import { automate } from '../support/automations.ts'
import { madeBooking, startIn } from '../support/bookings.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { type ConnectedNumber, connectNumber } from '../support/operator-webhooks.ts'
import { order, paymentStatus } from '../support/payments.ts'
import { photoId } from '../support/post-media.ts'
import { makeReceivers, type Received, type Receiver, signatureBy } from '../support/receiver.ts'
import { createAnsweredReview } from '../support/reviews.ts'
import { madeInvoice, madeQuotation } from '../support/sales.ts'
import { equipSocial, socialChatId, socialCommentId } from '../support/social-sandbox.ts'
import { until } from '../support/until.ts'
import { newBroadcast, newPhone } from './arrange.ts'
import { document, validatorAt } from './conform.ts'

const NOTE = { type: 'add_note', text: 'It happened.' }
const KINDS = EVENTS.map((kind) => [kind.name, kind] as [string, EventKind])

describe.each(KINDS)('%s', (name, kind) => {
  test('has a unique name, a scope, and a description', () => {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*(\.[a-z]+(_[a-z]+)*)+$/)
    expect(SCOPES).toContain(kind.scope)
    expect(kind.when.length).toBeGreaterThan(20)
  })

  test('has an example that matches its schema, with every field filled in', () => {
    expect(kind.data.parse(kind.example)).toEqual(kind.example)
    expect(Object.keys(kind.example).sort()).toEqual(Object.keys(kind.data.shape).sort())
  })
})

test('names are unique', () => {
  expect(new Set(EVENTS.map((kind) => kind.name)).size).toBe(EVENTS.length)
})

describe('a shop in which every event happens', () => {
  let receivers: Awaited<ReturnType<typeof makeReceivers>>
  let receiver: Receiver
  let parley: TestParley
  let shop: TestWorkspace
  let secret: string
  let deliveries: Received[]
  /** An endpoint for each event. */
  const automations = new Map<string, string>()

  beforeAll(async () => {
    receivers = await makeReceivers()
    parley = await boot({ env: receivers.env, equip: equipSocial })
    shop = await parley.workspace({ sandbox: true })
    receiver = await receivers.open()
    secret = (await shop.post('/webhooks', { url: receiver.url })).body.secret
    for (const { name } of EVENTS)
      automations.set(name, (await automate(shop, { trigger: { event: name }, actions: [NOTE] })).id)
    await causeEveryEvent(shop, await connectNumber(parley, shop))
    deliveries = [...receiver.received]
  })
  afterAll(async () => {
    await parley.close()
    await receivers.close()
  })

  test('received every event of the catalog', () => {
    const reported = new Set(deliveries.map(({ body }) => body.event))
    expect(EVENTS.map((kind) => kind.name).filter((name) => !reported.has(name))).toEqual([])
  })

  test('received no other event', () => {
    const eventNames = EVENTS.map((kind) => kind.name)
    expect(deliveries.map(({ body }) => body.event).filter((name) => !eventNames.includes(name))).toEqual([])
  })

  test.each(KINDS)('%s arrived as the document describes, signed (spec 6.1, 6.2)', (name) => {
    const place = ['webhooks', name, 'post', 'requestBody', 'content', 'application/json', 'schema']
    const validate = validatorAt(...place)
    const own = deliveries.filter(({ body }) => body.event === name)
    expect(own.length).toBeGreaterThan(0)
    for (const delivery of own) {
      expect(Object.keys(delivery.body)).toEqual(['id', 'event', 'createdAt', 'data'])
      expect(validate(delivery.body) || validate.errors, delivery.raw).toBe(true)
      expect(delivery.headers).toMatchObject({ 'x-webhook-id': delivery.body.id, 'x-webhook-event': name })
      expect(delivery.headers['x-webhook-signature']).toBe(signatureBy(secret, delivery))
      const parameters = Object.values(document.components.parameters) as { name: string; schema: object }[]
      for (const { name: header } of parameters.filter((parameter) => parameter.name.startsWith('x-webhook')))
        expect(delivery.headers[header], header).toBeTruthy()
    }
  })

  test.each(KINDS)('%s can start an automation', async (name) => {
    await until(async () => {
      const { stats } = (await shop.get(`/automations/${automations.get(name)}`)).body.automation
      return stats.done + stats.skipped + stats.failed > 0
    }, `a run by ${name}`)
  })

  test('nothing was reported twice', () => {
    const ids = deliveries.map(({ body }) => body.id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

/** Makes each event happen from outside. When you add an event, add its cause here. */
async function causeEveryEvent(shop: TestWorkspace, number: ConnectedNumber): Promise<void> {
  // The server uses it well before the test needs it.
  await shop.set({ leadCapture: true, modules: ['invoicing', 'bookings', 'reviews'] })
  const { contact } = (await shop.post('/contacts', { phone: newPhone(), displayName: 'Asha Rao' })).body
  await shop.patch(`/contacts/${contact.id}`, { tags: ['vip'] })
  const other = (await shop.post('/contacts', { phone: newPhone() })).body.contact
  await shop.post(`/contacts/${contact.id}/merge`, { from: other.id })
  const [customer, unreachable] = [newPhone(), '+12125550126']
  for (const phone of [customer, unreachable]) {
    await shop.inbound(phone, 'Is the blue one in stock?')
    await shop.post('/send', { to: phone, type: 'text', text: 'It is.' })
  }
  const lead = { phone: newPhone(), name: 'Asha Rao' }
  await shop.post('/leads', lead)
  await shop.post('/leads', lead)
  const { owner } = await shop
    .patch(`/leads/${lead.phone}`, { stage: 'Contacted', owner: shop.ownerId })
    .then(({ body }) => body.lead)
  expect(owner).not.toBeNull()
  await shop.call('POST', `/api/leads/capture/${shop.captureToken}`, { phone: newPhone(), name: 'Asha Rao' })
  const task = { leadId: lead.phone, title: 'Call', dueAt: '2030-06-02T10:00:00Z' }
  const taskId = (await shop.post('/tasks', task)).body.task.id
  await shop.patch(`/tasks/${taskId}`, { status: 'done', outcome: 'Will pay' })
  await fillFormAndCall(number, customer)
  await payForOrder(shop, number, customer)
  await rateChat(shop)
  await sellToCustomer(shop)
  await createAnsweredReview(shop)
  await confirmOrder(shop)
  await bookVisits(shop)
  await submitTemplates(shop, number)
  await socialChatId(shop)
  await socialCommentId(shop)
  await shop.post('/social/posts', { kind: 'image', media: [await photoId(shop)], action: 'publish' })
  await shop.post('/broadcasts', { ...(await newBroadcast(shop)), sendNow: true })
  await compareTemplates(shop)
  // Sent, delivered, and read; the second fails.
  await shop.advance(10)
  // Reports about a person are deleted with the person, so all earlier reports have been delivered by now.
  await shop.delete(`/contacts/${contact.id}`)
  await shop.advance(24 * 3600 + 600)
}

/** Sends a campaign that compares two variants, and chooses one. */
async function compareTemplates(shop: TestWorkspace): Promise<void> {
  const { templateId, ...input } = await newBroadcast(shop)
  const { id } = (
    await shop.post('/broadcasts', {
      ...input,
      variants: [{ templateId }, { templateId }],
      test: { samplePercent: 1, decideBy: 'manual' },
      sendNow: true,
    })
  ).body
  await shop.advance(5)
  await shop.post(`/broadcasts/${id}/choose`, { variant: 'B' })
}

/**
 * Submits an in-chat form to a number of the real operator as a customer, and makes a call that no member
 * answers.
 */
async function fillFormAndCall(number: ConnectedNumber, customer: string): Promise<void> {
  const from = customer.slice(1)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const answer = { name: 'flow', body: 'Sent', response_json: '{"flow_token":"t","rating":"4"}' }
  await number.report('messages', {
    messages: [
      {
        from,
        id: 'wamid.form',
        timestamp,
        type: 'interactive',
        interactive: { type: 'nfm_reply', nfm_reply: answer },
      },
    ],
  })
  const call = { id: 'wacid.missed', from, timestamp, direction: 'USER_INITIATED' }
  await number.report('calls', { calls: [{ ...call, event: 'connect' }] })
  await number.report('calls', { calls: [{ ...call, event: 'terminate', status: 'COMPLETED' }] })
}

/** Visits that are moved, cancelled, and confirmed again; one takes place and one does not. */
async function bookVisits(shop: TestWorkspace): Promise<void> {
  const { id } = await madeBooking(shop)
  const change = (booking: string, patch: object) => shop.patch(`/bookings/${booking}`, patch)
  await change(id, { startAt: startIn(2) })
  await change(id, { status: 'cancelled', reason: 'The room is flooded.' })
  await change(id, { status: 'confirmed' })
  for (const status of ['completed', 'no_show']) {
    const pastBooking = await madeBooking(shop, { startAt: startIn(-1), force: true })
    await change(pastBooking.id, { status })
  }
}

/** Resolves a chat, and answers its rating request as the customer. */
async function rateChat(shop: TestWorkspace): Promise<void> {
  await shop.call('PUT', '/rating-settings', { enabled: true })
  const phone = newPhone()
  await shop.inbound(phone, 'Thank you.')
  const { id } = (await shop.get('/conversations?limit=1')).body.conversations[0]
  await shop.patch(`/conversations/${id}`, { state: 'resolved' })
  await shop.advance(1)
  await shop.inbound(phone, '5')
}

/** Orders at the simulated shop as a customer, who is asked to confirm the order and does. */
async function confirmOrder(shop: TestWorkspace): Promise<void> {
  await shop.call('PUT', '/integrations/simulator', { settings: { cod: { enabled: true } } })
  const from = newPhone()
  await shop.inbound(from, 'I have just ordered.')
  const order = { kind: 'order', store: 'shopify', type: 'order_placed', reference: '#1001', from, cod: true }
  await shop.post('/sandbox/simulate', order)
  await shop.advance(5)
  await shop.inbound(from, 'yes')
}

/** Requests a payment from a customer; the operator reports the payment. */
async function payForOrder(shop: TestWorkspace, number: ConnectedNumber, customer: string): Promise<void> {
  const { referenceId } = (await shop.post('/payment-requests', order({ to: customer }))).body.paymentRequest
  await number.report('messages', paymentStatus(referenceId))
}

/** Revises an invoice, pays it, voids the payment, and cancels it; accepts one of two quotations. */
async function sellToCustomer(shop: TestWorkspace): Promise<void> {
  const path = `/sales-invoices/${(await madeInvoice(shop, { issue: true })).id}`
  const { totalMinor } = (await shop.post(`${path}/revise`, { notes: 'Wrapped.' })).body.invoice
  const { payment } = (await shop.post(`${path}/payments`, { amountMinor: totalMinor, method: 'cheque' }))
    .body
  await shop.post(`${path}/payments/${payment.id}/void`, { reason: 'The cheque bounced.' })
  await shop.post(`${path}/cancel`, { reason: 'Nobody pays.' })
  const [accepted, other] = [
    await madeQuotation(shop, { issue: true }),
    await madeQuotation(shop, { issue: true }),
  ]
  await shop.post(`/quotations/${accepted.id}/accept`)
  await shop.post(`/quotations/${other.id}/decline`, { reason: 'Too late for us.' })
}

/**
 * Has one template approved by the sandbox and moved to another category by the operator, and one rejected.
 */
async function submitTemplates(shop: TestWorkspace, number: ConnectedNumber): Promise<void> {
  const { phoneNumbers } = (await shop.get('/phone-numbers')).body
  const [{ wabaConnectionId }] = phoneNumbers
  const components = [{ type: 'BODY', text: 'Your order is on its way.' }]
  const submit = async (category: string) =>
    shop.post('/templates', {
      name: category.toLowerCase(),
      language: 'en',
      category,
      components,
      wabaConnectionId,
    })
  await submit('MARKETING')
  const { template } = (await submit('UTILITY')).body
  await shop.advance(10)
  await number.report('template_category_update', {
    message_template_id: Number(template.metaTemplateId),
    message_template_name: template.name,
    message_template_language: template.language,
    previous_category: 'UTILITY',
    new_category: 'MARKETING',
  })
}
