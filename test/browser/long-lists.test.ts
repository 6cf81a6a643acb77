/** Journeys 7 and 8: ten thousand chats, and a chat of two thousand messages. */
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { fillChat, makeChats } from '../support/many-chats.ts'
import { type Browser as Session, signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

const CHATS = 10_000
const MESSAGES = 2_000
const UNREAD = 120
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

type Row = { dataset: { message: string }; getBoundingClientRect: () => { top: number } }
const hasFocus = (element: { ownerDocument: { activeElement: unknown } }): boolean =>
  element.ownerDocument.activeElement === element

describe.skipIf(!hasChromium)('long lists', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let session: Session
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true })
    await makeChats(parley, shop, CHATS)
    browser = await launch()
    session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })
  const open = async (path: string, options?: BrowserContextOptions) => {
    const context = await profileOf(browser, parley, session, options)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/${path}`)
    return { context, page, faults }
  }
  const phoneOf = (customer: number): string => `+9197${String(customer).padStart(8, '0')}`
  const chatOf = async (customer: number): Promise<string> =>
    (await shop.get(`/conversations?search=${encodeURIComponent(phoneOf(customer))}`)).body.conversations[0]
      .id
  const row = (page: Page, number: number): Locator =>
    page.locator('[data-conversation]').filter({ has: page.getByText(`Customer ${number}`, { exact: true }) })
  /** Returns the numbers of the rendered rows. */
  const numbersIn = async (rows: Locator, pattern: RegExp): Promise<number[]> =>
    (await rows.allInnerTexts()).map((text) => Number(pattern.exec(text)?.[1]))
  const topOf = async (element: Locator): Promise<number> =>
    Math.round((await element.boundingBox())?.y ?? Number.NaN)

  describe('10,000 chats', () => {
    test('are scrolled, filtered, and navigated by keyboard, and few rows are rendered', async () => {
      const { context, page, faults } = await open('inbox')
      await row(page, CHATS).waitFor()
      await page.getByRole('navigation', { name: 'Chats' }).hover()
      await expect
        .poll(async () => {
          await page.mouse.wheel(0, 900)
          return numbersIn(page.locator('[data-conversation]'), /Customer (\d+)$/m)
        })
        .toSatisfy((numbers: number[]) => Math.min(...numbers) < CHATS - 250)
      expect(await page.locator('[data-conversation]').count()).toBeLessThan(60)

      await page.keyboard.press('/')
      await page.keyboard.type('Customer 4711')
      await row(page, 4_711).waitFor()
      await row(page, CHATS - 250).waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await page.keyboard.press('k')
      await page.keyboard.press('Enter')
      await page.getByRole('log', { name: 'Messages with Customer 4711' }).waitFor()
      expect(faults).toEqual([])
      await context.close()
    })

    test('with a chat open, j and k move, Enter opens, the sheet closes with one Escape, and the focus returns', async () => {
      const { context, page } = await open('inbox')
      await row(page, CHATS).click()
      await page.getByRole('log', { name: `Messages with Customer ${CHATS}` }).waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await page.keyboard.press('k')
      await expect.poll(() => row(page, CHATS - 1).evaluate(hasFocus)).toBe(true)
      expect(await page.getByRole('log').getAttribute('aria-label')).toBe(`Messages with Customer ${CHATS}`)
      await page.keyboard.press('Enter')
      await page.getByRole('log', { name: `Messages with Customer ${CHATS - 1}` }).waitFor()
      await page.keyboard.press(']')
      await page.getByRole('log', { name: `Messages with Customer ${CHATS - 2}` }).waitFor()
      await page.keyboard.press('[')
      await page.getByRole('log', { name: `Messages with Customer ${CHATS - 1}` }).waitFor()

      await page.keyboard.press('Shift+?')
      const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await sheet.waitFor()
      await page.keyboard.press('Escape')
      await sheet.waitFor({ state: 'detached' })
      await page.getByRole('log', { name: `Messages with Customer ${CHATS - 1}` }).waitFor()
      await expect
        .poll(() => page.evaluate('document.activeElement.matches("[data-conversation]")'))
        .toBe(true)
      await page.keyboard.press('Escape')
      await page.getByText('Choose a chat').waitFor()
      await expect.poll(() => row(page, CHATS - 1).evaluate(hasFocus)).toBe(true)
      await context.close()
    })

    test('do not move under the pointer, and show how many are new', async () => {
      const { context, page } = await open('inbox')
      const under = row(page, CHATS - 3)
      await under.hover()
      const before = await topOf(under)
      await shop.inbound('+919812345671', 'I am new here', { name: 'Asha Rao' })
      const pill = page.getByRole('button', { name: '1 new chat' })
      await pill.waitFor()
      expect(await topOf(under)).toBe(before)
      expect(await page.getByRole('link', { name: /Asha Rao/ }).count()).toBe(0)
      await pill.click()
      await page.getByRole('link', { name: /Asha Rao/ }).waitFor()

      // Without a pointer over the list, they appear by themselves.
      await page.mouse.move(1_000, 300)
      await shop.inbound('+919812345672', 'So am I', { name: 'Ravi Menon' })
      await page.getByRole('link', { name: /Ravi Menon/ }).waitFor()
      await context.close()
    })
  })

  describe('2,000 messages', () => {
    let chat: string
    const message = (page: Page, number: number): Locator =>
      page.locator('[data-message]').filter({ has: page.getByText(new RegExp(`^Message ${number}( and|$)`)) })
    const isInSight = async (page: Page, element: Locator) => {
      await element.waitFor()
      const pane = (await page.getByRole('log').boundingBox())!
      await expect
        .poll(async () => (await element.boundingBox())!.y - pane.y)
        .toSatisfy((y: number) => y >= 0 && y < pane.height)
    }
    /** Returns the message in the middle of the visible area. */
    const findMiddle = async (page: Page): Promise<Locator> => {
      const findVisible = () =>
        page.getByRole('log').evaluate((pane) => {
          const { top, height } = pane.getBoundingClientRect()
          const rows: Row[] = [...pane.querySelectorAll('[data-message]')]
          const isInMiddle = (row: Row) => {
            const y = row.getBoundingClientRect().top - top
            return y > height / 3 && y < height
          }
          return rows.find(isInMiddle)?.dataset.message
        })
      await expect.poll(findVisible).toBeDefined()
      const id = await findVisible()
      return page.locator(`[data-message="${id}"]`)
    }
    beforeAll(async () => {
      chat = await chatOf(77)
      await fillChat(parley, shop, { conversationId: chat, count: MESSAGES })
    })

    test.each([
      ['on a desk', 78, {}],
      ['on a phone', 79, PHONE],
    ])(
      "open at the first unread message, and earlier messages don't move the visible ones, %s",
      async (_, customer, options) => {
        const unread = await chatOf(customer)
        await fillChat(parley, shop, { conversationId: unread, count: MESSAGES, unread: UNREAD })
        const { context, page, faults } = await open(`inbox/${unread}`, options)
        // Two of three are the customer's.
        const first = MESSAGES - UNREAD * 1.5 + 2
        await isInSight(page, page.locator('[data-first-unread]'))
        await message(page, first).waitFor()
        expect(await page.locator('[data-message]').count()).toBeLessThan(80)

        await page.getByRole('button', { name: 'Go to newest message' }).click()
        await message(page, MESSAGES).waitFor()
        const pane = page.getByRole('log')
        for (let reads = 0; reads < 3; reads++) {
          const height = await pane.evaluate((pane) => pane.scrollHeight)
          // At the top of the loaded messages: new ones above move nothing.
          await pane.evaluate((pane) => {
            pane.scrollTop = 300
          })
          const read = await findMiddle(page)
          const before = await topOf(read)
          await expect
            .poll(() => pane.evaluate((pane) => pane.scrollHeight))
            .toBeGreaterThan(Number(height) + 500)
          await expect.poll(async () => Math.abs((await topOf(read)) - before)).toBeLessThanOrEqual(2)
        }
        // A message that arrives meanwhile is counted and moves nothing.
        const read = await findMiddle(page)
        const before = await topOf(read)
        await shop.inbound(phoneOf(customer), 'Are you still there?')
        const pill = page.getByRole('button', { name: '1 new message' })
        await pill.waitFor()
        expect(Math.abs((await topOf(read)) - before)).toBeLessThanOrEqual(2)
        await pill.click()
        await page.locator('[data-message]').filter({ hasText: 'Are you still there?' }).waitFor()
        expect(faults).toEqual([])
        await context.close()
      },
    )

    test('open around the message that was searched, and continue in both directions from there', async () => {
      const near = (await shop.get(`/messages?conversationId=${chat}&limit=100`)).body
      let page700 = near
      while (!page700.messages.some((message: { text: string }) => /^Message 700\b/.test(message.text)))
        page700 = (await shop.get(`/messages?conversationId=${chat}&limit=100&cursor=${page700.nextCursor}`))
          .body
      const hit = page700.messages.find((message: { text: string }) => /^Message 700\b/.test(message.text)).id
      const { context, page } = await open(`inbox/${chat}?message=${hit}`)
      await page.locator('[data-hit]').getByText('Message 700').waitFor()
      await isInSight(page, page.locator('[data-hit]'))
      await page.getByRole('log').hover()
      const listShown = () => numbersIn(page.locator('[data-message]'), /^Message (\d+)/m)
      await expect
        .poll(async () => {
          await page.mouse.wheel(0, -600)
          return listShown()
        })
        .toSatisfy((numbers: number[]) => Math.min(...numbers) < 640)
      await expect
        .poll(async () => {
          await page.mouse.wheel(0, 600)
          return listShown()
        })
        .toSatisfy((numbers: number[]) => Math.max(...numbers) > 780)
      await page.getByRole('button', { name: 'Go to newest message' }).click()
      await message(page, MESSAGES).waitFor()
      expect(new URL(page.url()).search).toBe('')
      await context.close()
    })
  })
})
