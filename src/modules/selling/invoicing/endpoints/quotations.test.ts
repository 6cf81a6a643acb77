/** Tests of quotations: their versions, answers and end (spec 6.3; DECISIONS.md). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { eventsOf } from '../../../../../test/support/records.ts'
import { madeInvoice, madeQuotation, newLines, sellsAs } from '../../../../../test/support/sales.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
  await shop.set({ modules: ['invoicing'] })
  await sellsAs(shop)
})

const issued = (more: object = {}): Promise<Body> => madeQuotation(shop, { issue: true, ...more })
const postVerb = (id: string, verb: string, body: object = {}) => shop.post(`/quotations/${id}/${verb}`, body)
const read = async (id: string) => (await shop.get(`/quotations/${id}`)).body.quotation
const eventsAbout = async (name: string) =>
  (await eventsOf(parley, shop.workspaceId)).filter((event) => event.name.startsWith(name))
const today = async () => {
  const { now } = (await shop.get('/sandbox/clock')).body
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata', dateStyle: 'short' }).format(
    new Date(now),
  )
}

test('a draft has no number, and can be changed, deleted and issued', async () => {
  const draft = await madeQuotation(shop)
  expect(draft).toMatchObject({ number: null, status: 'draft' })
  expect((await shop.patch(`/quotations/${draft.id}`, { notes: 'x' })).body.quotation.notes).toBe('x')
  expect((await postVerb(draft.id, 'issue')).body.quotation).toMatchObject({
    number: expect.stringMatching(/^QTN\/\d\d-\d\d\/0001$/),
    status: 'issued',
    totalMinor: 231_000,
  })
  expect(await shop.delete(`/quotations/${draft.id}`)).toMatchObject({
    status: 409,
    body: { error: 'not_a_draft' },
  })
  const other = await madeQuotation(shop)
  expect((await shop.delete(`/quotations/${other.id}`)).status).toBe(200)
  // It isn't an invoice.
  expect((await shop.get(`/sales-invoices/${draft.id}`)).status).toBe(404)
  expect(
    (await shop.get('/quotations?status=issued')).body.quotations.map((quotation: Body) => quotation.id),
  ).toEqual([draft.id])
  expect(await eventsAbout('invoice.')).toEqual([])
})

test('accepting fires quotation.accepted by staff, with every field', async () => {
  const { contact } = (await shop.post('/contacts', { phone: '+919812345678', displayName: 'Asha Rao' })).body
  const { id, number, issueDate } = await issued({ contactId: contact.id })
  const { quotation } = (await postVerb(id, 'accept', { version: 1 })).body
  expect(quotation).toMatchObject({ status: 'accepted', acceptedBy: 'staff' })
  expect((await eventsAbout('quotation.')).map(({ data }) => data)).toEqual([
    {
      quotation: {
        id,
        number,
        status: 'accepted',
        version: 1,
        issueDate,
        validUntil: null,
        currency: 'INR',
        totalMinor: 231_000,
        total: '₹2,310.00',
        customer: { contactId: contact.id, name: 'Asha Rao', phone: '+919812345678', email: null },
        url: quotation.url,
      },
      acceptedBy: 'staff',
      acceptedAt: quotation.acceptedAt,
    },
  ])
})

test('of a concurrent accept and decline one wins', async () => {
  const { id } = await issued()
  const answers = await Promise.all([
    postVerb(id, 'accept'),
    postVerb(id, 'decline', { reason: 'Too late.' }),
    postVerb(id, 'accept'),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect(await eventsAbout('quotation.')).toHaveLength(1)
})

test("a stale version can't be accepted; revised and accepted again fires a second event", async () => {
  const { id, number } = await issued()
  expect((await postVerb(id, 'accept', { version: 1 })).status).toBe(200)
  const revision = (await postVerb(id, 'revise', { lines: [{ ...newLines()[0], quantity: 1 }] })).body
    .quotation
  expect(revision).toMatchObject({
    number,
    version: 2,
    status: 'issued',
    acceptedAt: null,
    acceptedBy: null,
    totalMinor: 115_500,
  })
  expect(await postVerb(id, 'accept', { version: 1 })).toMatchObject({
    status: 409,
    body: { error: 'conflict' },
  })
  expect((await read(id)).status).toBe('issued')
  expect((await postVerb(id, 'accept', { version: 2 })).status).toBe(200)
  expect((await eventsAbout('quotation.accepted')).map(({ data }) => data.quotation.version)).toEqual([1, 2])
  expect((await shop.get(`/quotations/${id}?version=1`)).body.quotation).toMatchObject({
    version: 1,
    status: 'accepted',
  })
})

test('a revision without a difference changes nothing', async () => {
  const { id } = await issued()
  await postVerb(id, 'accept')
  expect((await postVerb(id, 'revise', { lines: newLines() })).body.quotation).toMatchObject({
    version: 1,
    status: 'accepted',
  })
})

test('expiry is local midnight: after the day validUntil accepting is a conflict, until a revision', async () => {
  const day = await today()
  const { id } = await issued({ validUntil: day })
  const left =
    Date.parse(`${day}T00:00:00+05:30`) + 86_400_000 - Date.parse((await shop.get('/sandbox/clock')).body.now)
  if (left > 60_000) await shop.advance(Math.floor(left / 1000) - 30)
  expect((await read(id)).status).toBe('issued')
  await shop.advance(60)
  expect((await read(id)).status).toBe('expired')
  expect((await shop.get('/quotations?status=expired')).body.quotations).toHaveLength(1)
  expect((await shop.get('/quotations?status=issued')).body.quotations).toEqual([])
  for (const verb of ['accept', 'decline', 'convert'])
    expect(await postVerb(id, verb), verb).toMatchObject({ status: 409, body: { error: 'conflict' } })
  expect((await postVerb(id, 'revise', { validUntil: '2199-01-01' })).body.quotation.status).toBe('issued')
  expect((await postVerb(id, 'accept')).status).toBe(200)
})

test('converts once, into an invoice or a proforma', async () => {
  const { id, number } = await issued()
  await postVerb(id, 'accept')
  const answers = await Promise.all(
    [1, 2].map(() => postVerb(id, 'convert', { kind: 'invoice', issue: true })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  const { invoice } = answers.find(({ status }) => status === 201)!.body
  expect(invoice).toMatchObject({
    status: 'issued',
    kind: 'invoice',
    fromQuotation: { id, number },
    totalMinor: 231_000,
  })
  expect(await read(id)).toMatchObject({ status: 'accepted', invoiceId: invoice.id })
  expect(await postVerb(id, 'revise', { notes: 'x' })).toMatchObject({ status: 409 })
  expect(await postVerb(id, 'cancel', { reason: 'x' })).toMatchObject({ status: 409 })
  const other = await issued()
  expect((await postVerb(other.id, 'convert', { kind: 'proforma' })).body.invoice).toMatchObject({
    kind: 'proforma',
    status: 'draft',
  })
})

test('the invoice has the accepted total, even if the meaning of prices has changed since', async () => {
  const INCLUSIVE = { pricesIncludeTax: true, roundToUnit: true }
  const lines = [{ ...newLines()[0], unitMinor: 110_033 }]
  const [issuedQuotation, draftedQuotation, proforma] = [
    await issued({ lines }),
    await issued({ lines }),
    await madeInvoice(shop, { lines, kind: 'proforma', issue: true }),
  ]
  await postVerb(issuedQuotation.id, 'accept')
  await sellsAs(shop, INCLUSIVE)
  const comesTo = { taxableMinor: 220_066, taxMinor: 11_004, roundOffMinor: 0, totalMinor: 231_070 }
  expect((await postVerb(issuedQuotation.id, 'convert', { issue: true })).body.invoice).toMatchObject(comesTo)
  expect((await shop.post(`/sales-invoices/${proforma.id}/convert`, {})).body.invoice).toMatchObject(comesTo)
  // Its draft keeps the meaning of its prices, also after changes.
  const draft = (await postVerb(draftedQuotation.id, 'convert')).body.invoice
  expect(draft).toMatchObject({ status: 'draft', ...comesTo })
  const preview = { documentId: draft.id, lines }
  expect((await shop.post('/sales-invoices/preview', preview)).body.preview).toMatchObject(comesTo)
  const two = [...lines, ...lines]
  expect((await shop.patch(`/sales-invoices/${draft.id}`, { lines: two })).body.invoice.totalMinor).toBe(
    462_140,
  )
  await shop.patch(`/sales-invoices/${draft.id}`, { lines })
  expect((await shop.post(`/sales-invoices/${draft.id}/issue`, {})).body.invoice).toMatchObject(comesTo)
})

test('under another tax scheme the total would differ: a conflict, and the draft shows it', async () => {
  const { id } = await issued()
  const proforma = await madeInvoice(shop, { kind: 'proforma', issue: true })
  await sellsAs(shop, { taxScheme: 'none' })
  const OTHER_TOTAL = {
    status: 409,
    body: { error: 'conflict', message: expect.stringMatching(/₹2,310\.00.*₹2,200\.00/) },
  }
  expect(await postVerb(id, 'convert', { issue: true })).toMatchObject(OTHER_TOTAL)
  expect(await shop.post(`/sales-invoices/${proforma.id}/convert`, {})).toMatchObject(OTHER_TOTAL)
  expect((await read(id)).invoiceId).toBeNull()
  expect((await postVerb(id, 'convert')).body.invoice).toMatchObject({ status: 'draft', totalMinor: 220_000 })
})

test('deleting the draft made from it allows another conversion', async () => {
  const { id } = await issued()
  const { invoice } = (await postVerb(id, 'convert')).body
  expect((await read(id)).invoiceId).toBe(invoice.id)
  expect((await shop.delete(`/sales-invoices/${invoice.id}`)).status).toBe(200)
  expect((await read(id)).invoiceId).toBeNull()
  expect((await postVerb(id, 'revise', { notes: 'With thanks.' })).status).toBe(200)
  expect((await postVerb(id, 'convert', { issue: true })).status).toBe(201)
})

test('declining stores the reason; canceling requires an admin and keeps the number', async () => {
  const { id } = await issued()
  expect((await postVerb(id, 'decline', { reason: 'Too late for us.' })).body.quotation).toMatchObject({
    status: 'declined',
    declineReason: 'Too late for us.',
  })
  expect((await eventsAbout('quotation.declined'))[0]!.data.reason).toBe('Too late for us.')
  const other = await issued()
  const agent = await shop.as('agent')
  for (const [verb, body] of [
    ['cancel', { reason: 'x' }],
    ['revise', { notes: 'x' }],
  ] as const)
    expect(await agent.post(`/quotations/${other.id}/${verb}`, body)).toMatchObject({ status: 403 })
  expect(
    (await postVerb(other.id, 'cancel', { reason: 'The prices have changed.' })).body.quotation,
  ).toMatchObject({
    status: 'cancelled',
    number: other.number,
  })
})
