/** The limits of the plan and the costs of messages; customers' ratings, and how they are requested. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import { commandEnv } from '../support/payments.ts'
import { buyer, createAnsweredReview, page as customerPage, requested } from '../support/reviews.ts'
import { signIn } from '../support/sessions.ts'
import { cloudShop, receipt, standInOperator } from '../support/stand-in-operator.ts'
import { storeTemplate } from '../support/templates.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'
import { picture } from './picture.ts'

const DAY_SECONDS = 86_400
const TWO_DAYS = 2 * DAY_SECONDS
/** The browser's console message about an expected error answer. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/

describe.skipIf(!hasChromium)('plan, costs, reviews and ratings', () => {
  let operator: Awaited<ReturnType<typeof standInOperator>>
  let parley: TestParley
  let browser: Browser
  beforeAll(async () => {
    operator = await standInOperator()
    parley = await boot({ env: operator.env })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
    await operator?.close()
  })

  const open = async (shop: Pick<TestWorkspace, 'workspaceId'>, role: 'agent' | 'admin') => {
    const session = await signIn(parley, shop, role)
    const context = await profileOf(browser, parley, session, { reducedMotion: 'reduce' })
    return { context, ...(await openPage(context)) }
  }

  test('the plan, its usage, the costs of messages, and the wallet that pays for them', async () => {
    const shop = await cloudShop({
      ...parley,
      workspace: () => parley.workspace({ sandbox: true, plan: 'pro', name: 'Blue Lotus' }),
    })
    const run = async (...words: string[]) => {
      const { code, stderr } = await runParley(
        [...words, '--workspace', shop.workspaceId],
        commandEnv(parley),
      )
      if (code !== 0) throw new Error(stderr)
      await parley.caughtUp()
    }
    await shop.writes('+919812345678')
    await shop.writes('+919812345679')
    const { context, page, faults } = await open(shop, 'admin')
    const path = `/w/${shop.workspaceId}/settings/usage`
    await page.goto(path)
    await page.getByText('2 of 50,000').waitFor()
    await page.getByText('0 of 100,000').waitFor()
    await page.getByText('The wallet is off').waitFor()
    await page.getByText('No messages with a price were delivered in this period.').waitFor()
    await page.getByText('Costs are unknown because no rates are imported.').waitFor()
    await page.getByText(`rates import rates.csv --workspace ${shop.workspaceId}`).waitFor()
    expect(await looked(page, 'plan-off')).toEqual([])

    const rates = join(parley.config.dataDir, `${randomUUID()}.csv`)
    await writeFile(rates, 'market,category,validFrom,millionths\nIN,marketing,2026-01-01,784600\n')
    await run('rates', 'import', rates, '--currency', 'INR')
    await page.reload()
    const card = page.getByRole('table', { name: 'Rates' })
    await card.getByRole('row', { name: 'India Marketing' }).getByText('₹0.7846').waitFor()
    await page.getByText(/^Last imported /).waitFor()
    await card.scrollIntoViewIfNeeded()
    expect(await looked(page, 'plan-rates')).toEqual([])
    await run('wallet', 'on')
    await run('wallet', 'credit', '--amount-minor', '500000', '--reference', 'BANK-1')
    const sent = await shop.post('/send', {
      to: '+919812345678',
      type: 'text',
      text: 'Yes.',
      phoneNumberId: shop.cloudNumberId,
    })
    const messageIds = { chanmid: `wamid.${randomUUID()}`, messageId: sent.body.messageId as string }
    const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'marketing' }
    await shop.operatorSays(
      ...(['sent', 'delivered'] as const).map((status) => {
        const [reported] = receipt(status, messageIds).statuses
        return { statuses: [{ ...reported, recipient_id: '919812345678', pricing }] }
      }),
    )
    await shop.settled()
    await shop.advance(TWO_DAYS)

    await page.goto(path)
    await page.getByRole('img', { name: 'Costs by day' }).waitFor()
    await page.getByText('Based on rates valid since Jan 1, 2026.').waitFor()
    const entries = page.getByRole('table', { name: 'Wallet entries' })
    await entries.getByRole('cell', { name: '₹5,000.00', exact: true }).first().waitFor()
    await entries.getByRole('cell', { name: '-₹0.78', exact: true }).waitFor()
    await page.getByRole('table', { name: 'Costs by category' }).getByText('marketing').waitFor()
    expect(await looked(page, 'plan')).toEqual([])
    await entries.scrollIntoViewIfNeeded()
    await picture(page, 'plan-below')

    await page.getByRole('combobox', { name: 'View' }).click()
    await page.getByRole('option', { name: 'Table' }).click()
    const rows = page.getByRole('table', { name: 'Costs by day' }).getByRole('row')
    await expect.poll(() => rows.count()).toBe(31)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).first().click()
    const file = await download
    expect(file.suggestedFilename()).toBe('costs-by-day.csv')
    const lines = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    expect(lines[0]).toBe('\uFEFFDate,Messages,Free,Charged,No rate,Cost in INR')
    expect(lines.filter((line) => line.endsWith(',1,0,1,0,0.78'))).toHaveLength(1)
    await page.getByRole('combobox', { name: 'Period' }).click()
    await page.getByRole('option', { name: 'Last 90 days' }).click()
    await expect.poll(() => rows.count()).toBe(91)
    expect(faults).toEqual([])
    await context.close()
  })

  test('a customer is asked, and the review arrives while the page is open', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const { context, page, faults } = await open(shop, 'agent')
    const path = `/w/${shop.workspaceId}/reviews`
    await page.goto(path)
    await page.getByRole('heading', { name: 'Reviews are turned off' }).waitFor()
    expect(await page.getByRole('link', { name: 'Reviews' }).count()).toBe(0)
    await shop.set({ modules: ['invoicing', 'reviews'] })
    const { invoice } = await buyer(shop)

    await page.goto(path)
    await page.getByText('No reviews yet').waitFor()
    const choose = async () => {
      await page.keyboard.press('c')
      await page.getByRole('combobox', { name: 'Choose an invoice or a visit' }).fill(invoice.number)
      await page.getByRole('option', { name: invoice.number }).click()
      return page.getByRole('dialog', { name: `Ask about ${invoice.number}` })
    }
    const dialog = await choose()
    await dialog.getByRole('combobox', { name: 'Send by' }).click()
    await page.getByRole('option', { name: 'Link' }).click()
    await dialog.getByRole('button', { name: 'Get link' }).click()
    const url = (await dialog.locator('code').textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'detached' })

    // No customer is asked twice about the same.
    const secondDialog = await choose()
    await secondDialog.getByRole('button', { name: 'Send request', exact: true }).click()
    await secondDialog.getByRole('alert').getByText('already has the review request').waitFor()
    await secondDialog.getByRole('button', { name: 'Cancel' }).click()
    await secondDialog.waitFor({ state: 'detached' })

    const list = page.getByRole('list', { name: 'Reviews' })
    const answer = { rating: '2', comment: 'The <b>seam</b> tore on the first day.' }
    expect((await customerPage(parley, url, answer)).status).toBe(303)
    await list.getByRole('img', { name: '2 of 5 stars' }).waitFor()
    await list.getByText(answer.comment).waitFor()
    await list.getByText('Low', { exact: true }).waitFor()
    const numbers = page.getByRole('region', { name: 'Reviews in numbers' })
    await numbers.getByText('2.0', { exact: true }).waitFor()
    await createAnsweredReview(shop, 5)
    await list.getByRole('img', { name: '5 of 5 stars' }).waitFor()
    await numbers.getByText('3.5', { exact: true }).waitFor()
    await numbers.getByText('2 of 2 requests answered').waitFor()
    // One rating is chosen among all, and everything is shown again.
    await numbers.getByRole('button', { name: '2 stars: 1 review' }).click()
    await list.getByRole('img', { name: '5 of 5 stars' }).waitFor({ state: 'detached' })
    await list.getByRole('img', { name: '2 of 5 stars' }).waitFor()
    await numbers.getByRole('button', { name: '2 stars: 1 review', pressed: true }).click()
    await list.getByRole('img', { name: '5 of 5 stars' }).waitFor()
    expect(await looked(page, 'reviews')).toEqual([])

    await page.getByRole('combobox', { name: 'Filter by rating' }).click()
    await page.getByRole('option', { name: 'Low ratings' }).click()
    await list.getByRole('img', { name: '5 of 5 stars' }).waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Requests' }).click()
    const requests = page.getByRole('table', { name: 'Requests' })
    await expect.poll(() => requests.getByText('Answered', { exact: true }).count()).toBe(2)
    expect(await looked(page, 'review-requests')).toEqual([])
    await requests
      .getByRole('row', { name: invoice.number })
      .getByRole('button', { name: /^Open the chat/ })
      .click()
    await page.waitForURL(/\/inbox\/[0-9a-f-]{36}$/)
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('the trend of the ratings by week and month, of a chosen period, also as a table', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.set({ modules: ['invoicing', 'reviews'] })
    await createAnsweredReview(shop, 2)
    await shop.advance(120 * DAY_SECONDS)
    for (const rating of [5, 4]) await createAnsweredReview(shop, rating)
    const { context, page, faults } = await open(shop, 'agent')
    await page.goto(`/w/${shop.workspaceId}/reviews`)
    const list = page.getByRole('list', { name: 'Reviews' })
    const numbers = page.getByRole('region', { name: 'Reviews in numbers' })
    await page.getByRole('img', { name: 'Average rating' }).waitFor()
    await numbers.getByText('3.7', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show table' }).click()
    const rows = page.getByRole('table', { name: 'Trend' }).getByRole('row')
    // 120 days touch five months, or four with February.
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(5)
    const months = await rows.count()
    await page.getByRole('combobox', { name: 'Group the trend' }).click()
    await page.getByRole('option', { name: 'By week' }).click()
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(18)
    expect(months).toBeLessThan(8)
    expect((await rows.allTextContents()).filter((text) => text.endsWith('2.0'))).toHaveLength(1)

    // The period narrows the numbers and the list, and stays in the address.
    await page.getByRole('combobox', { name: 'Period' }).click()
    await page.getByRole('option', { name: 'Last 12 weeks' }).click()
    await numbers.getByText('4.5', { exact: true }).waitFor()
    await list.getByRole('img', { name: '2 of 5 stars' }).waitFor({ state: 'detached' })
    await expect.poll(() => rows.count()).toBe(13)
    await numbers.getByRole('button', { name: '4 stars: 1 review' }).click()
    await list.getByRole('img', { name: '5 of 5 stars' }).waitFor({ state: 'detached' })
    await page.reload()
    await list.getByRole('img', { name: '4 of 5 stars' }).waitFor()
    await numbers.getByText('4.5', { exact: true }).waitFor()
    expect(await list.getByRole('listitem').count()).toBe(1)
    expect(await looked(page, 'reviews-trend')).toEqual([])

    // On a phone, the first review is on the first screen; the ratings and the trend are folded.
    await page.setViewportSize({ width: 390, height: 844 })
    const bars = numbers.getByRole('button', { name: '4 stars: 1 review' })
    await bars.waitFor({ state: 'hidden' })
    const { y, height } = (await list.getByRole('listitem').first().boundingBox())!
    expect(y + height).toBeLessThan(844)
    await picture(page, 'reviews-folded')
    await page.getByRole('button', { name: 'Show more numbers' }).click()
    await bars.waitFor()
    await page.getByRole('img', { name: 'Average rating' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test("an admin replaces a customer's link; an agent is not offered it", async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    await shop.set({ modules: ['invoicing', 'reviews'] })
    const { invoice } = await buyer(shop)
    const { url } = await requested(shop, invoice.id)
    const path = `/w/${shop.workspaceId}/reviews/requests`
    const agent = await open(shop, 'agent')
    await agent.page.goto(path)
    await agent.page.getByRole('button', { name: `Copy link for ${invoice.number}` }).waitFor()
    expect(await agent.page.getByRole('button', { name: /^Replace link/ }).count()).toBe(0)
    await agent.context.close()

    const { context, page, faults } = await open(shop, 'admin')
    await page.goto(path)
    await page.getByRole('button', { name: `Replace link for ${invoice.number}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace link' }).click()
    await page.getByText('Link replaced').waitFor()
    const [request] = (await shop.get('/review-requests')).body.reviewRequests
    expect(request.url).not.toBe(url)
    expect((await customerPage(parley, url)).status).toBe(404)
    expect((await customerPage(parley, request.url)).status).toBe(200)
    expect(faults).toEqual([])
    await context.close()
  })

  test('an admin sets how customers are asked; errors are shown at their field', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    const body = { type: 'BODY', text: 'How satisfied are you?' }
    await storeTemplate(parley, shop, { name: 'how_was_it', components: [body] })
    const { context, page, faults } = await open(shop, 'admin')
    const path = `/w/${shop.workspaceId}/settings/ratings`
    await page.goto(path)
    await page.getByText('--modules reviews').waitFor()
    await shop.set({ modules: ['reviews'] })
    await page.goto(path)
    await page.getByRole('switch', { name: 'Ask customers to rate chats' }).click()
    const delay = page.getByLabel('Minutes to wait')
    await delay.fill('9999')
    await page.getByRole('combobox', { name: 'Template' }).first().click()
    await page.getByRole('option', { name: /how_was_it/ }).click()
    await page.getByRole('button', { name: 'Save ratings' }).click()
    await page.getByText('Must be a whole number from 0 to 1440.').waitFor()
    await delay.fill('5')
    await page.getByRole('button', { name: 'Save ratings' }).click()
    await page.getByText('Chat rating settings saved').waitFor()
    const { ratingSettings } = (await shop.get('/rating-settings')).body
    expect(ratingSettings).toMatchObject({
      enabled: true,
      delayMinutes: 5,
      templateId: expect.any(String),
    })

    await page.getByLabel('Hours after an invoice is paid').fill('24')
    await page.getByRole('combobox', { name: 'Low rating' }).click()
    await page.getByRole('option', { name: '2 stars or fewer' }).click()
    await page.getByLabel('Your public review page').fill('http://portal.example.com/us')
    await page.getByRole('button', { name: 'Save reviews' }).click()
    await page.getByText('Must be an https address.').waitFor()
    await page.getByLabel('Your public review page').fill('https://portal.example.com/us')
    await page.getByRole('button', { name: 'Save reviews' }).click()
    await page.getByText('Review settings saved').waitFor()
    expect((await shop.get('/review-settings')).body.reviewSettings).toMatchObject({
      afterInvoicePaidHours: 24,
      afterBookingHours: null,
      alertAt: 2,
      publicUrl: 'https://portal.example.com/us',
    })
    expect(await looked(page, 'settings-ratings')).toEqual([])

    // A chat is resolved, its customer is asked after five minutes, and taps.
    await shop.inbound('+919812345678', 'Is it in stock?')
    const [chat] = (await shop.get('/conversations')).body.conversations
    await shop.patch(`/conversations/${chat.id}`, { state: 'resolved' })
    await shop.advance(301)
    await shop.inbound('+919812345678', '', { text: undefined, listId: 'rating:4', title: '4' })
    await page.goto(`/w/${shop.workspaceId}/analytics`)
    const ratings = page.getByRole('table', { name: 'Customer satisfaction' })
    await ratings.getByRole('row', { name: '4 stars 1' }).waitFor()
    await ratings.scrollIntoViewIfNeeded()
    await picture(page, 'ratings-wide')
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })
})
