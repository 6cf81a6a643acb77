/**
 * The focus after a change of page, its announcement to a screen reader, and the focus after its row is
 * removed.
 */
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { approvedTemplate } from '../support/campaigns.ts'
import { signIn } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

describe.skipIf(!hasChromium)('a change of page', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.inbound('+919812345678', 'Is the blue one in stock?', { name: 'Asha Rao' })
    await approvedTemplate(parley, shop, { name: 'diwali_offer' })
    await shop.set({ modules: ['bookings'] })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  const open = async (path: string, options: BrowserContextOptions = {}) => {
    const session = await signIn(parley, shop, 'admin')
    const context = await profileOf(browser, parley, session, { reducedMotion: 'reduce', ...options })
    const opened = await openPage(context)
    await opened.page.goto(`/w/${shop.workspaceId}/${path}`)
    return { context, ...opened }
  }
  const waitForFocus = (page: Page, element: Locator) => element.and(page.locator(':focus')).waitFor()
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
  const waitForAnnouncement = (page: Page, text: string) =>
    page.locator('[aria-live=polite].sr-only').filter({ hasText: text }).waitFor({ state: 'attached' })

  test('by a row, by a key, and by the menu the heading gets the focus; going back returns it to the row', async () => {
    const { context, page, faults } = await open('contacts')
    const row = page.getByRole('link', { name: /Asha Rao/ })
    await row.press('Enter')
    await waitForFocus(page, heading(page, 'Asha Rao'))
    await page.keyboard.press('Escape')
    await waitForFocus(page, row)
    await page.keyboard.press('g')
    await page.keyboard.press('b')
    await waitForFocus(page, heading(page, 'Campaigns'))
    await page.getByRole('button', { name: 'Automation', exact: true }).press('Enter')
    await page.getByRole('link', { name: 'Bots', exact: true }).press('Enter')
    await waitForFocus(page, heading(page, 'Bots'))
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('Tasks')
    await page.getByRole('option', { name: 'Tasks' }).and(page.locator('[data-highlighted]')).waitFor()
    await page.keyboard.press('Enter')
    await waitForFocus(page, heading(page, 'Tasks'))
    expect(faults).toEqual([])
    await context.close()
  })

  test('the menu shows the entry of the current page, also on a low screen', async () => {
    const { context, page, faults } = await open('integrations', { viewport: { width: 1440, height: 480 } })
    const menu = page.getByRole('navigation', { name: 'Pages' })
    const isInView = async (name: string): Promise<boolean> => {
      const pane = (await menu.locator('.pane').boundingBox())!
      const entry = (await menu.getByRole('link', { name, exact: true }).boundingBox())!
      return entry.y >= pane.y - 1 && entry.y + entry.height <= pane.y + pane.height + 1
    }
    await heading(page, 'Integrations').waitFor()
    await until(() => isInView('Integrations'), 'the menu shows the opened page')
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await waitForFocus(page, heading(page, 'Contacts'))
    await until(() => isInView('Contacts'), 'the menu shows the next page')
    expect(faults).toEqual([])
    await context.close()
  })

  test('after a click the heading has no ring', async () => {
    const { context, page, faults } = await open('contacts')
    await page.getByRole('link', { name: /Asha Rao/ }).click()
    await waitForFocus(page, heading(page, 'Asha Rao'))
    expect(await page.locator(':focus-visible').count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })

  test('details next to a list are announced, and the row keeps the focus; on a phone their heading gets it', async () => {
    const wide = await open('templates')
    const row = wide.page.getByRole('link', { name: /diwali_offer/ })
    await row.press('Enter')
    await waitForAnnouncement(wide.page, 'diwali_offer')
    await waitForFocus(wide.page, row)
    expect(wide.faults).toEqual([])
    await wide.context.close()

    const { context, page, faults } = await open('templates', PHONE)
    await page.getByRole('link', { name: /diwali_offer/ }).press('Enter')
    await waitForFocus(page, heading(page, 'diwali_offer'))
    await page.getByRole('link', { name: 'Back to templates' }).press('Enter')
    await waitForFocus(page, page.getByRole('link', { name: /diwali_offer/ }))
    expect(faults).toEqual([])
    await context.close()
  })

  test('a chat opened by keyboard is announced; on a phone its name gets the focus, and later its row again', async () => {
    const wide = await open('inbox')
    await wide.page.getByRole('link', { name: /^Asha Rao/ }).waitFor()
    await wide.page.keyboard.press('j')
    await waitForFocus(wide.page, wide.page.getByRole('link', { name: /^Asha Rao/ }))
    await wide.page.keyboard.press('Enter')
    await waitForAnnouncement(wide.page, 'Asha Rao')
    await waitForFocus(wide.page, wide.page.getByRole('link', { name: /^Asha Rao/ }))
    expect(wide.faults).toEqual([])
    await wide.context.close()

    const { context, page, faults } = await open('inbox', PHONE)
    await page.getByRole('link', { name: /^Asha Rao/ }).press('Enter')
    await waitForFocus(page, heading(page, 'Asha Rao'))
    await page.keyboard.press('Escape')
    await waitForFocus(page, page.getByRole('link', { name: /^Asha Rao/ }))
    expect(faults).toEqual([])
    await context.close()
  })

  test("after a dialog creates a record, the focus is on the record's heading", async () => {
    const { context, page, faults } = await open('bots')
    await page.getByRole('button', { name: 'Create bot' }).first().press('Enter')
    await page.getByRole('dialog', { name: 'Create bot' }).waitFor()
    await page.keyboard.type('Front desk')
    await page.keyboard.press('Enter')
    await waitForFocus(page, heading(page, 'Front desk'))
    expect(faults).toEqual([])
    await context.close()
  })

  test('a field that takes the focus keeps it, and the page is announced', async () => {
    const { context, page, faults } = await open('campaigns')
    await heading(page, 'Campaigns').waitFor()
    await page.keyboard.press('c')
    await waitForFocus(page, page.getByLabel('Name', { exact: true }))
    await waitForAnnouncement(page, 'New campaign')
    await waitForFocus(page, page.getByLabel('Name', { exact: true }))
    expect(faults).toEqual([])
    await context.close()
  })

  test('searching and changing the day move no focus', async () => {
    const { context, page, faults } = await open('contacts')
    const search = page.getByRole('searchbox')
    await search.fill('Asha')
    await page.waitForURL(/Asha/)
    await waitForFocus(page, search)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Sales', exact: true }).press('Enter')
    await page.getByRole('link', { name: 'Bookings', exact: true }).press('Enter')
    await waitForFocus(page, heading(page, 'Bookings'))
    const tomorrow = page.getByRole('button', { name: 'Later', exact: true })
    await tomorrow.press('Enter')
    await page.waitForURL(/bookings\/day\/\d/)
    await waitForFocus(page, tomorrow)
    expect(faults).toEqual([])
    await context.close()
  })

  test('removing a row by keyboard moves the focus to the row in its place', async () => {
    await shop.post('/tags', { name: 'gold' })
    await shop.post('/tags', { name: 'vip' })
    const { context, page, faults } = await open('settings/tags')
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    for (const [tag, next] of [
      ['gold', 'Edit vip'],
      ['vip', 'Add tag'],
    ] as const) {
      await button(`Remove ${tag}`).press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter')
      await waitForFocus(page, button(next).first())
    }
    await page.getByRole('button', { name: 'Automation', exact: true }).press('Enter')
    await page.getByRole('link', { name: 'Automations', exact: true }).press('Enter')
    await heading(page, 'Automations').waitFor()
    await page.keyboard.press('c')
    const add = button('Add condition')
    await add.press('Enter')
    await add.press('Enter')
    await button('Remove condition 2').press('Enter')
    const first = page.getByRole('listitem', { name: 'Condition 1' })
    await waitForFocus(page, first.getByRole('combobox', { name: 'Field' }))
    await button('Remove condition 1').press('Enter')
    await waitForFocus(page, add)
    expect(faults).toEqual([])
    await context.close()
  })
})
