/** Tests of credit notes and printed receipts (DECISIONS.md "Credit notes and receipts"). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { eventsOf } from '../../../../../test/support/records.ts'
import { madeInvoice, sellsAs } from '../../../../../test/support/sales.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())
beforeEach(async () => {
  shop = await parley.workspace()
  await shop.set({ modules: ['invoicing'] })
  await sellsAs(shop)
})

const issued = (more: object = {}): Promise<Body> =>
  madeInvoice(shop, { customer: { name: 'Asha Rao' }, issue: true, ...more })
const credit = (id: string, amountMinor: number) =>
  shop.post(`/sales-invoices/${id}/credit-notes`, { amountMinor, reason: 'One kurta came back.' })
const pay = async (id: string, amountMinor: number, more: object = {}): Promise<Body> =>
  (await shop.post(`/sales-invoices/${id}/payments`, { amountMinor, method: 'upi', ...more })).body.payment
const events = async () =>
  (await eventsOf(parley, shop.workspaceId)).filter(({ name }) => name.startsWith('invoice.'))
const wordsOf = async (path: string): Promise<string> =>
  (await shop.get(`${path}?format=html`)).text
    .replace(/<style>[\s\S]*<\/style>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

test('a credit note has a number in its own series and a share of the taxes, and lowers the balance', async () => {
  const { id } = await issued()
  const { status, body } = await credit(id, 115_500)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    creditNote: {
      number: expect.stringMatching(/^CRN\/\d\d-\d\d\/0001$/),
      amountMinor: 115_500,
      amount: '₹1,155.00',
      taxableMinor: 110_000,
      cgstMinor: 2_750,
      sgstMinor: 2_750,
      igstMinor: 0,
    },
    invoice: { status: 'partially_paid', creditedMinor: 115_500, balanceMinor: 115_500, totalMinor: 231_000 },
  })
  const [, updated] = await events()
  expect([updated!.name, updated!.data.changed, updated!.data.invoice.balanceMinor]).toEqual([
    'invoice.updated',
    ['total'],
    115_500,
  ])
  expect((await shop.get(`/sales-invoices/${id}/credit-notes`)).body.creditNotes).toEqual([body.creditNote])
  expect((await shop.get(`/sales-invoices/${id}/credit-notes/${body.creditNote.id}`)).body).toEqual({
    creditNote: body.creditNote,
  })
})

test('notes over the whole total include all of its taxes', async () => {
  const { id } = await issued({
    lines: [{ description: 'Kurta', quantity: 1, unitMinor: 10_000, taxRate: 5 }],
  })
  const notes: Body[] = []
  for (let i = 0; i < 3; i++) notes.push((await credit(id, 3_500)).body.creditNote)
  const sum = (field: string) => notes.reduce((total, note) => total + note[field], 0)
  expect(['amountMinor', 'taxableMinor', 'cgstMinor', 'sgstMinor'].map(sum)).toEqual([
    10_500, 10_000, 250, 250,
  ])
})

test('notes of one paisa have no negative part, and together equal the whole', async () => {
  const { id } = await issued({
    lines: [{ description: 'Button', quantity: 1, unitMinor: 2, taxRate: 60, cessRate: 60 }],
  })
  const notes: Body[] = []
  for (let i = 0; i < 5; i++) notes.push((await credit(id, 1)).body.creditNote)
  const fields = ['taxableMinor', 'cgstMinor', 'sgstMinor', 'igstMinor', 'cessMinor']
  for (const note of notes) {
    const parts = fields.map((field) => note[field])
    expect(Math.min(...parts)).toBe(0)
    expect(parts.reduce((sum, part) => sum + part)).toBe(1)
  }
  expect(fields.map((field) => notes.reduce((sum, note) => sum + note[field], 0))).toEqual([2, 1, 1, 0, 1])
})

test('after a revision between two notes the second uses the amount that the first has left', async () => {
  const { id } = await issued()
  await credit(id, 115_500)
  await shop.post(`/sales-invoices/${id}/revise`, {
    lines: [{ description: 'Kurta', quantity: 1, unitMinor: 200_000, taxRate: 12 }],
  })
  expect((await credit(id, 108_500)).body.creditNote).toMatchObject({
    taxableMinor: 90_000,
    cgstMinor: 9_250,
    sgstMinor: 9_250,
  })
})

test("under reverse charge taxes are labeled as such, because they aren't part of the credited amount", async () => {
  const { id } = await issued({ reverseCharge: true })
  const { creditNote } = (await credit(id, 110_000)).body
  expect(await wordsOf(`/sales-invoices/${id}/credit-notes/${creditNote.id}`)).toMatch(
    /Taxable value ₹1,100\.00 CGST \(reverse charge\) ₹27\.50 SGST \(reverse charge\) ₹27\.50 Credited ₹1,100\.00/,
  )
})

test('a note is at most the total, requires an admin, and prevents canceling the invoice', async () => {
  const { id } = await issued()
  expect((await credit(id, 231_001)).body.error).toBe('conflict')
  expect((await (await shop.as('agent')).post(`/sales-invoices/${id}/credit-notes`, {})).status).toBe(403)
  expect((await credit(id, 0)).status).toBe(400)
  const answers = await Promise.all([credit(id, 200_000), credit(id, 200_000)])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  expect((await shop.post(`/sales-invoices/${id}/cancel`, { reason: 'x' })).body.error).toBe('conflict')
  const draft = await madeInvoice(shop)
  expect((await credit(draft.id, 100)).body.error).toBe('conflict')
  const proforma = await issued({ kind: 'proforma' })
  expect((await credit(proforma.id, 100)).status).toBe(404)
})

test('closing the balance fires invoice.paid with the last payment; on a paid invoice the balance becomes negative', async () => {
  const { id } = await issued()
  const payment = await pay(id, 200_000)
  await credit(id, 31_000)
  const paid = (await events()).filter(({ name }) => name === 'invoice.paid')
  expect(paid.map(({ data }) => data.paymentId)).toEqual([payment.id])
  expect((await credit(id, 50_000)).body.invoice).toMatchObject({ status: 'paid', balanceMinor: -50_000 })
})

test('credit notes and receipts can be printed', async () => {
  const { id, number } = await issued()
  const { creditNote } = (await credit(id, 115_500)).body
  const note = await wordsOf(`/sales-invoices/${id}/credit-notes/${creditNote.id}`)
  for (const part of [
    'Credit note',
    creditNote.number,
    number,
    'One kurta came back.',
    'CGST ₹27.50',
    'Credited ₹1,155.00',
  ])
    expect(note).toContain(part)
  const payment = await pay(id, 100_000, { tdsMinor: 10_000, reference: '512345678901' })
  const path = `/sales-invoices/${id}/payments/${payment.id}`
  expect((await shop.get(path)).body.payment).toEqual(payment)
  const receipt = await wordsOf(path)
  for (const part of [
    'Receipt',
    payment.receiptNumber,
    'UPI',
    '512345678901',
    `Received for ${number}`,
    'Settled ₹1,100.00',
    'Rupees One Thousand One Hundred Only',
  ])
    expect(receipt).toContain(part)
  const pdf = await shop.get(`${path}?format=pdf`)
  expect([pdf.status, pdf.headers['content-type'], pdf.text.slice(0, 5)]).toEqual([
    200,
    'application/pdf',
    '%PDF-',
  ])
  await shop.post(`${path}/void`, { reason: 'Bounced.' })
  expect(await wordsOf(path)).toContain('Void')
  for (const missing of [`/sales-invoices/${id}/payments/${id}`, `/sales-invoices/${id}/credit-notes/${id}`])
    expect((await shop.get(missing)).status).toBe(404)
})
