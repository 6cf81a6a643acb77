/** Tests of payments of invoices: receipts, balances, voids, and the lead's total (spec 6.3). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { eventsOf } from '../../../../../test/support/records.ts'
import { madeInvoice, newLines, sellsAs } from '../../../../../test/support/sales.ts'

let parley: TestParley
let shop: TestWorkspace
let lead: Body
let contactId: string
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())
beforeEach(async () => {
  shop = await parley.workspace()
  await shop.set({ modules: ['invoicing'] })
  await sellsAs(shop)
  lead = (await shop.post('/leads', { phone: '+919812345678', name: 'Asha Rao' })).body.lead
  contactId = (await shop.get('/contacts/+919812345678')).body.contact.id
})

const TOTAL = 231_000
const issued = (more: object = {}): Promise<Body> => madeInvoice(shop, { issue: true, contactId, ...more })
const pay = (id: string, more: object = {}) =>
  shop.post(`/sales-invoices/${id}/payments`, { amountMinor: TOTAL, method: 'upi', ...more })
const voidOf = (id: string, paymentId: string) =>
  shop.post(`/sales-invoices/${id}/payments/${paymentId}/void`, { reason: 'The cheque bounced.' })
const paidTotal = async () => (await shop.get(`/leads/${lead.id}`)).body.lead.paidTotal
const eventsAbout = async (name: string) =>
  (await eventsOf(parley, shop.workspaceId)).filter((event) => event.name === name)
const story = async (): Promise<string[]> =>
  (await shop.get(`/leads/${lead.id}/timeline`)).body.entries.map((entry: Body) => entry.kind).reverse()
const ledger = () =>
  parley.system((tx) =>
    tx.sql<{ amountMinor: number; voidedAt: Date | null; contactId: string | null }>(
      'select amount_minor, voided_at, contact_id from received_money where workspace_id = $1 order by id',
      [shop.workspaceId],
    ),
  )

describe('a payment', () => {
  test('has a receipt, lowers the balance, and settles when nothing is left', async () => {
    const { id } = await issued()
    const first = await pay(id, { amountMinor: 100_000, method: 'cash', reference: 'R-7' })
    expect(first, first.text).toMatchObject({
      status: 201,
      body: {
        payment: {
          receiptNumber: expect.stringMatching(/^RCT\/\d\d-\d\d\/0001$/),
          amount: '₹1,000.00',
          method: 'cash',
          reference: 'R-7',
          source: 'manual',
          voidedAt: null,
        },
        invoice: { status: 'partially_paid', receivedMinor: 100_000, balanceMinor: 131_000, paidAt: null },
      },
    })
    expect(await eventsAbout('invoice.paid')).toEqual([])
    const second = await pay(id, { amountMinor: 131_000 })
    expect(second.body.invoice).toMatchObject({ status: 'paid', balanceMinor: 0, balance: '₹0.00' })
    expect(second.body.payment.receiptNumber).toMatch(/0002$/)
    const [paid, ...more] = await eventsAbout('invoice.paid')
    expect(more).toEqual([])
    expect(paid!.data).toMatchObject({ paymentId: second.body.payment.id, invoice: { status: 'paid' } })
    const paymentEvents = await eventsAbout('invoice.payment_recorded')
    expect(paymentEvents.map(({ data }) => [data.payment.id, data.invoice.balanceMinor])).toEqual([
      [first.body.payment.id, 131_000],
      [second.body.payment.id, 0],
    ])
    expect(Object.keys(paymentEvents[0]!.data.payment).sort()).toEqual([
      'amount',
      'amountMinor',
      'currency',
      'id',
      'method',
      'paidOn',
      'receiptNumber',
      'reference',
      'source',
      'tdsMinor',
    ])
  })

  test('counts on the lead once, and appears on its timeline', async () => {
    const { id } = await issued()
    await pay(id)
    expect(await paidTotal()).toBe(2_310)
    expect(await story()).toEqual(['captured', 'invoice_issued', 'payment_received'])
    expect(await ledger()).toEqual([{ amountMinor: TOTAL, voidedAt: null, contactId }])
  })

  test.each([
    ['JPY', [10_000_000_000_000, 10_000_000_000_000], 20_000_000_000_000],
    ['KWD', [1_234, 1, 1], 1.236],
  ])(
    'counts exactly, for any amount and any decimals of the currency: %s',
    async (currency, amounts, total) => {
      await sellsAs(shop, { currency, taxScheme: 'none' })
      for (const amountMinor of amounts) {
        const { id } = await issued({
          lines: [{ description: 'Kurta', quantity: 1, unitMinor: amountMinor }],
        })
        const answer = await pay(id, { amountMinor })
        expect(answer.status, answer.text).toBe(201)
      }
      expect(await paidTotal()).toBe(total)
    },
  )

  test('of a customer without a lead is recorded too', async () => {
    const { id } = await issued({ contactId: null })
    expect((await pay(id)).body.invoice.status).toBe('paid')
    expect(await paidTotal()).toBe(0)
    expect(await ledger()).toMatchObject([{ amountMinor: TOTAL, contactId: null }])
  })

  test('of TDS settles the balance, and is no income', async () => {
    const { id } = await issued()
    const answer = await pay(id, { amountMinor: 209_000, tdsMinor: 22_000 })
    expect(answer.body.invoice).toMatchObject({
      status: 'paid',
      receivedMinor: 209_000,
      tdsMinor: 22_000,
      balanceMinor: 0,
    })
    expect(await paidTotal()).toBe(2_090)
    const other = await issued()
    expect((await pay(other.id, { amountMinor: 0, tdsMinor: 1_000 })).status).toBe(201)
    expect(await paidTotal()).toBe(2_090)
  })

  test('of zero, above the balance, on a future day, or of a draft is rejected', async () => {
    const { id } = await issued()
    expect(await pay(id, { amountMinor: 0 })).toMatchObject({ status: 400 })
    expect(await pay(id, { amountMinor: TOTAL, tdsMinor: 1 })).toMatchObject({
      status: 409,
      body: { error: 'conflict' },
    })
    expect(await pay(id, { paidOn: '2199-01-01' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'paidOn' }] },
    })
    expect(await pay((await madeInvoice(shop)).id)).toMatchObject({ status: 409 })
    expect(await eventsAbout('invoice.payment_recorded')).toEqual([])
    // A refused payment used no receipt number.
    expect((await pay(id)).body.payment.receiptNumber).toMatch(/0001$/)
  })

  test('two concurrent full payments: one returns 409', async () => {
    const { id } = await issued()
    const answers = await Promise.all([pay(id), pay(id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await paidTotal()).toBe(2_310)
    expect(await eventsAbout('invoice.paid')).toHaveLength(1)
  })

  test('sent twice with one key is recorded once', async () => {
    const { id } = await issued()
    const send = () =>
      shop.post(
        `/sales-invoices/${id}/payments`,
        { amountMinor: 1_000, method: 'cash' },
        { idempotencyKey: 'one' },
      )
    const [first, repeated] = [await send(), await send()]
    expect(repeated.body).toEqual(first.body)
    expect(await ledger()).toHaveLength(1)
  })
})

describe('a void', () => {
  test('opens the balance again; after another payment, invoice.paid fires again', async () => {
    const { id } = await issued()
    const { payment } = (await pay(id)).body
    const voidAnswer = await voidOf(id, payment.id)
    expect(voidAnswer).toMatchObject({
      status: 200,
      body: {
        payment: { receiptNumber: payment.receiptNumber, voidReason: 'The cheque bounced.' },
        invoice: { status: 'issued', receivedMinor: 0, balanceMinor: TOTAL, paidAt: null },
      },
    })
    expect(await paidTotal()).toBe(0)
    expect((await eventsAbout('invoice.payment_voided')).map(({ data }) => data.reason)).toEqual([
      'The cheque bounced.',
    ])
    expect((await pay(id)).body.payment.receiptNumber).toMatch(/0002$/)
    expect(await eventsAbout('invoice.paid')).toHaveLength(2)
    expect(await paidTotal()).toBe(2_310)
    expect(await story()).toEqual([
      'captured',
      'invoice_issued',
      'payment_received',
      'payment_voided',
      'payment_received',
    ])
  })

  test('requires an admin, and happens once, also for concurrent requests', async () => {
    const { id } = await issued()
    const { payment } = (await pay(id)).body
    const agent = await shop.as('agent')
    const path = `/sales-invoices/${id}/payments/${payment.id}/void`
    expect(await agent.post(path, { reason: 'No.' })).toMatchObject({ status: 403 })
    const answers = await Promise.all([voidOf(id, payment.id), voidOf(id, payment.id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await paidTotal()).toBe(0)
    expect(await voidOf(id, shop.workspaceId)).toMatchObject({ status: 404 })
  })

  test('subtracts from the lead only the amount that counted there', async () => {
    const phone = '+919812345679'
    const { contact } = (await shop.post('/contacts', { phone })).body
    const { id } = await issued({ contactId: contact.id })
    const { payment } = (await pay(id)).body
    const late = (await shop.post('/leads', { phone })).body.lead
    await voidOf(id, payment.id)
    expect((await shop.get(`/leads/${late.id}`)).body.lead.paidTotal).toBe(0)
  })

  test('in locked books is a conflict', async () => {
    const { id, issueDate } = await issued()
    const { payment } = (await pay(id)).body
    await sellsAs(shop, { booksLockedUntil: issueDate })
    expect(await voidOf(id, payment.id)).toMatchObject({ status: 409 })
    expect(await pay((await madeInvoice(shop, { lines: newLines() })).id)).toMatchObject({ status: 409 })
  })
})
