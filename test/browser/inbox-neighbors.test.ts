/** The next chat after an answer, and notices that stay away from the composer and the details. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

describe.skipIf(!hasChromium)('neighbors of a chat', () => {
  let parley: TestParley
  let browser: Browser
  let shop: TestWorkspace
  beforeAll(async () => {
    parley = await boot()
    browser = await launch()
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    for (const [i, name] of ['Fourth', 'Third', 'Second', 'First'].entries())
      await shop.inbound(`+91981230000${i}`, `I am ${name}`, { name: `${name} Customer` })
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  const openInbox = async () => {
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'agent'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    await page.getByRole('link', { name: /^Third Customer/ }).waitFor()
    return { context, page, faults }
  }
  const isOpen = (page: Page, name: string) =>
    page
      .locator('header')
      .getByRole('heading', { level: 2, name: `${name} Customer` })
      .waitFor()
  const rows = (page: Page) => page.getByRole('navigation', { name: 'Chats' }).locator('[data-conversation]')
  const firstRow = async (page: Page) => ((await rows(page).first().textContent()) ?? '').includes('Third')

  const overlaps = async (a: Locator, b: Locator): Promise<boolean> => {
    const [first, second] = [(await a.boundingBox())!, (await b.boundingBox())!]
    return (
      first.x < second.x + second.width &&
      second.x < first.x + first.width &&
      first.y < second.y + second.height &&
      second.y < first.y + first.height
    )
  }

  test('] and [ keep the place in the list, although the answered chat moved to the top', async () => {
    const { context, page, faults } = await openInbox()
    await page.getByRole('link', { name: /^Third Customer/ }).click()
    await isOpen(page, 'Third')
    await page.getByRole('textbox', { name: 'Message' }).fill('Here is your answer.')
    await page.keyboard.press('Enter')
    // The pointer leaves the list, so that its rows may move.
    await page.getByRole('log').hover()
    await until(() => firstRow(page), 'the answered chat is at the top')
    await page.keyboard.press('Escape')
    await page.keyboard.press(']')
    await isOpen(page, 'Fourth')
    expect(faults).toEqual([])
    await context.close()
  })

  test('"Resolve and next" resolves the chat and opens the next one, by key and in the menu', async () => {
    const { context, page, faults } = await openInbox()
    await page.getByRole('link', { name: /^First Customer/ }).click()
    await isOpen(page, 'First')
    await page.getByRole('log').hover()
    const stateOf = async (name: string) => {
      const { conversations } = (await shop.get('/conversations')).body
      return conversations.find(
        ({ contact }: { contact: { name: string } }) => contact.name === `${name} Customer`,
      ).state
    }
    await page.locator('body').press('Shift+E')
    await isOpen(page, 'Second')
    await expect.poll(() => stateOf('First')).toBe('resolved')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: /^Resolve and next/ }).click()
    await isOpen(page, 'Fourth')
    await expect.poll(() => stateOf('Second')).toBe('resolved')
    expect(faults).toEqual([])
    await context.close()
  })

  test.each([
    ['wide', 1440, 900],
    ['1280', 1280, 800],
    ['700', 700, 800],
    ['640', 640, 800],
    ['390', 390, 844],
  ])(
    'a notice covers neither Send nor the details, is alone, and goes with the next action: %s',
    async (name, width, height) => {
      const { context, page, faults } = await openInbox()
      await page.setViewportSize({ width, height })
      await page.getByRole('link', { name: /^Third Customer/ }).click()
      await isOpen(page, 'Third')
      const notices = page.locator('[data-notices] > *')
      const resolve = page.getByRole('button', { name: /^(Resolve|Reopen)$/ })
      await resolve.click()
      await notices.getByText('Resolved', { exact: true }).waitFor()
      await picture(page, `notice-${name}`)
      const notice = notices.first()
      expect(
        await overlaps(notice, page.getByRole('button', { name: /^(Send|Record a voice message)$/ })),
      ).toBe(false)
      expect(await overlaps(notice, page.getByRole('textbox', { name: 'Message' }))).toBe(false)
      expect(await overlaps(notice, resolve)).toBe(false)
      const details = page.getByRole('complementary', { name: 'Details' })
      if (await details.isVisible()) expect(await overlaps(notice, details)).toBe(false)
      // Another notice replaces it.
      await resolve.click()
      await notices.getByText('Reopened', { exact: true }).waitFor()
      await until(async () => (await notices.count()) === 1, 'one notice is left')
      // A click on a control is the next action; typing a message is none.
      await until(async () => {
        await page.getByRole('textbox', { name: 'Message' }).click()
        return (await notices.count()) === 0
      }, 'the notice is gone')
      expect(faults).toEqual([])
      await context.close()
    },
  )
})
