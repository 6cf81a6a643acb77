/** The menu: few entries, groups that fold, and pinned pages, which follow the member to every device. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { DASHBOARD, type Browser as Session, signIn } from '../support/sessions.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const WIDE: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }

describe.skipIf(!hasChromium)('the menu', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  beforeAll(async () => {
    parley = await boot()
    browser = await launch()
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.set({ modules: ['invoicing', 'bookings', 'reviews'], socialAddon: true })
    await shop.inbound('+919812345678', 'Is the blue one in stock?', { name: 'Asha Rao' })
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  const open = async (session: Session, options = WIDE) => {
    const context = await profileOf(browser, parley, session, { reducedMotion: 'reduce', ...options })
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    await page.getByRole('link', { name: /^Asha Rao/ }).waitFor()
    return { context, page, faults, menu: page.getByRole('navigation', { name: 'Pages' }) }
  }
  const entriesOf = (page: Page): Promise<string[]> =>
    page
      .getByRole('navigation', { name: 'Pages' })
      .locator('a, [aria-expanded]:not([aria-haspopup])')
      .evaluateAll((entries) =>
        entries.map((entry) => entry.querySelector('.truncate')?.textContent ?? entry.textContent ?? ''),
      )
  const savedMenu = async (session: Session) =>
    (await session.get(`${DASHBOARD}/preferences`)).body.preferences.menu

  test('has at most nine entries, and its groups stay as they were left, in another browser too', async () => {
    const session = await signIn(parley, shop, 'admin')
    const { context, page, faults, menu } = await open(session)
    expect(await entriesOf(page)).toEqual([
      'Notifications',
      'Inbox',
      'Contacts',
      'Sales',
      'Marketing',
      'Automation',
      'Analytics',
      'Developers',
      'Administration',
    ])
    await picture(page, 'menu-folded')
    const group = menu.getByRole('button', { name: 'Sales' })
    await group.press('Enter')
    await menu.getByRole('link', { name: 'Leads' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await picture(page, 'menu-open')
    await expect.poll(() => savedMenu(session)).toMatchObject({ open: ['sell'] })

    const other = await open(session)
    await other.menu.getByRole('link', { name: 'Leads' }).waitFor()
    await other.menu.getByRole('button', { name: 'Sales' }).click()
    await other.menu.getByRole('link', { name: 'Leads' }).waitFor({ state: 'detached' })
    await other.context.close()

    // A folded group shows the current page.
    await page.goto(`/w/${shop.workspaceId}/webhooks`)
    await menu.getByRole('link', { name: 'Webhooks' }).waitFor()
    expect(await menu.getByRole('button', { name: 'Developers' }).getAttribute('aria-expanded')).toBe('false')
    expect(await menu.getByRole('link', { name: 'API keys' }).count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })

  test('a page is pinned by a right click, by keys, and unpinned again; pinned pages are moved by keys and by drag', async () => {
    const session = await signIn(parley, shop, 'admin')
    const { context, page, faults, menu } = await open(session)
    await menu.getByRole('button', { name: 'Marketing' }).click()
    await menu.getByRole('link', { name: 'Campaigns' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Pin to top' }).waitFor()
    await picture(page, 'menu-options')
    await page.getByRole('menuitem', { name: 'Pin to top' }).click()
    await expect.poll(() => savedMenu(session)).toMatchObject({ pinned: ['inbox', 'contacts', 'campaigns'] })
    await menu.getByRole('status').getByText('Campaigns is pinned').waitFor({ state: 'attached' })
    const campaigns = menu.getByRole('link', { name: 'Campaigns' })
    await campaigns.and(page.locator(':focus')).waitFor()

    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => savedMenu(session)).toMatchObject({ pinned: ['inbox', 'campaigns', 'contacts'] })
    await menu.getByRole('status').getByText('Campaigns is now number 2 of 3').waitFor({ state: 'attached' })
    await campaigns.and(page.locator(':focus')).waitFor()
    // The letters of the entry are visible while it has the focus.
    await campaigns.locator('kbd').first().waitFor()

    await menu.getByRole('link', { name: 'Contacts' }).dragTo(menu.getByRole('link', { name: 'Inbox' }))
    await expect.poll(() => savedMenu(session)).toMatchObject({ pinned: ['contacts', 'inbox', 'campaigns'] })
    await menu.getByRole('link', { name: 'Templates' }).dragTo(campaigns)
    await expect
      .poll(() => savedMenu(session))
      .toMatchObject({ pinned: ['contacts', 'inbox', 'templates', 'campaigns'] })
    await picture(page, 'menu-pinned')

    // The current page, by its keys.
    await page.getByText('Choose a chat').click()
    await page.keyboard.press('g')
    await page.keyboard.press('.')
    await expect
      .poll(() => savedMenu(session))
      .toMatchObject({ pinned: ['contacts', 'templates', 'campaigns'] })
    await menu.getByRole('link', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('Shift+?')
    await page.getByRole('dialog').getByText('Pin or unpin this page in the menu').waitFor()
    await page.getByRole('dialog').getByText('Automations', { exact: true }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('on a phone the first pinned pages are tabs, and More has every other page', async () => {
    const session = await signIn(parley, shop, 'admin')
    await session.patch(`${DASHBOARD}/preferences`, {
      menu: { pinned: ['inbox', 'tasks', 'gone', 'leads', 'invoices'], open: [] },
    })
    const { context, page, faults, menu } = await open(session, PHONE)
    const tabs = menu.getByRole('link')
    await menu.getByRole('link', { name: 'Leads' }).waitFor()
    expect((await tabs.allInnerTexts()).map((text) => text.trim())).toEqual([
      'Inbox',
      'Tasks',
      'Leads',
      'Notifications',
    ])
    await menu.getByRole('button', { name: 'More' }).click()
    for (const name of [
      'Search',
      'Invoices',
      'Contacts',
      'Campaigns',
      'Bots',
      'Analytics',
      'Webhooks',
      'Profile',
    ])
      await page.getByRole('menuitem', { name, exact: true }).waitFor()
    await picture(page, 'menu-phone-more')
    await page.getByRole('menuitem', { name: 'Bots' }).click()
    await page.getByRole('heading', { name: 'Bots' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('between the widths, the menu is a row of icons with the same groups', async () => {
    const session = await signIn(parley, shop, 'admin')
    const { context, page, faults, menu } = await open(session, { viewport: { width: 900, height: 700 } })
    await menu.getByRole('button', { name: 'Automation' }).click()
    await menu.getByRole('link', { name: 'Bots' }).click()
    await page.getByRole('heading', { name: 'Bots' }).waitFor()
    await picture(page, 'menu-narrow')
    expect(await violationsOf(page)).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })
})
