/** Tests of sales documents after their customer is erased, and after their workspace is deleted. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { findEverywhere } from '../../../../test/support/database-search.ts'
import { lockWaits } from '../../../../test/support/lock-waits.ts'
import { BUYER_GSTIN, madeInvoice, madeQuotation, SELLER, sellsAs } from '../../../../test/support/sales.ts'
import { until } from '../../../../test/support/until.ts'
import { forgetOldCustomers } from './queries/retention.ts'

let parley: TestParley
let shop: TestWorkspace
let contactId: string
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())
beforeEach(async () => {
  shop = await parley.workspace()
  await shop.set({ modules: ['invoicing'] })
  await sellsAs(shop)
  contactId = (await shop.post('/contacts', { phone: '+919812345678', displayName: 'Asha Rao' })).body.contact
    .id
})

const customer = {
  email: 'asha.of.bandra@example.com',
  gstin: BUYER_GSTIN,
  billingAddress: { ...SELLER.address, state: 'Karnataka', line1: '7 Residency Road' },
}
const fieldsWith = (more: object = {}) => ({ contactId, customer, notes: 'She likes blue.', ...more })
const pay = (id: string) =>
  shop.post(`/sales-invoices/${id}/payments`, { amountMinor: 1_000, method: 'cash' })
const read = async (id: string): Promise<Body> => (await shop.get(`/sales-invoices/${id}`)).body.invoice
const sweep = (day: string) =>
  parley.system((tx) => forgetOldCustomers((text, values) => tx.sql(text, values as unknown[]), day, 100))

describe('erasing a contact', () => {
  test('deletes drafts, unaccepted quotations and unpaid proformas', async () => {
    const erasedPaths = [
      `/sales-invoices/${(await madeInvoice(shop, fieldsWith())).id}`,
      `/sales-invoices/${(await madeInvoice(shop, fieldsWith({ kind: 'proforma', issue: true }))).id}`,
      `/quotations/${(await madeQuotation(shop, fieldsWith({ issue: true }))).id}`,
    ]
    const accepted = await madeQuotation(shop, fieldsWith({ issue: true }))
    await shop.post(`/quotations/${accepted.id}/accept`)
    await shop.delete(`/contacts/${contactId}`)
    for (const path of erasedPaths) expect((await shop.get(path)).status, path).toBe(404)
    expect((await shop.get(`/quotations/${accepted.id}`)).body.quotation).toMatchObject({
      contactId: null,
      notes: null,
    })
  })

  test('deletes a quotation with its draft or proforma; an accepted quotation can be converted again', async () => {
    const createQuotation = async (kind: string, verbs: string[]): Promise<string> => {
      const { id } = await madeQuotation(shop, { contactId, issue: true })
      for (const verb of verbs) await shop.post(`/quotations/${id}/${verb}`)
      await shop.post(`/quotations/${id}/convert`, { kind, issue: kind === 'proforma' })
      return id
    }
    const erasedIds = [await createQuotation('invoice', []), await createQuotation('proforma', [])]
    const accepted = [
      await createQuotation('invoice', ['accept']),
      await createQuotation('proforma', ['accept']),
    ]
    await shop.delete(`/contacts/${contactId}`)
    for (const id of erasedIds) expect((await shop.get(`/quotations/${id}`)).status).toBe(404)
    for (const id of accepted) {
      expect((await shop.get(`/quotations/${id}`)).body.quotation.invoiceId).toBeNull()
      expect((await shop.post(`/quotations/${id}/convert`, {})).status).toBe(201)
    }
  })

  test('keeps the proforma with voided payments, with its receipts', async () => {
    const { id } = await madeInvoice(shop, { contactId, kind: 'proforma', issue: true })
    const { payment } = (await pay(id)).body
    await shop.post(`/sales-invoices/${id}/payments/${payment.id}/void`, { reason: 'The cheque bounced.' })
    await shop.delete(`/contacts/${contactId}`)
    expect(await read(id)).toMatchObject({
      status: 'issued',
      contactId: null,
      customer: { phone: null, email: null },
      payments: [{ receiptNumber: payment.receiptNumber, voidReason: 'The cheque bounced.' }],
    })
  })

  test('keeps the invoice and its receipts, and deletes phone, email, notes and the link to the contact, in every version', async () => {
    const { id, number } = await madeInvoice(shop, fieldsWith({ issue: true }))
    await pay(id)
    await shop.post(`/sales-invoices/${id}/revise`, { reference: 'PO-7' })
    const personal = ['asha.of.bandra@example.com', 'she likes blue']
    expect(await findEverywhere(parley, personal)).not.toEqual([])
    await shop.delete(`/contacts/${contactId}`)
    expect(await read(id)).toMatchObject({
      number,
      contactId: null,
      notes: null,
      customer: { name: 'Asha Rao', phone: null, email: null, gstin: BUYER_GSTIN },
      payments: [{ amountMinor: 1_000 }],
    })
    expect((await shop.get(`/sales-invoices/${id}?version=1`)).body.invoice).toMatchObject({
      contactId: null,
      notes: null,
      customer: { name: 'Asha Rao', phone: null, email: null },
    })
    expect(await findEverywhere(parley, personal)).toEqual([])
    // The rest can be paid and voided as before.
    expect((await pay(id)).status).toBe(201)
  })

  test('name, address and GSTIN are deleted eight years after the end of the financial year', async () => {
    const { id } = await madeInvoice(shop, fieldsWith({ issue: true }))
    await shop.post(`/sales-invoices/${id}/revise`, { reference: 'PO-7' })
    await shop.delete(`/contacts/${contactId}`)
    expect(await findEverywhere(parley, ['7 residency road'])).not.toEqual([])
    const { issueDate } = await read(id)
    const year = Number(issueDate.slice(0, 4)) - (issueDate.slice(5) < '04-01' ? 1 : 0)
    await sweep(`${year + 9}-03-31`)
    expect((await read(id)).customer).toMatchObject({ name: 'Asha Rao', gstin: BUYER_GSTIN })
    await sweep(`${year + 9}-04-01`)
    const erasedCustomer = {
      name: null,
      phone: null,
      email: null,
      gstin: null,
      billingAddress: null,
      shippingAddress: null,
    }
    expect(await read(id)).toMatchObject({ customer: erasedCustomer, totalMinor: 231_000 })
    expect((await shop.get(`/sales-invoices/${id}?version=1`)).body.invoice.customer).toEqual(erasedCustomer)
    expect(await findEverywhere(parley, ['7 residency road'])).toEqual([])
  })

  test('while documents are created for it leaves no document that leads to it', async () => {
    const making = Array.from({ length: 6 }, () =>
      shop.post('/sales-invoices', {
        ...fieldsWith(),
        lines: [{ description: 'Kurta', quantity: 1, unitMinor: 100 }],
        issue: true,
      }),
    )
    const erased = shop.delete(`/contacts/${contactId}`)
    const answers = await Promise.all(making)
    expect((await erased).status).toBe(200)
    expect(
      answers.filter(({ status, body }) => status !== 201 && body.error !== 'invalid_reference'),
    ).toEqual([])
    expect((await shop.get(`/sales-invoices?contactId=${contactId}`)).body.invoices).toEqual([])
  })

  test('waits for a payment, so that it finds the questions which the payment plans', async () => {
    await shop.set({ modules: ['invoicing', 'reviews'] })
    await shop.call('PUT', '/review-settings', { afterInvoicePaidHours: 1 })
    const { id, totalMinor } = await madeInvoice(shop, fieldsWith({ issue: true }))
    const waiting = () => parley.system((tx) => lockWaits(tx.sql))
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = parley.system(async (tx) => {
      await tx.sql('lock table review_requests in share mode')
      held.resolve()
      await released.promise
    })
    await held.promise
    const paid = shop.post(`/sales-invoices/${id}/payments`, { amountMinor: totalMinor, method: 'cash' })
    await until(async () => (await waiting()).length === 1, 'the payment waits')
    const erased = shop.delete(`/contacts/${contactId}`)
    await until(async () => (await waiting()).length === 2, 'the erasure waits')
    const waitFor = await waiting()
    released.resolve()
    await holding
    expect([(await paid).status, (await erased).status]).toEqual([201, 200])
    expect(waitFor).toEqual(['advisory', 'relation'])
    expect((await shop.get('/review-requests')).body.reviewRequests).toEqual([])
  })
})

test("customers who aren't erased are never removed", async () => {
  const { id } = await madeInvoice(shop, fieldsWith({ issue: true }))
  await sweep('2199-01-01')
  expect((await read(id)).customer.name).toBe('Asha Rao')
})
