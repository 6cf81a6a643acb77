/**
 * A direct chat of the photo network in the inbox: a customer writes with a picture; an agent finds the chat, assigns it, writes
 * a note, answers within the network's limits, and resolves it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newMid } from '../../src/social-network/simulator/calls/chats.ts'
import { boot, type TestParley } from '../support/boot.ts'
import { movingClock } from '../support/moving-clock.ts'
import { makeFileHost } from '../support/post-files.ts'
import { signIn } from '../support/sessions.ts'
import {
  armSocialFault,
  atNetwork,
  customerComments,
  customerWrites,
  openSocialShop,
  type SocialShop,
} from '../support/social-shop.ts'
import { until } from '../support/until.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const DAY_MS = 86_400_000
const PHOTO = readFileSync(join(import.meta.dirname, '../../docs/guides/pictures/inbox.png'))
/** The browser's console message about an expected error answer. */
const REFUSED = /^Failed to load resource: the server responded with a status of (404|409|422|502)/

describe.skipIf(!hasChromium)('a social chat in the inbox', () => {
  const clock = movingClock()
  let parley: TestParley
  let browser: Browser
  let files: Awaited<ReturnType<typeof makeFileHost>>
  beforeAll(async () => {
    files = await makeFileHost()
    parley = await boot({ clock, env: files.env })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
    await files?.close()
  })

  const open = async (shop: SocialShop, viewport = { width: 1280, height: 800 }) => {
    const session = await signIn(parley, shop, 'agent', clock.now())
    const context = await profileOf(browser, parley, session, { timezoneId: 'UTC', viewport })
    return { context, session, ...(await openPage(context)) }
  }

  /** Sends a picture of a known customer, with a text. */
  const sendPhoto = (shop: SocialShop, customerId: string, text: string) => {
    const url = files.serve((response) => response.writeHead(200, { 'content-type': 'image/png' }).end(PHOTO))
    return atNetwork(parley, shop, (store, account) =>
      store.report(account, {
        messaging: {
          sender: { id: customerId },
          recipient: { id: shop.networkId },
          timestamp: clock.now().getTime(),
          message: { mid: newMid(), text, attachments: [{ type: 'image', payload: { url } }] },
        },
      }),
    )
  }
  const write = async (page: Page, text: string) => {
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
  }

  test('a customer writes with a picture; an agent assigns, notes, answers, and resolves the chat', async () => {
    const shop = await openSocialShop(parley, clock)
    const { conversationId, customerId } = await customerWrites(parley, shop, {
      from: 'asha_r',
      text: 'Is it in stock?',
    })
    const { context, page, faults, session } = await open(shop)
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    const row = page.getByRole('link', { name: /asha_r/ })
    await row.getByText('Is it in stock?').waitFor()
    await row.getByLabel('Photo network').waitFor()
    await page.getByRole('tab', { name: /All/ }).getByText('1').waitFor()

    // The next message moves the row by itself.
    await sendPhoto(shop, customerId, 'This one?')
    await row.getByText('This one?').waitFor()
    await picture(page, 'social-inbox-list')
    await row.click()
    const log = page.getByRole('log', { name: 'Messages with asha_r' })
    await log.getByText('Is it in stock?').waitFor()
    const photo = log.getByRole('img', { name: 'This one?' })
    await photo.waitFor()
    await expect
      .poll(() => photo.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(0)

    // It was read; the agent takes it and writes a note.
    await expect
      .poll(async () => (await shop.get(`/conversations/${conversationId}`)).body.conversation.unreadCount)
      .toBe(0)
    await page.keyboard.press('i')
    await expect
      .poll(
        async () => (await shop.get(`/conversations/${conversationId}`)).body.conversation.assignedAgentId,
      )
      .toBe(session.memberId)
    await page.keyboard.press('n')
    await page.getByRole('textbox', { name: 'Internal note' }).fill('Wants it in blue.')
    await page.getByRole('button', { name: 'Add note' }).click()
    await log.getByText('Wants it in blue.').waitFor()

    // The network takes texts of at most 1,000 bytes: no files, no templates.
    await page.keyboard.press('r')
    const field = page.getByRole('textbox', { name: 'Message', exact: true })
    await field.waitFor()
    for (const name of ['Attach files', 'Use a template', 'Send something else'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    await field.fill('é'.repeat(501))
    await page.getByText('Too long for the network by 2 bytes').waitFor()
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
    await write(page, 'It is, in blue.')
    const answer = log.locator('[data-message]').filter({ hasText: 'It is, in blue.' })
    await answer.locator('[data-status=sent]').waitFor()
    await answer.getByText('You', { exact: true }).first().waitFor()
    await row.getByText('It is, in blue.').waitFor()
    await page.getByText('Photo network · The agent').waitFor()
    await picture(page, 'social-inbox-chat')
    expect(await violationsOf(page)).toEqual([])

    // Without an answer of the network, the message says so, and is sent once.
    await armSocialFault(parley, shop, 'no-answer')
    await write(page, 'We keep one for you.')
    await log.getByText('We keep one for you.').first().waitFor()
    await expect
      .poll(
        async () =>
          (await shop.get(`/social/conversations/${conversationId}/messages`)).body.messages.filter(
            ({ content }: { content: { text?: string } }) => content.text === 'We keep one for you.',
          ).length,
      )
      .toBe(1)
    await expect.poll(() => log.getByText('We keep one for you.').count()).toBe(1)

    await page.getByRole('button', { name: 'Resolve' }).click()
    await row.waitFor({ state: 'detached' })

    // The customer's next message brings it back.
    await customerWrites(parley, shop, { from: 'asha_r', text: 'I take it.' })
    await row.getByText('I take it.').waitFor()
    await log.getByText('I take it.').waitFor()
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('on a phone, in the dark: the list, the chat, and its end after 24 hours', async () => {
    const shop = await openSocialShop(parley, clock)
    const { conversationId } = await customerWrites(parley, shop, { from: 'asha_r', text: 'Is it in stock?' })
    const { context, page, faults } = await open(shop, { width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    // The address of messages from before.
    await page.goto(`/w/${shop.workspaceId}/social/messages`)
    await page.waitForURL(/\/inbox\?channel=social/)
    await picture(page, 'social-inbox-phone-list')
    await page.getByRole('link', { name: /asha_r/ }).click()
    await page.getByRole('log', { name: 'Messages with asha_r' }).getByText('Is it in stock?').waitFor()
    await picture(page, 'social-inbox-phone')
    expect(await violationsOf(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await write(page, 'It is.')
    await page.getByRole('log').locator('[data-status=sent]').waitFor()
    clock.aheadMs += DAY_MS
    const later = await open(shop, { width: 390, height: 844 })
    await later.page.goto(`/w/${shop.workspaceId}/social/messages/${conversationId}`)
    await later.page.getByText('The 24-hour window is closed').waitFor()
    await later.page.getByText('You can reply again when the customer sends a new message.').waitFor()
    expect(await later.page.getByRole('button', { name: 'Choose a template' }).count()).toBe(0)
    await picture(later.page, 'social-inbox-closed-phone')
    expect([...faults, ...later.faults].filter((fault) => !REFUSED.test(fault))).toEqual([])
    await later.context.close()
    await context.close()
  })

  test('a comment is answered privately, and the chat with its author opens', async () => {
    const shop = await openSocialShop(parley, clock)
    await customerComments(parley, shop, { from: 'asha_r', text: 'Price?' })
    const { context, page, faults } = await open(shop)
    await page.goto(`/w/${shop.workspaceId}/social`)
    await page.getByRole('button', { name: 'Answer privately to @asha_r' }).click()
    await page.getByRole('textbox', { name: 'Private message' }).fill('It is 450 with delivery.')
    await picture(page, 'social-private-reply')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('You answered privately').waitFor()
    expect(await page.getByRole('button', { name: 'Answer privately to @asha_r' }).count()).toBe(0)
    await picture(page, 'social-private-reply-sent')
    await page.getByRole('link', { name: 'Open the chat' }).click()
    const log = page.getByRole('log', { name: 'Messages with asha_r' })
    await log.getByText('It is 450 with delivery.').waitFor()
    await page.getByText('The 24-hour window is closed').waitFor()
    await customerWrites(parley, shop, { from: 'asha_r', text: 'One, please.' })
    await log.getByText('One, please.').waitFor()
    await write(page, 'Here you are.')
    await log.locator('[data-message]').filter({ hasText: 'Here you are.' }).waitFor()
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('the search of the inbox and of every page finds a message by its text, and opens its chat there', async () => {
    const shop = await openSocialShop(parley, clock)
    const first = await customerWrites(parley, shop, {
      from: 'asha_r',
      text: 'Is the turquoise saree in stock?',
    })
    await customerWrites(parley, shop, { from: 'asha_r', text: 'Or the red one?' })
    await until(
      async () => (await shop.get('/search?q=turquoise')).body.results.length > 0,
      'the message is indexed',
    )
    const { context, page, faults } = await open(shop)
    const expectHit = async () => {
      await page.locator('[data-hit]').getByText('turquoise').waitFor()
      const { pathname, searchParams } = new URL(page.url())
      expect([pathname, searchParams.get('message')]).toEqual([
        `/w/${shop.workspaceId}/inbox/${first.conversationId}`,
        first.messageId,
      ])
    }
    await page.goto(`/w/${shop.workspaceId}/inbox?search=turquoise`)
    await page.locator(`[data-found="${first.messageId}"]`).click()
    await expectHit()
    await picture(page, 'social-inbox-found')
    await page.goto(`/w/${shop.workspaceId}/contacts`)
    await page.getByRole('heading', { name: 'Contacts' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('turquoise')
    await page.getByRole('option', { name: /turquoise saree/ }).click()
    await expectHit()
    expect(faults).toEqual([])
    await context.close()
  })
})
