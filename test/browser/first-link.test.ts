/** Journey 1: from the first link to an answer that the customer has read. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSignInLink, signInPath } from '../../src/modules/platform/access/operations/sign-in-links.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

describe.skipIf(!hasChromium)('from the first link to an answer that was read', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  test.each([
    ['on a desk', {}],
    ['on a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ])('%s', async (place, options) => {
    const isPhone = place === 'on a phone'
    const context = await profileOf(browser, parley, undefined, options)
    const { page, faults } = await openPage(context)
    const link = await parley.system((tx) => createSignInLink(tx, shop.ownerId, new Date()))
    await page.goto(signInPath(link))
    await page.getByRole('heading', { name: 'First steps' }).waitFor()

    // The customer messages.
    const text = `Is the blue one in stock? (${place})`
    await page.goto(`/w/${shop.workspaceId}/sandbox`)
    await page.getByLabel('Message as Asha Rao').fill(text)
    await page.getByLabel('Message as Asha Rao').press('Enter')
    await page.getByRole('log').getByText(text).waitFor()

    // The chat is in the inbox; the member answers.
    await page.getByRole('link', { name: 'Inbox', exact: true }).click()
    await page.getByRole('link', { name: /Asha Rao/ }).click()
    const thread = page.getByRole('log', { name: 'Messages with Asha Rao' })
    await thread.getByText(text).waitFor()
    const answer = `Yes, in every size. (${place})`
    const field = page.getByRole('textbox', { name: 'Message' })
    await field.fill(answer)
    await field.press('Enter')
    const bubble = thread.locator('[data-message]').filter({ hasText: answer })
    await bubble.waitFor()

    // The clock moves on the phone next to the chat: the ticks update by themselves.
    await shop.advance(10)
    await bubble.locator('[data-status=read]').waitFor()
    if (!isPhone) {
      // Letter shortcuts are off while the member types.
      await field.press('Escape')
      await page.keyboard.press('g')
      await page.keyboard.press('p')
      const phone = page.getByRole('dialog', { name: 'Sandbox phone' })
      await phone.getByText(answer).waitFor()
      // The end of a key sequence is no separate shortcut: `p` alone would have raised the priority.
      expect((await shop.get('/conversations')).body.conversations[0].priority).toBe('normal')
    }
    expect(faults).toEqual([])
    await context.close()
  })
})
