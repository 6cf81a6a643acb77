/** The owner hides numbers from agents and turns modules on; an agent answers a customer without seeing the number. */
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { type Browser as Session, signIn, signInByLink } from '../support/sessions.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const PHONE = '+919812345642'
const MASKED = '+91••••••••42'

describe.skipIf(!hasChromium)('hidden details and modules', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  beforeAll(async () => {
    parley = await boot()
    browser = await launch()
  })
  beforeEach(async () => {
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })
  const open = async (session: Session, path: string, options: BrowserContextOptions = {}) => {
    const context = await profileOf(browser, parley, session, options)
    const opened = await openPage(context)
    await opened.page.goto(`/w/${shop.workspaceId}/${path}`)
    return { context, ...opened }
  }
  const owner = () => signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })

  test('an agent answers a customer whose number is hidden', async () => {
    const { page: settings, context } = await open(await owner(), 'settings/security')
    await settings.getByRole('switch', { name: 'Hide from agents' }).click()
    await settings.getByText('Saved', { exact: true }).waitFor()
    await parley.caughtUp()
    expect(await violationsOf(settings)).toEqual([])
    await picture(settings, 'hidden-details-setting')
    await context.close()

    await shop.inbound(PHONE, 'Is the blue one in stock?')
    const agent = await signIn(parley, shop, 'agent')
    const { page, faults, context: agents } = await open(agent, 'inbox')
    await page.getByText('Is the blue one in stock?').first().click()
    await page.getByText(MASKED).first().waitFor()
    await page.getByRole('textbox', { name: /Message/ }).fill('Yes, it is.')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Yes, it is.').first().waitFor()
    expect(await page.content()).not.toContain('9812345642')
    await picture(page, 'hidden-details-inbox')
    const [contact] = (await agent.get('/contacts')).body.contacts
    await page.goto(`/w/${shop.workspaceId}/contacts/${contact.id}`)
    await page.getByText(MASKED).first().waitFor()
    await page.getByRole('button', { name: 'Add as lead' }).click()
    await page.getByRole('link', { name: /^Open the lead in/ }).waitFor()
    expect(await page.content()).not.toContain('9812345642')
    expect(faults).toEqual([])
    await agents.close()
  })

  test.each([
    ['wide', 1280, 'light'],
    ['phone', 390, 'dark'],
  ] as const)(
    'the owner turns bookings on and off; the menu follows: %s',
    async (name, width, colorScheme) => {
      const viewport = { width, height: 800 }
      const { page, faults, context } = await open(await owner(), 'settings/usage', { viewport, colorScheme })
      const bookings = page.getByRole('switch', { name: 'Bookings' })
      await bookings.click()
      await page.getByText('Bookings is on').waitFor()
      await bookings.and(page.locator('[aria-checked="true"]')).waitFor()
      expect(await violationsOf(page)).toEqual([])
      await picture(page, `modules-${name}`)
      const menu = page.getByRole('navigation', { name: 'Pages' })
      if (name === 'wide') {
        await menu.getByRole('button', { name: 'Sales' }).click()
        await menu.getByRole('link', { name: 'Bookings' }).waitFor()
      }
      await bookings.click()
      await page.getByText('Bookings is off').waitFor()
      if (name === 'wide') await menu.getByRole('link', { name: 'Bookings' }).waitFor({ state: 'detached' })
      expect(faults).toEqual([])
      await context.close()
    },
  )
})
