/**
 * A member in another tab or window: the title and the icon show the unread count, and one tab plays a sound
 * and shows a notification.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { type Browser as Session, signIn, signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

/**
 * Makes a page report a chosen visibility, and record its notifications and sounds instead of showing them.
 */
const IN_EACH_PAGE = `
  let seen = 'visible'
  Object.defineProperty(document, 'visibilityState', { get: () => seen })
  Object.defineProperty(document, 'hidden', { get: () => seen !== 'visible' })
  globalThis.setSeen = (next) => {
    seen = next
    document.dispatchEvent(new Event('visibilitychange'))
  }
  globalThis.announced = []
  globalThis.Notification = class {
    static permission = 'granted'
    static requestPermission = async () => 'granted'
    constructor(title, { body }) {
      announced.push(title + ': ' + body)
    }
    close() {}
  }
  const start = OscillatorNode.prototype.start
  OscillatorNode.prototype.start = function (...args) {
    announced.push('sound')
    return start.apply(this, args)
  }`

const setSeen = (page: Page, visibility: 'visible' | 'hidden') => page.evaluate(`setSeen('${visibility}')`)
const readAnnounced = (page: Page) => page.evaluate<string[]>('announced')
const icon = (page: Page) => page.locator('link[rel=icon]').getAttribute('href')

describe.skipIf(!hasChromium)('a member in another tab or window', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let context: BrowserContext
  let session: Session
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    browser = await launch()
    context = await profileOf(browser, parley, session)
    await context.addInitScript({ content: IN_EACH_PAGE })
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  test('sees it in the title and the icon of every tab, and is notified once, by one tab', async () => {
    const [first, second] = [await openPage(context), await openPage(context)]
    for (const { page } of [first, second]) {
      await page.goto(`/w/${shop.workspaceId}/profile`)
      await page.getByRole('heading', { name: 'Profile' }).waitFor()
    }
    const { page } = first
    await page.getByRole('switch', { name: 'Play a sound' }).click()
    await page.getByRole('switch', { name: 'Show desktop notifications' }).click()
    await page.getByRole('button', { name: 'Test sound' }).click()
    await page.getByRole('button', { name: 'Test notification' }).click()
    await expect
      .poll(() => readAnnounced(page))
      .toEqual(['sound', 'sound', 'Asha Rao: New messages look like this.'])
    const plain = await icon(page)

    // A visible tab shows it without a sound.
    await setSeen(second.page, 'hidden')
    await shop.inbound('+919812345671', 'Is anybody there?', { name: 'Meera' })
    for (const tab of [first, second]) {
      await expect.poll(() => tab.page.title()).toBe('(1) Profile · Blue Lotus')
      await expect.poll(() => icon(tab.page)).not.toBe(plain)
    }
    expect(await readAnnounced(page)).toHaveLength(3)

    await setSeen(page, 'hidden')
    await shop.inbound('+919812345672', 'The blue one, please', { name: 'Ravi' })
    for (const tab of [first, second])
      await expect.poll(() => tab.page.title()).toBe('(2) Profile · Blue Lotus')
    await expect
      .poll(async () => [...(await readAnnounced(page)).slice(3), ...(await readAnnounced(second.page))])
      .toEqual(['sound', 'sound', 'Ravi: The blue one, please'])

    await setSeen(page, 'visible')
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    for (const name of ['Ravi', 'Meera']) {
      await page.getByRole('link', { name: new RegExp(name) }).click()
      await page.getByRole('log').waitFor()
    }
    await expect.poll(() => page.title()).toBe('Inbox · Blue Lotus')
    await expect.poll(() => second.page.title()).toBe('Profile · Blue Lotus')
    expect(await icon(page)).toBe(plain)
    expect([...first.faults, ...second.faults]).toEqual([])
  })

  test('finds the chats whose notes mention them under Mentions', async () => {
    const asha = await parley.workspace({ sandbox: true, name: 'Asha Crafts' })
    const owner = await signInByLink(parley, { workspaceId: asha.workspaceId, memberId: asha.ownerId })
    await asha.inbound('+919812345673', 'Hello', { name: 'Named' })
    await asha.inbound('+919812345674', 'Hello', { name: 'Not named' })
    const { conversations } = (await asha.get('/conversations')).body
    const chat = conversations.find(({ contact }: { contact: { name: string } }) => contact.name === 'Named')
    const { page, faults } = await openPage(await profileOf(browser, parley, owner))
    await page.goto(`/w/${asha.workspaceId}/inbox?view=mentions`)
    await page.getByText('No mentions yet').waitFor()
    const teammate = await signIn(parley, asha, 'agent')
    const noted = await teammate.post(`/conversations/${chat.id}/notes`, {
      body: 'Look',
      mentions: [asha.ownerId],
    })
    expect(noted.status, noted.text).toBe(201)
    await page.getByRole('link', { name: /Named/ }).waitFor()
    expect(await page.getByRole('link', { name: /Not named/ }).count()).toBe(0)
    expect(faults).toEqual([])
  })
})
