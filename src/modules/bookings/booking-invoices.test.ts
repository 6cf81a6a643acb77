/** Invoices of bookings, and what was paid ahead (docs/decisions/bookings.md): the money counts once. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bookingShop, madeBooking, madeService, newCustomer } from '../../../test/support/bookings.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../test/support/boot.ts'
import { pay } from '../../../test/support/payments.ts'
import { eventsOf } from '../../../test/support/records.ts'
import { sellsAs } from '../../../test/support/sales.ts'
import { until } from '../../../test/support/until.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())
beforeEach(async () => {
  shop = await bookingShop(parley)
  await shop.set({ modules: ['bookings', 'invoicing'] })
  await shop.connectGateway()
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
/** A booking for two whose advance was paid, of somebody with a lead. */
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
  await until(async () => (await find(id)).paymentUrl !== null, 'it can be paid for')
  await pay(parley, shop, id)
  await until(async () => (await find(id)).status === 'confirmed', 'it is confirmed')
  return { id, phone: customer.phone }
}

test('without an advance it is a draft, once', async () => {
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
})

test('An advance counts once: the invoice is issued with it as its first payment', async () => {
  const { id, phone } = await paidBooking()
  expect(await paidTotal(phone)).toBe(600)
  expect(await ledger()).toEqual([{ source: 'booking_advance' }])
  const answer = await invoice(id)
  expect(answer, answer.text).toMatchObject({
    status: 201,
    body: {
      invoice: {
        status: 'partially_paid',
        number: expect.stringMatching(/0001$/),
        bookingId: id,
        totalMinor: 126_000,
        receivedMinor: 60_000,
        balanceMinor: 66_000,
        payments: [{ amountMinor: 60_000, method: 'upi', source: 'gateway' }],
      },
    },
  })
  expect(await paidTotal(phone)).toBe(600)
  expect(await ledger()).toEqual([{ source: 'document_payment' }])
  expect((await find(id)).advance.invoiceId).toBe(answer.body.invoice.id)
  const issued = (await eventsOf(parley, shop.workspaceId)).find(({ name }) => name === 'invoice.issued')
  expect(issued!.data.invoice.bookingId).toBe(id)
})

test('a refunded advance counts no more', async () => {
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

test('is refused for what costs nothing, is only held, or where no seller is set; nothing is written then', async () => {
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
