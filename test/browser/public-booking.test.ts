/** The page on which customers book, in a browser: on a phone, in their own zone, and without scripts. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bookingShop, madeService, madeStaff } from '../support/bookings.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const WEEKLY = [1, 2, 3, 4, 5].map((day) => ({ day, from: '09:00', to: '17:00' }))
const PHONE = { width: 390, height: 844 }

describe.skipIf(!hasChromium)("the customers' booking page", () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let place: string
  beforeAll(async () => {
    parley = await boot()
    shop = await bookingShop(parley)
    const staff = await madeStaff(shop, { weekly: WEEKLY })
    for (const name of ['Haircut', 'A very long name of a service that needs two lines on a phone'])
      await madeService(shop, { name, staffIds: [staff.id], priceMinor: 60_000 })
    const settings = { publicPage: true, pageColor: '#0f766e' }
    place = new URL((await shop.call('PUT', '/booking-settings', settings)).body.bookingSettings.url).pathname
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  test.each([
    ['on a phone in the dark', { viewport: PHONE, colorScheme: 'dark' as const }],
    ['on a desktop', { viewport: { width: 1280, height: 800 } }],
    ['on a phone without scripts', { viewport: PHONE, javaScriptEnabled: false }],
  ])('a service, a day, a time, and the details: %s', async (name, options) => {
    const context = await profileOf(browser, parley, undefined, { timezoneId: 'Asia/Tokyo', ...options })
    const { page, faults } = await openPage(context)
    const hasScripts = !('javaScriptEnabled' in options)
    const check = async (step: string) => {
      await picture(page, `booking-${name.replaceAll(' ', '-')}-${step}`, { whole: true })
      if (!hasScripts) return
      expect(await violationsOf(page)).toEqual([])
      expect(
        await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
      ).toBe(0)
    }
    await page.goto(place)
    await page.getByRole('heading', { name: 'What would you like to book?' }).waitFor()
    await check('services')
    await page.getByRole('link', { name: 'Haircut' }).click()
    // The zone of the browser, if a script can read it, otherwise of the business.
    await page
      .getByText(hasScripts ? 'Times are in Japan Standard Time' : 'Times are in India Standard Time')
      .waitFor()
    await page.getByRole('link', { name: 'Next month' }).click()
    await page
      .getByRole('link', { name: /free times$/ })
      .nth(5)
      .click()
    const times = page.locator('#times a')
    expect(await times.first().textContent()).toBe(hasScripts ? '12:30' : '09:00')
    await check('times')
    await times.nth(2).click()
    await page.getByLabel('Your name').fill('Asha Rao')
    await page.getByLabel('Your phone number').fill('+919812345678')
    await check('details')
    await page.getByRole('button', { name: 'Book' }).click()
    await page.getByText('Your booking is confirmed.').waitFor()
    await check('booked')
    expect(faults).toEqual([])
    await context.close()
  })

  test.each([
    [
      'hi',
      'ltr',
      'आप क्या बुक करना चाहेंगे?',
      'अगला महीना',
      'आपका नाम',
      'आपका फ़ोन नंबर',
      'बुक करें',
      'आपकी बुकिंग पक्की हो गई है।',
    ],
    ['ar', 'rtl', 'ماذا تريد أن تحجز؟', 'الشهر التالي', 'اسمك', 'رقم هاتفك', 'احجز', 'حجزك مؤكد.'],
  ])(
    'a customer whose browser is in %s books in it, and can choose another language',
    async (language, direction, title, nextMonth, name, phone, action, done) => {
      const context = await profileOf(browser, parley, undefined, {
        timezoneId: 'Asia/Kolkata',
        viewport: PHONE,
        locale: language,
      })
      const { page, faults } = await openPage(context)
      const check = async (step: string) => {
        await picture(page, `booking-${language}-${step}`, { whole: true })
        expect(await violationsOf(page)).toEqual([])
        expect(
          await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
        ).toBe(0)
      }
      await page.goto(place)
      await page.getByRole('heading', { name: title }).waitFor()
      expect(await page.evaluate('document.documentElement.dir')).toBe(direction)
      await check('services')
      await page.getByRole('link', { name: 'English' }).click()
      await page.getByRole('heading', { name: 'What would you like to book?' }).waitFor()
      await page.locator(`a[hreflang=${language}]`).click()
      await page.getByRole('link', { name: 'Haircut' }).click()
      await page.getByRole('link', { name: nextMonth }).click()
      await page.locator('a.day').nth(3).click()
      await check('times')
      await page.locator('#times a').first().click()
      await page.getByLabel(name).fill('Asha Rao')
      await page.getByLabel(phone, { exact: true }).fill('+919812345670')
      await check('details')
      await page.getByRole('button', { name: action }).click()
      await page.getByText(done).waitFor()
      await check('booked')
      expect(faults).toEqual([])
      await context.close()
    },
  )

  test('another zone is chosen by hand, and stays', async () => {
    const context = await profileOf(browser, parley, undefined, {
      timezoneId: 'Asia/Kolkata',
      viewport: PHONE,
    })
    const { page } = await openPage(context)
    await page.goto(place)
    await page.getByRole('link', { name: 'Haircut' }).click()
    await page.getByText('Times are in India Standard Time (Asia/Kolkata)').click()
    await page.getByLabel('Your time zone').selectOption('Asia/Tokyo')
    await page.getByRole('button', { name: 'Show times' }).click()
    await page.getByText('Times are in Japan Standard Time (Asia/Tokyo)').waitFor()
    await page.getByRole('link', { name: 'Next month' }).click()
    await page.getByText('Times are in Japan Standard Time (Asia/Tokyo)').waitFor()
    await context.close()
  })
})
