/** Two agents take chats from the queue; the menu shows the number of unread chats. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

describe.skipIf(!hasChromium)('take next', () => {
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

  test('the longest wait is taken by key or button, and a clear answer follows the last', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.inbound('+919812345678', 'Is the blue one in stock?', { name: 'Asha Rao' })
    await shop.inbound('+919812345679', 'When do you open?', { name: 'Binoy Das' })
    const ravi = await signIn(parley, shop, 'agent')
    const context = await profileOf(browser, parley, ravi, { viewport: { width: 1280, height: 800 } })
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    await page.getByRole('link', { name: /^Asha Rao/ }).waitFor()
    const inbox = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Inbox' })
    await inbox.locator('[data-unread]', { hasText: '2' }).waitFor()
    await expect.poll(() => page.title()).toMatch(/^\(2\) /)
    expect(await inbox.getAttribute('aria-description')).toBe('2 unread chats')
    await page.keyboard.press('q')
    await page.getByRole('log', { name: 'Messages with Asha Rao' }).waitFor()
    await page.getByText('Asha Rao is assigned to you').first().waitFor()
    await page.getByRole('button', { name: 'Take next chat' }).click()
    await page.getByRole('log', { name: 'Messages with Binoy Das' }).waitFor()
    await picture(page, 'take-next')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Take next chat' }).click()
    await page.getByText('No unassigned chat is waiting for an answer').first().waitFor()
    const { conversations } = (await shop.get('/conversations')).body
    expect(conversations.map((chat: { assignedAgentId: string }) => chat.assignedAgentId)).toEqual([
      ravi.memberId,
      ravi.memberId,
    ])
    await shop.inbound('+919812345670', 'Hello', { name: 'Chitra' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    await page.getByRole('link', { name: /^Chitra/ }).waitFor()
    await picture(page, 'take-next-phone')
    // The browser reports the answer that no chat waits.
    expect(faults.filter((fault) => !/status of 404/.test(fault))).toEqual([])
    await context.close()
  })
})
