/** Tests of documents that are paid at the gateway (DECISIONS.md "Paying"). */
import { request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { gatewayApplied, gatewayPost, paymentEvent, RAZORPAY } from '../../../../../test/support/payments.ts'
import { eventsOf } from '../../../../../test/support/records.ts'
import { madeInvoice, newLines, sellsAs } from '../../../../../test/support/sales.ts'
import { type StandInGateway, startGateway } from '../../../../../test/support/stand-in-gateway.ts'
import { until } from '../../../../../test/support/until.ts'
import { DAY_MS, later, MINUTE_MS, systemClock } from '../../../../core/clock.ts'

let parley: TestParley
/** A gateway that sends reports only when a test requests them. */
let gateway: StandInGateway
let shop: TestWorkspace
let aheadMs = 0
let sender = 0
const clock = { ...systemClock, now: () => later(systemClock.now(), aheadMs) }
beforeAll(async () => {
  gateway = await startGateway({ clock })
  parley = await boot({
    clock,
    env: { PARLEY_RAZORPAY_URL: gateway.apiUrl, PARLEY_TRUST_PROXY: '127.0.0.0/8' },
  })
})
afterAll(async () => {
  await parley.close()
  await gateway.stop()
})
beforeEach(async () => {
  shop = await parley.workspace()
  await shop.set({ modules: ['invoicing'] })
  await shop.connectGateway({ provider: 'razorpay', ...RAZORPAY })
  await sellsAs(shop)
})

const open = async (url: string, form?: Record<string, string>) => {
  const answer = await request(parley.url + new URL(url).pathname, {
    method: form ? 'POST' : 'GET',
    headers: {
      'x-forwarded-for': `203.0.113.${sender++ % 250}`,
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(form ? { body: new URLSearchParams(form).toString() } : {}),
  })
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
}
const openPayment = (url: string) => open(url, { answer: 'pay' })
const issued = (more: object = {}): Promise<Body> => madeInvoice(shop, { issue: true, ...more })
const read = async (id: string): Promise<Body> => (await shop.get(`/sales-invoices/${id}`)).body.invoice
const payByHand = (id: string, amountMinor: number) =>
  shop.post(`/sales-invoices/${id}/payments`, { amountMinor, method: 'cash' })
type Link = { id: string; reference_id: string; status: string; amount: number }
const linksOf = async (documentId: string): Promise<Link[]> => {
  const rows = await parley.system((tx) =>
    tx.sql<{ id: string }>('select id from payment_links where subject_id = $1 order by id', [documentId]),
  )
  const links = (await gateway.store.list(gateway.account, 'payment_link')) as unknown as Link[]
  return rows.map(({ id }) => links.find((link) => link.reference_id === id)!)
}
const report = async (referenceId: string, payment: Record<string, unknown>, eventId?: string) => {
  const event = paymentEvent('payment.captured', { requestId: referenceId }, payment)
  const answer = await gatewayPost(parley, shop, event, eventId ? { eventId } : {})
  expect(answer.status).toBe(200)
}
const namesOfEvents = async () =>
  (await eventsOf(parley, shop.workspaceId))
    .map(({ name }) => name)
    .filter((name) => name.startsWith('invoice.'))
/** Waits until the shop has no due work left. */
const jobsDone = () =>
  until(async () => {
    const [row] = await parley.system((tx) =>
      tx.sql<{ left: number }>(
        `select (select count(*) from gateway_posts where workspace_id = $1 and raw is not null)::int
              + (select count(*) from jobs where workspace_id = $1 and failed_at is null and run_at <= $2)::int as left`,
        [shop.workspaceId, clock.now()],
      ),
    )
    return row?.left === 0
  }, 'no work is left')
const when = (id: string, matches: (invoice: Body) => boolean, description: string): Promise<Body> =>
  until(async () => {
    const invoice = await read(id)
    return matches(invoice) && invoice
  }, description)

test('the page has a button, which leads to one link for the balance', async () => {
  const { id, url } = await issued()
  const page = await open(url)
  expect(page.text).toContain('Pay ₹2,310.00')
  expect(page.headers['content-security-policy']).toContain("form-action 'self' https:")
  expect(await linksOf(id)).toEqual([])
  const [first, second] = await Promise.all([openPayment(url), openPayment(url)])
  expect([first.status, second.status]).toEqual([303, 303])
  expect(first.headers.location).toMatch(/^https:\/\//)
  expect(second.headers.location).toBe(first.headers.location)
  expect(await linksOf(id)).toMatchObject([{ amount: 231_000, status: 'created' }])
})

test('a payment is recorded also when its series is out of numbers', async () => {
  await sellsAs(shop, { series: { receipt: { prefix: 'RECEIPTS-{FY}-', digits: 1 } } })
  const { id, url } = await issued()
  for (let i = 0; i < 9; i++) expect((await payByHand(id, 1_000)).status).toBe(201)
  expect(await payByHand(id, 1_000)).toMatchObject({ status: 409, body: { error: 'conflict' } })
  await openPayment(url)
  const [link] = await linksOf(id)
  await report(link!.reference_id, { id: 'pay_tenth', amount: 222_000 })
  const { payments } = await when(id, ({ status }) => status === 'paid', 'it is paid')
  expect(payments[9].receiptNumber).toMatch(/-10$/)
})

test('a payment above the maximum of a request is ignored, and the next report counts (at most 50,000,000 paise)', async () => {
  const { id, url } = await issued()
  await openPayment(url)
  const [link] = await linksOf(id)
  for (const amount of [50_000_001, 2 ** 31, 2 ** 53 - 1])
    await report(link!.reference_id, { id: `pay_${amount}`, amount })
  await gatewayApplied(parley, shop)
  expect(await read(id)).toMatchObject({ status: 'issued', payments: [] })
  await report(link!.reference_id, { id: 'pay_sound', amount: 231_000 })
  const { payments } = await when(id, ({ status }) => status === 'paid', 'it is paid')
  expect(payments).toMatchObject([{ reference: 'pay_sound', amountMinor: 231_000 }])
})

test('ten identical webhooks record one payment; the lead counts it once', async () => {
  const { lead } = (await shop.post('/leads', { phone: '+919812345678', name: 'Asha Rao' })).body
  const { id, url } = await issued({ contactId: lead.contactId })
  await openPayment(url)
  const [link] = await linksOf(id)
  await Promise.all(
    Array.from({ length: 10 }, () => report(link!.reference_id, { id: 'pay_once', amount: 231_000 })),
  )
  await gatewayApplied(parley, shop)
  const invoice = await when(id, ({ status }) => status === 'paid', 'it is paid')
  expect(invoice).toMatchObject({
    status: 'paid',
    balanceMinor: 0,
    payments: [{ source: 'gateway', method: 'upi', reference: 'pay_once', amountMinor: 231_000 }],
  })
  expect(await namesOfEvents()).toEqual(['invoice.issued', 'invoice.payment_recorded', 'invoice.paid'])
  expect((await shop.get(`/leads/${lead.id}`)).body.lead.paidTotal).toBe(2_310)
  const page = await open(url)
  expect(page.text).not.toContain('<form')
  expect((await openPayment(url)).status).toBe(409)
})

test('after another settlement the link is canceled; another balance gets another link', async () => {
  const { id, url } = await issued()
  await openPayment(url)
  await payByHand(id, 31_000)
  await until(async () => (await linksOf(id))[0]!.status === 'cancelled', 'the first link is canceled')
  expect((await open(url)).text).toContain('Pay ₹2,000.00')
  await openPayment(url)
  expect(await linksOf(id)).toMatchObject([{ status: 'cancelled' }, { status: 'created', amount: 200_000 }])
  await payByHand(id, 200_000)
  await until(async () => (await linksOf(id))[1]!.status === 'cancelled', 'the second link is canceled')
  const other = await issued()
  await openPayment(other.url)
  await shop.post(`/sales-invoices/${other.id}/revise`, { lines: [...newLines(), ...newLines()] })
  await until(async () => (await linksOf(other.id))[0]!.status === 'cancelled', 'a revision ends the link')
})

test('a payment is recorded also above the balance and on a canceled document, and a refund is requested', async () => {
  const { lead } = (await shop.post('/leads', { phone: '+919812345678' })).body
  const { id, url, number } = await issued({ contactId: lead.contactId })
  await openPayment(url)
  const [link] = await linksOf(id)
  await payByHand(id, 231_000)
  await report(link!.reference_id, { id: 'pay_late', amount: 231_000 })
  expect(await when(id, ({ balanceMinor }) => balanceMinor < 0, 'it is recorded')).toMatchObject({
    status: 'paid',
    balanceMinor: -231_000,
  })
  const cancelledInvoice = await issued({ contactId: lead.contactId })
  await openPayment(cancelledInvoice.url)
  const [overpaidLink] = await linksOf(cancelledInvoice.id)
  await shop.post(`/sales-invoices/${cancelledInvoice.id}/cancel`, { reason: 'Out of stock.' })
  await report(overpaidLink!.reference_id, { id: 'pay_lost', amount: 231_000, method: 'emi' })
  expect(
    await when(cancelledInvoice.id, ({ receivedMinor }) => receivedMinor > 0, 'it is recorded'),
  ).toMatchObject({
    status: 'cancelled',
    receivedMinor: 231_000,
    payments: [{ method: 'other' }],
  })
  const { tasks } = (await shop.get('/tasks')).body
  expect(tasks.map(({ title }: Body) => title).sort()).toEqual(
    [number, cancelledInvoice.number].map(
      (documentNumber) => `Refund ₹2,310.00 that was overpaid on ${documentNumber}`,
    ),
  )
  expect((await namesOfEvents()).filter((name) => name === 'invoice.paid')).toHaveLength(1)
})

describe('refunds at the gateway', () => {
  /** Creates an invoice that a customer has paid on its page, and their payment. */
  const paid = async (more: object = {}) => {
    const { id, url } = await issued(more)
    await openPayment(url)
    const { id: link, reference_id: reference } = (await linksOf(id))[0]!
    await gateway.pay({ link, method: 'upi' })
    const { payments } = (await gateway.store.find(gateway.account, 'payment_link', link)) as Body
    const paymentId: string = payments[0].payment_id
    await report(reference, { id: paymentId, amount: 231_000 })
    await when(id, ({ receivedMinor }) => receivedMinor === 231_000, 'the payment is recorded')
    return { id, reference, paymentId }
  }
  const refundReported = (paymentId: string) =>
    gatewayPost(parley, shop, {
      event: 'refund.processed',
      payload: { refund: { entity: { id: 'rfnd_1', payment_id: paymentId } } },
    })

  test("a full refund voids the payment: the receipt is void, and the lead's total decreases", async () => {
    const { lead } = (await shop.post('/leads', { phone: '+919812345678' })).body
    const { id, reference, paymentId } = await paid({ contactId: lead.contactId })
    await gateway.giveBack(paymentId, 31_000)
    await refundReported(paymentId)
    await gateway.giveBack(paymentId, 200_000)
    for (let i = 0; i < 3; i++) await refundReported(paymentId)
    expect(await when(id, ({ status }) => status === 'issued', 'the balance is open again')).toMatchObject({
      receivedMinor: 0,
      balanceMinor: 231_000,
      payments: [{ source: 'gateway', voidReason: 'The payment gateway refunded it.' }],
    })
    expect((await shop.get(`/leads/${lead.id}`)).body.lead.paidTotal).toBe(0)
    // The original payment, reported again.
    await report(reference, { id: paymentId, amount: 231_000 })
    await gatewayApplied(parley, shop)
    expect(await read(id)).toMatchObject({ status: 'issued', receivedMinor: 0 })
    expect((await namesOfEvents()).filter((name) => name === 'invoice.payment_voided')).toHaveLength(1)
  })

  test('a partial refund, or a refund in locked books, changes nothing', async () => {
    const partlyRefunded = await paid()
    await gateway.giveBack(partlyRefunded.paymentId, 230_999)
    const closedInvoice = await paid()
    await sellsAs(shop, { booksLockedUntil: (await read(closedInvoice.id)).issueDate })
    await gateway.giveBack(closedInvoice.paymentId, 231_000)
    for (const { paymentId } of [partlyRefunded, closedInvoice]) await refundReported(paymentId)
    await jobsDone()
    for (const { id } of [partlyRefunded, closedInvoice])
      expect(await read(id)).toMatchObject({ status: 'paid', receivedMinor: 231_000 })
  })

  test('the refund of a double payment voids the second payment', async () => {
    const { id, reference, paymentId } = await paid()
    await report(reference, { id: 'pay_second', amount: 231_000 })
    await when(id, ({ balanceMinor }) => balanceMinor === -231_000, 'the second is recorded')
    await report(reference, { id: 'pay_second', amount: 231_000, amount_refunded: 231_000 })
    const { payments, status } = await when(id, ({ balanceMinor }) => balanceMinor === 0, 'it is given back')
    expect([status, payments.map(({ voidedAt }: Body) => voidedAt !== null)]).toEqual(['paid', [false, true]])
    expect(payments[0].reference).toBe(paymentId)
  })
})

test('with the module off a payment is still recorded, and no event fires', async () => {
  const { id, url } = await issued()
  await openPayment(url)
  const [link] = await linksOf(id)
  const before = await namesOfEvents()
  await shop.set({ modules: [] })
  await report(link!.reference_id, { id: 'pay_unheard', amount: 231_000 })
  await until(
    async () => (await shop.get(`/invoices/${id}`)).body.invoice.status === 'paid',
    'the money is recorded',
  )
  await shop.set({ modules: ['invoicing'] })
  expect(await read(id)).toMatchObject({ receivedMinor: 231_000, payments: [{ source: 'gateway' }] })
  expect(await namesOfEvents()).toEqual(before)
})

test('a document stays paid after its overpayment is voided', async () => {
  const { id, url } = await issued()
  await openPayment(url)
  const [link] = await linksOf(id)
  await payByHand(id, 231_000)
  const { paidAt } = await read(id)
  await report(link!.reference_id, { id: 'pay_twice', amount: 231_000 })
  const { payments } = await when(id, ({ balanceMinor }) => balanceMinor < 0, 'it is recorded')
  const secondPayment = payments.find(({ source }: Body) => source === 'gateway')
  const voidAnswer = await shop.post(`/sales-invoices/${id}/payments/${secondPayment.id}/void`, {
    reason: 'Given back.',
  })
  expect(voidAnswer.body.invoice).toMatchObject({ status: 'paid', balanceMinor: 0, paidAt })
})

test('our own check finds an unreported payment; a payment for a converted proforma belongs to the invoice', async () => {
  const { id, url } = await issued({ kind: 'proforma' })
  await openPayment(url)
  const [link] = await linksOf(id)
  const { invoice } = (await shop.post(`/sales-invoices/${id}/convert`)).body
  await gateway.store.list(gateway.account, 'payment_link')
  await report(link!.reference_id, { id: 'pay_proforma', amount: 231_000 })
  await when(invoice.id, ({ status }) => status === 'paid', 'the invoice is paid')
  expect(await read(id)).toMatchObject({ status: 'converted', receivedMinor: 0 })
  const other = await issued()
  await openPayment(other.url)
  const [unheard] = await linksOf(other.id)
  await gateway.pay({ link: unheard!.id, method: 'card' })
  aheadMs += 2 * MINUTE_MS
  await when(other.id, ({ status }) => status === 'paid', 'it is found')
})

test("a gateway that doesn't answer is asked again, and creates one link", async () => {
  const { id, url } = await issued()
  gateway.store.faults.push({ call: 'POST payment_links', kind: 'no-answer', times: 1 })
  const paymentPage = await openPayment(url)
  expect([paymentPage.status, paymentPage.headers.location]).toEqual([303, expect.stringMatching(/^https:/)])
  expect(await linksOf(id)).toHaveLength(1)
})

test('a customer who waits for a link while the balance changes sees the new amount immediately', async () => {
  const { id, url } = await issued()
  gateway.store.faults.push({ call: 'POST payment_links', kind: 'no-answer', times: 9 })
  const paymentPage = openPayment(url)
  await until(async () => (await linksOf(id)).length === 1, 'the gateway is asked')
  await payByHand(id, 31_000)
  const { status, text } = await paymentPage
  gateway.store.faults.length = 0
  expect([status, text]).toEqual([409, expect.stringContaining('Pay ₹2,000.00')])
})

test('a gateway that fails for hours is asked at the next time, and the payment is found', async () => {
  const { id, url } = await issued()
  await openPayment(url)
  const [link] = await linksOf(id)
  gateway.store.faults.length = 0
  gateway.store.faults.push({ call: 'GET payment_links/:id', kind: 'no-answer', times: 4 })
  const isLookPlanned = async () => {
    const jobs = await parley.system((tx) =>
      tx.sql<{ runAt: Date }>(
        `select run_at from jobs where workspace_id = $1 and name = 'checkOpenLink' and failed_at is null`,
        [shop.workspaceId],
      ),
    )
    return jobs.some(({ runAt }) => runAt > clock.now())
  }
  for (const [checkCount, aheadMinutes] of [2, 11, 120, 420].entries()) {
    aheadMs += aheadMinutes * MINUTE_MS
    await until(
      async () => gateway.store.faults[0]!.times <= 3 - checkCount && (await isLookPlanned()),
      `look ${checkCount + 1} is made, and the next is planned`,
    )
  }
  await gateway.pay({ link: link!.id, method: 'upi' })
  aheadMs += DAY_MS
  await when(id, ({ status }) => status === 'paid', 'it is found')
})

test('there is no button without a gateway, in another currency, and with the module off', async () => {
  const { url } = await issued()
  await shop.set({ modules: [] })
  expect((await open(url)).text).not.toContain('<form')
  expect((await openPayment(url)).status).toBe(409)
  await shop.set({ modules: ['invoicing'] })
  shop = await parley.workspace()
  await shop.set({ modules: ['invoicing'] })
  await sellsAs(shop, { currency: 'USD' })
  const abroad = await issued()
  expect((await open(abroad.url)).text).not.toContain('<form')
  expect((await openPayment(abroad.url)).status).toBe(409)
})
