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

  test('of a chat leads to its list, with its filter and in its place, wherever the chat was opened', async () => {
    const shop = await parley.workspace({ sandbox: true })
    for (let n = 0; n < 25; n++)
      await shop.inbound(`+9198123456${10 + n}`, 'Hello', { name: `Customer ${10 + n}` })
    await shop.advance(5)
    const { conversations } = (await shop.get('/conversations?limit=100')).body
    for (const { id } of conversations.slice(0, 20))
      await shop.patch(`/conversations/${id}`, { priority: 'high' })
    const agent = await signIn(parley, shop, 'agent')
    const { page, faults } = await openPage(await profileOf(browser, parley, agent, PHONE))
    const list = `/w/${shop.workspaceId}/inbox`
    await page.goto(`${list}?priority=high`)
    const rows = page.getByRole('navigation', { name: 'Chats' })
    await rows.getByRole('link').first().waitFor()
    await rows.evaluate((pane) => {
      pane.scrollTop = 500
    })
    await expect.poll(() => rows.evaluate((pane) => pane.scrollTop)).toBe(500)
    // From the list.
    const chat = conversations[10]
    await page.locator(`[data-conversation="${chat.id}"]`).scrollIntoViewIfNeeded()
    const place = await rows.evaluate((pane) => pane.scrollTop)
    const expectList = async () => {
      await rows.getByRole('link').first().waitFor()
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`${list}?priority=high`)
      await expect.poll(() => rows.evaluate((pane) => pane.scrollTop)).toBe(place)
    }
    const back = page.getByRole('link', { name: 'Back to chats' })
    await page.locator(`[data-conversation="${chat.id}"]`).click()
    await back.click()
    await expectList()
    // From the page of a contact, after another page.
    const open = (to: string) =>
      page.evaluate(
        `history.pushState(null, '', ${JSON.stringify(to)}); dispatchEvent(new PopStateEvent('popstate'))`,
      )
    await open(`/w/${shop.workspaceId}/contacts/${chat.contact.id}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await open(`${list}/${chat.id}`)
    await back.click()
    await expectList()
    // By a link to a message, as the palette opens it; and with filters of its own.
    const { messages } = (await shop.get(`/messages?conversationId=${chat.id}`)).body
    await open(`${list}/${chat.id}?message=${messages[0].id}`)
    await back.click()
    await expectList()
    await page.goto(`${list}/${chat.id}?priority=high&waiting=true`)
    await back.click()
    await rows.getByRole('link').first().waitFor()
    expect(new URL(page.url()).searchParams.get('waiting')).toBe('true')
    expect(faults).toEqual([])
  })
})
