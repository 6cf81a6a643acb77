/** The browser's Back on a phone. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

describe.skipIf(!hasChromium)('Back on a phone', () => {
  let parley: TestParley
  let browser: Browser
  beforeAll(async () => {
    parley = await boot()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  test('leads from the details to the chat, and from the chat to the list', async () => {
    const shop = await parley.workspace({ sandbox: true })
    await shop.inbound('+919812345678', 'Is the blue one in stock?', { name: 'Asha Rao' })
    const { page, faults } = await openPage(
      await profileOf(browser, parley, await signIn(parley, shop, 'agent'), PHONE),
    )
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    await page.getByRole('link', { name: /Asha Rao/ }).click()
    await page.getByRole('heading', { name: 'Asha Rao' }).waitFor()
    const chat = page.url()
    await page.getByRole('button', { name: 'Details' }).click()
    const details = page.getByRole('dialog')
    await details.waitFor()
    await page.goBack()
    await details.waitFor({ state: 'detached' })
    expect(page.url()).toBe(chat)
    await page.goBack()
    await page.getByRole('link', { name: /Asha Rao/ }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/w/${shop.workspaceId}/inbox`)
    expect(faults).toEqual([])
  })
})
