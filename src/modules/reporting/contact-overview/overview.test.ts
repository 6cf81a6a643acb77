import { afterAll, beforeAll, expect, test } from 'vitest'
import { automate } from '../../../../test/support/automations.ts'
import { bookingShop, madeBooking, madeService, startIn } from '../../../../test/support/bookings.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { allowNewRecipients, campaignsOf } from '../../../../test/support/campaigns.ts'
import { planOf } from '../../../../test/support/plans.ts'
import { createAnsweredReview } from '../../../../test/support/reviews.ts'
import { madeInvoice } from '../../../../test/support/sales.ts'
import { deliveriesApplied, newOrder, ownShop } from '../../../../test/support/shops.ts'
import { until } from '../../../../test/support/until.ts'
import type { Tx } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { listActiveRuns } from '../../automating/automations/queries/runs.ts'
import { findLatestSession } from '../../automating/bots/queries/sessions.ts'
import { listOrderRowsOfContact } from '../../automating/integrations/queries/orders.ts'
import { listReceivedCampaigns } from '../../messaging/broadcasts/queries/recipients.ts'
import { listScoresOf } from '../../messaging/ratings/queries.ts'
import { listNearestBookingRows } from '../../selling/bookings/queries/bookings.ts'
import { listOpenTaskRows } from '../../selling/crm/queries/tasks.ts'
import { listAmountsDue, listDocumentRowsOfContact } from '../../selling/invoicing/queries/documents.ts'
import { listRequestRowsOfContact } from '../../selling/payments/queries/requests.ts'
import { listReviewRowsOfContact } from '../../selling/reviews/queries/reviews.ts'
import { OVERVIEW_MAX } from './schema.ts'

const ASHA = '+919812345678'

let parley: TestParley
let shop: TestWorkspace
let contactId: string
beforeAll(async () => {
  parley = await boot()
  shop = await bookingShop(parley)
  await shop.set({ modules: ['bookings', 'invoicing', 'reviews'] })
  await shop.inbound(ASHA, 'Do you have this in blue?')
  contactId = (await shop.get(`/contacts/${ASHA}`)).body.contact.id
})
afterAll(() => parley?.close())

type By = Pick<TestWorkspace, 'get'>
const overview = async (ref: string = contactId, by: By = shop): Promise<Body> => {
  const { status, body, text } = await by.get(`/contacts/${encodeURIComponent(ref)}/overview`)
  expect(status, text).toBe(200)
  return body
}

test('a contact without records has empty parts', async () => {
  const { contact } = (await shop.post('/contacts', { phone: '+919812345000' })).body
  const none = { items: [], total: 0 }
  expect(await overview(contact.id)).toEqual({
    contactId: contact.id,
    consent: { status: 'unknown', source: null, refusedByCustomer: false, decidedAt: null },
    lead: null,
    tasks: none,
    conversations: none,
    ratings: [],
    bot: null,
    automations: [],
    campaigns: none,
    payments: none,
    invoices: { ...none, due: [] },
    orders: none,
    bookings: { next: null, last: null },
    reviews: none,
  })
})

test('lead and tasks: the stage of the lead, and the next five open tasks of all', async () => {
  await shop.post('/leads', { phone: ASHA, name: 'Asha Rao', dealValue: 1200 })
  for (const day of [7, 3, 5, 1, 6, 2, 4])
    await shop.post('/tasks', { leadId: ASHA, title: `Day ${day}`, dueAt: `2031-01-0${day}T10:00:00Z` })
  const { lead, tasks } = await overview()
  expect(lead).toMatchObject({ name: 'Asha Rao', dealValue: 1200, stage: { kind: 'initial' }, contactId })
  expect(tasks.total).toBe(7)
  expect(tasks.items.map(({ title }: Body) => title)).toEqual(['Day 1', 'Day 2', 'Day 3', 'Day 4', 'Day 5'])
})

test('chats, consent, and every reference to a contact', async () => {
  await shop.patch(`/contacts/${contactId}`, { optInStatus: 'opted_in', optInSource: 'counter' })
  const { conversations, consent } = await overview(ASHA)
  expect(conversations).toMatchObject({ total: 1, items: [{ contact: { id: contactId }, state: 'open' }] })
  expect(consent).toMatchObject({ status: 'opted_in', source: 'counter', decidedAt: null })
})

test('orders: the newest five of all', async () => {
  const store = await parley.workspace({ countryCode: '91' })
  const { report } = await ownShop(parley, store)
  for (let i = 1; i <= 6; i++)
    expect((await report(newOrder({ phone: ASHA, reference: `A-${i}` }))).status).toBeLessThan(300)
  await deliveriesApplied(parley, store.workspaceId)
  const { orders } = await overview(ASHA, store)
  expect(orders.total).toBe(6)
  expect(orders.items.map(({ reference }: Body) => reference)).toEqual(['A-6', 'A-5', 'A-4', 'A-3', 'A-2'])
})

test('payments, and invoices with the amount due', async () => {
  await shop.connectGateway({})
  const payment = await shop.post('/payment-requests', {
    to: ASHA,
    referenceId: 'ORD-1',
    items: [{ name: 'Kurta', quantity: 1, unitPaise: 50_000 }],
  })
  expect(payment.status, payment.text).toBe(201)
  const paid = await madeInvoice(shop, { contactId, issue: true })
  await shop.post(`/sales-invoices/${paid.id}/payments`, { amountMinor: paid.totalMinor, method: 'cash' })
  const open = await madeInvoice(shop, { contactId, issue: true })
  await madeInvoice(shop, { contactId })
  const found = await overview()
  expect(found.payments).toMatchObject({ total: 1, items: [{ referenceId: 'ORD-1', totalPaise: 50_000 }] })
  expect(found.invoices).toMatchObject({
    total: 3,
    items: [{ status: 'draft' }, { id: open.id, number: open.number }, { id: paid.id, balanceMinor: 0 }],
    due: [{ currency: 'INR', amountMinor: open.totalMinor, amount: open.total }],
  })
  expect(found.invoices.items[1]).not.toHaveProperty('lines')
})

test('bookings: the next and the last, without canceled ones', async () => {
  const serviceId = (await madeService(shop)).id
  const book = (days: number) =>
    madeBooking(shop, { serviceId, startAt: startIn(days), phone: undefined, name: undefined, contactId })
  const [first, cancelled, next] = [await book(1), await book(3), await book(4)]
  await book(5)
  await shop.patch(`/bookings/${cancelled.id}`, { status: 'cancelled' })
  await shop.advance(2 * 24 * 3600)
  expect((await overview()).bookings).toMatchObject({ next: { id: next.id }, last: { id: first.id } })
})

test('reviews: the newest of all', async () => {
  const review = await createAnsweredReview(shop, 4)
  const { reviews } = await overview(review.contactId)
  expect(reviews).toMatchObject({ total: 1, items: [{ id: review.id, rating: 4 }] })
})

test('campaigns with the state of their message, and the runs and the bot that hold the chat', async () => {
  await allowNewRecipients(parley, shop, 100)
  const campaigns = await campaignsOf(parley, shop)
  await shop.patch(`/contacts/${contactId}`, { tags: ['lights'] })
  const { body } = await campaigns.create({ name: 'Diwali', segment: { tags: ['lights'] } })
  expect((await shop.post(`/broadcasts/${body.id}/start`)).status).toBeLessThan(300)
  await shop.post('/tags', { name: 'late' })
  await automate(shop, {
    name: 'Remind',
    trigger: { event: 'contact.updated' },
    actions: [
      { type: 'wait', minutes: 60 },
      { type: 'add_tags', tags: ['late'], on: 'contact' },
    ],
  })
  await shop.patch(`/contacts/${contactId}`, { displayName: 'Asha R.' })
  const bot = await shop.post('/bots', {
    name: 'Greeter',
    enabled: true,
    entry: { keywords: ['menu'] },
    start: 'size',
    fallback: { text: 'Please answer.' },
    nodes: [{ id: 'size', type: 'ask', text: 'Which size?', saveTo: 'answers.size', next: null }],
  })
  expect(bot.status, bot.text).toBe(201)
  await shop.inbound(ASHA, 'menu')
  const found = await until(async () => {
    const read = await overview()
    return read.bot && read.automations.length > 0 && read.campaigns.total > 0 ? read : undefined
  }, 'a bot and an automation hold the chat')
  expect(found.bot).toMatchObject({
    id: bot.body.bot.id,
    name: 'Greeter',
    conversationId: expect.any(String),
  })
  expect(found.automations).toMatchObject([
    { name: 'Remind', status: expect.stringMatching(/waiting|running/) },
  ])
  expect(found.campaigns).toMatchObject({ total: 1, items: [{ id: body.id, name: 'Diwali' }] })
})

test('a key sees only the parts that its scopes allow, and modules that are off have no part', async () => {
  const narrow = await shop.as('viewer', { scopes: ['contacts:read', 'payments:read'] })
  expect(Object.keys(await overview(contactId, narrow)).sort()).toEqual(['consent', 'contactId', 'payments'])
  const blind = await shop.as('viewer', { scopes: ['crm:read'] })
  expect((await blind.get(`/contacts/${contactId}/overview`)).status).toBe(403)
  const plain = await parley.workspace()
  await plain.set({ modules: [] })
  const { contact } = (await plain.post('/contacts', { phone: ASHA })).body
  const parts = Object.keys(await overview(contact.id, plain))
  expect(parts).not.toContain('invoices')
  expect(parts).not.toContain('bookings')
  expect(parts).not.toContain('reviews')
  expect(parts).toContain('orders')
})

/** Adds copies of a table's rows, each about another record. The transaction must be rolled back. */
async function widen(tx: Tx, table: string, column: string, more = "'x', null"): Promise<void> {
  const columns = await tx.sql<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  )
  const names = columns.map(({ name }) => name).join(', ')
  await tx.sql(
    `insert into ${table} (${names})
     select ${names} from (
       select (jsonb_populate_record(null::${table}, to_jsonb(t) ||
                 jsonb_build_object('id', uuidv7(), '${column}', uuidv7(), ${more}))).*
       from (select * from ${table} limit 1) t, generate_series(1, 5000) n) copies`,
  )
  await tx.sql(`analyze ${table}`)
}

test('every part is read from an index of the contact, whatever else the workspace has', async () => {
  const rollback = new Error('nothing of the copies is kept')
  let plan = ''
  const planned = parley.system(async (tx) => {
    await tx.sql('set local enable_seqscan = off')
    // Estimates of an empty table would say nothing.
    await widen(tx, 'tasks', 'lead_id')
    await widen(tx, 'payment_requests', 'contact_id', "'message_id', uuidv7(), 'reference_id', n::text")
    await widen(tx, 'reviews', 'contact_id', "'request_id', uuidv7()")
    plan = await planOf(tx, newId(), async (ctx) => {
      const at = { ...ctx, now: new Date() }
      const id = newId()
      const kinds = ['invoice'] as const
      await Promise.all([
        listOpenTaskRows(ctx, id, OVERVIEW_MAX),
        listOrderRowsOfContact(ctx, id, OVERVIEW_MAX),
        listRequestRowsOfContact(ctx, id, OVERVIEW_MAX),
        listDocumentRowsOfContact(ctx, id, { kinds, limit: OVERVIEW_MAX }),
        listAmountsDue(ctx, id),
        listNearestBookingRows(at, id),
        listReviewRowsOfContact(ctx, id, OVERVIEW_MAX),
        listReceivedCampaigns(ctx, id, OVERVIEW_MAX),
        listActiveRuns(ctx, id, OVERVIEW_MAX),
        findLatestSession(ctx, [id]),
        listScoresOf(ctx, [id], OVERVIEW_MAX),
      ])
    })
    throw rollback
  })
  await expect(planned).rejects.toBe(rollback)
  for (const index of [
    'tasks_lead',
    'orders_contact',
    'payment_requests_contact',
    'sales_documents_contact',
    'bookings_contact',
    'reviews_contact',
    'broadcast_recipients_pkey',
    'automation_runs_lane',
    'bot_sessions_pkey',
    'conversation_ratings_pkey',
  ])
    expect(plan).toMatch(new RegExp(`(using|on) ${index}\\b`))
  expect(plan).not.toContain('Seq Scan')
})
