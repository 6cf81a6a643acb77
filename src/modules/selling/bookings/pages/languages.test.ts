/** The languages of the pages and messages about bookings (DECISIONS.md "Languages"). */
// cspell:ignore Agendado Reserva Reservasi dengan hecha tercatat
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  bookingShop,
  madeBooking,
  madeService,
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

let parley: TestParley
let shop: TestWorkspace
let place: string
beforeAll(async () => {
  parley = await boot({ env: { PARLEY_TRUST_PROXY: '127.0.0.0/8' } })
})
afterAll(() => parley.close())
beforeEach(async () => {
  shop = await bookingShop(parley, { language: 'es' })
  await openPage()
})

const pathOf = (url: string): string => new URL(url).pathname
async function openPage(): Promise<void> {
  place = pathOf((await shop.call('PUT', '/booking-settings', { publicPage: true })).body.bookingSettings.url)
}
let sender = 0
/** Each request has its own address, so that the rate limit does not affect these tests. */
const headersOf = (languages?: string) => ({
  'x-forwarded-for': `198.51.100.${sender++ % 250}`,
  ...(languages === undefined ? {} : { 'accept-language': languages }),
})
const open = (path: string, languages?: string): Promise<Answered> =>
  parley.anonymous.get(parley.url + path, { headers: headersOf(languages) })
const send = (path: string, values: Record<string, string>, languages?: string): Promise<Answered> =>
  parley.anonymous.call('POST', parley.url + path, new URLSearchParams(values).toString(), {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headersOf(languages) },
  })
const messages = async (): Promise<string[]> =>
  (await shop.get('/messages?direction=outbound')).body.messages.map(({ content }: Body) => content.body)

describe('the booking page', () => {
  test("is in the first of the browser's languages that Parley has, otherwise in that of the workspace", async () => {
    const { name } = await madeService(shop)
    const pages = {
      'de, hi;q=0.5, en;q=0.2': '<html lang="hi" dir="ltr">',
      'ar-EG': '<html lang="ar" dir="rtl">',
      de: '<html lang="es" dir="ltr">',
    }
    for (const [languages, start] of Object.entries(pages)) {
      const { text } = await open(place, languages)
      expect([languages, text]).toEqual([languages, expect.stringContaining(start)])
      expect(text).toContain(name)
    }
    expect((await open(place, 'hi')).text).toContain('आप क्या बुक करना चाहेंगे?')
    expect((await open(place)).text).toContain('¿Qué desea reservar?')
  })

  test('a choice on the page outranks the browser, stays in the address, and keeps the step', async () => {
    const service = await madeService(shop, { priceMinor: 60_000, durationMinutes: 90 })
    const times = await open(`${place}?service=${service.id}&lang=ar`, 'hi')
    expect(times.text).toContain('<html lang="ar" dir="rtl">')
    expect(times.text).toContain('ساعة')
    for (const link of times.text.matchAll(/href="\?([^"#]*at=[^"#]*)"/g))
      expect(new URLSearchParams(link[1]!.replaceAll('&amp;', '&')).get('lang')).toBe('ar')
    const query = new URLSearchParams({ service: service.id, at: startIn(1), lang: 'ar' })
    const form = await open(`${place}?${query}`)
    expect(form.text).toContain('رقم هاتفك')
    query.set('lang', 'hi')
    const inHindi = `?${new URLSearchParams({ service: service.id, at: startIn(1), lang: 'hi' })}`
    expect(form.text).toContain(`href="${inHindi.replaceAll('&', '&amp;')}" lang="hi"`)
    expect((await open(place + inHindi)).text).toContain('आपका फ़ोन नंबर')
    const refused = await send(`${place}?${query}`, { name: 'आशा', phone: '12' })
    expect(refused).toMatchObject({ status: 400 })
    expect(refused.text).toContain('आपका फ़ोन नंबर: देश के कोड के साथ फ़ोन नंबर लिखें।')
  })

  test('a new customer is stored with the language of their page, and then reads it in each message', async () => {
    const { id: serviceId } = await madeService(shop)
    const { phone, name } = newCustomer()
    const query = new URLSearchParams({ service: serviceId, at: startIn(1) })
    const booked = await send(`${place}?${query}`, { phone, name }, 'hi-IN')
    expect(booked.status).toBe(303)
    const { contact } = (await shop.get(`/contacts/${encodeURIComponent(phone)}`)).body
    expect(contact.language).toBe('hi')
    const own = await open(booked.headers.location!, 'en')
    expect(own.text).toContain('<html lang="hi" dir="ltr">')
    expect(own.text).toContain('आपकी बुकिंग पक्की हो गई है।')
    expect((await open(`${booked.headers.location}?lang=ar`)).text).toContain('حجزك مؤكد.')
    expect((await open(`${booked.headers.location}/visit.ics`)).text).toContain(
      'SUMMARY:Haircut\\, Meera के साथ',
    )
    await shop.inbound(phone, 'नमस्ते')
    await madeBooking(shop, { phone, startAt: startIn(2), serviceId })
    expect(await messages()).toEqual([expect.stringMatching(/^बुकिंग हो गई: Haircut, Meera के साथ, .*।$/)])
  })
})

test('an unknown link answers in the language of the browser', async () => {
  const { status, text } = await open(`/b/${'x'.repeat(22)}`, 'ar')
  expect(status).toBe(404)
  expect(text).toContain('<html lang="ar" dir="rtl">')
  expect(text).toContain('الصفحة غير موجودة')
})

test.each([
  ['ar', /^تم الحجز: Haircut مع Meera، /],
  ['es', /^Reserva hecha: Haircut con Meera, /],
  ['id', /^Reservasi tercatat: Haircut dengan Meera, /],
  ['pt', /^Agendado: Haircut com Meera, /],
  [null, /^Reserva hecha: /],
])('the confirmation of a contact whose language is %s is in it', async (language, text) => {
  const { phone, name } = newCustomer()
  await shop.inbound(phone, 'Hi')
  await shop.patch(`/contacts/${encodeURIComponent(phone)}`, { language })
  await madeBooking(shop, { phone, name })
  // Values have isolates of their own in Arabic.
  const plain = (await messages()).map((message) => message.replaceAll(/[\u2068\u2069]/g, ''))
  expect(plain).toEqual([expect.stringMatching(text)])
})
