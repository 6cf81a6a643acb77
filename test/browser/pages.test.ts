/** Every page of the table: nothing wrong by axe, no fault of the console or the policy, no sideways scroll; light, dark and on a phone. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { pagePaths } from '../support/page-table.ts'
import { type Browser as Session, signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

const PICTURES = join(import.meta.dirname, '../../dist/pictures')

const LOOKS: [name: string, options: BrowserContextOptions][] = [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
]

/** Sections of the settings besides the first. */
const SECTIONS = [
  'numbers',
  'pipeline',
  'replies',
  'tags',
  'fields',
  'security',
  'sign-ins',
  'activity',
  'usage',
  'start',
]

/** Whether anything can be scrolled sideways that should not. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

describe.skipIf(!hasChromium)('every page', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let session: Session
  let chat: string
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true })
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
    ['sign-in', '/sign-in'],
    ['unknown', `/w/${shop.workspaceId}/no-such-page`],
  ]

  test.each(LOOKS)('%s', async (look, options) => {
    const context = await profileOf(browser, parley, session, options)
    const { page, faults } = await openPage(context)
    const found: string[] = []
    for (const [name, path] of paths()) {
      await page.goto(path)
      await page.locator('h1').first().waitFor({ state: 'attached' })
      await page.locator('[role=status][aria-label=Loading]').first().waitFor({ state: 'detached' })
      await page.screenshot({ path: join(PICTURES, `${name}-${look}.png`) })
      const { violations } = await new AxeBuilder({ page }).analyze()
      for (const { id, nodes } of violations)
        found.push(`${name}: ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join('\n')}`)
      if ((await overflow(page)) > 0) found.push(`${name}: it scrolls sideways`)
      for (const fault of faults.splice(0)) found.push(`${name}: ${fault}`)
    }
    expect(found).toEqual([])
    await context.close()
  })
})
