/** Journeys 5, 6 and 9: without a connection, after the window, and with drafts nothing is lost or doubled. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

describe.skipIf(!hasChromium)('what is written is neither lost nor doubled', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  const chats = new Map<string, string>()
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true })
    for (const [phone, name] of [
      ['+919812345678', 'Asha Rao'],
      ['+919812345679', 'Ravi Menon'],
      ['+919812345680', 'Meera Iyer'],
    ] as const)
      await shop.inbound(phone, `Hello, this is ${name}`, { name })
    for (const { id, contact } of (await shop.get('/conversations')).body.conversations)
      chats.set(contact.name, id)
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  const open = async (name: string) => {
    const session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    const context = await profileOf(browser, parley, session)
    const { page } = await openPage(context)
    await show(page, name)
    return { context, page }
  }
  const show = async (page: Page, name: string) => {
    await page.goto(`/w/${shop.workspaceId}/inbox/${chats.get(name)}`)
    await page
      .getByRole('log', { name: `Messages with ${name}` })
      .getByText(`Hello, this is ${name}`)
      .waitFor()
  }
  const field = (page: Page) => page.getByRole('textbox', { name: 'Message' })
  const sent = async (name: string): Promise<string[]> =>
    (await shop.get(`/messages?conversationId=${chats.get(name)}&direction=outbound`)).body.messages.map(
      (message: { text: string }) => message.text,
    )

  test('messages that were written without a connection go out once, in their order', async () => {
    const { context, page } = await open('Asha Rao')
    await context.setOffline(true)
    for (const text of ['One', 'Two', 'Three']) {
      await field(page).fill(text)
      await field(page).press('Enter')
      await page.locator('[data-outbox]').filter({ hasText: text }).waitFor()
    }
    await page.getByText('You are offline.').waitFor()
    expect(await sent('Asha Rao')).toEqual([])
    await context.setOffline(false)
    await page.locator('[data-message]').filter({ hasText: 'Three' }).waitFor()
    expect(await sent('Asha Rao')).toEqual(['Three', 'Two', 'One'])
    await context.close()
  })

  test('an answer that was lost on the way is not sent twice', async () => {
    const { context, page } = await open('Asha Rao')
    let lost = 0
    await page.route('**/api/v1/send', async (route) => {
      if (lost++ > 0) return route.continue()
      // It arrives, and nobody hears of it.
      await route.fetch()
      await route.abort('connectionreset')
    })
    await field(page).fill('Only once')
    await field(page).press('Enter')
    await page.locator('[data-message]').filter({ hasText: 'Only once' }).waitFor()
    expect((await sent('Asha Rao')).filter((text) => text === 'Only once')).toHaveLength(1)
    await context.close()
  })

  test('a draft is kept for each chat and outlives a reload', async () => {
    const { context, page } = await open('Ravi Menon')
    await field(page).fill('I am still looking')
    await page.getByRole('link', { name: /Meera Iyer/ }).click()
    await page.getByRole('log', { name: 'Messages with Meera Iyer' }).waitFor()
    expect(await field(page).inputValue()).toBe('')
    await page.getByRole('link', { name: /Ravi Menon.*Draft: I am still looking/ }).waitFor()
    await page.reload()
    await show(page, 'Ravi Menon')
    expect(await field(page).inputValue()).toBe('I am still looking')
    await context.close()
  })

  test('when the clock closes the window, a template is what can be sent, and notes still can be written', async () => {
    const { context, page } = await open('Meera Iyer')
    await shop.advance(25 * 3_600)
    await page.getByText('The 24-hour window is closed').waitFor()
    expect(await field(page).count()).toBe(0)
    await page.getByRole('button', { name: 'Choose a template' }).click()
    await page.getByRole('dialog', { name: 'Send a template' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Write a note' }).click()
    await page.getByRole('textbox', { name: 'Internal note' }).fill('Call her back')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('log').getByText('Call her back').waitFor()
    expect(await sent('Meera Iyer')).toEqual([])
    await context.close()
  })
})
