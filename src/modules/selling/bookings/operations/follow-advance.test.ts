/** Holds and advances: an expired hold frees its time, and a payment counts once (spec 6.3; DECISIONS.md). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  bookingShop,
  madeBooking,
  madeService,
  newCustomer,
  startIn,
} from '../../../../../test/support/bookings.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import {
  gatewayApplied,
  gatewayPost,
  pay,
  paymentEvent,
  RAZORPAY,
} from '../../../../../test/support/payments.ts'
import { eventsOf } from '../../../../../test/support/records.ts'
import { sellsAs } from '../../../../../test/support/sales.ts'
import { type StandInGateway, startGateway } from '../../../../../test/support/stand-in-gateway.ts'
import { until } from '../../../../../test/support/until.ts'

let parley: TestParley
/** Sends no reports by itself. */
let gateway: StandInGateway
let shop: TestWorkspace
let serviceId: string
beforeAll(async () => {
  gateway = await startGateway()
  parley = await boot({ env: { PARLEY_RAZORPAY_URL: gateway.apiUrl } })
})
afterAll(async () => {
  await parley.close()
  await gateway.stop()
})
beforeEach(async () => {
  shop = await bookingShop(parley)
  serviceId = (await madeService(shop, { priceMinor: 60_000, advance: { percent: 20 } })).id
})

const HOLD_SECONDS = 15 * 60
const book = (more: object = {}) =>
  shop.post('/bookings', { serviceId, startAt: startIn(1), ...newCustomer(), ...more })
const held = async (more: object = {}): Promise<Body> => {
  const answer = await book(more)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.booking
}
const find = async (id: string): Promise<Body> => (await shop.get(`/bookings/${id}`)).body.booking
const change = (id: string, patch: object) => shop.patch(`/bookings/${id}`, patch)
const becomes = (id: string, matches: (booking: Body) => boolean, description: string): Promise<Body> =>
  until(async () => {
    const booking = await find(id)
    return matches(booking) && booking
  }, description)
const payable = (id: string) =>
  becomes(id, ({ paymentUrl }) => paymentUrl !== null, 'the booking can be paid for')
const bookingEvents = async (): Promise<{ name: string; data: Body }[]> =>
  (await eventsOf(parley, shop.workspaceId)).filter(({ name }) => name.startsWith('booking.'))
const ledger = () =>
  parley.system((tx) =>
    tx.sql<{ source: string; amountMinor: number }>(
      'select source, amount_minor from received_money where workspace_id = $1',
      [shop.workspaceId],
    ),
  )
const links = () =>
  parley.system((tx) =>
    tx.sql<{ status: string }>('select status from payment_links where workspace_id = $1 order by id', [
      shop.workspaceId,
    ]),
  )

test('A hold fires nothing; after payment the booking is confirmed by the customer', async () => {
  const { lead } = (await shop.post('/leads', { phone: '+919812345678', name: 'Asha Rao' })).body
  const booking = await held({ phone: '+919812345678' })
  expect(booking).toMatchObject({
    status: 'held',
    advance: { amountMinor: 12_000, amount: '₹120.00', status: 'pending', paidAt: null, invoiceId: null },
  })
  expect(Date.parse(booking.holdExpiresAt) - Date.parse(booking.createdAt)).toBe(HOLD_SECONDS * 1000)
  expect((await payable(booking.id)).paymentUrl).toMatch(/^https?:/)
  expect(await bookingEvents()).toEqual([])
  await pay(parley, shop, booking.id)
  const confirmed = await becomes(booking.id, ({ status }) => status === 'confirmed', 'it is confirmed')
  expect(confirmed).toMatchObject({
    holdExpiresAt: null,
    paymentUrl: null,
    advance: { status: 'paid', paidAt: expect.any(String) },
  })
  expect(await bookingEvents()).toMatchObject([
    {
      name: 'booking.created',
      data: { by: 'customer', booking: { status: 'confirmed', advance: { status: 'paid' } } },
    },
  ])
  expect((await shop.get(`/leads/${lead.id}`)).body.lead.paidTotal).toBe(120)
})

test('the customer receives the payment link if their window is open', async () => {
  const customer = newCustomer()
  await shop.inbound(customer.phone, 'When are you free?')
  const { id } = await held(customer)
  const { paymentUrl } = await payable(id)
  const { conversations } = (await shop.get('/conversations')).body
  const { messages } = (await shop.get(`/messages?conversationId=${conversations[0].id}`)).body
  const texts = messages.map(({ content }: Body) => content.body)
  expect(texts).toContainEqual(
    expect.stringMatching(/^Haircut with Meera, .* Please pay ₹120\.00 by .* to keep this time: /),
  )
  expect(texts.join('\n')).toContain(paymentUrl)
})

test('A hold is tentative in calendars, and canceled from the moment on which it expires', async () => {
  const { id } = await held()
  const file = async () => (await shop.get(`/bookings/${id}?format=ics`)).text
  expect(await file()).toContain('STATUS:TENTATIVE')
  await parley.system((tx) => tx.sql(`delete from jobs where workspace_id = $1`, [shop.workspaceId]))
  await shop.advance(HOLD_SECONDS)
  expect(await file()).toContain('STATUS:CANCELLED')
})

test('An expired hold frees its time without the job, and with it', async () => {
  const first = await held()
  expect(await book()).toMatchObject({ status: 409, body: { error: 'conflict' } })
  await parley.system((tx) => tx.sql(`delete from jobs where workspace_id = $1`, [shop.workspaceId]))
  await shop.advance(HOLD_SECONDS)
  expect(await find(first.id)).toMatchObject({ status: 'expired', paymentUrl: null })
  expect((await shop.get('/bookings?status=expired')).body.bookings).toMatchObject([{ id: first.id }])
  expect((await shop.get('/bookings?status=held')).body.bookings).toEqual([])
  const slots = `/bookings/slots?serviceId=${serviceId}&from=${startIn(1)}&to=${startIn(1, 1)}`
  expect((await shop.get(slots)).body.slots).toHaveLength(1)
  const second = await held()
  expect((await shop.get(slots)).body.slots).toEqual([])
  await payable(second.id)
  await shop.advance(HOLD_SECONDS)
  const places = await parley.system((tx) =>
    tx.sql<{ count: number }>(
      'select count(*)::int as count from booking_sessions where workspace_id = $1 and released_at is null',
      [shop.workspaceId],
    ),
  )
  expect(places).toEqual([{ count: 0 }])
  expect(await links()).toMatchObject([{}, { status: 'expired' }])
  expect(await bookingEvents()).toEqual([])
})

test('Paying twice confirms once; An advance counts once', async () => {
  const booking = await held()
  await payable(booking.id)
  await Promise.all([pay(parley, shop, booking.id), pay(parley, shop, booking.id)])
  await becomes(booking.id, ({ status }) => status === 'confirmed', 'it is confirmed')
  await pay(parley, shop, booking.id)
  await shop.advance(1)
  expect(await bookingEvents()).toHaveLength(1)
  expect(await ledger()).toEqual([{ source: 'booking_advance', amountMinor: 12_000 }])
})

test('Paid several times: each further payment creates a task with its own amount, regardless of the number and source of reports', async () => {
  const other = await bookingShop(parley, { sandbox: false })
  await other.connectGateway({ provider: 'razorpay', ...RAZORPAY })
  const service = await madeService(other, { priceMinor: 60_000, advance: { percent: 20 } })
  const customer = newCustomer()
  await other.post('/leads', customer)
  const { id } = await madeBooking(other, { serviceId: service.id, ...customer })
  const [link] = await parley.system((tx) =>
    tx.sql<{ id: string }>('select id from payment_links where subject_id = $1', [id]),
  )
  const report = (paymentId: string, amount: number) =>
    gatewayPost(
      parley,
      other,
      paymentEvent('payment.captured', { requestId: link!.id }, { id: paymentId, amount }),
    )
  for (const [paymentId, amount] of [
    ['pay_1', 12_000],
    ['pay_2', 12_100],
    ['pay_3', 12_200],
    ['pay_2', 12_100],
    ['pay_4', 12_300],
  ] as const)
    await report(paymentId, amount)
  await gatewayApplied(parley, other)
  const titles = async () => (await other.get('/tasks')).body.tasks.map(({ title }: Body) => title).toSorted()
  const tasks = ['₹121.00', '₹122.00', '₹123.00'].map(
    (amount) => `Refund an advance of ${amount}: it was paid more than once`,
  )
  await until(async () => (await titles()).length >= tasks.length, 'the tasks are created')
  expect(await titles()).toEqual(tasks)
  const { booking } = (await other.get(`/bookings/${id}`)).body
  expect(booking).toMatchObject({ status: 'confirmed', advance: { status: 'paid' } })
})

test('Paid after the hold expired: confirmed if free', async () => {
  const booking = await held()
  await payable(booking.id)
  await shop.advance(HOLD_SECONDS + 1)
  expect((await find(booking.id)).status).toBe('expired')
  await pay(parley, shop, booking.id)
  await becomes(booking.id, ({ status }) => status === 'confirmed', 'it is confirmed')
  expect(await book()).toMatchObject({ status: 409 })
  expect((await bookingEvents()).map(({ name }) => name)).toEqual(['booking.created'])
})

test('Late payment, place taken: refund_due, and a task', async () => {
  const customer = newCustomer()
  await shop.post('/leads', customer)
  const late = await held(customer)
  await payable(late.id)
  await shop.advance(HOLD_SECONDS + 1)
  const { id } = await held({ advance: 'waive' })
  await pay(parley, shop, late.id)
  const due = await becomes(late.id, ({ advance }) => advance.status !== 'pending', 'the payment is known')
  expect(due).toMatchObject({
    status: 'expired',
    advance: { status: 'refund_due', paidAt: expect.any(String) },
  })
  expect((await find(id)).status).toBe('confirmed')
  expect((await shop.get('/tasks')).body.tasks).toMatchObject([
    { title: expect.stringContaining('Refund an advance of ₹120.00'), priority: 'high' },
  ])
  expect(await ledger()).toMatchObject([{ amountMinor: 12_000 }])
  expect((await change(late.id, { advance: 'refunded' })).body.booking.advance.status).toBe('refunded')
  expect((await bookingEvents()).map(({ data }) => data.booking.id)).toEqual([id])
})

test.each([
  [['bookings'], 'the ledger alone'],
  [['bookings', 'invoicing'], 'a voucher'],
])(
  'A refund at the gateway: refunded, regardless of the state of the booking (%j: on %s)',
  async (modules) => {
    const other = await bookingShop(parley, { sandbox: false })
    await other.set({ modules })
    await other.connectGateway({ provider: 'razorpay', ...RAZORPAY })
    if (modules.includes('invoicing')) await sellsAs(other)
    const service = await madeService(other, { priceMinor: 60_000, advance: { percent: 20 } })
    const customer = newCustomer()
    const { lead } = (await other.post('/leads', customer)).body
    const { id } = await madeBooking(other, { serviceId: service.id, ...customer })
    const booking = async (): Promise<Body> => (await other.get(`/bookings/${id}`)).body.booking
    await until(async () => (await booking()).paymentUrl !== null, 'the booking can be paid for')
    const [link] = await parley.system((tx) =>
      tx.sql<{ id: string; linkId: string }>('select id, link_id from payment_links where subject_id = $1', [
        id,
      ]),
    )
    await gateway.pay({ link: link!.linkId })
    const { payments } = (await gateway.store.find(gateway.account, 'payment_link', link!.linkId)) as Body
    const paymentId: string = payments[0].payment_id
    await gateway.giveBack(paymentId, 12_000)
    const { payload } = paymentEvent(
      'payment.captured',
      { requestId: link!.id },
      { id: paymentId, amount: 12_000 },
    )
    const refund = { entity: { id: 'rfnd_1', payment_id: paymentId } }
    // The refund is reported before the payment, and twice.
    for (let i = 0; i < 2; i++)
      await gatewayPost(parley, other, { event: 'refund.processed', payload: { ...payload, refund } })
    await until(async () => (await booking()).advance.status === 'refunded', 'the refund is recorded')
    expect(await booking()).toMatchObject({ status: 'confirmed' })
    expect((await other.get(`/leads/${lead.id}`)).body.lead.paidTotal).toBe(0)
    expect((await other.patch(`/bookings/${id}`, { status: 'cancelled' })).body.booking.advance.status).toBe(
      'refunded',
    )
    const { invoiceId } = (await booking()).advance
    if (modules.includes('invoicing'))
      expect((await other.get(`/sales-invoices/${invoiceId}`)).body.invoice).toMatchObject({
        status: 'cancelled',
        receivedMinor: 0,
      })
  },
)

test('A payment below the requested amount: refund_due, and a task with the paid amount', async () => {
  const customer = newCustomer()
  await shop.post('/leads', customer)
  const { id } = await held(customer)
  await payable(id)
  await pay(parley, shop, id, '--paise', '5000')
  await becomes(id, ({ advance }) => advance.status === 'refund_due', 'it is to be given back')
  expect((await shop.get('/tasks')).body.tasks.map(({ title }: Body) => title)).toEqual([
    'Refund an advance of ₹50.00: it was less than the requested ₹120.00',
  ])
  expect(await ledger()).toMatchObject([{ amountMinor: 5_000 }])
})

test('a hold with a partial payment can be confirmed without the advance; the payment must still be refunded', async () => {
  const { id } = await held()
  await payable(id)
  await pay(parley, shop, id, '--paise', '5000')
  await becomes(id, ({ advance }) => advance.status === 'refund_due', 'it is to be given back')
  expect((await change(id, { status: 'confirmed', advance: 'waive' })).body.booking).toMatchObject({
    status: 'confirmed',
    advance: { status: 'refund_due' },
  })
  // Canceling and restoring the booking does not make the advance paid.
  await change(id, { status: 'cancelled' })
  expect((await change(id, { status: 'confirmed' })).body.booking).toMatchObject({
    status: 'confirmed',
    advance: { status: 'refund_due' },
  })
  expect((await change(id, { advance: 'refunded' })).body.booking.advance.status).toBe('refunded')
  const unvoided = await parley.system((tx) =>
    tx.sql('select 1 from received_money where workspace_id = $1 and voided_at is null', [shop.workspaceId]),
  )
  expect(unvoided).toEqual([])
})

test.each([
  ['waived', { status: 'confirmed', advance: 'waive' }, 'it was paid after it had been waived'],
  ['cancelled', { status: 'cancelled' }, 'it was paid after the booking was canceled'],
])('Paid after it was %s: refund_due, and a task to refund it', async (_, patch, why) => {
  const customer = newCustomer()
  await shop.post('/leads', customer)
  const { id } = await held(customer)
  await payable(id)
  await change(id, patch)
  await pay(parley, shop, id)
  await becomes(id, ({ advance }) => advance.status === 'refund_due', 'it is to be given back')
  expect((await shop.get('/tasks')).body.tasks.map(({ title }: Body) => title)).toEqual([
    `Refund an advance of ₹120.00: ${why}`,
  ])
})

describe('without payment', () => {
  test('waived: confirmed immediately, or later, once', async () => {
    expect(await held({ advance: 'waive' })).toMatchObject({
      status: 'confirmed',
      advance: { status: 'waived' },
    })
    const booking = await held({ startAt: startIn(2) })
    await payable(booking.id)
    expect(await change(booking.id, { status: 'confirmed' })).toMatchObject({ status: 409 })
    const confirmed = await change(booking.id, { status: 'confirmed', advance: 'waive' })
    expect(confirmed.body.booking).toMatchObject({ status: 'confirmed', advance: { status: 'waived' } })
    expect((await bookingEvents()).map(({ name, data }) => [name, data.by])).toEqual([
      ['booking.created', 'staff'],
      ['booking.created', 'staff'],
    ])
    expect(await links()).toEqual([{ status: 'cancelled' }])
  })

  test('canceled while it is held: the time is free again, and nothing fires', async () => {
    const booking = await held()
    expect((await change(booking.id, { status: 'cancelled' })).body.booking.status).toBe('cancelled')
    expect(await bookingEvents()).toEqual([])
    expect(await links()).toEqual([{ status: 'cancelled' }])
    expect((await book()).status).toBe(201)
    expect(await change(booking.id, { status: 'confirmed' })).toMatchObject({ status: 409 })
  })

  test('without a connected gateway: 409, and nothing is stored', async () => {
    const other = await bookingShop(parley, { sandbox: false })
    const { id } = await madeService(other, { priceMinor: 60_000, advance: { amountMinor: 5_000 } })
    const body = { serviceId: id, startAt: startIn(1), ...newCustomer() }
    expect(await other.post('/bookings', body)).toMatchObject({
      status: 409,
      body: { error: 'conflict', message: expect.stringContaining('No payment gateway is connected') },
    })
    expect((await other.get('/bookings')).body.bookings).toEqual([])
    expect((await other.post('/bookings', { ...body, advance: 'waive' })).status).toBe(201)
  })
})

describe('a paid advance', () => {
  const paid = async (more: object = {}): Promise<Body> => {
    const booking = await held(more)
    await payable(booking.id)
    await pay(parley, shop, booking.id)
    return becomes(booking.id, ({ status }) => status === 'confirmed', 'it is confirmed')
  }

  test('of a canceled booking is refund_due or kept, and paid again when the booking is restored', async () => {
    const { id } = await paid()
    expect((await change(id, { status: 'cancelled' })).body.booking.advance.status).toBe('refund_due')
    expect((await change(id, { status: 'confirmed' })).body.booking.advance.status).toBe('paid')
    expect((await change(id, { status: 'cancelled', advance: 'keep' })).body.booking.advance.status).toBe(
      'kept',
    )
    const states = (await bookingEvents()).map(({ name, data }) => [name, data.booking.advance.status])
    expect(states).toEqual([
      ['booking.created', 'paid'],
      ['booking.cancelled', 'refund_due'],
      ['booking.restored', 'paid'],
      ['booking.cancelled', 'kept'],
    ])
    expect(await change(id, { advance: 'refunded' })).toMatchObject({ status: 409 })
  })

  test('is kept if the service requires that', async () => {
    await shop.patch(`/booking-services/${serviceId}`, { refundPolicy: 'keep' })
    const { id } = await paid()
    expect((await change(id, { status: 'cancelled' })).body.booking.advance.status).toBe('kept')
  })

  test('is recorded if the module was turned off in the meantime, and nothing fires', async () => {
    const booking = await held()
    await payable(booking.id)
    await shop.set({ modules: [] })
    await pay(parley, shop, booking.id)
    await until(async () => (await ledger()).length === 1, 'the money is recorded')
    await shop.set({ modules: ['bookings'] })
    expect((await find(booking.id)).status).toBe('confirmed')
    expect(await bookingEvents()).toEqual([])
  })

  test('of a group: the amount counts for each seat', async () => {
    await shop.patch(`/booking-services/${serviceId}`, { advance: { amountMinor: 5_000 }, capacity: 5 })
    expect(await held({ partySize: 3 })).toMatchObject({
      priceMinor: 180_000,
      advance: { amountMinor: 15_000 },
    })
    const other = await madeService(shop, { priceMinor: 0, advance: { percent: 50 } })
    expect(await madeBooking(shop, { serviceId: other.id })).toMatchObject({
      status: 'confirmed',
      advance: null,
    })
  })
})
