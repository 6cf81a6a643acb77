/** The search of the settings, on their page and in the palette. */
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  colorScheme: 'dark',
}

describe.skipIf(!hasChromium)('the search of the settings', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  beforeAll(async () => {
    parley = await boot()
    browser = await launch()
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  const open = async (path: string, options: BrowserContextOptions = {}) => {
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'), {
      reducedMotion: 'reduce',
      ...options,
    })
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/${path}`)
    return { context, page, faults }
  }

  test('by keys: a result leads to its field, marks it, and moves the focus to it', async () => {
    const { context, page, faults } = await open('settings', { viewport: { width: 1280, height: 800 } })
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('csat')
    const results = page.getByRole('list', { name: 'Matching settings' })
    await results.getByRole('link', { name: 'Ratings and reviews' }).waitFor()
    await page.getByRole('status').getByText('1 setting', { exact: true }).waitFor({ state: 'attached' })
    const field = page.getByRole('searchbox', { name: 'Search settings' })
    await field.fill('days maximum')
    await results.getByRole('link', { name: 'Maximum days Security' }).waitFor()
    await picture(page, 'settings-search')
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const days = page.getByRole('spinbutton', { name: 'Maximum days' })
    await days.and(page.locator(':focus')).waitFor()
    await page.locator('[data-marked]').filter({ hasText: 'Maximum days' }).waitFor()
    await picture(page, 'settings-search-marked')
    await page.locator('[data-marked]').waitFor({ state: 'detached' })

    // A switch, and a part of the same page.
    await field.fill('require second')
    await results.getByRole('link', { name: /^Require a second factor/ }).click()
    await page
      .getByRole('switch', { name: /Require a second factor/ })
      .and(page.locator(':focus'))
      .waitFor()
    await field.fill('holidays')
    await field.press('ArrowDown')
    await results
      .getByRole('link', { name: /^Holidays and exceptions/ })
      .and(page.locator(':focus'))
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Holidays and exceptions' }).and(page.locator(':focus')).waitFor()
    await field.fill('zzz')
    await page.getByText('No setting matches.').waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('the palette finds the same, from every page', async () => {
    const { context, page, faults } = await open('tasks')
    await page.getByRole('heading', { name: 'Tasks' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('calling code')
    await page.getByRole('option', { name: 'Settings: Country calling code' }).waitFor()
    await picture(page, 'settings-search-palette')
    await page.getByRole('option', { name: 'Settings: Country calling code' }).click()
    await page.getByRole('textbox', { name: 'Country calling code' }).and(page.locator(':focus')).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('on a phone a result replaces the list of sections', async () => {
    const { context, page, faults } = await open('settings', PHONE)
    await page.getByRole('searchbox', { name: 'Search settings' }).fill('canned')
    await picture(page, 'settings-search-phone')
    await page.getByRole('link', { name: 'Saved replies' }).click()
    await page.getByRole('heading', { name: 'Saved replies', level: 2 }).waitFor()
    await page.getByRole('link', { name: 'All settings' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })
})
