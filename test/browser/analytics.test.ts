/** Analytics: a week of a shop, as charts, tables, and files. */
import { readFileSync } from 'node:fs'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { type Browser as Session, signInByLink } from '../support/sessions.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

const LOOKS: [name: string, options: BrowserContextOptions][] = [
  ['wide', {}],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
]

describe.skipIf(!hasChromium)('analytics', () => {
  let parley: TestParley
  let shop: TestWorkspace
  let browser: Browser
  let session: Session
  beforeAll(async () => {
    parley = await boot()
    shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus', ownerName: 'Asha Rao' })
    session = await signInByLink(parley, { workspaceId: shop.workspaceId, memberId: shop.ownerId })
    for (const day of [1, 2, 3]) {
      for (let n = 0; n < day; n++) {
        const customer = `+91981230000${n}`
        await shop.inbound(customer, 'Is it in stock?', { name: `Customer ${n}` })
        await shop.advance(60 * day)
        await session.post('/send', { to: customer, type: 'text', text: 'Yes' })
      }
      await shop.advance(86_400)
    }
    await shop.inbound('+12125550126', 'Hello')
    await shop.post('/send', { to: '+12125550126', type: 'text', text: 'This one fails' })
    await shop.post('/leads', { phone: '+919812300000', name: 'Meera Nair', dealValue: 25_000 })
    await shop.advance(10)
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  test.each(LOOKS)('are shown, counted by day and saved as a file: %s', async (theme, options) => {
    const context = await profileOf(browser, parley, session, options)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/analytics?days=7`)
    await page.getByRole('img', { name: 'Messages by day' }).waitFor()
    await page.getByRole('table', { name: 'Failures by cause' }).waitFor()
    const team = page.getByRole('table', { name: 'Team' })
    await team.getByText('Asha Rao').waitFor()
    await page.getByRole('table', { name: 'Funnel' }).waitFor()
    await page.getByText('No campaigns yet.').waitFor()
    await page.getByText('No rating requests in this period.').waitFor()
    await picture(page, `analytics-${theme}`)
    await page.getByRole('table', { name: 'Funnel' }).scrollIntoViewIfNeeded()
    await picture(page, `analytics-${theme}-below`)

    await page.getByRole('combobox', { name: 'View' }).click()
    await page.getByRole('option', { name: 'Table' }).click()
    const rows = page.getByRole('table', { name: 'Messages by day' }).getByRole('row')
    await expect.poll(() => rows.count()).toBe(8)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).first().click()
    const file = await saved
    expect(file.suggestedFilename()).toBe('messages.csv')
    const lines = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    expect(lines[0]).toBe('\uFEFFDate,Received,Sent,Delivered,Read,Failed,Skipped,Windows opened')
    expect(lines).toHaveLength(8)
    const received = lines.slice(1).map((line) => Number(line.split(',')[1]))
    expect(received.reduce((sum, count) => sum + count)).toBe(7)

    await page.getByRole('combobox', { name: 'Days' }).click()
    await page.getByRole('option', { name: 'Last 90 days' }).click()
    await page.waitForURL((url) => url.searchParams.get('days') === '90')
    await expect.poll(() => rows.count()).toBe(91)
    expect(faults).toEqual([])
    await context.close()
  })
})
