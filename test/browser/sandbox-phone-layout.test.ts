/**
 * The README's first minute on common screen sizes: texts and fields keep a readable width while the sandbox
 * phone is open.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeBooking } from '../support/bookings.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { pagePaths } from '../support/page-table.ts'
import { signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const WIDTHS = [1024, 1200, 1280, 1366, 1440, 1920]
const READABLE = 360

const COMPOSER = '#page section:has(> textarea)'
const THREAD = '#page [role=log]'

/** Selectors, because roles do not find elements under a drawer. */
const widthOf = async (page: Page, selector: string): Promise<number> =>
  (await page.locator(selector).first().boundingBox())?.width ?? 0

/** Panes next to a list, and fields of a form, that are narrower than their minimum. */
const NARROW = `[...document.querySelectorAll('#page [data-detail], #page [role=log], #page aside')]
  .map((one) => [one.tagName + ' ' + (one.getAttribute('aria-label') ?? ''), one.clientWidth])
  .filter(([, width]) => width > 0 && width < 300)
  .map(([name, width]) => name + ': ' + width)`
/** The width of the page's content under the phone. */
const HIDDEN = `(() => {
  const page = document.getElementById('page')
  return [...document.querySelectorAll('.pane')].filter((one) => page.contains(one) && one.scrollWidth > one.clientWidth + 1)
    .map((one) => one.className.slice(0, 60) + ': ' + one.scrollWidth + ' in ' + one.clientWidth)
    .concat(page.scrollWidth > page.clientWidth ? ['#page: ' + page.scrollWidth + ' in ' + page.clientWidth] : [])
})()`

describe.skipIf(!hasChromium)('next to the sandbox phone', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.inbound('+919812345678', 'Is the blue one in stock?', { name: 'Asha Rao' })
    await shop.set({ modules: ['invoicing', 'bookings', 'reviews'] })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })
  const openAt = async (path: string, width: number) => {
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const opened = await openPage(
      await profileOf(browser, parley, session, { viewport: { width, height: 800 } }),
    )
    await opened.page.goto(`/w/${shop.workspaceId}/${path}`)
    return opened
  }
  const openPhone = async (page: Page) => {
    await page.getByRole('button', { name: /^(Phone|Sandbox phone)/ }).click()
    await page.getByRole('dialog', { name: 'Sandbox phone' }).waitFor()
  }

  test.each(WIDTHS)(
    'at %i px the thread and the composer keep 360 px, with and without details',
    async (width) => {
      const { page, faults } = await openAt('inbox', width)
      await page.getByRole('link', { name: /^Asha Rao/ }).click()
      const check = async (label: string) => {
        for (const pane of [COMPOSER, THREAD])
          expect(await widthOf(page, pane), `${label}: ${pane}`).toBeGreaterThanOrEqual(READABLE)
      }
      await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor()
      await check('without the phone')
      await openPhone(page)
      await check('with the phone')
      await picture(page, `phone-${width}-inbox`)
      // No part of the chat is under the phone.
      const phone = (await page.getByRole('dialog', { name: 'Sandbox phone' }).boundingBox())!
      const field = (await page.getByRole('textbox', { name: 'Message', exact: true }).boundingBox())!
      expect(field.x + field.width).toBeLessThanOrEqual(phone.x)
      // The list is hidden last: it is there if both have room.
      expect(await page.getByRole('link', { name: /^Asha Rao/ }).isVisible()).toBe(width >= 1200)
      await page
        .getByRole('button', { name: /details/i })
        .first()
        .click()
      await page.getByRole('heading', { name: 'Asha Rao' }).first().waitFor()
      await picture(page, `phone-${width}-details`)
      await check('with details')
      // If the details have no room of their own, they cover the phone and leave it unchanged.
      if (width < 1600) await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: 'Sandbox phone' }).waitFor()
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
      await picture(page, `phone-${width}-dark`)
      expect(faults).toEqual([])
      await page.context().close()
    },
  )

  test('no page hides anything under the phone, and its panes stay readable', async () => {
    const { lead } = (await shop.post('/leads', { phone: '+919812345678', name: 'Asha Rao' })).body
    await shop.post('/tasks', { title: 'Call Asha', dueAt: '2027-01-01T00:00:00Z' })
    const booking = await madeBooking(shop)
    const { page, faults } = await openAt('inbox', 1280)
    await openPhone(page)
    const found: string[] = []
    const paths = [
      ...pagePaths(),
      ['lead', `leads/${lead?.id}`] as const,
      ['booking', `bookings/day?booking=${booking.id}`] as const,
    ]
    for (const width of [1024, 1280, 1366, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      for (const [id, path] of paths) {
        await page.evaluate(
          `history.pushState({}, '', '/w/${shop.workspaceId}/${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
        )
        await page.locator('#page h1').first().waitFor({ state: 'attached' })
        await page.waitForLoadState('networkidle')
        expect(await page.getByRole('dialog', { name: 'Sandbox phone' }).isVisible(), id).toBe(true)
        for (const expression of [NARROW, HIDDEN])
          found.push(
            ...((await page.evaluate(expression)) as string[]).map(
              (problem) => `${id} at ${width}: ${problem}`,
            ),
          )
        await picture(page, `phone-${width}-page-${id}`)
      }
    }
    expect(found).toEqual([])
    expect(faults).toEqual([])
    await page.context().close()
  })
})
