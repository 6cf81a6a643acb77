import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { automate } from '../support/automations.ts'
import { madeBooking, startIn } from '../support/bookings.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { pagePaths } from '../support/page-table.ts'
import { madeInvoice, madeQuotation } from '../support/sales.ts'
import { DASHBOARD, type Browser as Session, signIn, signInByLink } from '../support/sessions.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'
import { smallTargetsOf } from './touch-targets.ts'

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Sections of the settings other than the first. */
const SECTIONS = [
  'numbers',
  'hours',
  'pipeline',
  'replies',
  'macros',
  'tags',
  'segments',
  'fields',
  'sales',
  'ratings',
  'bookings',
  'security',
  'sign-ins',
  'activity',
  'usage',
  'start',
]

const MENU = {
  name: 'Menu',
  entry: { keywords: ['menu'] },
  fallback: { text: 'Please tap one of the buttons.' },
  start: 'menu',
  nodes: [
    {
      id: 'menu',
      type: 'buttons',
      text: 'How can we help?',
      options: [
        { id: 'hours', title: 'Opening hours', next: 'hours' },
        { id: 'person', title: 'Talk to us', next: 'person' },
      ],
    },
    { id: 'hours', type: 'message', text: 'We are open from 10 to 7.' },
    { id: 'person', type: 'handover', note: 'Asked for a person.' },
  ],
}

/** Some sixty pages, one after another; the walks share the processor. A walk that fails is not repeated on the spot. */
const PATIENCE = { timeout: 1_800_000, retry: 0 }

/** axe's rules about colors only. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** axe's rules about what depends on the words and the direction of a language. The others hold in English. */
const LANGUAGE_RULES = [
  'html-has-lang',
  'html-lang-valid',
  'valid-lang',
  'landmark-unique',
  'scrollable-region-focusable',
]

/** The width by which the page, or a table in it, exceeds the available width. */
const OVERFLOW = `Math.max(...[document.documentElement, ...document.querySelectorAll('.overflow-x-auto:has(> table)')]
  .map((one) => one.scrollWidth - one.clientWidth))`

const IS_TALL = 'document.documentElement.scrollHeight > document.documentElement.clientHeight'

/** The number of panes with content wider than themselves. */
const WIDE_PANES = `[...document.querySelectorAll('.pane')].filter((one) => one.scrollWidth > one.clientWidth).length`

/** The texts of buttons that are wider than their button. */
const CUT_BUTTONS = `[...document.querySelectorAll('button, [role=tab]')]
  .filter((button) => button.clientWidth > 1 && button.checkVisibility() && button.scrollWidth > button.clientWidth + 1)
  .map((button) => button.textContent)`

/** Words of these elements that continue on another line. Addresses and longer words may. */
const splitWords = (selector: string) => `[...document.querySelectorAll('${selector}')].flatMap((element) => {
  const found = []
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    for (const { index, 0: word } of text.data.matchAll(/(?<!\\S)[\\p{L}\\p{M}]{1,16}(?!\\S)/gu)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word)
    }
  }
  return found
})`

/** Phone numbers whose plus sign is on their right. */
const TURNED_NUMBERS = `(() => {
  const found = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    for (const { index, 0: number } of text.data.matchAll(/\\+\\d{7,}/g)) {
      const range = document.createRange()
      const leftAt = (place) => {
        range.setStart(text, place)
        range.setEnd(text, place + 1)
        return range.getBoundingClientRect().left
      }
      if (leftAt(index) > leftAt(index + 1)) found.push(number)
    }
  }
  return found
})()`

/** English words, except commands and names of the API in code, and parts of addresses. */
const ENGLISH_WORDS = `(() => {
  const found = new Set()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    if (text.parentElement.closest('code, pre, kbd, script, style, noscript, .font-mono')) continue
    for (const [word] of text.data.matchAll(/(?<![\\w.@/])[A-Za-z]{3,}(?![\\w@/:]|\\.\\w)/g)) found.add(word)
  }
  return [...found]
})()`

/** Words of customers and teammates, and names of companies, laws, and formats. */
const NOT_TRANSLATED = new Set(
  `Blue Lotus Asha Rao Ravi Menon Yes every size order has not arrived yet the blue one stock regular customer vip
  Sri Venkateswara Silk Traders and Exporters Private Limited Kurta NOS INV Maharashtra Haircut Meera
  Book visit Greet leads are back Menu menu How can help Opening hours open from Talk Asked for person
  long address that does end ran Owner The admin API key parley tests city Pune
  New Contacted Qualified Proposal Won Lost Price response Chose competitor Not interested Other
  How was our service bad very good
  Parley API Webhook Webhooks CSV UTC Asia Kolkata GSTIN PAN UPI IFSC GST HSN SAC CGST SGST IGST INR PDF GMT PIN Enter
  Shopify WooCommerce WordPress Razorpay OpenAI`.split(/\s+/),
)

/** Returns the problems of the current page: `name` is the page and its appearance. Leaves a screenshot. */
async function findFaults(page: Page, name: string, rules?: string[]): Promise<string[]> {
  await picture(page, name)
  const found = (await violationsOf(page, rules)).map(
    ({ id, nodes }) => `${name}: ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join('\n')}`,
  )
  const overflow: number = await page.evaluate(OVERFLOW)
  if (overflow > 0) found.push(`${name}: it scrolls sideways`)
  if (await page.evaluate(IS_TALL)) found.push(`${name}: it scrolls as a whole, and not its panes`)
  const split: string[] = await page.evaluate(splitWords('td, th, h1, h2, label, button, [role=tab]'))
  const turned: string[] = await page.evaluate(TURNED_NUMBERS)
  return [
    ...found,
    ...split.map((word) => `${name}: ${word} is split`),
    ...turned.map((number) => `${name}: ${number} is turned`),
  ]
}

describe.skipIf(!hasChromium)('every page', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let session: Session
  let chat: string
  let invoice: string
  let draft: string
  let booking: string
  let automation: string
  let bot: string
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    for (const [phone, name, text] of [
      ['+919812345678', 'Asha Rao', 'Is the blue one in stock?'],
      [
        '+919812345679',
        'Ravi Menon',
        'My order has not arrived yet. https://example.com/a-long-address/that-does-not-end',
      ],
      ['+919812345680', 'فاطمة الزهراء', 'متى يفتح المتجر؟'],
    ] as const)
      await shop.inbound(phone, text, { name })
    await shop.post('/send', { to: '+919812345678', type: 'text', text: 'Yes, in every size.' })
    await shop.advance(10)
    const { conversations } = (await shop.get('/conversations?search=Asha')).body
    chat = conversations[0].id
    await shop.post(`/conversations/${chat}/notes`, { body: 'A regular customer.' })
    await shop.patch(`/contacts/${conversations[0].contact.id}`, {
      tags: ['vip'],
      attributes: { city: 'Pune' },
    })
    await shop.set({ modules: ['invoicing', 'bookings', 'reviews'] })
    const customer = { name: 'Sri Venkateswara Silk Traders and Exporters Private Limited' }
    invoice = (await madeInvoice(shop, { issue: true, customer })).id
    draft = (await madeQuotation(shop, { customer })).id
    automation = (
      await automate(shop, {
        name: 'Greet leads',
        trigger: { event: 'lead.created' },
        conditions: {
          match: 'all',
          conditions: [{ field: 'lead.source', op: 'in', value: ['website', 'fair'] }],
        },
      })
    ).id
    booking = (await madeBooking(shop, { startAt: startIn(0, 1) })).id
    await shop.post('/auto-replies', { kind: 'away', reply: { text: 'We are back at 10.' } })
    bot = (await shop.post('/bots', MENU)).body.bot.id
    browser = await launch()
    session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  const paths = (): [string, string][] => [
    ...pagePaths().map(([id, path]): [string, string] => [id, `/w/${shop.workspaceId}/${path}`]),
    ...SECTIONS.map((section): [string, string] => [
      `settings-${section}`,
      `/w/${shop.workspaceId}/settings/${section}`,
    ]),
    ['chat', `/w/${shop.workspaceId}/inbox/${chat}`],
    ['invoice', `/w/${shop.workspaceId}/invoices/${invoice}`],
    ['quotation-draft', `/w/${shop.workspaceId}/quotations/${draft}`],
    ['automation', `/w/${shop.workspaceId}/automations/${automation}`],
    ['bookings-week', `/w/${shop.workspaceId}/bookings/week`],
    ['booking', `/w/${shop.workspaceId}/bookings/day?booking=${booking}`],
    ['integration', `/w/${shop.workspaceId}/integrations/simulator`],
    ['bot', `/w/${shop.workspaceId}/bots/${bot}`],
    ['sign-in', '/sign-in'],
    ['unknown', `/w/${shop.workspaceId}/no-such-page`],
  ]

  /** Opens every page in turn; `inspect` returns the problems. */
  async function walk(
    options: BrowserContextOptions,
    inspect: (page: Page, name: string) => Promise<string[]>,
    member: Session = session,
  ): Promise<string[]> {
    const context = await profileOf(browser, parley, member, options)
    const { page, faults } = await openPage(context)
    const found: string[] = []
    for (const [name, path] of paths()) {
      await page.goto(path)
      await page.locator('h1').first().waitFor({ state: 'attached' })
      await page.locator('[role=status][aria-label=Loading]').first().waitFor({ state: 'detached' })
      found.push(
        ...(await inspect(page, name)),
        ...faults
          .splice(0)
          .filter((fault) => name !== 'unknown' || !fault.includes('404'))
          .map((fault) => `${name}: ${fault}`),
      )
    }
    await context.close()
    return found
  }

  test.concurrent('on a screen, light and dark', PATIENCE, async ({ expect }) => {
    const found = await walk({ reducedMotion: 'reduce' }, async (page, name) => {
      const light = await findFaults(page, `${name}-light`)
      await page.emulateMedia({ colorScheme: 'dark' })
      const dark = await findFaults(page, `${name}-dark`, COLOR_RULES)
      await page.emulateMedia({ colorScheme: 'light' })
      return [...light, ...dark]
    })
    expect(found).toEqual([])
  })

  test.concurrent('on a phone: every target is at least 44 by 44 pixels', PATIENCE, async ({ expect }) => {
    const found = await walk(PHONE, async (page, name) => {
      const asUsual = await findFaults(page, `${name}-phone`)
      const small = await smallTargetsOf(page)
      // A screen of 1,280 px at 400 %.
      await page.setViewportSize({ width: 320, height: 512 })
      const split: string[] = await page.evaluate(splitWords('h1'))
      const wide = Number(await page.evaluate(WIDE_PANES))
      await page.setViewportSize(PHONE.viewport!)
      return [
        ...asUsual,
        ...small.map((target) => `${name}: ${target}`),
        ...split.map((word) => `${name} at 400 %: ${word} is split`),
        ...(wide > 0 ? [`${name} at 400 %: it scrolls sideways`] : []),
      ]
    })
    expect(found).toEqual([])
  })

  test.concurrent.for(['ar', 'hi'] as const)(
    'in %s, on a screen and a phone',
    PATIENCE,
    async (language, { expect }) => {
      const member = await signIn(parley, shop, 'admin')
      expect((await member.patch(`${DASHBOARD}/account`, { language })).status).toBe(200)
      const found = await walk(
        { ...PHONE, viewport: { width: 1280, height: 800 } },
        async (page, name) => {
          await page.locator(`html[lang=${language}]`).waitFor()
          const wide = await findFaults(page, `${name}-${language}`, LANGUAGE_RULES)
          await page.setViewportSize(PHONE.viewport!)
          const narrow = await findFaults(page, `${name}-${language}-phone`, LANGUAGE_RULES)
          const cut: string[] = await page.evaluate(CUT_BUTTONS)
          const english: string[] = await page.evaluate(ENGLISH_WORDS)
          await page.setViewportSize({ width: 1280, height: 800 })
          return [
            ...wide,
            ...narrow,
            ...cut.map((text) => `${name}-${language}-phone: cut: ${text}`),
            ...english
              .filter((word) => !NOT_TRANSLATED.has(word))
              .map((word) => `${name}-${language}: ${word} is English`),
          ]
        },
        member,
      )
      expect(found).toEqual([])
    },
  )
})
