/**
 * Tests of invoices and proformas: drafts, issuing, numbers, revisions, conversions (spec 4.10, 6.3;
 * DECISIONS.md).
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { lockWaits } from '../../../../../test/support/lock-waits.ts'
import { eventsOf } from '../../../../../test/support/records.ts'
import { BUYER_GSTIN, madeInvoice, newLines, SELLER, sellsAs } from '../../../../../test/support/sales.ts'
import { until } from '../../../../../test/support/until.ts'
import { DAY_MS, later, systemClock } from '../../../../core/clock.ts'

let parley: TestParley
let shop: TestWorkspace
let aheadMs = 0
const clock = { ...systemClock, now: () => later(systemClock.now(), aheadMs) }
beforeAll(async () => {
  parley = await boot({ clock })
})
afterAll(() => parley.close())
beforeEach(async () => {
  aheadMs = 0
  shop = await parley.workspace()
  await shop.set({ modules: ['invoicing'] })
  await sellsAs(shop)
})

/** Returns the current day in Asia/Kolkata. */
const today = () =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata', dateStyle: 'short' }).format(clock.now())
const dayBefore = (days: number) => new Date(Date.parse(today()) - days * DAY_MS).toISOString().slice(0, 10)
const yearName = () => {
  const [year, month] = today().split('-').map(Number) as [number, number]
  const first = month >= 4 ? year : year - 1
  return `${first % 100}-${(first + 1) % 100}`
}
/** Moves the clock to noon in India on a later day. */
const moveClockTo = (day: string) => {
  aheadMs = Date.parse(`${day}T06:30:00Z`) - Date.now()
}
const nextAprilFirst = () => {
  const day = today()
  const year = Number(day.slice(0, 4))
  return `${day.slice(5) >= '04-01' ? year + 1 : year}-04-01`
}
const post = async (client: { post: TestWorkspace['post'] }, path: string, body?: object): Promise<Body> => {
  const answer = await client.post(path, body)
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
  return answer.body
}
const issued = (more: object = {}): Promise<Body> => madeInvoice(shop, { issue: true, ...more })
const namesOfEvents = async () =>
  (await eventsOf(parley, shop.workspaceId))
    .map(({ name }) => name)
    .filter((name) => name.startsWith('invoice.'))

describe('POST /sales-invoices/preview', () => {
  const preview = (body: object) => shop.post('/sales-invoices/preview', { lines: newLines(), ...body })

  test('returns the totals of the document, and stores nothing', async () => {
    const body = { customer: { gstin: BUYER_GSTIN }, lines: newLines() }
    const answer = await preview(body)
    const { missing, seller, ...shownPreview } = answer.body.preview
    expect(seller).toMatchObject({ legalName: expect.any(String) })
    expect([answer.status, await namesOfEvents()]).toEqual([200, []])
    expect((await shop.get('/sales-invoices')).body.invoices).toEqual([])
    const { invoice } = (await shop.post('/sales-invoices', body)).body
    expect(invoice).toMatchObject(shownPreview)
    expect([shownPreview.igstMinor, shownPreview.totalMinor, shownPreview.total, missing]).toEqual([
      11_000,
      231_000,
      '₹2,310.00',
      [],
    ])
    expect((await preview({ kind: 'quotation' })).body.preview.documentType).toBe('quotation')
  })

  test('returns the missing details to issue it', async () => {
    await sellsAs(shop, { hsnDigits: 4 })
    const lines = [{ description: 'Silk', quantity: 1, unitMinor: 6_000_000 }]
    const { missing } = (await preview({ customer: { gstin: BUYER_GSTIN }, lines })).body.preview
    expect(missing.map(({ path }: Body) => path)).toEqual([
      'lines[0].hsn',
      'customer.name',
      'customer.billingAddress',
    ])
  })

  test('computes a revision by the rules that the document was issued under', async () => {
    const { id } = await issued()
    await sellsAs(shop, { pricesIncludeTax: true })
    expect((await preview({})).body.preview.totalMinor).toBe(220_000)
    expect((await preview({ documentId: id })).body.preview.totalMinor).toBe(231_000)
    expect(await preview({ documentId: randomUUID() })).toMatchObject({
      status: 400,
      body: { error: 'invalid_reference' },
    })
  })

  test.each([
    { placeOfSupply: '29' },
    { supplyType: 'export_lut', placeOfSupply: '96' },
    { reverseCharge: true },
  ])('previews a change of a document with its stored $0, also if the change omits it', async (taxed) => {
    const change = { lines: [...newLines(), ...newLines()] }
    const sumsOf = ({ placeOfSupply, cgstMinor, igstMinor, totalMinor }: Body) => [
      placeOfSupply,
      cgstMinor,
      igstMinor,
      totalMinor,
    ]
    const draft = await madeInvoice(shop, taxed)
    const { id } = await issued(taxed)
    for (const [documentId, changed] of [
      [draft.id, async () => (await shop.patch(`/sales-invoices/${draft.id}`, change)).body.invoice],
      [id, async () => (await post(shop, `/sales-invoices/${id}/revise`, change)).invoice],
    ] as const) {
      const shownPreview = (await preview({ ...change, documentId })).body.preview
      expect(sumsOf(shownPreview)).toEqual(sumsOf(await changed()))
    }
    const other = (await preview({ ...change, documentId: id, placeOfSupply: '07', supplyType: 'sez' })).body
      .preview
    expect([other.placeOfSupply, other.igstMinor]).toEqual(['07', 22_000])
  })
})

describe("the module's switch", () => {
  test('off: 404 not_available, and no event fires; issued documents can still be read', async () => {
    const { id } = await issued()
    const before = await namesOfEvents()
    await shop.set({ modules: [] })
    for (const answer of [
      await shop.get('/sales-invoices'),
      await shop.post('/sales-invoices', { lines: newLines() }),
      await shop.post(`/sales-invoices/${id}/payments`, { amountMinor: 1, method: 'cash' }),
      await shop.call('PUT', '/sales-settings', {}),
      await shop.get('/quotations'),
    ])
      expect(answer).toMatchObject({ status: 404, body: { error: 'not_available' } })
    expect((await shop.get(`/invoices/${id}`)).body.invoice.number).toMatch(/0001$/)
    expect(await namesOfEvents()).toEqual(before)
  })
})

describe('a draft', () => {
  test('has no number, and can be changed and deleted', async () => {
    const draft = await madeInvoice(shop, { customer: { name: 'Asha Rao' } })
    expect(draft).toMatchObject({
      number: null,
      status: 'draft',
      version: 1,
      totalMinor: 231_000,
      issueDate: null,
    })
    const patched = await shop.patch(`/sales-invoices/${draft.id}`, {
      reference: 'PO-7',
      lines: [...newLines(), ...newLines()],
    })
    expect(patched.body.invoice).toMatchObject({
      reference: 'PO-7',
      customer: { name: 'Asha Rao' },
      totalMinor: 462_000,
    })
    expect(await shop.delete(`/sales-invoices/${draft.id}`)).toMatchObject({
      status: 200,
      body: { ok: true, deleted: true },
    })
    expect((await shop.get(`/sales-invoices/${draft.id}`)).status).toBe(404)
    expect(await namesOfEvents()).toEqual([])
  })

  test('takes name and number of its customer from the contact', async () => {
    const { contact } = (await shop.post('/contacts', { phone: '+919812345678', displayName: 'Asha Rao' }))
      .body
    const draft = await madeInvoice(shop, { contactId: contact.id, customer: { email: 'asha@example.com' } })
    expect(draft).toMatchObject({
      contactId: contact.id,
      customer: { name: 'Asha Rao', phone: '+919812345678', email: 'asha@example.com', gstin: null },
    })
    expect(
      await shop.post('/sales-invoices', { contactId: shop.workspaceId, lines: newLines() }),
    ).toMatchObject({
      status: 400,
      body: { error: 'invalid_reference' },
    })
  })

  test('with a wrong check digit returns 400 and names the field', async () => {
    const answer = await shop.post('/sales-invoices', {
      customer: { gstin: '27AAPFU0939F1ZW' },
      lines: newLines(),
    })
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'customer.gstin' }] } })
  })

  test("checks the customer’s email and phone like a lead's; blank counts as missing", async () => {
    for (const [customer, path] of [
      [{ name: 'Asha Rao', email: 'abc' }, 'customer.email'],
      [{ name: 'Asha Rao', phone: 'abc' }, 'customer.phone'],
      [{ name: 'Asha Rao', phone: '+91123' }, 'customer.phone'],
    ] as const) {
      const body = { customer, lines: newLines() }
      const { invoice } = (await shop.post('/sales-invoices', { lines: newLines() })).body
      for (const answer of [
        await shop.post('/sales-invoices', body),
        await shop.post('/sales-invoices/preview', body),
        await shop.post('/quotations', body),
        await shop.patch(`/sales-invoices/${invoice.id}`, { customer }),
        await shop.post(`/sales-invoices/${invoice.id}/revise`, { customer }),
      ])
        expect(answer, answer.text).toMatchObject({
          status: 400,
          body: { error: 'invalid', issues: [{ path }] },
        })
    }
    const { invoice } = await post(shop, '/sales-invoices', {
      customer: { name: 'Asha Rao', email: ' ', phone: '' },
      lines: newLines(),
    })
    expect(invoice.customer).toMatchObject({ email: null, phone: null })
    const customer = { email: 'asha@example.com', phone: '98123 45678' }
    expect(
      (await shop.patch(`/sales-invoices/${invoice.id}`, { customer })).body.invoice.customer,
    ).toMatchObject({
      email: 'asha@example.com',
      phone: '+919812345678',
    })
  })

  test('returns one error for one mistake', async () => {
    for (const answer of [
      await shop.get('/sales-invoices?from=x'),
      await shop.call('PUT', '/sales-settings', { currency: 'inr' }),
      await shop.call('PUT', '/sales-settings', { currency: 'XQX' }),
    ]) {
      expect(answer, answer.text).toMatchObject({ status: 400, body: { error: 'invalid' } })
      expect(answer.body.issues, answer.text).toHaveLength(1)
    }
  })

  test('with invalid amounts is rejected, and the error names the field', async () => {
    for (const [line, path] of [
      [{ discountMinor: 220_001 }, 'lines[0].discountMinor'],
      [{ discountMinor: 1, discountPercent: 1 }, 'lines[0].discountMinor'],
      [{ quantity: 1.0005 }, 'lines[0].quantity'],
      [{ quantity: 1e9, unitMinor: 1e13 }, 'lines'],
    ] as const)
      expect(
        await shop.post('/sales-invoices', { lines: [{ ...newLines()[0], ...line }] }),
        path,
      ).toMatchObject({ status: 400, body: { issues: [{ path }] } })
  })
})

describe('issuing', () => {
  test("at an inclusive price of one paisa, the taxable amount isn't negative", async () => {
    await sellsAs(shop, { pricesIncludeTax: true })
    for (const cessRate of [0, 100])
      for (const unitMinor of [1, 2, 3]) {
        const { taxableMinor, cgstMinor, totalMinor } = await issued({
          lines: [{ description: 'Pin', hsn: '7319', quantity: 1, unitMinor, taxRate: 100, cessRate }],
        })
        expect([taxableMinor, cgstMinor].every((amount) => amount >= 0)).toBe(true)
        expect(totalMinor).toBe(unitMinor)
      }
  })

  test("assigns the number of the series and of the financial year; in the seller's state the taxes are CGST and SGST", async () => {
    expect(await issued({ customer: { name: 'Asha Rao' } })).toMatchObject({
      number: `INV/${yearName()}/0001`,
      status: 'issued',
      version: 1,
      documentType: 'tax_invoice',
      placeOfSupply: '27',
      issueDate: today(),
      taxableMinor: 220_000,
      cgstMinor: 5_500,
      sgstMinor: 5_500,
      totalMinor: 231_000,
      total: '₹2,310.00',
      balanceMinor: 231_000,
    })
    expect((await issued()).number).toBe(`INV/${yearName()}/0002`)
    expect((await issued({ kind: 'proforma' })).number).toBe(`PRO/${yearName()}/0001`)
  })

  test('in another state the tax is IGST', async () => {
    expect(await issued({ customer: { gstin: BUYER_GSTIN } })).toMatchObject({
      placeOfSupply: '29',
      cgstMinor: 0,
      igstMinor: 11_000,
      totalMinor: 231_000,
    })
  })

  test("under composition charges no tax, and requires the seller's state", async () => {
    await sellsAs(shop, { taxScheme: 'composition' })
    expect(await issued()).toMatchObject({ documentType: 'bill_of_supply', taxMinor: 0, totalMinor: 220_000 })
    expect(
      await shop.post('/sales-invoices', { lines: newLines(), placeOfSupply: '29', issue: true }),
    ).toMatchObject({ status: 400, body: { issues: [{ path: 'placeOfSupply' }] } })
  })

  test('returns the data that the scheme requires and the document lacks; a refused issue uses no number', async () => {
    await sellsAs(shop, { seller: { ...SELLER, gstin: null }, hsnDigits: 4 })
    const lines = [{ description: 'Sari', quantity: 1, unitMinor: 5_000_000 }]
    const draft = await madeInvoice(shop, { lines, customer: { gstin: BUYER_GSTIN } })
    const answer = await shop.post(`/sales-invoices/${draft.id}/issue`)
    expect(answer.status).toBe(400)
    expect(answer.body.issues.map((issue: Body) => issue.path)).toEqual([
      'seller.gstin',
      'lines[0].hsn',
      'customer.name',
      'customer.billingAddress',
    ])
    await sellsAs(shop)
    expect((await issued()).number).toMatch(/0001$/)
  })

  test('makes PATCH, DELETE and issue return not_a_draft', async () => {
    const { id } = await issued()
    for (const answer of [
      await shop.patch(`/sales-invoices/${id}`, { notes: 'x' }),
      await shop.delete(`/sales-invoices/${id}`),
      await shop.post(`/sales-invoices/${id}/issue`),
    ])
      expect(answer).toMatchObject({ status: 409, body: { error: 'not_a_draft' } })
  })

  test("a draft whose customer changes meanwhile appears on the new customer's timeline", async () => {
    for (const phone of ['+919812345678', '+919898100003']) await shop.post('/leads', { phone })
    const contactOf = async (phone: string): Promise<string> =>
      (await shop.get(`/contacts/${phone}`)).body.contact.id
    const { id } = await madeInvoice(shop, { contactId: await contactOf('+919812345678') })
    const another = await contactOf('+919898100003')
    const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    // Simulates the change of the draft: it holds the lock while the other request waits.
    const changing = parley.system(async (tx) => {
      await tx.sql('select from sales_documents where id = $1 for update', [id])
      started.resolve()
      await released.promise
      await tx.sql('update sales_documents set contact_id = $2 where id = $1', [id, another])
    })
    await started.promise
    const issued = shop.post(`/sales-invoices/${id}/issue`)
    await until(
      async () => (await parley.system((tx) => lockWaits(tx.sql))).length > 0,
      'the issue waits for the draft',
    )
    released.resolve()
    await changing
    expect((await issued).body.invoice).toMatchObject({ status: 'issued', contactId: another })
    const kindsOf = async (phone: string): Promise<string[]> =>
      (await shop.get(`/leads/${phone}/timeline`)).body.entries.map((entry: Body) => entry.kind)
    expect(await kindsOf('+919812345678')).not.toContain('invoice_issued')
    expect(await kindsOf('+919898100003')).toContain('invoice_issued')
  })

  test('an earlier day requires an admin, is never before the latest of the series or in locked books', async () => {
    const agent = await shop.as('agent')
    const body = { lines: newLines(), issue: true, issueDate: dayBefore(2) }
    expect(await agent.post('/sales-invoices', body)).toMatchObject({
      status: 403,
      body: { error: 'forbidden' },
    })
    expect((await issued({ issueDate: dayBefore(2) })).issueDate).toBe(dayBefore(2))
    await issued({ issueDate: dayBefore(1) })
    expect(await shop.post('/sales-invoices', body)).toMatchObject({
      status: 409,
      body: { error: 'conflict' },
    })
    await sellsAs(shop, { booksLockedUntil: dayBefore(1) })
    expect(await shop.post('/sales-invoices', { ...body, issueDate: dayBefore(1) })).toMatchObject({
      status: 409,
    })
    expect(await shop.post('/sales-invoices', { ...body, issueDate: '0001-01-01' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'issueDate' }] },
    })
    expect(await shop.post('/sales-invoices', { ...body, issueDate: dayBefore(-1) })).toMatchObject({
      status: 400,
    })
    expect((await issued()).number).toMatch(/0003$/)
  })

  test('1 April in the local zone begins a new year', async () => {
    const first = nextAprilFirst()
    aheadMs = Date.parse(`${first}T00:00:00+05:30`) - 60_000 - Date.now()
    const last = await issued()
    expect(last).toMatchObject({ number: `INV/${yearName()}/0001` })
    aheadMs += 120_000
    const next = await issued()
    expect(next).toMatchObject({ issueDate: first, number: `INV/${yearName()}/0001` })
    expect(next.number).not.toBe(last.number)
  })

  test('a financial year with a moved first day repeats no number', async () => {
    moveClockTo(`${nextAprilFirst().slice(0, 4)}-11-10`)
    const numbers: string[] = []
    const lastDigits = () => numbers.map((number) => number.slice(-4))
    for (const financialYearStart of ['04-01', '05-01', '05-01', '04-01', '01-01']) {
      await sellsAs(shop, { financialYearStart })
      numbers.push((await issued()).number)
    }
    expect(lastDigits()).toEqual(['0001', '0002', '0003', '0004', '0005'])
    await sellsAs(shop, { financialYearStart: '05-01' })
    expect(
      await shop.post('/sales-invoices', { lines: newLines(), issue: true, issueDate: dayBefore(1) }),
    ).toMatchObject({ status: 409, body: { error: 'conflict' } })
    moveClockTo(`${Number(nextAprilFirst().slice(0, 4))}-05-01`)
    expect((await issued()).number).toBe(`INV/${yearName()}/0001`)
  })

  test("the monthly limit of documents is the plan's: plan_limit_reached", async () => {
    await shop.set({ plan: 'pro' })
    await issued()
    await parley.system((tx) =>
      tx.sql('update sales_document_months set documents = 9999 where workspace_id = $1', [shop.workspaceId]),
    )
    expect((await issued()).number).toMatch(/0002$/)
    expect(await shop.post('/sales-invoices', { lines: newLines(), issue: true })).toMatchObject({
      status: 402,
      body: { error: 'plan_limit_reached' },
    })
  })

  test('fires invoice.issued once, with every field and no lines', async () => {
    const { contact } = (await shop.post('/contacts', { phone: '+919812345678', displayName: 'Asha Rao' }))
      .body
    const document = await issued({ contactId: contact.id })
    const [event] = (await eventsOf(parley, shop.workspaceId)).filter(({ name }) => name === 'invoice.issued')
    expect(event!.data).toEqual({
      invoice: {
        id: document.id,
        kind: 'invoice',
        number: document.number,
        status: 'issued',
        version: 1,
        issueDate: today(),
        dueDate: null,
        validUntil: null,
        currency: 'INR',
        taxableMinor: 220_000,
        taxMinor: 11_000,
        totalMinor: 231_000,
        receivedMinor: 0,
        tdsMinor: 0,
        balanceMinor: 231_000,
        total: '₹2,310.00',
        balance: '₹2,310.00',
        customer: { contactId: contact.id, name: 'Asha Rao', phone: '+919812345678', email: null },
        url: document.url,
        bookingId: null,
      },
      fromProforma: null,
      issuedAt: document.issuedAt,
    })
  })

  test('its events require admin keys', async () => {
    await issued()
    const names = async (client: { get: TestWorkspace['get'] }) =>
      (await client.get('/events?limit=100')).body.events?.map((event: Body) => event.event) ?? []
    expect(await names(shop)).toContain('invoice.issued')
    expect(await names(await shop.as('agent'))).not.toContain('invoice.issued')
  })
})

describe('fifty concurrent issues', () => {
  test('get numbers without a gap', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => shop.post('/sales-invoices', { lines: newLines(), issue: true })),
    )
    expect(answers.filter(({ status }) => status !== 201)).toEqual([])
    expect(answers.map(({ body }) => body.invoice.number).sort()).toEqual(
      Array.from({ length: 50 }, (_, i) => `INV/${yearName()}/${String(i + 1).padStart(4, '0')}`),
    )
  })

  test("don't delay other requests, even if the first takes long", async () => {
    const neighbor = await parley.workspace()
    await madeInvoice(shop, { issue: true })
    const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    // Simulates an issue that has its number and doesn't end.
    const first = parley.system(async (tx) => {
      await tx.sql('select from number_series where workspace_id = $1 for update', [shop.workspaceId])
      started.resolve()
      await released.promise
    })
    await started.promise
    const others = Array.from({ length: 50 }, () =>
      shop.post('/sales-invoices', { lines: newLines(), issue: true }),
    )
    const statuses = []
    for (let i = 0; i < 3; i++)
      statuses.push((await neighbor.post('/leads', { phone: `+91981234567${i}` })).status)
    released.resolve()
    await first
    expect(statuses).toEqual([201, 201, 201])
    expect((await Promise.all(others)).filter(({ status }) => status !== 201)).toEqual([])
  })
})

describe('a revision', () => {
  test('keeps the number and raises the version; both versions can be read; changed has labels', async () => {
    const { id, number } = await issued()
    const { invoice } = await post(shop, `/sales-invoices/${id}/revise`, {
      customer: { name: 'Asha Rao', billingAddress: { ...SELLER.address, state: '29' } },
      lines: [{ ...newLines()[0], quantity: 3 }],
      dueDate: dayBefore(-14),
    })
    expect(invoice).toMatchObject({ number, version: 2, totalMinor: 346_500, igstMinor: 16_500 })
    const event = (await eventsOf(parley, shop.workspaceId)).find(({ name }) => name === 'invoice.updated')
    expect(event!.data.changed).toEqual(['customer', 'lines', 'tax', 'total', 'due_date'])
    expect((await shop.get(`/sales-invoices/${id}?version=1`)).body.invoice).toMatchObject({
      version: 1,
      totalMinor: 231_000,
      customer: { name: null },
    })
    expect((await shop.get(`/sales-invoices/${id}?version=2`)).body.invoice).toEqual(invoice)
    expect((await shop.get(`/sales-invoices/${id}?version=3`)).status).toBe(404)
  })

  test('without a difference returns 200 and fires no event', async () => {
    const { id } = await issued({ notes: 'Wrapped.' })
    expect(
      (await post(shop, `/sales-invoices/${id}/revise`, { notes: 'Wrapped.', lines: newLines() })).invoice
        .version,
    ).toBe(1)
    expect(await namesOfEvents()).toEqual(['invoice.issued'])
  })

  test('below the settled amount, in locked books, or of a canceled document is a conflict', async () => {
    const { id } = await issued()
    await post(shop, `/sales-invoices/${id}/payments`, { amountMinor: 200_000, method: 'cash' })
    const cheaper = { lines: [{ ...newLines()[0], quantity: 1 }] }
    expect(await shop.post(`/sales-invoices/${id}/revise`, cheaper)).toMatchObject({ status: 409 })
    const other = await issued()
    await post(shop, `/sales-invoices/${other.id}/cancel`, { reason: 'Issued twice.' })
    expect(await shop.post(`/sales-invoices/${other.id}/revise`, cheaper)).toMatchObject({ status: 409 })
    await sellsAs(shop, { booksLockedUntil: today() })
    expect(await shop.post(`/sales-invoices/${id}/revise`, { notes: 'x' })).toMatchObject({ status: 409 })
  })

  test('that closes the balance fires invoice.paid with the last payment', async () => {
    const { id } = await issued()
    const { payment } = await post(shop, `/sales-invoices/${id}/payments`, {
      amountMinor: 115_500,
      method: 'cash',
    })
    const { invoice } = await post(shop, `/sales-invoices/${id}/revise`, {
      lines: [{ ...newLines()[0], quantity: 1 }],
    })
    expect(invoice).toMatchObject({ status: 'paid', balanceMinor: 0 })
    const paid = (await eventsOf(parley, shop.workspaceId)).filter(({ name }) => name === 'invoice.paid')
    expect(paid.map(({ data }) => data.paymentId)).toEqual([payment.id])
  })
})

describe('cancelling', () => {
  test('keeps the number, and is rejected after a payment, and the second time', async () => {
    const { id, number } = await issued()
    const { payment } = await post(shop, `/sales-invoices/${id}/payments`, {
      amountMinor: 231_000,
      method: 'cash',
    })
    const cancel = () => shop.post(`/sales-invoices/${id}/cancel`, { reason: 'Issued twice.' })
    expect(await cancel()).toMatchObject({ status: 409 })
    await post(shop, `/sales-invoices/${id}/payments/${payment.id}/void`, { reason: 'The cheque bounced.' })
    expect((await cancel()).body.invoice).toMatchObject({
      status: 'cancelled',
      number,
      cancelReason: 'Issued twice.',
    })
    expect(await cancel()).toMatchObject({ status: 409 })
    expect((await shop.get('/invoices?status=cancelled')).body.invoices).toMatchObject([{ id, number }])
  })
})

describe('a proforma', () => {
  test('converts once, its invoice is paid, and paidTotal is unchanged; only invoice.issued fires', async () => {
    const { lead } = await post(shop, '/leads', { phone: '+919812345678', name: 'Asha Rao' })
    const { contact } = (await shop.get('/contacts/+919812345678')).body
    const proforma = await issued({ kind: 'proforma', contactId: contact.id })
    const path = `/sales-invoices/${proforma.id}`
    const { payment } = await post(shop, `${path}/payments`, { amountMinor: 231_000, method: 'upi' })
    const paidTotal = async () => (await shop.get(`/leads/${lead.id}`)).body.lead.paidTotal
    expect(await paidTotal()).toBe(2_310)
    const before = await namesOfEvents()
    const { invoice } = await post(shop, `${path}/convert`)
    expect(invoice).toMatchObject({
      kind: 'invoice',
      status: 'paid',
      balanceMinor: 0,
      fromProforma: { id: proforma.id, number: proforma.number },
      payments: [{ id: payment.id, receiptNumber: payment.receiptNumber }],
    })
    expect((await namesOfEvents()).slice(before.length)).toEqual(['invoice.issued'])
    expect(await paidTotal()).toBe(2_310)
    expect((await shop.get(path)).body.invoice).toMatchObject({
      status: 'converted',
      invoiceId: invoice.id,
      payments: [],
    })
    expect(await shop.post(`${path}/convert`)).toMatchObject({ status: 409 })
    const answers = await Promise.all(
      [1, 2].map(async () => shop.post(`/sales-invoices/${invoice.id}/convert`)),
    )
    expect(answers.map(({ status }) => status)).toEqual([409, 409])
  })

  test('two concurrent conversions make one invoice', async () => {
    const { id } = await issued({ kind: 'proforma' })
    const answers = await Promise.all([1, 2, 3].map(() => shop.post(`/sales-invoices/${id}/convert`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect((await shop.get('/invoices')).body.invoices).toHaveLength(1)
  })
})

describe('lists', () => {
  test('can be filtered by kind, status, contact, days, overdue, and words', async () => {
    const { contact } = (
      await shop.post('/contacts', { phone: '+919812345678', displayName: 'Zoë 100%'.normalize('NFD') })
    ).body
    const draft = await madeInvoice(shop)
    const own = await issued({ contactId: contact.id, dueDate: today() })
    const proforma = await issued({ kind: 'proforma', reference: 'PO_7' })
    const ids = async (query: string) =>
      (await shop.get(`/sales-invoices?${query}`)).body.invoices.map((invoice: Body) => invoice.id)
    expect(await ids('')).toEqual([proforma.id, own.id, draft.id])
    expect(await ids('kind=proforma')).toEqual([proforma.id])
    expect(await ids('status=draft')).toEqual([draft.id])
    expect(await ids(`contactId=${contact.id}`)).toEqual([own.id])
    expect(await ids(`from=${today()}&to=${today()}`)).toEqual([proforma.id, own.id])
    expect(await ids(`to=${dayBefore(1)}`)).toEqual([])
    expect(await ids('q=100%25')).toEqual([own.id])
    expect(await ids(`q=${encodeURIComponent('ZOË'.normalize('NFC'))}`)).toEqual([own.id])
    expect(await ids('q=po_7')).toEqual([proforma.id])
    expect(await ids(`q=${own.number.toLowerCase()}`)).toEqual([own.id])
    expect(await ids('overdue=true')).toEqual([])
    expect((await shop.get('/invoices')).body.invoices.map((invoice: Body) => invoice.id)).toEqual([own.id])
    for (const hidden of [draft, proforma])
      expect((await shop.get(`/invoices/${hidden.id}`)).status).toBe(404)
    moveClockTo(dayBefore(-1))
    expect(await ids('overdue=true')).toEqual([own.id])
    expect((await shop.get(`/sales-invoices/${own.id}`)).body.invoice.overdue).toBe(true)
  })
})

describe('settings', () => {
  test('exist before any change, and the first issue fixes the currency', async () => {
    const fresh = await parley.workspace()
    await fresh.set({ modules: ['invoicing'] })
    expect((await fresh.get('/sales-settings')).body.salesSettings).toMatchObject({
      seller: null,
      taxScheme: 'none',
      currency: 'INR',
      series: { invoice: { prefix: 'INV/{FY}/', digits: 4 } },
      retentionYears: 8,
    })
    expect((await sellsAs(fresh, { currency: 'USD' })).salesSettings.currency).toBe('USD')
    expect((await madeInvoice(fresh, { issue: true })).total).toBe('$2,310.00')
    expect(await fresh.call('PUT', '/sales-settings', { seller: SELLER, currency: 'INR' })).toMatchObject({
      status: 409,
    })
    await sellsAs(fresh, { currency: 'USD', dueDays: 14 })
  })

  test("numbers that the tax office doesn't allow are rejected, and the error names the field", async () => {
    for (const [series, path] of [
      [{ invoice: { prefix: 'INVOICE/{FY}/', digits: 4 } }, 'series.invoice.prefix'],
      [{ invoice: { prefix: '/', digits: 4 } }, 'series.invoice.prefix'],
      [{ invoice: { prefix: 'PRO/{FY}/', digits: 4 } }, 'series'],
    ] as const)
      expect(await shop.call('PUT', '/sales-settings', { series }), path).toMatchObject({
        status: 400,
        body: { issues: [{ path }] },
      })
    expect(
      await shop.call('PUT', '/sales-settings', { seller: { ...SELLER, gstin: BUYER_GSTIN } }),
    ).toMatchObject({ status: 400, body: { issues: [{ path: 'seller.gstin' }] } })
  })

  test.each([0, 9, 200_000_000, 2 ** 63, 1e300])(
    'numbers of %d digits are rejected, and not rounded',
    async (digits) => {
      const series = { creditNote: { prefix: 'CRN/', digits } }
      const { status, body } = await shop.call('PUT', '/sales-settings', { series })
      expect([status, body.issues.at(-1).path]).toEqual([400, 'series.creditNote.digits'])
    },
  )

  test('an issued document keeps the rules that it was issued under', async () => {
    const { id } = await issued()
    await sellsAs(shop, { taxScheme: 'composition', pricesIncludeTax: true })
    const { invoice } = await post(shop, `/sales-invoices/${id}/revise`, { notes: 'Wrapped.' })
    expect(invoice).toMatchObject({ version: 2, documentType: 'tax_invoice', totalMinor: 231_000 })
  })
})
