/**
 * Tests of documents that customers open by a link, and of quotations that they answer there (DECISIONS.md).
 */
import { request } from 'undici'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { eventsOf, everythingOf } from '../../../../test/support/records.ts'
import { madeInvoice, madeQuotation, sellsAs } from '../../../../test/support/sales.ts'

let parley: TestParley
let shop: TestWorkspace
let sender = 0
beforeAll(async () => {
  parley = await boot({ env: { PARLEY_TRUST_PROXY: '127.0.0.0/8' } })
})
afterAll(() => parley.close())
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
  await shop.set({ modules: ['invoicing'] })
  await sellsAs(shop)
})

/** Sends each request of a customer from a separate address. */
const open = async (url: string, form?: Record<string, string>) => {
  const answer = await request(parley.url + new URL(url, parley.url).pathname, {
    method: form ? 'POST' : 'GET',
    headers: {
      'x-forwarded-for': `203.0.113.${sender++ % 250}`,
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(form ? { body: new URLSearchParams(form).toString() } : {}),
  })
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
}
const createQuotation = (more: object = {}): Promise<Body> =>
  madeQuotation(shop, { customer: { name: 'Asha Rao' }, issue: true, ...more })
const read = async (id: string): Promise<Body> => (await shop.get(`/quotations/${id}`)).body.quotation
const answers = async () =>
  (await eventsOf(parley, shop.workspaceId)).filter(({ name }) => name.startsWith('quotation.'))

test('a link exists from the issue on, in responses and events, and an admin can replace it', async () => {
  const draft = await madeInvoice(shop)
  expect(draft.url).toBeNull()
  expect((await shop.post(`/sales-invoices/${draft.id}/link`)).body.error).toBe('conflict')
  const { url, id, number } = (await shop.post(`/sales-invoices/${draft.id}/issue`)).body.invoice
  expect(url).toMatch(new RegExp(`^${parley.config.siteUrl}/i/[\\w-]{22}$`))
  const [event] = (await eventsOf(parley, shop.workspaceId)).filter(({ name }) => name === 'invoice.issued')
  expect(event!.data.invoice.url).toBe(url)
  expect((await open(url)).text).toContain(number)
  const agent = await shop.as('agent')
  expect((await agent.post(`/sales-invoices/${id}/link`)).status).toBe(403)
  const replaced = (await shop.post(`/sales-invoices/${id}/link`)).body.invoice
  expect(replaced.url).not.toBe(url)
  expect([(await open(url)).status, (await open(replaced.url)).status]).toEqual([404, 200])
  // An invoice isn't found as a quotation.
  expect((await open(replaced.url.replace('/i/', '/q/'))).status).toBe(404)
  const { url: quotationUrl, id: quotationId } = await createQuotation()
  const other = (await shop.post(`/quotations/${quotationId}/link`)).body.quotation
  expect([(await open(quotationUrl)).status, (await open(other.url)).status]).toEqual([404, 200])
})

test('the page and its PDF mask the number and the email address if they are hidden from a role', async () => {
  const customer = { name: 'Asha Rao', phone: '+919812345642', email: 'asha.rao@example.com' }
  const { url, id } = await madeInvoice(shop, { customer, issue: true })
  expect((await open(url)).text).toContain('+919812345642')
  await shop.set({ detailsHiddenFrom: ['agent'] })
  const masked = (await open(url)).text
  expect([masked.includes('+91••••••••42'), masked.includes('a•••@example.com')]).toEqual([true, true])
  expect(masked).not.toMatch(/9812345642|asha\.rao/)
  // An admin, from whom nothing is hidden, reads and prints the stored document.
  expect((await shop.get(`/sales-invoices/${id}`)).body.invoice.customer).toMatchObject(customer)
  expect((await shop.get(`/sales-invoices/${id}?format=html`)).text).toContain('+919812345642')
})

test('a page runs no script, is not indexed, and offers its PDF', async () => {
  const { url } = await madeInvoice(shop, { issue: true })
  const page = await open(url)
  expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' })
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
  expect(page.text).not.toContain('<script')
  const pdf = await open(`${url}/document.pdf`)
  expect([pdf.status, pdf.headers['content-type'], pdf.text.slice(0, 5)]).toEqual([
    200,
    'application/pdf',
    '%PDF-',
  ])
  expect((await open(`${url}/other.pdf`)).status).toBe(404)
})

test('a customer accepts; the page shows it, and a second accept has no effect', async () => {
  const { id, url } = await createQuotation()
  const page = await open(url)
  expect(page.text).toContain('<input type="hidden" name="version" value="1">')
  const sent = await open(url, { answer: 'accept', version: '1' })
  expect([sent.status, sent.headers.location]).toEqual([303, new URL(url).pathname])
  expect(await read(id)).toMatchObject({ status: 'accepted', acceptedBy: 'customer' })
  const after = await open(url)
  expect(after.text).toContain('You have accepted this quotation.')
  expect(after.text).not.toContain('<form')
  expect((await open(url, { answer: 'decline', version: '1' })).status).toBe(409)
  // A second press of the button shows the result of the first.
  const repeated = await open(url, { answer: 'accept', version: '1' })
  expect(repeated.status).toBe(409)
  expect(repeated.text).toContain('You have accepted this quotation.')
  expect(repeated.text).not.toContain('Only an issued quotation')
  expect((await answers()).map(({ name, data }) => [name, data.acceptedBy])).toEqual([
    ['quotation.accepted', 'customer'],
  ])
})

test('a customer declines, with a reason or without', async () => {
  const { id, url } = await createQuotation()
  await open(url, { answer: 'decline', version: '1', reason: 'Too <late> for us.' })
  expect(await read(id)).toMatchObject({ status: 'declined', declineReason: 'Too <late> for us.' })
  const other = await createQuotation()
  await open(other.url, { answer: 'decline', version: '1', reason: '' })
  expect(await read(other.id)).toMatchObject({ status: 'declined', declineReason: null })
})

test('GET never accepts, with any parameters', async () => {
  const { url } = await createQuotation()
  const before = await everythingOf(parley, shop.workspaceId)
  await open(url)
  await request(`${parley.url}${new URL(url).pathname}?answer=accept&version=1`)
  await request(parley.url + new URL(url).pathname, { method: 'HEAD' })
  expect(await everythingOf(parley, shop.workspaceId)).toEqual(before)
})

test('a stale page accepts nothing and shows the new version; accepting that fires again', async () => {
  const { id, url } = await createQuotation()
  await open(url, { answer: 'accept', version: '1' })
  await shop.post(`/quotations/${id}/revise`, { reference: 'PO-7' })
  const stale = await open(url, { answer: 'accept', version: '1' })
  expect(stale.status).toBe(409)
  expect(stale.text).toContain('the quotation changed after you opened it. Please read this new version')
  expect(stale.text).not.toContain('version 2, not 1')
  expect(stale.text).toContain('PO-7')
  expect(stale.text).toContain('name="version" value="2"')
  expect((await read(id)).status).toBe('issued')
  for (const form of [
    {},
    { answer: 'accept' },
    { answer: 'accept', version: '2.0' },
    { answer: 'x', version: '2' },
  ])
    expect((await open(url, form as Record<string, string>)).status).toBe(409)
  await open(url, { answer: 'accept', version: '2' })
  expect((await answers()).map(({ name }) => name)).toEqual(['quotation.accepted', 'quotation.accepted'])
})

test('of a concurrent accept and decline one wins', async () => {
  const { id, url } = await createQuotation()
  const answersOfBoth = await Promise.all([
    open(url, { answer: 'accept', version: '1' }),
    open(url, { answer: 'decline', version: '1' }),
  ])
  expect(answersOfBoth.map(({ status }) => status).sort()).toEqual([303, 409])
  expect(await answers()).toHaveLength(1)
  expect((await read(id)).status).toBeOneOf(['accepted', 'declined'])
})

test("after its last day a quotation is expired on its page and can't be accepted", async () => {
  const { id, url, issueDate } = await createQuotation()
  await shop.post(`/quotations/${id}/revise`, { validUntil: issueDate })
  expect((await open(url)).text).toContain('Accept the quotation')
  await shop.advance(86_400)
  const page = await open(url)
  expect(page.text).toContain('This quotation is no longer valid.')
  expect(page.text).not.toContain('<form')
  expect((await open(url, { answer: 'accept', version: '2' })).status).toBe(409)
})

test('with the module off pages stay readable, without buttons', async () => {
  const { url, number } = await createQuotation()
  const invoice = await madeInvoice(shop, { issue: true })
  await shop.set({ modules: [] })
  for (const [address, text] of [
    [url, number],
    [invoice.url, invoice.number],
  ]) {
    const page = await open(address)
    expect([page.status, page.text.includes(text)]).toEqual([200, true])
    expect(page.text).not.toMatch(/<form|class="button/)
  }
  expect((await open(url, { answer: 'accept', version: '1' })).status).toBe(409)
  expect(await answers()).toEqual([])
})

test('erasing the customer deletes the link, in every version', async () => {
  const { contact } = (await shop.post('/contacts', { phone: '+919812345678' })).body
  const { id, url } = await madeInvoice(shop, { contactId: contact.id, issue: true })
  await shop.post(`/sales-invoices/${id}/revise`, { reference: 'PO-7' })
  await shop.delete(`/contacts/${contact.id}`)
  expect((await open(url)).status).toBe(404)
  for (const version of ['', '?version=1'])
    expect((await shop.get(`/sales-invoices/${id}${version}`)).body.invoice.url).toBeNull()
  expect((await shop.post(`/sales-invoices/${id}/link`)).body.error).toBe('conflict')
})

test('without a mail server sending a mail is a conflict', async () => {
  const { id } = await madeInvoice(shop, { issue: true, customer: { email: 'asha@example.com' } })
  expect((await shop.post(`/sales-invoices/${id}/send`, { via: 'email' })).body.error).toBe('conflict')
})
