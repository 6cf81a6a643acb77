/** Right-to-left names and messages on left-to-right pages. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { signIn } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

const NAME = 'فاطمة الزهراء بنت محمد عبد الرحمن بن عبد الله بن إبراهيم آل سعيد'
const TEXT = 'متى يفتح المتجر؟ أريد أن أشتري القميص الأزرق الذي رأيته عندكم قبل أسبوع من فضلك'
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** The part of the browser's ranges that these tests use. */
type Range = { selectNodeContents(node: unknown): void; getBoundingClientRect(): { left: number } }

/** Returns whether the first letter of a text is visible, for each place that shows the text. */
const findTextStarts = (text: string) => `(() => {
  const seen = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const node = texts.currentNode
    if (node.data !== ${JSON.stringify(text)} || !node.parentElement.checkVisibility()) continue
    const range = document.createRange()
    range.setStart(node, 0)
    range.setEnd(node, 1)
    const [letter, box] = [range.getBoundingClientRect(), node.parentElement.getBoundingClientRect()]
    seen.push(letter.left >= box.left - 1 && letter.right <= box.right + 1)
  }
  return seen
})()`

describe.skipIf(!hasChromium)('right-to-left text', () => {
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

  test("shows its beginning where it is cut: in the list of chats and in a chat's header", async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.inbound('+919812345680', TEXT, { name: NAME })
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'agent'), PHONE)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/inbox`)
    await page.getByRole('link', { name: new RegExp(NAME) }).waitFor()
    expect(await page.evaluate(findTextStarts(NAME))).toEqual([true])
    expect(await page.evaluate(findTextStarts(TEXT))).toEqual([true])
    await page.getByRole('link', { name: new RegExp(NAME) }).click()
    await page.getByRole('heading', { name: NAME }).waitFor()
    expect(await page.evaluate(findTextStarts(NAME))).toEqual([true])
    expect(faults).toEqual([])
    await context.close()
  })

  test('on a phone each tab of the menu has one line, inside the screen', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const member = await signIn(parley, shop, 'admin')
    expect((await member.patch('/api/dashboard/account', { language: 'ar' })).status).toBe(200)
    const { page, faults } = await openPage(await profileOf(browser, parley, member, PHONE))
    await page.goto(`/w/${shop.workspaceId}/contacts`)
    await page.locator('html[dir=rtl]').waitFor()
    await page.getByRole('navigation').getByRole('link').first().waitFor()
    const tabs = (await page.evaluate(`[...document.querySelectorAll('nav a')].map((tab) => {
      const range = document.createRange()
      range.selectNodeContents(tab.lastChild)
      const { left, right, height } = range.getBoundingClientRect()
      return { text: tab.lastChild.textContent, isInside: left >= 0 && right <= innerWidth, height }
    })`)) as { text: string; isInside: boolean; height: number }[]
    expect(tabs.length).toBeGreaterThanOrEqual(3)
    expect(tabs.filter(({ isInside, height }) => !isInside || height > 20)).toEqual([])
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a name in a list of left-to-right names begins where the others do', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const screens = [{ title: 'T', button: 'Send', fields: [{ name: 'a', kind: 'text', label: 'A' }] }]
    for (const name of ['Feedback', 'استبيان'])
      expect((await shop.post('/flows', { name, categories: ['SURVEY'], screens })).status).toBe(200)
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'agent'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/forms`)
    const startOf = (name: string): Promise<number> =>
      page
        .getByRole('list', { name: 'In-chat forms' })
        .getByText(name, { exact: true })
        .evaluate((element: { firstChild: unknown; ownerDocument: { createRange(): Range } }) => {
          const range = element.ownerDocument.createRange()
          range.selectNodeContents(element.firstChild)
          return range.getBoundingClientRect().left
        })
    expect(Math.abs((await startOf('استبيان')) - (await startOf('Feedback')))).toBeLessThan(1)
    expect(faults).toEqual([])
    await context.close()
  })
})
