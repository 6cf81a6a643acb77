/**
 * The photo network: a comment is answered and hidden, a post published; and workspaces without the
 * add-on or an account.
 */
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { movingClock } from '../support/moving-clock.ts'
import { jpegOf } from '../support/post-files.ts'
import { photoId } from '../support/post-media.ts'
import { signIn } from '../support/sessions.ts'
import { customerComments, openSocialShop } from '../support/social-shop.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Returns a time in the zone of the workspaces, Asia/Kolkata. The browser's zone is UTC. */
const zoneTime = (time: number | string | Date): string =>
  new Date(new Date(time).getTime() + 5.5 * HOUR_MS).toISOString().slice(0, 16)
const zoneDay = (time: number | string | Date): string => zoneTime(time).slice(0, 10)
/** The browser's console message about an expected error answer; 404: the simulated network has no pictures. */
const REFUSED = /^Failed to load resource: the server responded with a status of (402|404|409|422|502)/

describe.skipIf(!hasChromium)('the photo network', () => {
  const clock = movingClock()
  let parley: TestParley
  let browser: Browser
  beforeAll(async () => {
    parley = await boot({ clock })
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await parley?.close()
  })

  const open = async (shop: { workspaceId: string }, role: 'viewer' | 'agent' | 'admin') => {
    const context = await profileOf(browser, parley, await signIn(parley, shop, role, clock.now()), {
      timezoneId: 'UTC',
    })
    return { context, ...(await openPage(context)) }
  }
  test('a comment is answered and hidden, and shown again', async () => {
    const shop = await openSocialShop(parley, clock)
    await customerComments(parley, shop, { from: 'asha_r', text: 'Price?' })
    await customerComments(parley, shop, { from: 'spam_er', text: 'Buy followers' })
    const { context, page, faults } = await open(shop, 'agent')
    await page.goto(`/w/${shop.workspaceId}/social/comments`)
    const comment = (text: string) => page.getByRole('listitem').filter({ hasText: text })
    await comment('Price?').getByRole('button', { name: 'Reply publicly to @asha_r' }).click()
    await page.getByRole('textbox', { name: 'Public reply' }).fill('We have sent you the details.')
    await page.getByRole('button', { name: 'Send' }).click()
    await comment('Price?').getByText('You replied').waitFor()
    await page.getByRole('button', { name: 'Hide comment by @spam_er', exact: true }).click()
    await comment('Buy followers').getByText('Hidden', { exact: true }).waitFor()
    const listHidden = async () =>
      (await shop.get('/social/comments?filter=hidden')).body.comments.map(
        (comment: { text: string }) => comment.text,
      )
    expect(await listHidden()).toEqual(['Buy followers'])
    const toast = page
      .getByRole('dialog')
      .filter({ hasText: 'Comment hidden. Only its author still sees it.' })
    await toast.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Hide comment by @spam_er', exact: true }).waitFor()
    expect(await listHidden()).toEqual([])
    await page.getByRole('combobox', { name: 'Filter comments' }).click()
    await page.getByRole('option', { name: 'Needs a reply' }).click()
    await comment('Price?').waitFor({ state: 'detached' })
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('a post is scheduled and published; its likes and the figures of the account are shown', async () => {
    const shop = await openSocialShop(parley, clock)
    const { context, page, faults } = await open(shop, 'admin')
    await page.goto(`/w/${shop.workspaceId}/social/posts`)
    await page.getByText('No posts yet', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Create post' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create post' })
    await dialog.getByLabel('Caption').fill('Diwali silks at seven')
    await dialog.getByRole('combobox', { name: 'Publish' }).click()
    await page.getByRole('option', { name: 'At a set time' }).click()
    const inAnHour = new Date(clock.now().getTime() + HOUR_MS).toISOString()
    await dialog.getByLabel('Publish at').fill(zoneTime(inAnHour))
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await dialog.getByText('Must have exactly one photo', { exact: false }).waitFor()
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'silk.jpg',
      mimeType: 'image/jpeg',
      buffer: jpegOf({ width: 1080, height: 1080 }),
    })
    await dialog.getByRole('button', { name: 'Remove silk.jpg' }).waitFor()
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await dialog.waitFor({ state: 'detached' })
    const written = page
      .getByRole('list', { name: 'Posts created here' })
      .getByRole('listitem')
      .filter({ hasText: 'Diwali silks at seven' })
    await written.getByText('Scheduled').waitFor()

    // Another post is canceled before its time.
    const mistake = { kind: 'image', caption: 'Mistake', media: [await photoId(shop)] }
    await shop.post('/social/posts', { ...mistake, action: 'schedule', scheduledAt: inAnHour })
    await page.reload()
    await page.getByRole('button', { name: 'Cancel post “Mistake”' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel post' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Mistake' }).getByText('Canceled').waitFor()

    clock.aheadMs += 2 * HOUR_MS
    await written.getByText('Published').waitFor()
    await page.reload()
    const live = page.getByRole('list', { name: 'Posts on the network' }).getByRole('listitem')
    await live
      .filter({ hasText: 'Diwali silks at seven' })
      .getByText(/likes?$/)
      .waitFor()

    await page.getByRole('tab', { name: 'Insights' }).click()
    await page.locator('dl[aria-label="Account metrics"]').getByText('Followers (now)').waitFor()
    await page.getByRole('combobox', { name: 'Period' }).click()
    await page.getByRole('option', { name: '90 days' }).click()
    await page.getByRole('table', { name: 'By period' }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('insights-90-days.csv')
    expect(readFileSync(await download.path(), 'utf8')).toMatch(/^\uFEFFMetric,Value,since,until\r\n/)
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('the calendar shows scheduled posts; a post is moved by keyboard and by its menu, and back', async () => {
    const shop = await openSocialShop(parley, clock)
    const now = new Date(zoneDay(clock.now()))
    // The middle of the next month: there are days in every direction. In the workspace's zone it is 2:00 of the following day.
    const scheduledAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15, 20, 30))
    const { post } = (
      await shop.post('/social/posts', {
        kind: 'image',
        caption: 'Holi colors',
        media: [await photoId(shop)],
        action: 'schedule',
        scheduledAt: scheduledAt.toISOString(),
      })
    ).body
    const readScheduledAt = async () => (await shop.get(`/social/posts/${post.id}`)).body.post.scheduledAt
    const shiftDays = (days: number) => new Date(scheduledAt.getTime() + days * DAY_MS).toISOString()
    const { context, page, faults } = await open(shop, 'admin')
    await page.goto(`/w/${shop.workspaceId}/social/calendar`)
    await page.getByRole('button', { name: 'Next month' }).click()
    const dayOf = (days: number) =>
      page
        .getByRole('table', { name: 'Posts of the month' })
        .getByRole('cell')
        .filter({ has: page.locator(`time[datetime="${zoneDay(shiftDays(days))}"]`) })
        .getByRole('button', { name: /^Holi colors / })
    await dayOf(0).focus()
    await page.keyboard.press('Shift+ArrowRight')
    await dayOf(1).waitFor()
    await expect.poll(readScheduledAt).toBe(shiftDays(1))
    // The focus follows the post: the next key moves it further.
    await page.keyboard.press('Shift+ArrowUp')
    await dayOf(-6).waitFor()
    await expect.poll(readScheduledAt).toBe(shiftDays(-6))
    const to = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'Asia/Kolkata' })
    await page
      .getByRole('dialog')
      .filter({ hasText: new RegExp(`${to.format(new Date(shiftDays(-6)))}, .*2:00`) })
      .getByRole('button', { name: 'Undo' })
      .click()
    await dayOf(1).waitFor()
    await expect.poll(readScheduledAt).toBe(shiftDays(1))

    await dayOf(1).click()
    await page.getByRole('menuitem', { name: 'Choose another time' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reschedule post' })
    await dialog.getByLabel('Publish at').fill('2020-01-01T10:00')
    await dialog.getByRole('button', { name: 'Reschedule' }).click()
    await page.getByText('scheduledAt must be in the future').first().waitFor()
    await dayOf(1).waitFor()
    expect(await readScheduledAt()).toBe(shiftDays(1))

    // On a phone it is a list of days, with the same menu.
    await page.setViewportSize({ width: 390, height: 844 })
    const days = page.getByRole('list', { name: 'Days with posts' })
    await days.getByRole('button', { name: /^Holi colors / }).click()
    await page.getByRole('menuitem', { name: 'One week later' }).click()
    await expect.poll(readScheduledAt).toBe(shiftDays(8))
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('posts and comments show their pictures; a draft is changed, and another is deleted', async () => {
    const shop = await openSocialShop(parley, clock)
    const { context, page, faults } = await open(shop, 'admin')
    // Photos with pixels: a browser shows no picture of a file that consists of headers.
    const [first, second] = [await page.screenshot({ type: 'jpeg' }), await page.screenshot({ type: 'jpeg' })]
    await page.goto(`/w/${shop.workspaceId}/social/posts`)
    await page.getByText('No posts yet', { exact: true }).waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'Create post' })
    await dialog.getByLabel('Caption').fill('Diwali silks')
    await dialog.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'Several photos' }).click()
    await dialog.locator('input[type=file]').setInputFiles([
      { name: 'first.jpg', mimeType: 'image/jpeg', buffer: first },
      { name: 'second.jpg', mimeType: 'image/jpeg', buffer: second },
    ])
    await dialog.getByRole('button', { name: 'Remove second.jpg' }).waitFor()
    await dialog.getByRole('button', { name: 'Move second.jpg up' }).click()
    await dialog.getByRole('button', { name: 'Save draft' }).click()
    await dialog.waitFor({ state: 'detached' })
    const isShown = (picture: { complete: boolean; naturalWidth: number }) =>
      picture.complete && picture.naturalWidth > 0
    const row = (caption: string) =>
      page
        .getByRole('list', { name: 'Posts created here' })
        .getByRole('listitem')
        .filter({ hasText: caption })
    await expect.poll(() => row('Diwali silks').locator('img').first().evaluate(isShown)).toBe(true)

    // The files keep the order in which they are shown.
    const readPosts = async () => (await shop.get('/social/posts')).body.posts
    const [draft] = await readPosts()
    await page.getByRole('button', { name: 'Edit post “Diwali silks”' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit post' })
    await edit.getByLabel('Caption').fill('Holi silks')
    await edit.getByRole('button', { name: 'Move File 2 up' }).click()
    await edit.getByRole('button', { name: 'Save draft' }).click()
    await row('Holi silks').getByText('Draft').waitFor()
    expect(await readPosts()).toMatchObject([
      { id: draft.id, caption: 'Holi silks', media: draft.media.toReversed(), status: 'draft' },
    ])

    await shop.post('/social/posts', { kind: 'image', caption: 'A mistake' })
    await page.getByRole('button', { name: 'Delete draft “A mistake”' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete draft' }).click()
    // The open dialog hides the rows.
    await expect.poll(readPosts).toHaveLength(1)
    await row('A mistake').waitFor({ state: 'detached' })

    // The published post shows Parley's copy, also next to its comments.
    await page.getByRole('button', { name: 'Edit post “Holi silks”' }).click()
    await edit.getByRole('combobox', { name: 'Publish' }).click()
    await page.getByRole('option', { name: 'Now', exact: true }).click()
    await edit.getByRole('button', { name: 'Publish now' }).click()
    const live = page.getByRole('list', { name: 'Posts on the network' }).getByRole('listitem')
    await expect
      .poll(async () => {
        clock.aheadMs += 15_000
        return (await readPosts())[0].status
      })
      .toBe('published')
    await page.reload()
    await expect.poll(() => live.first().locator('img').first().evaluate(isShown)).toBe(true)
    await customerComments(parley, shop, { from: 'asha_r', text: 'Price?' })
    await page.getByRole('tab', { name: 'Comments' }).click()
    const comment = page.getByRole('listitem').filter({ hasText: 'Price?' })
    await expect.poll(() => comment.locator('img').evaluate(isShown)).toBe(true)
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('a scheduled post is dragged to another day, and a new one starts from its day', async () => {
    const shop = await openSocialShop(parley, clock)
    const now = new Date(zoneDay(clock.now()))
    const scheduledAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15, 20, 30))
    const media = [await photoId(shop)]
    const post = { kind: 'image', caption: 'Holi colors', media, action: 'schedule' }
    await shop.post('/social/posts', { ...post, scheduledAt: scheduledAt.toISOString() })
    const { context, page, faults } = await open(shop, 'admin')
    await page.goto(`/w/${shop.workspaceId}/social/calendar`)
    await page.getByRole('button', { name: 'Next month' }).click()
    const dayAt = (days: number) => {
      const day = zoneDay(scheduledAt.getTime() + days * DAY_MS)
      return page.getByRole('cell').filter({ has: page.locator(`time[datetime="${day}"]`) })
    }
    await dayAt(0)
      .getByRole('button', { name: /^Holi colors / })
      .dragTo(dayAt(2))
    await dayAt(2)
      .getByRole('button', { name: /^Holi colors / })
      .waitFor()
    const readTime = async () => (await shop.get('/social/posts')).body.posts[0].scheduledAt
    await expect.poll(readTime).toBe(new Date(scheduledAt.getTime() + 2 * DAY_MS).toISOString())

    await dayAt(3).hover()
    await dayAt(3)
      .getByRole('button', { name: /^Create post on / })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Create post' })
    const day = zoneDay(scheduledAt.getTime() + 3 * DAY_MS)
    await dialog.getByText('Time zone: Asia/Kolkata').waitFor()
    expect(await dialog.getByLabel('Publish at').inputValue()).toBe(`${day}T10:00`)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('a workspace without a requirement sees the missing part, and who can add it', async () => {
    const shop = await parley.workspace()
    const { context, page, faults } = await open(shop, 'agent')
    await page.goto(`/w/${shop.workspaceId}/social`)
    await page.getByRole('heading', { name: 'The photo network is an add-on' }).waitFor()
    expect(await page.getByRole('link', { name: 'Social' }).count()).toBe(0)
    await shop.set({ socialAddon: true })
    await page.reload()
    await page.getByText('No comments yet').waitFor()
    await page.getByRole('tab', { name: 'Insights' }).click()
    await page.getByText('No account is connected').waitFor()
    await page.getByText('Ask an admin to connect the account in Integrations.').waitFor()
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })
})
