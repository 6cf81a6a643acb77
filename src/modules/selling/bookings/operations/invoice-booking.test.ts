/** Invoices of bookings and their advances (DECISIONS.md): the money counts once. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bookingShop, madeBooking, madeService, newCustomer } from '../../../../../test/support/bookings.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { pay } from '../../../../../test/support/payments.ts'
import { eventsOf } from '../../../../../test/support/records.ts'
import { sellsAs } from '../../../../../test/support/sales.ts'
import { until } from '../../../../../test/support/until.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())
beforeEach(async () => {
  shop = await bookingShop(parley)
  await shop.set({ modules: ['bookings', 'invoicing'] })
  await sellsAs(shop)
})

const invoice = (id: string) => shop.post(`/bookings/${id}/invoice`)
const find = async (id: string): Promise<Body> => (await shop.get(`/bookings/${id}`)).body.booking
const paidTotal = async (phone: string): Promise<number> =>
  (await shop.get(`/leads/${phone}`)).body.lead.paidTotal
const ledger = () =>
  parley.system((tx) =>
    tx.sql<{ source: string }>(
      'select source from received_money where workspace_id = $1 and voided_at is null',
      [shop.workspaceId],
    ),
  )
/** Creates a booking for two people with a paid advance, for a customer with a lead. */
async function paidBooking(): Promise<Body> {
  const service = await madeService(shop, {
    priceMinor: 60_000,
    taxRate: 5,
    hsn: '9997',
    capacity: 5,
    advance: { percent: 50 },
  })
  const customer = newCustomer()
  await shop.post('/leads', customer)
  const { id } = await madeBooking(shop, { serviceId: service.id, ...customer, partySize: 2 })
  await until(async () => (await find(id)).paymentUrl !== null, 'the booking can be paid for')
  await pay(parley, shop, id)
  await until(async () => (await find(id)).status === 'confirmed', 'the booking is confirmed')
  return { id, phone: customer.phone }
}

test('without an advance the invoice is a draft, created once', async () => {
  const service = await madeService(shop, { priceMinor: 60_000, taxRate: 5, hsn: '9997' })
  const booking = await madeBooking(shop, { serviceId: service.id })
  const answer = await invoice(booking.id)
  expect(answer, answer.text).toMatchObject({
    status: 201,
    body: {
      invoice: {
        status: 'draft',
        number: null,
        bookingId: null,
        contactId: booking.customer.contactId,
        customer: { name: 'Asha Rao' },
        totalMinor: 63_000,
        lines: [{ description: booking.summary, hsn: '9997', quantity: 1, unitMinor: 60_000, taxRate: 5 }],
      },
    },
  })
  expect(await invoice(booking.id)).toMatchObject({ status: 409, body: { error: 'conflict' } })
  const { id } = answer.body.invoice
  expect((await find(booking.id)).invoiceId).toBe(id)
  // After its draft is deleted, the booking can be invoiced again.
  await shop.delete(`/sales-invoices/${id}`)
  expect((await find(booking.id)).invoiceId).toBeNull()
  expect((await invoice(booking.id)).status).toBe(201)
})

const documents = async (): Promise<Body[]> => (await shop.get('/sales-invoices')).body.invoices
const theVoucher = async (id: string): Promise<Body> =>
  (await shop.get(`/sales-invoices/${(await find(id)).advance.invoiceId}`)).body.invoice
const eventNames = async (): Promise<string[]> =>
  (await eventsOf(parley, shop.workspaceId))
    .map(({ name }) => name)
    .filter((name) => /^(invoice|booking)\./.test(name))

test('Advance paid: a receipt voucher, paid, with bookingId (issued, payment_recorded, paid)', async () => {
  const { id, phone } = await paidBooking()
  await pay(parley, shop, id)
  const voucher = await theVoucher(id)
  expect(voucher).toMatchObject({
    kind: 'proforma',
    documentType: 'receipt_voucher',
    number: expect.stringMatching(/^VCH.*0001$/),
    status: 'paid',
    bookingId: id,
    dueDate: null,
    // The paid amount includes its tax.
    totalMinor: 60_000,
    taxableMinor: 57_142,
    cgstMinor: 1_429,
    sgstMinor: 1_429,
    balanceMinor: 0,
    lines: [{ description: expect.stringMatching(/^Advance: Haircut with Meera/), hsn: '9997' }],
    payments: [{ amountMinor: 60_000, method: 'upi', source: 'gateway' }],
  })
  expect(await eventNames()).toEqual([
    'invoice.issued',
    'invoice.payment_recorded',
    'invoice.paid',
    'booking.created',
  ])
  const events = await eventsOf(parley, shop.workspaceId)
  const dataOf = (name: string): Body => events.find((event) => event.name === name)!.data
  expect(dataOf('invoice.paid').invoice).toMatchObject({ bookingId: id, kind: 'proforma' })
  expect(dataOf('booking.created').booking.advance).toMatchObject({ status: 'paid', invoiceId: voucher.id })
  expect(await paidTotal(phone)).toBe(600)
  expect(await ledger()).toEqual([{ source: 'document_payment' }])
  expect(await documents()).toHaveLength(1)
  // A voucher is not an invoice; lists show it among the proformas.
  expect((await shop.get('/invoices')).body.invoices).toEqual([])
  expect((await shop.get('/sales-invoices?kind=invoice')).body.invoices).toEqual([])
  expect((await shop.get('/sales-invoices?kind=proforma')).body.invoices).toMatchObject([{ id: voucher.id }])
  const page = await shop.get(`/sales-invoices/${voucher.id}?format=html`)
  expect(page.text).toContain('<h1>Receipt voucher</h1>')
  expect((await shop.get(`/sales-invoices/${voucher.id}?format=pdf`)).text).toMatch(/^%PDF/)
})

test('an advance confirms the booking even if the next voucher number has more digits than its series', async () => {
  await sellsAs(shop, { series: { voucher: { prefix: 'VOUCHERS-{FY}-', digits: 1 } } })
  await paidBooking()
  await parley.system((tx) =>
    tx.sql(`update number_series set last_number = 9 where workspace_id = $1 and series = 'voucher'`, [
      shop.workspaceId,
    ]),
  )
  const { id } = await paidBooking()
  expect((await find(id)).status).toBe('confirmed')
  expect((await theVoucher(id)).number).toMatch(/-10$/)
})

test('a receipt voucher does not count as a document of the plan', async () => {
  const used = async (): Promise<number> => (await shop.get('/billing')).body.limits.documents.used
  const { id } = await paidBooking()
  expect(await used()).toBe(0)
  await shop.set({ plan: 'unlimited' })
  expect(await used()).toBe(0)
  expect((await invoice(id)).status).toBe(201)
  expect(await used()).toBe(1)
})

test('An advance counts once: the voucher becomes the invoice of the visit, and passes its payment on', async () => {
  const { id, phone } = await paidBooking()
  const voucher = await theVoucher(id)
  const before = await eventNames()
  const answers = await Promise.all([invoice(id), invoice(id)])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  const answer = answers.find(({ status }) => status === 201)!
  expect(answer, answer.text).toMatchObject({
    body: {
      invoice: {
        kind: 'invoice',
        documentType: 'tax_invoice',
        status: 'partially_paid',
        number: expect.stringMatching(/^INV.*0001$/),
        bookingId: id,
        totalMinor: 126_000,
        receivedMinor: 60_000,
        balanceMinor: 66_000,
        fromProforma: { id: voucher.id, number: voucher.number },
        payments: [{ id: voucher.payments[0].id, receiptNumber: voucher.payments[0].receiptNumber }],
      },
    },
  })
  expect((await eventNames()).slice(before.length)).toEqual(['invoice.issued'])
  expect(await paidTotal(phone)).toBe(600)
  expect(await ledger()).toEqual([{ source: 'document_payment' }])
  expect((await find(id)).advance.invoiceId).toBe(answer.body.invoice.id)
  expect((await shop.get(`/sales-invoices/${voucher.id}`)).body.invoice).toMatchObject({
    status: 'converted',
    invoiceId: answer.body.invoice.id,
    payments: [],
  })
})

test('Without invoicing only the ledger row records the advance; the invoice takes the money over later', async () => {
  await shop.set({ modules: ['bookings'] })
  const { id, phone } = await paidBooking()
  expect((await find(id)).advance).toMatchObject({ status: 'paid', invoiceId: null })
  expect(await paidTotal(phone)).toBe(600)
  expect(await ledger()).toEqual([{ source: 'booking_advance' }])
  expect(await eventNames()).toEqual(['booking.created'])
  await shop.set({ modules: ['bookings', 'invoicing'] })
  const answer = await invoice(id)
  expect(answer, answer.text).toMatchObject({
    status: 201,
    body: {
      invoice: {
        status: 'partially_paid',
        bookingId: id,
        totalMinor: 126_000,
        balanceMinor: 66_000,
        fromProforma: null,
        payments: [{ amountMinor: 60_000, method: 'upi', source: 'gateway' }],
      },
    },
  })
  expect(await paidTotal(phone)).toBe(600)
  expect(await ledger()).toEqual([{ source: 'document_payment' }])
  expect((await find(id)).advance.invoiceId).toBe(answer.body.invoice.id)
})

test('Without a seller, or with locked books, the advance is still recorded', async () => {
  const locked = new Date(Date.now() + 86_400_000 * 2).toISOString().slice(0, 10)
  await sellsAs(shop, { booksLockedUntil: locked })
  expect((await find((await paidBooking()).id)).advance).toMatchObject({ status: 'paid', invoiceId: null })
  await shop.call('PUT', '/sales-settings', {})
  expect((await find((await paidBooking()).id)).advance).toMatchObject({ status: 'paid', invoiceId: null })
  expect(await ledger()).toEqual([{ source: 'booking_advance' }, { source: 'booking_advance' }])
  expect(await documents()).toEqual([])
})

test('Refunding voids the payment and cancels the voucher', async () => {
  const { id, phone } = await paidBooking()
  const voucher = await theVoucher(id)
  const before = await eventNames()
  await shop.patch(`/bookings/${id}`, { status: 'cancelled' })
  expect(await paidTotal(phone)).toBe(600)
  // An advance that must be refunded is in no invoice.
  expect(await invoice(id)).toMatchObject({ status: 409 })
  const answers = await Promise.all([1, 2].map(() => shop.patch(`/bookings/${id}`, { advance: 'refunded' })))
  expect(answers.map(({ body }) => body.booking.advance.status)).toEqual(['refunded', 'refunded'])
  expect(await theVoucher(id)).toMatchObject({
    id: voucher.id,
    number: voucher.number,
    status: 'cancelled',
    payments: [{ receiptNumber: voucher.payments[0].receiptNumber, voidReason: expect.any(String) }],
  })
  expect((await eventNames()).slice(before.length)).toEqual([
    'booking.cancelled',
    'invoice.payment_voided',
    'invoice.cancelled',
  ])
  expect(await paidTotal(phone)).toBe(0)
  expect(await ledger()).toEqual([])
})

test('an advance refunded after its invoice was created is voided on the invoice, which stays and is unpaid', async () => {
  const { id, phone } = await paidBooking()
  const invoiceBody = (await invoice(id)).body.invoice
  await shop.patch(`/bookings/${id}`, { status: 'cancelled', advance: 'refund' })
  expect((await shop.patch(`/bookings/${id}`, { advance: 'refunded' })).status).toBe(200)
  expect((await shop.get(`/sales-invoices/${invoiceBody.id}`)).body.invoice).toMatchObject({
    status: 'issued',
    balanceMinor: 126_000,
  })
  expect(await paidTotal(phone)).toBe(0)
  expect(await ledger()).toEqual([])
})

test('a refunded advance without a document no longer counts', async () => {
  await shop.set({ modules: ['bookings'] })
  const { id, phone } = await paidBooking()
  await shop.patch(`/bookings/${id}`, { status: 'cancelled' })
  expect(await paidTotal(phone)).toBe(600)
  expect((await shop.patch(`/bookings/${id}`, { advance: 'refunded' })).body.booking.advance.status).toBe(
    'refunded',
  )
  await shop.patch(`/bookings/${id}`, { advance: 'refunded' })
  expect(await paidTotal(phone)).toBe(0)
  expect(await ledger()).toEqual([])
})

test.each([
  ['with a voucher', ['bookings', 'invoicing']],
  ['that was recorded without one', ['bookings']],
])('for a canceled booking whose advance is kept, only the advance is invoiced: %s', async (_, modules) => {
  await shop.set({ modules })
  const { id, phone } = await paidBooking()
  await shop.patch(`/bookings/${id}`, { status: 'cancelled', advance: 'keep' })
  await shop.set({ modules: ['bookings', 'invoicing'] })
  expect((await invoice(id)).body.invoice).toMatchObject({
    status: 'paid',
    totalMinor: 60_000,
    taxableMinor: 57_142,
    balanceMinor: 0,
    lines: [{ description: expect.stringMatching(/^Advance: /), quantity: 1, hsn: '9997', taxRate: 5 }],
  })
  expect([await paidTotal(phone), await ledger()]).toEqual([600, [{ source: 'document_payment' }]])
})

test('a voucher is converted on its own, once, to the received amount; a revision does not change its total', async () => {
  const { id } = await paidBooking()
  const voucher = await theVoucher(id)
  const path = `/sales-invoices/${voucher.id}`
  const lines = [{ ...voucher.lines[0], unitMinor: 70_000 }].map(
    ({ description, quantity, unitMinor, taxRate }) => ({ description, quantity, unitMinor, taxRate }),
  )
  expect(await shop.post(`${path}/revise`, { lines })).toMatchObject({ status: 409 })
  expect((await shop.post(`${path}/revise`, { notes: 'By UPI.' })).body.invoice).toMatchObject({
    documentType: 'receipt_voucher',
    version: 2,
    status: 'paid',
    taxableMinor: 57_142,
  })
  expect((await shop.post(`${path}/convert`)).body.invoice).toMatchObject({
    status: 'paid',
    documentType: 'tax_invoice',
    totalMinor: 60_000,
  })
  expect(await shop.post(`${path}/convert`)).toMatchObject({ status: 409 })
  expect(await invoice(id)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('invoice') },
  })
  expect(await ledger()).toEqual([{ source: 'document_payment' }])
})

test('returns 409 for a free booking, a held booking, or without a seller; nothing is written then', async () => {
  expect(await invoice((await madeBooking(shop)).id)).toMatchObject({ status: 409 })
  const service = await madeService(shop, { priceMinor: 60_000, advance: { percent: 50 } })
  const held = await madeBooking(shop, { serviceId: service.id })
  expect(await invoice(held.id)).toMatchObject({ status: 409 })
  const { id, phone } = await paidBooking()
  await shop.call('PUT', '/sales-settings', {})
  expect(await invoice(id)).toMatchObject({ status: 400, body: { issues: [{ path: 'seller' }] } })
  expect(await paidTotal(phone)).toBe(600)
  await shop.set({ modules: ['bookings'] })
  expect(await invoice(id)).toMatchObject({ status: 404, body: { error: 'not_available' } })
})
