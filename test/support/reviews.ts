/** Paid invoices, and requests to customers for reviews. */
import { randomInt } from 'node:crypto'
import type { Body, Client, TestParley, TestWorkspace } from './boot.ts'
import { madeInvoice } from './sales.ts'

async function bodyOrThrow(answer: Promise<{ status: number; body: Body; text: string }>): Promise<Body> {
  const { status, body, text } = await answer
  if (status >= 300) throw new Error(`answered ${status}: ${text}`)
  return body
}

/** Creates an invoice that is issued and paid. */
export async function paidInvoice(shop: Client, more: object = {}): Promise<Body> {
  const { id, totalMinor } = await madeInvoice(shop, { issue: true, ...more })
  const payment = { amountMinor: totalMinor, method: 'cash' }
  return (await bodyOrThrow(shop.post(`/sales-invoices/${id}/payments`, payment))).invoice
}

/** Creates a customer who has just messaged, with a paid invoice. */
export async function buyer(
  shop: TestWorkspace,
): Promise<{ phone: string; contactId: string; invoice: Body }> {
  const phone = `+9197${randomInt(10_000_000, 99_999_999)}`
  await shop.inbound(phone, 'I take it.')
  const { contact } = await bodyOrThrow(shop.get(`/contacts/${phone}`))
  return { phone, contactId: contact.id, invoice: await paidInvoice(shop, { contactId: contact.id }) }
}

/** Requests a review of a paid invoice, by link unless the input says otherwise. */
export const requested = async (shop: Client, subjectId: string, via = 'link'): Promise<Body> =>
  (await bodyOrThrow(shop.post('/review-requests', { about: 'invoice', subjectId, via }))).reviewRequest

/** Taps a row of the list. */
export const tap = (shop: TestWorkspace, phone: string, requestId: string, rating: number) =>
  shop.inbound(phone, '', { text: undefined, listId: `review:${requestId}:${rating}`, title: String(rating) })

/** Creates a sandbox in which a customer was asked in the chat and has tapped. */
export async function createAnsweredReview(shop: TestWorkspace, rating = 5): Promise<Body> {
  const { phone, invoice } = await buyer(shop)
  const { id } = await requested(shop, invoice.id, 'chat')
  await tap(shop, phone, id, rating)
  await shop.advance(1)
  const { reviews } = await bodyOrThrow(shop.get('/reviews?limit=1'))
  if (reviews[0]?.requestId !== id) throw new Error('the tap was not taken')
  return reviews[0]
}

/** Opens the page of a review request, or submits its form. */
export const page = (parley: TestParley, url: string, values?: Record<string, string>) =>
  parley.anonymous.call(
    values ? 'POST' : 'GET',
    `${parley.url}${new URL(url).pathname}${new URL(url).search}`,
    values && new URLSearchParams(values).toString(),
    values ? { headers: { 'content-type': 'application/x-www-form-urlencoded' } } : {},
  )
