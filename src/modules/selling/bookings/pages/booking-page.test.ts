/**
 * The pages on which customers book, move, and cancel (DECISIONS.md), without a key or a cookie, and usable without a script.
 */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  bookingShop,
  madeBooking,
  madeService,
  madeStaff,
  newCustomer,
  startIn,
} from '../../../../../test/support/bookings.ts'
import {
  type Answered,
  type Body,
  boot,
  type TestParley,
  type TestWorkspace,
} from '../../../../../test/support/boot.ts'
import { pay } from '../../../../../test/support/payments.ts'
import { pngOf } from '../../../../../test/support/pictures.ts'
import { eventsOf, everythingOf } from '../../../../../test/support/records.ts'
import { SELLER, sellsAs } from '../../../../../test/support/sales.ts'
import { until } from '../../../../../test/support/until.ts'

let parley: TestParley
let shop: TestWorkspace
let place: string
beforeAll(async () => {
  parley = await boot({ env: { PARLEY_TRUST_PROXY: '127.0.0.0/8' } })
})
afterAll(() => parley.close())
beforeEach(async () => {
  shop = await bookingShop(parley)
  place = pathOf((await shop.call('PUT', '/booking-settings', { publicPage: true })).body.bookingSettings.url)
})

const pathOf = (url: string): string => new URL(url).pathname
/** The pages are outside the path of the API. */
const pageUrl = (path: string): string => `${parley.url}${path}`
/** The day of a moment in the zone of the shop. */
const dayOf = (time: string, zone = 'Asia/Kolkata'): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(time))
let sender = 0
/** Sends each request from its own address, so that the rate limit does not affect these tests. */
const fromElsewhere = () => ({ 'x-forwarded-for': `203.0.113.${sender++ % 250}` })
const open = async (path: string): Promise<Answered> =>
  parley.anonymous.get(pageUrl(path), { headers: fromElsewhere() })
const send = (path: string, values: Record<string, string>): Promise<Answered> =>
  parley.anonymous.call('POST', pageUrl(path), new URLSearchParams(values).toString(), {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...fromElsewhere() },
  })
const find = async (id: string): Promise<Body> => (await shop.get(`/bookings/${id}`)).body.booking
const book = (serviceId: string, startAt: string, more: Record<string, string> = {}) =>
  send(`${place}?${new URLSearchParams({ service: serviceId, at: startAt })}`, { ...newCustomer(), ...more })
const isStrict = ({ headers }: Answered): boolean =>
  headers['content-security-policy']!.startsWith("default-src 'none'") &&
  headers['cache-control'] === 'no-store'

test('durations are shown in hours and minutes', async () => {
  for (const [durationMinutes, text] of [
    [45, '45 minutes'],
    [60, '1 hour'],
    [90, '1 hour 30 minutes'],
    [120, '2 hours'],
    [1_440, '1 day'],
  ] as const) {
    const service = await madeService(shop, { durationMinutes })
    expect((await open(`${place}?service=${service.id}`)).text).toContain(`<p class="faint">${text}</p>`)
    const { url } = await madeBooking(shop, { serviceId: service.id })
    expect((await open(pathOf(url))).text).toContain(`, ${text})</span>`)
  }
})

test('choose a service and a time, enter name and phone: booked by the customer', async () => {
  const service = await madeService(shop, {
    name: 'Cut & <b>colour</b>',
    questions: [{ label: 'Any wishes?', required: true }],
  })
  const services = await open(place)
  expect(services.status).toBe(200)
  expect(isStrict(services)).toBe(true)
  expect(services.text).toContain('Cut &amp; &lt;b&gt;colour&lt;/b&gt;')
  expect(services.text).toContain(`?service=${service.id}`)
  const times = await open(`${place}?service=${service.id}&day=${dayOf(startIn(1))}`)
  expect(times.text).toContain(encodeURIComponent(startIn(1)))
  const query = `?${new URLSearchParams({ service: service.id, at: startIn(1) })}`
  expect((await open(place + query)).text).toMatch(
    /<form method="post"[\s\S]*Any wishes\?[\s\S]*<button>Book/,
  )
  // Browsers can fill in the customer's details.
  for (const [name, token] of [
    ['name', 'name'],
    ['phone', 'tel'],
    ['email', 'email'],
  ])
    expect((await open(place + query)).text).toMatch(
      new RegExp(`name="${name}" [^>]*autocomplete="${token}"`),
    )
  const withoutAnswer = await book(service.id, startIn(1))
  expect(withoutAnswer).toMatchObject({ status: 400 })
  expect(withoutAnswer.text).toContain('Any wishes?: Required.')
  expect(withoutAnswer.text).toContain('value="Asha Rao"')
  const bookingReply = await book(service.id, startIn(1), { 'question:Any wishes?': 'Quiet' })
  expect(bookingReply.status).toBe(303)
  const [booking] = (await shop.get('/bookings')).body.bookings
  expect(booking).toMatchObject({
    status: 'confirmed',
    source: 'public',
    answers: { 'Any wishes?': 'Quiet' },
  })
  expect(pathOf(booking.url)).toBe(bookingReply.headers.location)
  const created = (await eventsOf(parley, shop.workspaceId)).filter(({ name }) => name === 'booking.created')
  expect(created).toMatchObject([{ data: { by: 'customer', booking: { id: booking.id, source: 'public' } } }])
  const own = await open(bookingReply.headers.location!)
  expect(own.text).toContain('Your booking is confirmed.')
  expect(own.text).not.toMatch(/<script|onclick|javascript:/)
  const file = await open(`${bookingReply.headers.location}/visit.ics`)
  expect(file.headers['content-type']).toContain('text/calendar')
  expect(file.text).toContain(`UID:${booking.id}`)
})

describe('the month and its times', () => {
  const HOURS = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '09:00', to: '11:00' }))
  /** A Wednesday at least a month ahead, as a day of the shop. */
  const wednesday = (): string => {
    const date = Temporal.PlainDate.from(dayOf(startIn(40)))
    return date.add({ days: (10 - date.dayOfWeek) % 7 }).toString()
  }
  const readTimes = (text: string): string[] =>
    [...text.matchAll(/&amp;at=[^"]+">(\d\d:\d\d)</g)].map(([, time]) => time!)
  const openTimes = async (id: string, query: Record<string, string>): Promise<string> =>
    (await open(`${place}?${new URLSearchParams({ service: id, ...query })}`)).text

  test('days with free times lead to their times, other days do not; months turn within the horizon', async () => {
    const staff = await madeStaff(shop, { weekly: [{ day: 3, from: '09:00', to: '10:00' }] })
    const { id } = await madeService(shop, { staffIds: [staff.id], maxDaysAhead: 100 })
    const day = wednesday()
    const text = await openTimes(id, { day })
    const free = [...text.matchAll(/class="day free" href="[^"]*day=([\d-]+)#times" aria-label="(\w+) /g)]
    expect(free.map(([, , weekday]) => weekday)).toEqual(free.map(() => 'Wednesday'))
    expect(free.map(([, shown]) => shown)).toContain(day)
    expect(text).toContain(', 2 free times')
    expect(readTimes(text)).toEqual(['09:00', '09:30'])
    const month = Temporal.PlainYearMonth.from(day)
    expect(text).toContain(`month=${month.add({ months: 1 })}" aria-label="Next month"`)
    expect(text).toContain(`month=${month.subtract({ months: 1 })}" aria-label="Previous month"`)
    const far = await openTimes(id, { month: '2099-01' })
    expect(far).not.toContain('aria-label="Next month"')
    const past = await openTimes(id, { month: '2020-01' })
    expect(past).not.toContain('aria-label="Previous month"')
  })

  test('the page starts at the first free day, also if it is in a later month', async () => {
    const { id } = await madeService(shop, { minNoticeMinutes: 45 * 24 * 60 })
    expect(readTimes(await openTimes(id, {})).length).toBeGreaterThan(0)
    const none = await madeService(shop, { staffIds: [(await madeStaff(shop, { weekly: [] })).id] })
    expect(await openTimes(none.id, {})).toContain('No free times in ')
  })

  test("times are in the customer's zone, which the page shows, offers to change, and keeps", async () => {
    const staff = await madeStaff(shop, { weekly: HOURS })
    const { id } = await madeService(shop, { staffIds: [staff.id] })
    const day = wednesday()
    const own = await open(`${place}?${new URLSearchParams({ service: id, day })}`)
    expect(own.text).toContain('Times are in India Standard Time (Asia/Kolkata)')
    expect(readTimes(own.text)).toEqual(['09:00', '09:30', '10:00', '10:30'])
    // Tokyo has no summer time: three and a half hours ahead all year.
    const zone = 'Asia/Tokyo'
    const tokyo = await openTimes(id, { day, zone })
    expect(tokyo).toContain('Times are in Japan Standard Time (Asia/Tokyo)')
    expect(tokyo).toContain('<option value="Asia/Tokyo" selected>')
    expect(readTimes(tokyo)).toEqual(['12:30', '13:00', '13:30', '14:00'])
    const [, href = ''] = /href="([^"]*at=[^"]+)">12:30/.exec(tokyo)!
    const form = await open(place + href.replaceAll('&amp;', '&'))
    expect(form.text).toMatch(/, 12:30 <span class="faint">\(Asia\/Tokyo\)/)
    expect(form.text).toMatch(/, 09:00 at the business \(Asia\/Kolkata\)/)
    const sent = await send(place + href.replaceAll('&amp;', '&'), newCustomer())
    expect(sent.headers.location).toMatch(/^\/b\/[\w-]{22}\?zone=Asia%2FTokyo$/)
    const booked = (await open(sent.headers.location!)).text
    expect(booked).toMatch(/, 12:30 in your time zone \(Asia\/Tokyo\)/)
    for (const wrong of ['Mars/Olympus', '"><script>', '+05:30'])
      expect(readTimes(await openTimes(id, { day, zone: wrong }))).toEqual(['09:30', '10:00', '10:30'])
  })

  test('the only script opens the page in the zone of the browser, and not after a form', async () => {
    const { id } = await madeService(shop)
    const page = await open(`${place}?service=${id}`)
    const scripts = [...page.text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script!)
    expect(scripts).toHaveLength(1)
    const hash = createHash('sha256').update(scripts[0]!).digest('base64')
    expect(page.headers['content-security-policy']).toContain(`script-src 'sha256-${hash}'`)
    await madeBooking(shop, { serviceId: id, startAt: startIn(1) })
    expect((await book(id, startIn(1))).text).not.toContain('<script')
    expect((await open(place)).text).not.toContain('<script')
  })
})

test("the pages have the business's name, logo, and color", async () => {
  const service = await madeService(shop)
  const plain = await open(place)
  expect(plain.text).toContain('<h1>Test shop</h1>')
  expect(plain.text).not.toContain('<img')
  await shop.set({ modules: ['bookings', 'invoicing'] })
  const picture = pngOf({ width: 40, height: 20 }).toString('base64')
  const media = await shop.post('/media', {
    filename: 'logo.png',
    mimeType: 'image/png',
    fileBase64: picture,
  })
  await sellsAs(shop, { seller: { ...SELLER, logoMediaId: media.body.id } })
  const settings = { publicPage: true, pageColor: '#ffd400' }
  expect((await shop.call('PUT', '/booking-settings', settings)).body.bookingSettings).toMatchObject(settings)
  expect((await shop.get('/booking-settings')).body.bookingSettings.pageColor).toBe('#ffd400')
  const { url } = await madeBooking(shop, { serviceId: service.id })
  for (const path of [place, `${place}?service=${service.id}`, pathOf(url)]) {
    const { text } = await open(path)
    expect(text).toMatch(/<header class="brand"><img src="data:image\/png;base64,[^"]+" alt=""><h1>Test shop/)
    // Black text has the higher contrast on yellow.
    expect(text).toContain('--brand: #ffd400; --on-brand: #000000')
  }
  const wrong = await shop.call('PUT', '/booking-settings', { pageColor: 'red; }' })
  expect(wrong.body.issues).toEqual([{ path: 'pageColor', message: 'Must be a color, such as #1d4ed8.' }])
})

test('a time that was taken in the meantime: the page shows other times, and nothing is booked', async () => {
  const service = await madeService(shop)
  await madeBooking(shop, { serviceId: service.id, startAt: startIn(1) })
  const answer = await book(service.id, startIn(1))
  expect(answer.status).toBe(409)
  expect(answer.text).toContain('free anymore. Please choose another time.')
  expect(answer.text).toContain(encodeURIComponent(startIn(1, 1)))
  expect((await shop.get('/bookings')).body.bookings).toHaveLength(1)
})

test('too many people for a group: the page shows the largest number of people', async () => {
  const { id } = await madeService(shop, { capacity: 4 })
  const query = `?${new URLSearchParams({ service: id, at: startIn(1) })}`
  expect((await open(place + query)).text).toContain('min="1" max="4"')
  const many = await book(id, startIn(1), { partySize: '5' })
  expect(many.status).toBe(400)
  expect(many.text).toContain('Number of people: Enter a number from 1 to 4.')
  expect((await book(id, startIn(1), { partySize: '3' })).status).toBe(303)
  const late = await book(id, startIn(1), { partySize: '2' })
  expect(late.status).toBe(409)
  expect(late.text).toContain('enough room for 2 people at this time anymore.')
})

test('customers do not see why the business cannot take bookings', async () => {
  const { id } = await madeService(shop)
  await shop.set({ contactLimit: 0 })
  const full = await book(id, startIn(1))
  expect(full.status).toBe(409)
  expect(full.text).toContain('There is nothing to book here at the moment. Please ask the business.')
  const other = await parley.workspace()
  await other.set({ modules: ['bookings'] })
  const { bookingSettings } = (await other.call('PUT', '/booking-settings', { publicPage: true })).body
  const paidService = await madeService(other, { priceMinor: 100_000, advance: { percent: 50 } })
  const query = new URLSearchParams({ service: paidService.id, at: startIn(1) })
  const unpayable = await send(`${pathOf(bookingSettings.url)}?${query}`, newCustomer())
  expect(unpayable.status).toBe(409)
  expect(unpayable.text).toContain('There is nothing to book here at the moment. Please ask the business.')
  expect(unpayable.text).not.toContain('parley gateway')
})

test('a form that is sent twice books once, and leads to its booking both times', async () => {
  for (const capacity of [1, 10]) {
    const { id } = await madeService(shop, { capacity })
    const query = `?${new URLSearchParams({ service: id, at: startIn(1) })}`
    const [, form = ''] = /name="form" value="([^"]+)"/.exec((await open(place + query)).text) ?? []
    const customer = newCustomer()
    const replies = await Promise.all([1, 2].map(() => book(id, startIn(1), { ...customer, form })))
    const repeated = await book(id, startIn(1), { ...customer, form })
    const places = [...replies, repeated].map(({ status, headers }) => [status, headers.location])
    expect(places).toEqual(places.map(() => [303, expect.stringMatching(/^\/b\/[\w-]{22}$/)]))
    expect(new Set(places.map(([, location]) => location)).size).toBe(1)
    expect((await shop.get(`/bookings?serviceId=${id}`)).body.bookings).toHaveLength(1)
  }
})

describe('the same form again with corrected data', () => {
  const formOf = async (id: string): Promise<string> => {
    const query = `?${new URLSearchParams({ service: id, at: startIn(1) })}`
    return /name="form" value="([^"]+)"/.exec((await open(place + query)).text)![1]!
  }
  const setup = { questions: [{ label: 'Any wishes?', required: false }] }
  const WRONG = {
    name: 'Asa Rao',
    phone: '+919812340001',
    email: 'asa@example.com',
    'question:Any wishes?': 'Loud',
  }
  const RIGHT = {
    name: 'Asha Rao',
    phone: '+919812340002',
    email: 'asha@example.com',
    'question:Any wishes?': 'Quiet',
  }
  const listBookings = async (id: string): Promise<Body[]> =>
    (await shop.get(`/bookings?serviceId=${id}`)).body.bookings

  test.each([
    ['confirmed', {}],
    ['held', { priceMinor: 60_000, advance: { percent: 50 } }],
  ])('accepts the corrected data of a booking that is %s', async (status, more) => {
    const { id } = await madeService(shop, { ...setup, ...more })
    const form = await formOf(id)
    const first = await book(id, startIn(1), { ...WRONG, form })
    const repeated = await book(id, startIn(1), { ...RIGHT, form })
    expect([repeated.status, repeated.headers.location]).toEqual([303, first.headers.location])
    const [booking, ...others] = await listBookings(id)
    expect(others).toEqual([])
    const { contact } = (await shop.get(`/contacts/${encodeURIComponent(RIGHT.phone)}`)).body
    expect(booking).toMatchObject({
      status,
      answers: { 'Any wishes?': 'Quiet' },
      customer: { contactId: contact.id, name: 'Asha Rao', phone: RIGHT.phone, email: 'asha@example.com' },
    })
    const { text } = await open(repeated.headers.location!)
    expect(text).toContain('for Asha Rao, +919812340002, asha@example.com')
  })

  test('is not applied if the form has more people; the page shows the stored booking', async () => {
    const { id } = await madeService(shop, { capacity: 4 })
    const form = await formOf(id)
    const customer = newCustomer()
    await book(id, startIn(1), { ...customer, form })
    const repeated = await book(id, startIn(1), { ...customer, form, partySize: '2' })
    expect(repeated).toMatchObject({
      status: 303,
      headers: { location: expect.stringContaining('?stored=1') },
    })
    expect((await open(repeated.headers.location!)).text).toContain('You already booked with this form.')
    expect(await listBookings(id)).toMatchObject([{ partySize: 1 }])
  })

  test('is not applied after the booking was canceled; the page shows the stored booking', async () => {
    const { id } = await madeService(shop, setup)
    const form = await formOf(id)
    await book(id, startIn(1), { ...WRONG, form })
    const [booking] = await listBookings(id)
    await shop.call('PATCH', `/bookings/${booking!.id}`, { status: 'cancelled' })
    const repeated = await book(id, startIn(1), { ...RIGHT, form })
    expect(repeated.headers.location).toContain('?stored=1')
    expect(await listBookings(id)).toMatchObject([{ status: 'cancelled', customer: { name: 'Asa Rao' } }])
  })

  test('with an invalid number returns 400, and the booking does not change', async () => {
    const { id } = await madeService(shop, setup)
    const form = await formOf(id)
    await book(id, startIn(1), { ...WRONG, form })
    expect((await book(id, startIn(1), { ...RIGHT, phone: '12', form })).status).toBe(400)
    expect(await listBookings(id)).toMatchObject([{ customer: { name: 'Asa Rao', phone: WRONG.phone } }])
  })
})

test('a form ignores a mark in the address', async () => {
  const service = await madeService(shop, { capacity: 5 })
  const mark = 'chosen-by-somebody-els'
  const address = `${place}?${new URLSearchParams({ service: service.id, at: startIn(1), form: mark })}`
  const form = await open(address)
  expect(form.text).toContain('name="form"')
  expect(form.text).not.toContain(mark)
  const customer = await send(address, newCustomer())
  expect(customer.status).toBe(303)
  // The author of the address never gets the customer's booking.
  const other = await send(address, { ...newCustomer(), form: mark })
  expect(other.status).toBe(303)
  expect(other.headers.location).not.toBe(customer.headers.location)
})

test('two customers who send the same self-made mark get their own bookings', async () => {
  const service = await madeService(shop, { capacity: 5 })
  const [first, two] = [
    await book(service.id, startIn(1), { form: 'booking' }),
    await book(service.id, startIn(1), { form: 'booking' }),
  ]
  expect([first!.status, two!.status]).toEqual([303, 303])
  expect(two!.headers.location).not.toBe(first!.headers.location)
})

test('a customer can have as many future bookings as the settings allow, and no more', async () => {
  await shop.call('PUT', '/booking-settings', { publicPage: true, maxOpenPerCustomer: 1 })
  const service = await madeService(shop)
  const customer = newCustomer()
  expect((await book(service.id, startIn(1), customer)).status).toBe(303)
  expect((await book(service.id, startIn(1, 1), customer)).status).toBe(409)
  expect((await book(service.id, startIn(1, 1))).status).toBe(303)
})

test("bookings by the team do not count against the customer's limit", async () => {
  await shop.call('PUT', '/booking-settings', { publicPage: true, maxOpenPerCustomer: 1 })
  const service = await madeService(shop)
  const customer = newCustomer()
  await madeBooking(shop, { serviceId: service.id, startAt: startIn(1), ...customer })
  expect((await book(service.id, startIn(1, 1), customer)).status).toBe(303)
  expect((await book(service.id, startIn(1, 2), customer)).status).toBe(409)
})

test('an advance is paid from the page; then the booking is confirmed', async () => {
  const service = await madeService(shop, { priceMinor: 60_000, advance: { percent: 50 } })
  const own = (await book(service.id, startIn(1))).headers.location!
  expect((await open(own)).text).toContain('We are keeping this time for you.')
  const [{ id }] = (await shop.get('/bookings')).body.bookings
  const payable = await until(async () => {
    const { text } = await open(own)
    return text.includes('Pay ₹300.00</a>') && text
  }, 'the page has the link')
  expect(payable).toContain((await find(id)).paymentUrl.replaceAll('&', '&amp;'))
  await pay(parley, shop, id)
  await until(
    async () => (await open(own)).text.includes('Your booking is confirmed.'),
    'the booking is confirmed',
  )
})

describe('The page honours notice', () => {
  const DAY_MINUTES = 24 * 60
  const ownPage = async (startAt: string): Promise<{ id: string; path: string }> => {
    const { id: serviceId } = await madeService(shop, { cancelNoticeMinutes: 2 * DAY_MINUTES })
    const { id, url } = await madeBooking(shop, { serviceId, startAt })
    return { id, path: pathOf(url) }
  }

  test('until the notice, customers can move and cancel', async () => {
    const { id, path } = await ownPage(startIn(3))
    // The form is folded, so that a single press cancels nothing.
    expect((await open(path)).text).toMatch(
      /<details class="cancel"><summary>Cancel this booking<\/summary>\s*<form method="post">/,
    )
    const day = dayOf(startIn(1, 1))
    expect((await open(`${path}?move=1&day=${day}`)).text).toContain(encodeURIComponent(startIn(1, 1)))
    expect((await open(`${path}?${new URLSearchParams({ move: '1', at: startIn(4) })}`)).text).toContain(
      '<button>Move',
    )
    expect(await send(path, { action: 'move', at: startIn(4) })).toMatchObject({
      status: 303,
      headers: { location: path },
    })
    expect(await find(id)).toMatchObject({ startAt: startIn(4), status: 'confirmed' })
    // Pressing the button twice leads to the page that shows the cancellation, both times.
    for (const reason of ['Ill', ''])
      expect(await send(path, { action: 'cancel', reason })).toMatchObject({
        status: 303,
        headers: { location: path },
      })
    expect(await find(id)).toMatchObject({ status: 'cancelled', cancelReason: 'Ill' })
    const bookingEvents = (await eventsOf(parley, shop.workspaceId)).filter(
      ({ data }) => data.booking?.id === id,
    )
    expect(bookingEvents.slice(1)).toMatchObject([
      { name: 'booking.rescheduled', data: { by: 'customer', previousStartAt: startIn(3) } },
      { name: 'booking.cancelled', data: { by: 'customer', reason: 'Ill' } },
    ])
  })

  test('after the notice, they cannot', async () => {
    const { id, path } = await ownPage(startIn(1))
    expect((await open(path)).text).not.toContain('<form')
    for (const values of [{ action: 'cancel' }, { action: 'move', at: startIn(2) }])
      expect((await send(path, values as Record<string, string>)).status).toBe(409)
    expect(await find(id)).toMatchObject({ startAt: startIn(1), status: 'confirmed' })
  })

  test('a booking cannot be moved to a time that is not free', async () => {
    const { id, path } = await ownPage(startIn(3))
    const { serviceId } = await find(id)
    await madeBooking(shop, { serviceId, startAt: startIn(4) })
    expect((await send(path, { action: 'move', at: startIn(4) })).status).toBe(409)
    expect(await find(id)).toMatchObject({ startAt: startIn(3) })
  })
})

test('GET changes nothing', async () => {
  const service = await madeService(shop)
  const { url } = await madeBooking(shop, { serviceId: service.id })
  const before = await everythingOf(parley, shop.workspaceId)
  const when = new URLSearchParams({ service: service.id, at: startIn(1), action: 'cancel' })
  for (const path of [
    place,
    `${place}?service=${service.id}`,
    `${place}?${when}`,
    pathOf(url),
    `${pathOf(url)}?${when}`,
  ])
    expect((await open(path)).status).toBe(200)
  expect(await everythingOf(parley, shop.workspaceId)).toEqual(before)
})

test('a new link replaces the old one; with the page turned off, customers cannot book, but can read their booking', async () => {
  const { id, url } = await madeBooking(shop)
  const renewed = (await shop.post(`/bookings/${id}/link`)).body.booking
  expect((await open(pathOf(url))).status).toBe(404)
  expect((await open(pathOf(renewed.url))).status).toBe(200)
  const { bookingSettings } = (await shop.post('/booking-settings/link')).body
  expect((await open(place)).status).toBe(404)
  expect((await open(pathOf(bookingSettings.url))).status).toBe(200)
  await shop.set({ modules: [] })
  expect((await open(pathOf(bookingSettings.url))).status).toBe(404)
  const bookingPage = await open(pathOf(renewed.url))
  expect(bookingPage.status).toBe(200)
  expect(bookingPage.text).not.toContain('<form')
  await shop.set({ modules: ['bookings'] })
  await shop.call('PUT', '/booking-settings', { publicPage: false })
  expect((await open(pathOf(bookingSettings.url))).status).toBe(404)
  expect((await shop.get('/booking-settings')).body.bookingSettings.url).toBeNull()
})

test('staff ids, foreign services, and invalid values show the list of services', async () => {
  await madeStaff(shop)
  const foreign = await madeService(await bookingShop(parley), { name: 'Foreign' })
  for (const query of [`?service=${foreign.id}`, '?service=1', '?service=a&service=b', '?from=x'])
    expect((await open(place + query)).text).not.toContain('Foreign')
  const { id } = await madeService(shop)
  for (const from of ['x', '275760-09-13', '+275760-09-13T00:00:00Z', '-271821-04-20T00:00:00Z'])
    expect(await open(`${place}?${new URLSearchParams({ service: id, from })}`)).toMatchObject({
      status: 200,
    })
  expect((await book(foreign.id, startIn(1))).status).toBe(409)
  expect((await open('/book/AAAAAAAAAAAAAAAAAAAAAA')).status).toBe(404)
  expect((await open('/b/AAAAAAAAAAAAAAAAAAAAAA')).status).toBe(404)
})

test('the page masks the number and the email address if they are hidden from a role, because chats contain its link', async () => {
  const customer = { name: 'Asha Rao', phone: '+919812345642', email: 'asha.rao@example.com' }
  const { url } = await madeBooking(shop, customer)
  const shown = (await open(pathOf(url))).text
  expect(shown).toContain('+919812345642')
  await shop.set({ detailsHiddenFrom: ['agent'] })
  const masked = (await open(pathOf(url))).text
  expect(masked).toContain('Asha Rao, +91••••••••42, a•••@example.com')
  expect(masked).not.toContain('9812345642')
})
