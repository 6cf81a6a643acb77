/** A member finds messages in a long chat, and goes from match to match. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { untilRead } from '../support/read-words.ts'
import { signIn } from '../support/sessions.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

describe.skipIf(!hasChromium)('find in a chat', () => {
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

  test('matches are shown in their place, from the newest to the oldest and back', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const phone = '+919812345678'
    const write = (text: string) => shop.inbound(phone, text, { name: 'Asha Rao' })
    await write('The first kettle is blue')
    for (let line = 1; line <= 70; line++) await write(`Line ${line}`)
    await write('The second kettle is red')
    for (let line = 71; line <= 90; line++) await write(`Line ${line}`)
    await write('The third kettle is green')
    const [{ id }] = (await shop.get('/conversations')).body.conversations
    await untilRead(parley, shop.workspaceId, 'green')
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'agent'), {
      viewport: { width: 1280, height: 800 },
    })
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox/${id}`)
    await page.getByText('The third kettle is green').last().waitFor()
    const hit = page.locator('[data-hit]')
    const waitForHit = (text: string) => hit.getByText(text).waitFor()

    await page.getByRole('textbox', { name: 'Message' }).focus()
    await page.keyboard.press('Control+f')
    await page.locator('search input:focus').waitFor()
    await page.keyboard.type('kett')
    await page.getByText('1 of 3').waitFor()
    await waitForHit('The third kettle is green')
    await page.keyboard.press('Enter')
    await page.getByText('2 of 3').waitFor()
    await waitForHit('The second kettle is red')
    await picture(page, 'find-in-chat')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Older match' }).click()
    await waitForHit('The first kettle is blue')
    await page.getByRole('searchbox', { name: 'Find in this chat' }).focus()
    await page.keyboard.press('Shift+Enter')
    await waitForHit('The second kettle is red')
    await page.getByRole('searchbox', { name: 'Find in this chat' }).fill('teapot')
    await page.getByText('No message found').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox', { name: 'Find in this chat' }).waitFor({ state: 'detached' })
    // The place stays, and the keys of the chat work.
    await waitForHit('The second kettle is red')
    await page.keyboard.press('n')
    await page.getByRole('textbox', { name: 'Internal note' }).waitFor()

    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: 'More', exact: true }).first().click()
    await page.getByRole('menuitem', { name: /^Find in chat/ }).click()
    await page.getByRole('searchbox', { name: 'Find in this chat' }).fill('blue')
    await waitForHit('The first kettle is blue')
    await picture(page, 'find-in-chat-phone')
    expect(faults).toEqual([])
    await context.close()
  })
})
