/** Customers' reviews of purchases and visits (spec 6.3 review.received; DECISIONS.md). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { madeBooking, startIn } from '../../../../test/support/bookings.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { eventsOf } from '../../../../test/support/records.ts'
import {
  buyer,
  createAnsweredReview,
  page,
  paidInvoice,
  requested,
  tap,
} from '../../../../test/support/reviews.ts'
import { madeInvoice } from '../../../../test/support/sales.ts'
import { storeTemplate } from '../../../../test/support/templates.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
  await shop.set({ modules: ['invoicing', 'bookings', 'reviews'] })
})

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 24 * HOUR_SECONDS
const DAY_MS = DAY_SECONDS * 1_000
const settings = (body: object) => shop.call('PUT', '/review-settings', body)
const requests = async (query = ''): Promise<Body[]> =>
  (await shop.get(`/review-requests${query}`)).body.reviewRequests
const reviews = async (query = ''): Promise<Body[]> => (await shop.get(`/reviews${query}`)).body.reviews
const received = async () =>
  (await eventsOf(parley, shop.workspaceId)).filter(({ name }) => name === 'review.received')
const lists = async (): Promise<Body[]> =>
  (await shop.get('/messages?direction=outbound&type=interactive')).body.messages
const requestReview = (subjectId: string, more: object = {}) =>
  shop.post('/review-requests', { about: 'invoice', subjectId, via: 'link', ...more })

test('the summary counts ratings and requests; a list of one rating has only its reviews', async () => {
  const summary = async (query = '') => (await shop.get(`/reviews/summary?${query}`)).body.reviewSummary
  expect(await summary()).toEqual({
    total: 0,
    average: null,
    low: 0,
    byRating: [5, 4, 3, 2, 1].map((rating) => ({ rating, count: 0 })),
    byPeriod: [],
    asked: 0,
    answered: 0,
  })
  for (const rating of [5, 4, 4, 2]) await createAnsweredReview(shop, rating)
  await requested(shop, (await paidInvoice(shop)).id)
  const inNumbers = {
    total: 4,
    average: 3.75,
    low: 1,
    byRating: [
      { rating: 5, count: 1 },
      { rating: 4, count: 2 },
      { rating: 3, count: 0 },
      { rating: 2, count: 1 },
      { rating: 1, count: 0 },
    ],
    byPeriod: [],
    asked: 5,
    answered: 4,
  }
  expect(await summary()).toEqual(inNumbers)
  expect(await summary('about=invoice')).toEqual(inNumbers)
  expect(await summary('about=booking')).toMatchObject({ total: 0, asked: 0 })
  expect((await reviews('?rating=4')).map(({ rating }) => rating)).toEqual([4, 4])
  expect(await reviews('?rating=1')).toEqual([])
  expect((await shop.get('/reviews?rating=6')).status).toBe(400)
})

test('the summary counts weeks and months of the days from `from` to `to`, and the list has only their reviews', async () => {
  const summary = async (query: string) => (await shop.get(`/reviews/summary?${query}`)).body.reviewSummary
  const dayIn = (days: number) =>
    new Date(Date.parse(early.answeredAt) + days * DAY_MS).toISOString().slice(0, 10)
  // Its own days are those of UTC.
  await shop.set({ timezone: 'UTC' })
  const early = await createAnsweredReview(shop, 2)
  await shop.advance(70 * DAY_SECONDS)
  for (const rating of [5, 4]) await createAnsweredReview(shop, rating)

  const { byPeriod } = await summary('by=week')
  expect(byPeriod.map(({ count, average }: Body) => [count, average])).toEqual([
    [1, 2],
    [2, 4.5],
  ])
  for (const { from } of byPeriod) expect(new Date(from).getUTCDay()).toBe(1)
  expect((await summary('by=month')).byPeriod[0].from).toBe(`${dayIn(0).slice(0, 7)}-01`)
  const recent = `from=${dayIn(1)}&to=${dayIn(80)}`
  expect(await summary(recent)).toMatchObject({ total: 2, average: 4.5, low: 0, asked: 2, byPeriod: [] })
  expect(await summary(`to=${dayIn(0)}`)).toMatchObject({ total: 1, average: 2, asked: 1 })
  expect((await reviews(`?${recent}`)).map(({ rating }) => rating)).toEqual([4, 5])
  expect((await reviews(`?to=${dayIn(0)}`)).map(({ rating }) => rating)).toEqual([2])
  expect(await shop.get(`/reviews?from=${dayIn(1)}&to=${dayIn(0)}`)).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'to' }] },
  })
  expect((await shop.get('/reviews/summary?by=day')).status).toBe(400)
})

describe('the page', () => {
  test('an admin replaces its address: the old address is invalid, the first answer still counts', async () => {
    const { invoice, contactId } = await buyer(shop)
    const { id, url, ...unchanged } = await requested(shop, invoice.id)
    const agent = await shop.as('agent')
    expect((await agent.post(`/review-requests/${id}/link`)).status).toBe(403)
    const renewed = await shop.post(`/review-requests/${id}/link`)
    expect(renewed).toMatchObject({ status: 200, body: { reviewRequest: { id, ...unchanged } } })
    const { url: newUrl } = renewed.body.reviewRequest
    expect((await page(parley, url)).status).toBe(404)
    expect((await page(parley, url, { rating: '1' })).status).toBe(404)
    expect((await page(parley, newUrl, { rating: '5' })).status).toBe(303)
    expect(await reviews()).toMatchObject([{ requestId: id, rating: 5 }])

    expect((await shop.delete(`/contacts/${contactId}`)).status).toBe(200)
    expect(await shop.post(`/review-requests/${id}/link`)).toMatchObject({
      status: 409,
      body: { error: 'conflict' },
    })
    for (const invalidId of [invoice.id, 'nonsense'])
      expect((await shop.post(`/review-requests/${invalidId}/link`)).status).toBe(404)
  })

  test.each([
    ['hi', 'lang="hi" dir="ltr"', 'आप कितने संतुष्ट हैं?', 'रेटिंग देने के लिए धन्यवाद।'],
    ['ar', 'lang="ar" dir="rtl"', 'ما مدى رضاك؟', 'شكرًا لتقييمك.'],
  ])(
    'a contact whose language is %s reads the page in it, and can choose another',
    async (language, start, question, thanks) => {
      const { invoice, contactId } = await buyer(shop)
      await shop.patch(`/contacts/${contactId}`, { language })
      const { url } = await requested(shop, invoice.id)
      const { text } = await page(parley, url)
      expect(text).toContain(start)
      expect(text).toContain(question)
      expect((await page(parley, `${url}?lang=en`)).text).toContain('How satisfied are you?')
      expect((await page(parley, url, { rating: '4' })).status).toBe(303)
      expect((await page(parley, url)).text).toContain(thanks)
    },
  )

  test('one answer, one event; the first counts; GET stores no rating', async () => {
    const { invoice, contactId } = await buyer(shop)
    const request = await requested(shop, invoice.id)
    expect(request).toMatchObject({ status: 'sent', via: 'link', subjectLabel: invoice.number, contactId })
    for (let i = 0; i < 2; i++) {
      const reviewPageAnswer = await page(parley, request.url)
      expect(reviewPageAnswer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
      expect(reviewPageAnswer.text).toMatch(/<h1>Test shop<\/h1>[\s\S]*name="rating"/)
      expect(reviewPageAnswer.text).not.toMatch(/<script/i)
    }
    expect(await reviews()).toEqual([])
    const sent = await page(parley, request.url, { rating: '4', comment: 'Fits <b>well</b>.' })
    expect(sent.status).toBe(303)
    const repeated = await page(parley, request.url, { rating: '1' })
    expect(repeated.status).toBe(409)
    expect(repeated.text).toContain('Thank you for your rating.')
    expect((await page(parley, request.url)).text).toContain('Thank you')
    const [event, ...others] = await received()
    expect(others).toEqual([])
    const [review] = await reviews()
    expect(event!.data).toEqual({
      reviewId: review.id,
      rating: 4,
      comment: 'Fits <b>well</b>.',
      low: false,
      about: 'invoice',
      subjectId: invoice.id,
      subjectLabel: invoice.number,
      contactId,
      customerName: invoice.customer.name,
      answeredAt: review.answeredAt,
    })
    expect((await requests('?status=answered'))[0]).toMatchObject({ id: request.id, status: 'answered' })
    expect((await shop.get(`/reviews/${review.id}`)).body.review).toEqual(review)
  })

  test('two parallel answers store one', async () => {
    const { url } = await requested(shop, (await paidInvoice(shop)).id)
    const answers = await Promise.all(['5', '1', '3'].map((rating) => page(parley, url, { rating })))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409])
    expect(await reviews()).toHaveLength(1)
    expect(await received()).toHaveLength(1)
  })

  test('0 and 6 are 400, and so is a long comment', async () => {
    const { url } = await requested(shop, (await paidInvoice(shop)).id)
    for (const values of [
      { rating: '0' },
      { rating: '6' },
      { comment: 'x' },
      { rating: '5', comment: 'x'.repeat(2_001) },
    ])
      expect((await page(parley, url, values as Record<string, string>)).status).toBe(400)
    expect(await reviews()).toEqual([])
  })

  test('after 30 days it is closed', async () => {
    const { url } = await requested(shop, (await paidInvoice(shop)).id)
    await shop.advance(30 * DAY_SECONDS + 1)
    expect((await page(parley, url, { rating: '5' })).status).toBe(409)
    expect((await page(parley, url)).text).toContain('This link has expired')
    expect(await requests('?status=expired')).toHaveLength(1)
    expect(await requests('?status=sent')).toEqual([])
  })

  test('publicUrl is shown at 1 star too', async () => {
    await settings({ publicUrl: 'https://portal.example.com/us' })
    const { url } = await requested(shop, (await paidInvoice(shop)).id)
    expect((await page(parley, url)).text).not.toContain('portal.example.com')
    await page(parley, url, { rating: '1' })
    expect((await page(parley, url)).text).toContain('https://portal.example.com/us')
    await createAnsweredReview(shop, 1)
    expect((await shop.get('/messages?direction=outbound&type=text')).body.messages[0].text).toContain(
      'https://portal.example.com/us',
    )
  })
})

describe('review requests', () => {
  test('in the chat, as a list; a tap is the answer, only from the customer who was asked', async () => {
    const { phone, invoice } = await buyer(shop)
    const request = await requested(shop, invoice.id, 'chat')
    expect(request).toMatchObject({ status: 'sent', via: 'chat', messageId: expect.any(String) })
    expect((await lists())[0].content.body.text).toContain(invoice.number)
    const otherBuyer = await buyer(shop)
    await tap(shop, otherBuyer.phone, request.id, 1)
    await tap(shop, phone, request.id, 5)
    await tap(shop, phone, request.id, 2)
    await shop.advance(1)
    expect(await reviews()).toMatchObject([{ rating: 5, comment: null, low: false }])
    expect(await received()).toHaveLength(1)
  })

  test('module off: a tap stores no answer and emits no event', async () => {
    const { phone, invoice } = await buyer(shop)
    const request = await requested(shop, invoice.id, 'chat')
    await shop.set({ modules: ['invoicing'] })
    await tap(shop, phone, request.id, 5)
    await shop.advance(1)
    expect(await received()).toEqual([])
  })

  test('a second request is 409; unpaid and unknown subjects are rejected', async () => {
    const { invoice } = await buyer(shop)
    await requested(shop, invoice.id)
    expect(await requestReview(invoice.id)).toMatchObject({ status: 409, body: { error: 'conflict' } })
    const unpaid = await madeInvoice(shop, { issue: true })
    expect(await requestReview(unpaid.id)).toMatchObject({ status: 409, body: { error: 'conflict' } })
    for (const about of ['invoice', 'booking'])
      expect(await requestReview(shop.workspaceId, { about })).toMatchObject({
        status: 400,
        body: { error: 'invalid_reference' },
      })
    const booking = await madeBooking(shop)
    expect(await requestReview(booking.id, { about: 'booking' })).toMatchObject({ status: 409 })
  })

  test('to an opted-out customer: none', async () => {
    await settings({ afterInvoicePaidHours: 1 })
    const { phone, invoice } = await buyer(shop)
    await shop.inbound(phone, 'STOP')
    expect(await requestReview(invoice.id, { via: 'chat' })).toMatchObject({
      status: 409,
      body: { error: 'contact_opted_out' },
    })
    await shop.advance(2 * HOUR_SECONDS)
    expect(await requests(), 'the request that was due says why nobody was asked').toMatchObject([
      { status: 'failed', failure: 'The customer opted out of messages. Nothing was sent.' },
    ])
    expect(await lists()).toEqual([])
  })

  test('automatic after a paid invoice; not if it is no longer paid, and at most once per customer in everyDays', async () => {
    await settings({ afterInvoicePaidHours: 2 })
    expect((await shop.post('/sandbox/events', { event: 'invoice.paid' })).status).toBeLessThan(300)
    expect(await requests(), 'made up').toEqual([])
    const { contactId, invoice } = await buyer(shop)
    const [voidedSale, revisedSale] = [await buyer(shop), await buyer(shop)]
    expect(await requests('?status=queued')).toHaveLength(3)
    const [payment] = voidedSale.invoice.payments
    await shop.post(`/sales-invoices/${voidedSale.invoice.id}/payments/${payment.id}/void`, {
      reason: 'Bounced',
    })
    const [line] = revisedSale.invoice.lines
    const lines = [{ description: line.description, quantity: line.quantity + 1, unitMinor: line.unitMinor }]
    const { body } = await shop.post(`/sales-invoices/${revisedSale.invoice.id}/revise`, { lines })
    expect(body.invoice.status).toBe('partially_paid')
    await shop.advance(2 * HOUR_SECONDS + 1)
    expect(await requests()).toMatchObject([{ subjectId: invoice.id, status: 'sent' }])
    await paidInvoice(shop, { contactId })
    await shop.advance(2 * HOUR_SECONDS + 1)
    expect(await requests()).toHaveLength(1)
    expect(await lists()).toHaveLength(1)
  })

  test('automatic after a completed booking; not if it is restored', async () => {
    await settings({ afterBookingHours: 1 })
    const phone = '+919812300001'
    await shop.inbound(phone, 'Can I come?')
    const visit = async () => (await madeBooking(shop, { startAt: startIn(-1), force: true, phone })).id
    const [visited, other] = [await visit(), await visit()]
    for (const [id, status] of [
      [visited, 'completed'],
      [other, 'completed'],
      [other, 'confirmed'],
    ])
      expect((await shop.patch(`/bookings/${id}`, { status })).status).toBe(200)
    await shop.advance(HOUR_SECONDS + 1)
    expect(await requests()).toMatchObject([{ about: 'booking', subjectId: visited, status: 'sent' }])
  })

  test('in a closed window the template is sent, and its button opens the page', async () => {
    const { invoice } = await buyer(shop)
    await shop.advance(DAY_SECONDS + 60)
    expect(await requestReview(invoice.id, { via: 'chat' })).toMatchObject({
      status: 422,
      body: { error: 'outside_24h_window' },
    })
    await storeTemplate(parley, shop, {
      name: 'how_was_it',
      components: [
        { type: 'BODY', text: 'How was it?' },
        {
          type: 'BUTTONS',
          buttons: [
            {
              type: 'URL',
              text: 'Answer',
              url: 'https://shop.example.com/r/{{1}}',
              example: ['https://shop.example.com/r/a'],
            },
          ],
        },
      ],
    })
    const [template] = (await shop.get('/templates')).body.templates
    expect((await settings({ templateId: template.id })).status).toBe(200)
    const request = await requested(shop, invoice.id, 'chat')
    const { message } = (await shop.get(`/messages/${request.messageId}`)).body
    const token = new URL(request.url).pathname.split('/').at(-1)
    expect(JSON.stringify(message.content)).toContain(token)
  })
})

describe('a low rating', () => {
  test("is at or below the limit, and creates a task on the customer's lead", async () => {
    await settings({ alertAt: 3, alertMemberId: shop.ownerId })
    for (const rating of [4, 3, 2]) await createAnsweredReview(shop, rating)
    expect((await reviews()).map(({ rating, low }) => [rating, low])).toEqual([
      [2, true],
      [3, true],
      [4, false],
    ])
    expect((await reviews('?low=true')).map(({ rating }) => rating)).toEqual([2, 3])
    const { tasks } = (await shop.get('/tasks?status=open')).body
    expect(tasks).toHaveLength(2)
    expect(tasks[0]).toMatchObject({ priority: 'high', assignee: { id: shop.ownerId } })
    expect((await settings({ alertMemberId: shop.workspaceId })).body).toMatchObject({
      error: 'invalid_reference',
    })
  })
})

test('module off: 404; the page is shown without its form', async () => {
  const { url } = await requested(shop, (await paidInvoice(shop)).id)
  await shop.set({ modules: ['invoicing'] })
  for (const path of ['/review-settings', '/review-requests', '/reviews'])
    expect(await shop.get(path)).toMatchObject({ status: 404, body: { error: 'not_available' } })
  const reviewPageAnswer = await page(parley, url)
  expect(reviewPageAnswer.status).toBe(200)
  expect(reviewPageAnswer.text).not.toContain('name="rating"')
  expect((await page(parley, url, { rating: '5' })).status).toBe(409)
})

test('erasure keeps the rating', async () => {
  const { phone, invoice } = await buyer(shop)
  const { url } = await requested(shop, invoice.id)
  await page(parley, url, { rating: '2', comment: 'I am Asha Rao.' })
  const open = await buyer(shop)
  const other = await requested(shop, open.invoice.id)
  for (const contactPhone of [phone, open.phone])
    expect((await shop.delete(`/contacts/${contactPhone}`)).status).toBe(200)
  expect(await reviews()).toMatchObject([{ rating: 2, comment: null, customerName: null, contactId: null }])
  expect(await requests()).toMatchObject([{ status: 'answered', url: null, customerName: null }])
  for (const erasedUrl of [url, other.url]) expect((await page(parley, erasedUrl)).status).toBe(404)
})
