/** Analytics: a week of a shop, as charts, tables, and files. */
import { readFileSync } from 'node:fs'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { campaignsOf, makeContacts } from '../support/campaigns.ts'
import { type Browser as Session, signInByLink } from '../support/sessions.ts'
import { violationsOf } from './axe.ts'
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
    // Each column has a header, at least for screen readers.
    const headers = await page.getByRole('columnheader').allTextContents()
    expect(headers.filter((text) => text.trim() === '')).toEqual([])
    await picture(page, `analytics-${theme}`)
    await page.getByRole('table', { name: 'Funnel' }).scrollIntoViewIfNeeded()
    await picture(page, `analytics-${theme}-below`)

    // Under the pointer, the legend has the values of the day instead of the sums.
    await page.locator('dl[aria-label="Totals"]').getByText('Read rate').waitFor()
    const chart = page.locator('figure', { has: page.getByRole('img', { name: 'Messages by day' }) })
    const legend = chart.locator('figcaption')
    const sums = await legend.textContent()
    expect(sums).toContain('Received7')
    await chart.locator('rect[data-day]').first().hover()
    await expect.poll(() => legend.textContent()).toMatch(/^[A-Z][a-z]{2} \d+Received\d/)
    await page.mouse.move(0, 0)
    await expect.poll(() => legend.textContent()).toBe(sums)

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

  describe('reports', () => {
    beforeAll(async () => {
      await shop.call('PUT', '/rating-settings', { enabled: true })
      const weekly = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '09:00', to: '21:00' }))
      await shop.call('PUT', '/business-hours', { timeZone: 'Asia/Kolkata', weekly })
      for (const phone of ['+919812300000', '+919812300001']) {
        await shop.inbound(phone, 'One more question')
        const { conversations } = (await shop.get('/conversations')).body
        const { id } = conversations.find((chat: Body) => chat.contact.phone === phone)
        await shop.advance(900)
        await session.patch(`/api/v1/conversations/${id}`, { assignedAgentId: session.memberId })
        await session.post('/send', { to: phone, type: 'text', text: 'Sure' })
        await shop.advance(1_800)
        await session.patch(`/api/v1/conversations/${id}`, { state: 'resolved' })
        await shop.advance(5)
        await shop.inbound(phone, '', { text: undefined, listId: 'rating:5', title: '5' })
      }
      for (const [n, stage] of ['Won', 'Qualified', 'Contacted'].entries()) {
        const lead = { phone: `+91981230010${n}`, source: n === 0 ? 'fair' : 'website', dealValue: 40_000 }
        await shop.post('/leads', lead)
        await shop.patch(`/leads/${lead.phone}`, { stage })
      }
      await makeContacts(shop, 5, { optInStatus: 'opted_in' })
      const campaign = await (await campaignsOf(parley, shop)).create({
        name: 'Diwali lights',
        confirmNewRecipients: true,
        sendNow: true,
      })
      expect(campaign.status, campaign.text).toBeLessThan(300)
      await shop.advance(60)
    })

    const REPORTS: [path: string, table: string][] = [
      ['volume', 'Messages by day'],
      ['response-times', 'First replies by teammate'],
      ['resolution-times', 'Time to resolve by teammate'],
      ['satisfaction', 'By teammate'],
      ['sales', 'Leads by source'],
      ['campaigns', 'Campaign returns'],
    ]
    test.each(LOOKS)(
      'reports of a period have charts, tables, files, and a comparison: %s',
      async (theme, options) => {
        const context = await profileOf(browser, parley, session, options)
        const { page, faults } = await openPage(context)
        await page.goto(`/w/${shop.workspaceId}/analytics`)
        await page.getByRole('tab', { name: 'Busy hours' }).click()
        await page.waitForURL(/analytics\/volume$/)
        for (const [path, table] of REPORTS) {
          await page.goto(`/w/${shop.workspaceId}/analytics/${path}`)
          await page.getByRole('table', { name: table }).waitFor()
          await page.getByText('Before:').first().waitFor()
          await page.mouse.move(0, 0)
          await picture(page, `report-${path}-${theme}`)
          expect((await violationsOf(page)).map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`)).toEqual([])
          expect(
            await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
          ).toBeLessThanOrEqual(0)
        }
        // The table of hours is long: it is shown on request, and on paper.
        await page.goto(`/w/${shop.workspaceId}/analytics/volume`)
        await page.getByRole('button', { name: 'Show table' }).click()
        await page.getByRole('table', { name: 'Messages from customers by hour' }).waitFor()
        await page.getByRole('button', { name: 'Hide table' }).click()
        await page
          .getByRole('table', { name: 'Messages from customers by hour' })
          .waitFor({ state: 'detached' })
        await page.emulateMedia({ media: 'print' })
        await page.getByRole('table', { name: 'Messages from customers by hour' }).waitFor()
        await page.emulateMedia({ media: 'screen' })

        await page.goto(`/w/${shop.workspaceId}/analytics/response-times`)
        const team = page.getByRole('table', { name: 'First replies by teammate' })
        await team.getByText('Asha Rao').waitFor()
        await page.getByRole('combobox', { name: 'Compare' }).click()
        await page.getByRole('option', { name: 'No comparison' }).click()
        await page.getByText('Before:').first().waitFor({ state: 'detached' })
        await page.getByRole('combobox', { name: 'Period' }).click()
        await page.getByRole('option', { name: 'Custom dates' }).click()
        await page.getByLabel('From').fill('2020-01-01')
        await page.getByText('Choose at most 366 days').waitFor()
        await page.getByLabel('To').fill('2020-01-31')
        await page.getByText('No replies in this period.').first().waitFor()
        expect(faults).toEqual([])
        await context.close()
      },
    )

    test('a report is saved as a file, and printed as a document without the frame', async () => {
      const context = await profileOf(browser, parley, session, { colorScheme: 'dark' })
      const { page, faults } = await openPage(context)
      await page.goto(`/w/${shop.workspaceId}/analytics/volume`)
      await page.getByRole('table', { name: 'Messages by day' }).waitFor()
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download CSV' }).last().click()
      const file = await saved
      expect(file.suggestedFilename()).toBe('messages-by-day.csv')
      const lines = readFileSync(await file.path(), 'utf8')
        .trimEnd()
        .split('\r\n')
      expect([lines[0], lines.length]).toEqual(['\uFEFFDate,Received,Sent', 31])
      await page.emulateMedia({ media: 'print' })
      expect(await page.getByRole('navigation').count()).toBe(0)
      expect(await page.getByRole('button').count()).toBe(0)
      await page.getByText('Blue Lotus · Busy hours').waitFor()
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
      expect(background).not.toMatch(/0\.17/)
      await page.setViewportSize({ width: 794, height: 1_123 })
      await picture(page, 'report-printed', { whole: true })
      expect(faults).toEqual([])
      await context.close()
    })
  })
})
