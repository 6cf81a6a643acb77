/** A chat that is handled without a mouse, with the texts for a screen reader. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

describe.skipIf(!hasChromium)('the inbox by keys', () => {
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
  const waitForFocus = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor()

  test('a chat is opened, assigned, tagged, answered, and resolved; the senders are announced too', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.inbound('+919812345678', 'Is the blue one in stock?', { name: 'Asha Rao' })
    const ravi = await signIn(parley, shop, 'agent')
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    await page.getByRole('link', { name: /^Asha Rao/ }).waitFor()
    await page.keyboard.press('j')
    await waitForFocus(page, '[data-conversation]')
    await page.keyboard.press('Enter')
    const log = page.getByRole('log', { name: 'Messages with Asha Rao' })
    await log.getByText('Is the blue one in stock?').waitFor()

    await page.keyboard.press('a')
    await waitForFocus(page, '[role=combobox]')
    await page.keyboard.type('the agent')
    await page.getByRole('option', { name: 'The agent' }).and(page.locator('[data-highlighted]')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Assigned to The agent').first().waitFor()
    await page.getByRole('dialog', { name: 'Assign', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'Add a tag' }).waitFor()
    await page.keyboard.press('t')
    await waitForFocus(page, 'input')
    await page.keyboard.type('vip')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove the tag vip' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('r')
    await waitForFocus(page, 'textarea')
    await page.keyboard.type('Yes, in every size.')
    await page.keyboard.press('Enter')
    await log.getByText('Yes, in every size.').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('e')
    const readStored = async () => {
      const { conversations } = (await shop.get('/conversations')).body
      const { state, assignedAgentId, tags } = conversations[0]
      return { state, assignedAgentId, tags }
    }
    // The page shows it before the server has confirmed it.
    await expect
      .poll(readStored)
      .toEqual({ state: 'resolved', assignedAgentId: ravi.memberId, tags: ['vip'] })
    await until(async () => (await log.locator('[data-message]').count()) === 2, 'both messages are shown')
    expect(await log.locator('[data-message]').allInnerTexts()).toEqual([
      expect.stringMatching(/^Customer\s+Is the blue one in stock\?/),
      expect.stringMatching(/^You\s+Yes, in every size\./),
    ])
    expect(faults).toEqual([])
    await context.close()
  })

  test('g and a letter open a page even where the letter alone is a shortcut', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.inbound('+919812345678', 'Is the blue one in stock?', { name: 'Asha Rao' })
    const [chat] = (await shop.get('/conversations')).body.conversations
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox/${chat.id}`)
    await page.getByRole('textbox', { name: 'Message' }).waitFor()
    for (const [letter, title] of [
      ['a', 'Analytics'],
      ['c', 'Contacts'],
      ['b', 'Campaigns'],
      ['c', 'Contacts'],
      ['l', 'Leads'],
      ['c', 'Contacts'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(letter)
      await page.getByRole('heading', { name: title, exact: true }).waitFor()
    }
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect((await shop.get(`/conversations/${chat.id}`)).body.conversation.assignedAgentId).toBeNull()
    expect(faults).toEqual([])
    await context.close()
  })
})
