/** The calendar of campaigns: months, weeks, and moving a scheduled campaign. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { campaignsOf, makeContacts } from '../support/campaigns.ts'
import { DASHBOARD, signIn } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { looked } from './page-problems.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ZONE = 'Asia/Kolkata'

/** Returns the day of a time in the workspace's zone. */
const dayOf = (time: number): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: ZONE,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(time)

describe.skipIf(!hasChromium)('the calendar of campaigns', () => {
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

  /** A shop with a sent campaign, its planned follow-up, and a campaign in ten days. */
  async function arrange() {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus', timezone: ZONE })
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 4, { optInStatus: 'opted_in' })
    const sent = (await campaigns.create({ name: 'Diwali lights', sendNow: true })).body
    await shop.advance(60)
    const inTwoDays = Date.now() + 2 * DAY_MS + HOUR_MS
    const followUp = (
      await campaigns.create({
        name: 'Last chance',
        followUpOf: sent.id,
        scheduledAt: new Date(inTwoDays).toISOString(),
      })
    ).body
    await campaigns.create({ name: 'A draft' })
    const timeOf = async () =>
      Date.parse((await shop.get(`/broadcasts/${followUp.id}`)).body.broadcast.scheduledAt)
    return { shop, inTwoDays, timeOf }
  }

  test('a campaign is moved by keys and by its menu, which ask first, and a gate that fails is shown', async () => {
    const { shop, inTwoDays, timeOf } = await arrange()
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/campaigns`)
    await page.getByRole('button', { name: 'Calendar' }).click()
    await page.getByText(`Times are in ${ZONE}.`, { exact: false }).waitFor()
    await page.goto(`/w/${shop.workspaceId}/campaigns/calendar/${dayOf(inTwoDays)}`)
    const entry = page.getByRole('button', { name: /Last chance \(Scheduled, follow-up\)$/ })
    await entry.waitFor()
    expect(await page.getByText('A draft').count()).toBe(0)
    await page.getByRole('button', { name: 'Month' }).click()
    await page.getByRole('table', { name: 'Campaigns by day' }).waitFor()
    await entry.waitFor()
    expect(await looked(page, 'campaign-calendar')).toEqual([])

    // A day earlier is too soon after the first campaign.
    await entry.focus()
    await page.keyboard.press('Shift+ArrowLeft')
    const question = page.getByRole('dialog', { name: 'Move Last chance?' })
    await question.getByText('Now scheduled for', { exact: false }).waitFor()
    expect(await looked(page, 'campaign-calendar-move')).toEqual([])
    await question.getByRole('button', { name: 'Move campaign' }).click()
    await until(async () => Math.abs((await timeOf()) - (inTwoDays - DAY_MS)) < 60_000, 'it moved')
    await question.waitFor({ state: 'detached' })
    await entry.focus()
    await page.keyboard.press('Shift+ArrowLeft')
    await question.getByRole('button', { name: 'Move campaign' }).click()
    await question.getByRole('alert').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })

    await entry.click()
    await page.getByRole('menuitem', { name: 'One week later' }).click()
    await question.getByRole('button', { name: 'Move campaign' }).click()
    await until(async () => Math.abs((await timeOf()) - (inTwoDays + 6 * DAY_MS)) < 60_000, 'it moved')
    // The browser reports the refused move.
    expect(faults.filter((fault) => !fault.includes('409'))).toEqual([])
    await context.close()
  })

  test('a campaign is dragged to another day of a week', async () => {
    const { shop, inTwoDays, timeOf } = await arrange()
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'admin'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/campaigns/calendar/${dayOf(inTwoDays)}`)
    const entry = page.getByRole('button', { name: /Last chance/ })
    await entry.waitFor()
    expect(await looked(page, 'campaign-week')).toEqual([])
    const days = await page.locator('td time').evaluateAll((cells) => cells.map((cell) => cell.dateTime))
    const from = days.indexOf(dayOf(inTwoDays))
    const to = from === days.length - 1 ? from - 1 : from + 1
    await entry.dragTo(page.locator('td').nth(to))
    const question = page.getByRole('dialog', { name: 'Move Last chance?' })
    await question.getByRole('button', { name: 'Move campaign' }).click()
    await until(async () => dayOf(await timeOf()) === days[to], 'it moved')
    expect(faults).toEqual([])
    await context.close()
  })

  test('a viewer sees the calendar, and opens a campaign from it', async () => {
    const { shop } = await arrange()
    const context = await profileOf(browser, parley, await signIn(parley, shop, 'viewer'))
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/campaigns/calendar`)
    await page.getByRole('link', { name: /Diwali lights \(Sent\)$/ }).click()
    await page.getByRole('heading', { name: 'Diwali lights' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('from right to left, the calendar and a campaign have no faults', async () => {
    const { shop, inTwoDays, timeOf } = await arrange()
    const member = await signIn(parley, shop, 'admin')
    expect((await member.patch(`${DASHBOARD}/account`, { language: 'ar' })).status).toBe(200)
    const context = await profileOf(browser, parley, member)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/campaigns/calendar/${dayOf(inTwoDays)}`)
    await page.locator('html[dir=rtl]').waitFor()
    const entry = page.getByRole('button', { name: /Last chance/ })
    await entry.waitFor()
    expect(await looked(page, 'campaign-week-ar')).toEqual([])
    // Later is on the left.
    await entry.focus()
    await page.keyboard.press('Shift+ArrowLeft')
    const field = page.getByRole('dialog').locator('input')
    await field.press('Enter')
    await until(
      async () => Math.abs((await timeOf()) - (inTwoDays + DAY_MS)) < 60_000,
      'it moved a day later',
    )
    await field.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /Diwali lights/ }).click()
    await page.getByRole('heading', { name: 'Diwali lights' }).waitFor()
    expect(await looked(page, 'campaign-ar')).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })
})
