/** The documentation site in a browser: search, links of the former reference, appearance, and widths. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const PAGES = [
  '/docs',
  '/docs/quick-start',
  '/docs/reference/messages',
  '/docs/errors',
  '/docs/guides/agents',
]
/** On a crowded machine, the interactive reference needs long to show a document of 2 MB. */
const PATIENCE_MS = 100_000
const VIEWS = [
  { name: 'desk', viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { name: 'desk in the dark', viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { name: 'phone in the dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const

describe.skipIf(!hasChromium)('the documentation site', () => {
  let parley: TestParley
  let browser: Browser
  beforeAll(async () => {
    ;[parley, browser] = await Promise.all([boot(), launch()])
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  async function open(path: string, options: Parameters<typeof profileOf>[3] = {}) {
    const context = await profileOf(browser, parley, undefined, options)
    onTestFinished(() => context.close())
    const watched = await openPage(context)
    await watched.page.goto(path)
    return watched
  }

  test('the search finds "opt out" without a request to another site', async () => {
    const { page, faults } = await open('/docs/quick-start')
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox').fill('opt out')
    const result = page
      .getByRole('option')
      .filter({ hasText: /contact_opted_out|Consent|opt/i })
      .first()
    await result.waitFor()
    await picture(page, 'docs-search')
    await result.click()
    await expect.poll(() => page.url()).not.toContain('quick-start')
    expect([...hosts]).toEqual([new URL(parley.url).host])
    expect(faults).toEqual([])
  })

  test('the search finds operations', async () => {
    const { page } = await open('/docs/')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox').fill('merge contacts')
    await page
      .getByRole('option')
      .filter({ hasText: /Contacts/ })
      .first()
      .waitFor()
  })

  test('an address of the former reference opens the same operation', async () => {
    const { page, faults } = await open('/docs#/Messages/sendMessage')
    await page.waitForURL('**/docs/api#/Messages/sendMessage')
    await page.locator('#operations-Messages-sendMessage.is-open').waitFor({ timeout: PATIENCE_MS })
    expect(faults).toEqual([])
  })

  test('the interactive reference sends a request to its own installation', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Asha Silks' })
    const { page, faults } = await open('/docs/api#/Workspace/getMe')
    await page.locator('button.authorize').first().click({ timeout: PATIENCE_MS })
    await page.locator('.modal-ux input').first().fill(shop.key)
    await page.locator('.modal-ux').getByRole('button', { name: 'Apply credentials' }).click()
    await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).click()
    const operation = page.locator('#operations-Workspace-getMe')
    await operation.getByRole('button', { name: 'Execute' }).click()
    await operation.locator('.live-responses-table').getByText('Asha Silks').first().waitFor()
    expect(faults).toEqual([])
  })

  test('pages follow each other without a reload, and the browser can go back', async () => {
    const { page, faults } = await open('/docs')
    await page.getByRole('link', { name: 'Quick start' }).first().click()
    await page.getByRole('heading', { name: 'Quick start', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Concepts' }).last().click()
    await page.getByRole('heading', { name: 'Concepts', level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Quick start', level: 1 }).waitFor()
    expect(faults).toEqual([])
  })

  test.each(VIEWS)(
    'at the $name, pages fit, have no fault, and axe finds none',
    async ({ name, ...options }) => {
      const { page, faults } = await open('/docs', options)
      for (const path of PAGES) {
        await page.goto(path)
        await page.waitForLoadState('networkidle')
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect([path, overflow]).toEqual([path, 0])
        expect([path, (await violationsOf(page)).map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)]).toEqual(
          [path, []],
        )
        await picture(page, `${name}${path}`.replace(/\W+/g, '-'))
      }
      expect(faults).toEqual([])
    },
  )
})
