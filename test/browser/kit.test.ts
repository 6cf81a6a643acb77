/** Parts of the kit that are loaded on first use: by the pointer, by keyboard, and with the right focus. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signInByLink } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

describe.skipIf(!hasChromium)('parts that open', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let page: Page
  let faults: string[]
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    browser = await launch()
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    ;({ page, faults } = await openPage(await profileOf(browser, parley, session)))
    await page.goto(`/w/${shop.workspaceId}/sandbox`)
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
  })
  afterAll(async () => {
    expect(faults).toEqual([])
    await browser?.close()
    await parley?.close()
  })

  test('a menu opens by a key on its button, and returns the focus', async () => {
    const button = page.getByRole('button', { name: /^Account/ })
    await button.focus()
    await page.keyboard.press('ArrowDown')
    const menu = page.getByRole('menu')
    await menu.waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('menuitemcheckbox').and(page.locator('[data-highlighted]')).waitFor()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    await button.and(page.locator(':focus')).waitFor()
    // The second time it is already loaded.
    await page.keyboard.press('Enter')
    await menu.waitFor()
    await page.getByRole('menuitemcheckbox', { name: 'Compact' }).click()
    await page.locator('[data-density=compact]').waitFor({ state: 'attached' })
  })

  test('choices open by a key, follow the arrow keys, and return the focus', async () => {
    await page.goto(`/w/${shop.workspaceId}/events`)
    const choice = page.getByRole('combobox').first()
    const before = await choice.textContent()
    await choice.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('listbox').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    expect(await choice.textContent()).not.toBe(before)
    await page.locator('[role=combobox]:focus').waitFor()
  })

  /** Popups take a second to close, as on a crowded machine. */
  const closeSlowly = () =>
    page.evaluate("document.styleSheets[0].insertRule('.pop { transition-duration: 1s !important }')")

  test('choices that are still closing leave the focus where the user has moved it', async () => {
    await page.goto(`/w/${shop.workspaceId}/profile`)
    const pages = page.getByRole('combobox', { name: 'Page' })
    // The first time it is loaded, the second time it is already there.
    for (const chosen of ['Contacts', 'Templates']) {
      await pages.click()
      await closeSlowly()
      await page.getByRole('option', { name: chosen }).click()
      const next = page.getByRole('textbox', { name: 'Name' })
      await next.focus()
      await page.getByRole('listbox').waitFor({ state: 'detached' })
      expect(await next.and(page.locator(':focus')).count()).toBe(1)
    }
  })

  test('so does a menu that is still closing', async () => {
    await page.goto(`/w/${shop.workspaceId}/profile`)
    const next = page.getByRole('textbox', { name: 'Name' })
    await next.waitFor()
    await closeSlowly()
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Comfortable' }).waitFor()
    await page.keyboard.press('Escape')
    await next.focus()
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect(await next.and(page.locator(':focus')).count()).toBe(1)
  })

  test('so does a dialog that is still closing', async () => {
    await page.goto(`/w/${shop.workspaceId}/contacts`)
    const search = page.getByRole('searchbox').first()
    await search.waitFor()
    await closeSlowly()
    await page.getByRole('button', { name: 'Add contact' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input:focus').first().waitFor()
    await page.keyboard.press('Escape')
    await search.focus()
    await dialog.waitFor({ state: 'detached' })
    expect(await search.and(page.locator(':focus')).count()).toBe(1)
  })

  test('choices in a dialog return the focus the first time too, and not to the close button', async () => {
    await page.goto(`/w/${shop.workspaceId}/bots`)
    await page.getByRole('button', { name: 'Create bot' }).first().click()
    const dialog = page.getByRole('dialog')
    const choice = dialog.getByRole('combobox')
    for (const chosen of ['Questions', 'Menu']) {
      await choice.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('option', { name: chosen }).click()
      await page.getByRole('listbox').waitFor({ state: 'detached' })
      await choice.and(page.locator(':focus')).waitFor()
      expect(await choice.textContent()).toBe(chosen)
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('a dialog whose first field takes the focus returns it to the button that opened it', async () => {
    await page.goto(`/w/${shop.workspaceId}/contacts`)
    const button = page.getByRole('button', { name: 'Add contact' }).first()
    const dialog = page.getByRole('dialog')
    // The first time it is loaded, the second time it is already there.
    for (let i = 0; i < 2; i++) {
      await button.focus()
      await page.keyboard.press('Enter')
      await dialog.locator('input:focus').first().waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await button.and(page.locator(':focus')).waitFor()
    }
  })

  test('a dialog that is opened from a menu has the focus, and returns it to the button of the menu', async () => {
    await page.goto(`/w/${shop.workspaceId}/settings/numbers`)
    const button = page.getByRole('button', { name: /^Actions for/ })
    const menu = page.getByRole('menu')
    const dialog = page.getByRole('dialog')
    for (let i = 0; i < 2; i++) {
      await button.focus()
      await page.keyboard.press('Enter')
      await menu.getByRole('menuitem', { name: 'Disconnect' }).click()
      await dialog.waitFor()
      await menu.waitFor({ state: 'detached' })
      await dialog.locator(':focus').waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await button.and(page.locator(':focus')).waitFor()
    }
  })

  test('a letter that is typed while the previous search is running stays', async () => {
    await page.goto(`/w/${shop.workspaceId}/contacts`)
    const field = page.getByRole('searchbox', { name: 'Search names and numbers' })
    await field.waitFor()
    // The letter follows directly after the pause that starts a search.
    await page.evaluate(`{
      const field = document.querySelector('input[type=search]')
      const later = window.setTimeout
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
      let typed = false
      window.setTimeout = (run, ms, ...more) => later(() => {
        run(...more)
        if (typed || field.value !== 'Ash') return
        typed = true
        set.call(field, 'Asha')
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }, ms)
    }`)
    await field.pressSequentially('Ash')
    await page.waitForURL(/search=Asha$/)
    expect(await field.inputValue()).toBe('Asha')
  })

  test('text typed in the middle of a search stays where it was typed', async () => {
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    const field = page.getByRole('searchbox', { name: 'Search chats and messages' })
    await field.fill('Rao')
    await page.waitForURL(/search=Rao$/)
    await field.press('Home')
    await page.keyboard.type('Asha ', { delay: 50 })
    await page.waitForURL(/search=Asha\+Rao$/)
    expect(await field.inputValue()).toBe('Asha Rao')
  })

  test("the current page is highlighted in a reader's own colors too", async () => {
    const ground = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`)
    await page.emulateMedia({ forcedColors: 'active' })
    const open = await ground('nav a[aria-current=page]')
    const others = [await ground('nav a:not([aria-current])'), await ground('body')]
    await page.emulateMedia({ forcedColors: 'none' })
    expect(others).not.toContain(open)
  })

  test('with reduced motion, loading indicators do not move', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    await page.route('**/api/v1/contacts?*', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`/w/${shop.workspaceId}/contacts`)
    const outline = page.getByRole('status', { name: 'Loading' }).first()
    await outline.waitFor()
    const countAnimations = () =>
      page.evaluate(`document.getAnimations().filter(({ playState }) => playState === 'running').length`)
    await expect.poll(countAnimations).toBe(0)
    letGo()
    await outline.waitFor({ state: 'detached' })
    await page.unrouteAll({ behavior: 'wait' })
    await page.emulateMedia({ reducedMotion: 'no-preference' })
  })

  test("a tooltip shows a button's action and shortcut; Escape hides it", async () => {
    await page.getByRole('button', { name: 'Phone' }).hover()
    const tip = page.getByText('Open or close the sandbox phone')
    await tip.waitFor()
    await page.keyboard.press('Escape')
    await tip.waitFor({ state: 'detached' })
  })

  test('a part that is lost on a broken connection is loaded again, and the page stays', async () => {
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page: broken } = await openPage(context)
    let broke = 0
    let documents = 0
    broken.on('request', (request) => (documents += request.isNavigationRequest() ? 1 : 0))
    await broken.route(/\/popups-[^/]*\.js/, (route) => (broke++ < 3 ? route.abort() : route.continue()))
    await broken.goto(`/w/${shop.workspaceId}/sandbox`)
    const phone = broken.getByRole('button', { name: 'Phone' })
    await phone.waitFor()
    await phone.hover()
    await broken.getByText('Open or close the sandbox phone').waitFor()
    expect(broke).toBeGreaterThan(2)
    await phone.waitFor()
    expect(documents).toBe(1)
    await context.close()
  })

  test('a part that a newer build has replaced reloads the page, one time', async () => {
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page: outdated } = await openPage(context)
    let documents = 0
    outdated.on('request', (request) => (documents += request.isNavigationRequest() ? 1 : 0))
    await outdated.route(/\/(?:popups|[a-z]+-popup|toast-list)-[^/]*\.js/, (route) =>
      route.fulfill({ status: 404 }),
    )
    await outdated.goto(`/w/${shop.workspaceId}/sandbox`)
    const phone = outdated.getByRole('button', { name: 'Phone' })
    await phone.waitFor()
    // The part is requested with the first hover.
    await phone.hover()
    await until(async () => documents === 2, 'the page is reloaded')
    await phone.waitFor()
    await phone.hover()
    await outdated.waitForLoadState('networkidle')
    expect(documents).toBe(2)
    await context.close()
  })
})
