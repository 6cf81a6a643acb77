/** Drags by finger: a long press lifts, a short swipe scrolls, and a menu does the same without a drag. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bookingShop, madeBooking, madeService, madeStaff } from '../support/bookings.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { campaignsOf, makeContacts } from '../support/campaigns.ts'
import { movingClock } from '../support/moving-clock.ts'
import { jpegOf } from '../support/post-files.ts'
import { photoId } from '../support/post-media.ts'
import { signIn } from '../support/sessions.ts'
import { openSocialShop } from '../support/social-shop.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { fingerOf, middleOf, pointIn } from './finger.ts'
import { picture } from './picture.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const TABLET = { viewport: { width: 1180, height: 820 }, hasTouch: true, isMobile: true }
const DAY_MS = 86_400_000
const ZONE_MS = 5.5 * 3_600_000
const REFUSED = /^Failed to load resource: the server responded with a status of (402|404|409|422|502)/

describe.skipIf(!hasChromium)('drags by finger', () => {
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

  const open = async (shop: { workspaceId: string }, path: string, options: object) => {
    const session = await signIn(parley, shop, 'admin', clock.now())
    const context = await profileOf(browser, parley, session, options)
    const { page, faults } = await openPage(context)
    await page.goto(`/w/${shop.workspaceId}/${path}`)
    return { context, page, faults, finger: await fingerOf(page) }
  }
  const dayOf = (time: number) => new Date(time + ZONE_MS).toISOString().slice(0, 10)
  const copyOf = (page: Page) => page.locator('[data-drag-copy]')
  const dayCell = (page: Page, day: string) =>
    page.getByRole('cell').filter({ has: page.locator(`time[datetime="${day}"]`) })
  const scrollOf = (place: Locator) => place.evaluate(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop])

  const leadsShop = async (count: number): Promise<TestWorkspace> => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus' })
    for (let index = 0; index < count; index += 1)
      await shop.post('/leads', { phone: `9198123456${10 + index}`, name: `Lead ${index}` })
    return shop
  }
  const stageOf = async (shop: TestWorkspace, index: number) =>
    (await shop.get(`/leads/9198123456${10 + index}`)).body.lead.stage.name

  test('on a phone, a swipe scrolls the board, and a long press moves a lead to the next stage or closes it', async () => {
    const shop = await leadsShop(12)
    const { context, page, faults, finger } = await open(shop, 'leads?layout=board', PHONE)
    const card = (name: string) => page.getByRole('article', { name, exact: true })
    const column = (name: string) => page.getByRole('region', { name, exact: true })
    await card('Lead 9').waitFor()
    const pane = column('New').locator('.pane')

    // Short swipes scroll the column and the board; no card moves, and no lead opens.
    const at = await middleOf(card('Lead 9'))
    await finger.press(at)
    await finger.moveTo({ x: at.x, y: at.y - 200 })
    await finger.lift()
    await expect.poll(async () => (await scrollOf(pane))[1]).toBeGreaterThan(100)
    const board = page.getByRole('region', { name: 'Leads by stage' })
    await finger.press({ ...at, x: 350 })
    await finger.moveTo({ x: 30, y: at.y })
    await finger.lift()
    await expect.poll(async () => (await scrollOf(board))[0]).toBeGreaterThan(100)
    expect(await copyOf(page).count()).toBe(0)

    // Near the edge, the board scrolls on until the next stage is below the finger.
    await page.reload()
    await card('Lead 10').waitFor()
    await finger.press(await middleOf(card('Lead 10')))
    await copyOf(page).waitFor()
    await finger.moveTo({ x: 384, y: 400 })
    await picture(page, 'touch-drag-board')
    await expect.poll(async () => (await scrollOf(board))[0]).toBeGreaterThan(300)
    await finger.moveTo({ x: 195, y: 400 })
    await finger.lift()
    await copyOf(page).waitFor({ state: 'detached' })
    await expect.poll(() => stageOf(shop, 10)).not.toBe('New')
    await board.evaluate((element) => element.scrollTo({ left: 0, behavior: 'instant' }))

    // The closed stages are at the bottom while a card is dragged.
    await finger.press(await middleOf(card('Lead 11')))
    await copyOf(page).waitFor()
    const won = page.locator('[data-close]').filter({ hasText: 'Won' })
    await won.waitFor()
    await finger.moveTo(await middleOf(won))
    await picture(page, 'touch-drag-close')
    await finger.lift()
    await expect.poll(() => stageOf(shop, 11)).toBe('Won')
    await column('New').getByRole('article', { name: 'Lead 11' }).waitFor({ state: 'detached' })

    // A drop outside of the stages leaves the lead where it is.
    await finger.press(await middleOf(card('Lead 9')))
    await copyOf(page).waitFor()
    await finger.moveTo({ x: 195, y: 20 })
    await finger.lift()
    await copyOf(page).waitFor({ state: 'detached' })
    expect(await stageOf(shop, 9)).toBe('New')

    // A tap opens a lead, and its menu moves it without a drag.
    await card('Lead 9').getByRole('button', { name: 'More actions for Lead 9' }).tap()
    await page.getByRole('menuitem', { name: 'Move to stage' }).waitFor()
    await page.keyboard.press('Escape')
    await card('Lead 9').tap({ position: { x: 40, y: 60 } })
    await page.getByRole('heading', { name: 'Lead 9', level: 1 }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('on a tablet, a booking is moved by a long press, and a swipe over it scrolls the day', async () => {
    const shop = await bookingShop(parley)
    const hours = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '10:00', to: '18:00' }))
    const meera = await madeStaff(shop, { weekly: hours })
    const ravi = await madeStaff(shop, { name: 'Ravi', weekly: hours })
    const service = await madeService(shop, { staffIds: [meera.id, ravi.id], durationMinutes: 60 })
    const day = dayOf(clock.now().getTime() + 14 * DAY_MS)
    const startAt = `${day}T10:00:00+05:30`
    const { id } = await madeBooking(shop, {
      serviceId: service.id,
      staffId: meera.id,
      startAt,
      name: 'Asha Rao',
    })
    const { context, page, faults, finger } = await open(shop, `bookings/day/${day}`, TABLET)
    const tile = page.locator('[data-booking]')
    await tile.waitFor()
    const grid = page.getByRole('region', { name: 'Calendar' })
    const [, top = 0] = await scrollOf(grid)
    const at = await pointIn(tile, { x: 40, y: 6 })
    await finger.press(at)
    await finger.moveTo({ x: at.x, y: at.y + 60 })
    await finger.lift()
    await expect.poll(async () => (await scrollOf(grid))[1]).toBeLessThan(top)

    // A touch that stops a scroll drags nothing.
    await page.reload()
    await tile.waitFor()
    await finger.press(await pointIn(tile, { x: 40, y: 6 }))
    const preview = page.locator('[data-move-preview]')
    await preview.waitFor()
    const free = page.getByRole('region', { name: 'Ravi' }).locator('[data-free="720"]')
    await finger.moveTo(await pointIn(free, { x: 40, y: 8 }))
    await preview.getByText(/^12:00\sPM to 1:00\sPM$/).waitFor()
    await picture(page, 'touch-drag-booking')
    await finger.lift()
    await page.getByText(/^Moved to Ravi, .*12:00\sPM$/).waitFor()
    const { booking } = (await shop.get(`/bookings/${id}`)).body
    expect([booking.startAt, booking.staff.name]).toEqual([
      new Date(`${day}T12:00:00+05:30`).toISOString(),
      'Ravi',
    ])
    // A tap opens the booking, whose dialog moves it too.
    await tile.tap()
    await page.getByRole('complementary', { name: 'Booking' }).waitFor()
    expect(faults).toEqual([])
    await context.close()
  })

  test('on a tablet, a post of the calendar is moved by a long press', async () => {
    const shop = await openSocialShop(parley, clock)
    const now = new Date(clock.now())
    const at = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15, 9, 0)
    const media = [await photoId(shop)]
    const scheduledAt = new Date(at).toISOString()
    await shop.post('/social/posts', {
      kind: 'image',
      caption: 'Holi',
      media,
      action: 'schedule',
      scheduledAt,
    })
    const { context, page, faults, finger } = await open(shop, 'social/calendar', TABLET)
    await page.getByRole('button', { name: 'Next month' }).tap()
    const post = page.getByRole('button', { name: /^Holi / })
    await post.waitFor()
    await finger.press(await middleOf(post))
    await copyOf(page).waitFor()
    await finger.moveTo(await middleOf(dayCell(page, dayOf(at + 2 * DAY_MS))))
    await picture(page, 'touch-drag-post')
    await finger.lift()
    const readTime = async () => (await shop.get('/social/posts')).body.posts[0].scheduledAt
    await expect.poll(readTime).toBe(new Date(at + 2 * DAY_MS).toISOString())
    // A tap opens its menu.
    await dayCell(page, dayOf(at + 2 * DAY_MS))
      .getByRole('button', { name: /^Holi / })
      .tap()
    await page.getByRole('menuitem', { name: 'One day later' }).waitFor()
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('on a phone, a file of a post is moved by its handle without a long press', async () => {
    const shop = await openSocialShop(parley, clock)
    const { context, page, faults, finger } = await open(shop, 'social/posts', PHONE)
    await page.getByRole('button', { name: 'Create post' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Create post' })
    await dialog.getByRole('combobox', { name: 'Type' }).tap()
    await page.getByRole('option', { name: 'Several photos' }).tap()
    await dialog.locator('input[type=file]').setInputFiles(
      ['Red', 'Leaf', 'Night'].map((name, index) => ({
        name: `${name}.jpg`,
        mimeType: 'image/jpeg',
        buffer: jpegOf({ width: 1000 + index }),
      })),
    )
    await dialog.getByRole('button', { name: 'Remove Night.jpg' }).waitFor()
    const files = dialog.getByRole('listitem')
    const namesOf = async () => (await files.allInnerTexts()).map((text) => text.trim())
    const handle = dialog.getByRole('button', { name: /^Move Night.jpg, / })
    await handle.scrollIntoViewIfNeeded()
    const to = await middleOf(files.first())
    const from = await middleOf(handle)
    await finger.press(from)
    await finger.moveTo({ x: from.x, y: from.y - 20 })
    await copyOf(page).waitFor()
    await finger.moveTo({ x: from.x, y: to.y })
    // A finger that rests does not lift the file again.
    const pressedFor = await page.evaluate(() => performance.now())
    await expect.poll(() => page.evaluate(() => performance.now())).toBeGreaterThan(pressedFor + 500)
    expect(await copyOf(page).count()).toBe(1)
    const [list, within] = [(await files.first().boundingBox())!, (await dialog.boundingBox())!]
    expect(list.x + list.width).toBeLessThan(within.x + within.width)
    await picture(page, 'touch-drag-file')
    await finger.lift()
    await expect.poll(namesOf).toEqual(['Night.jpg', 'Red.jpg', 'Leaf.jpg'])
    // Its buttons do the same.
    await dialog.getByRole('button', { name: 'Move Night.jpg down' }).tap()
    await expect.poll(namesOf).toEqual(['Red.jpg', 'Night.jpg', 'Leaf.jpg'])
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('on a tablet, a campaign of the calendar is moved by a long press', async () => {
    const shop = await parley.workspace({ sandbox: true, name: 'Blue Lotus', timezone: 'Asia/Kolkata' })
    const campaigns = await campaignsOf(parley, shop)
    await makeContacts(shop, 2, { optInStatus: 'opted_in' })
    const at = Date.now() + 2 * DAY_MS
    const created = await campaigns.create({ name: 'Diwali', scheduledAt: new Date(at).toISOString() })
    expect(created.status).toBe(201)
    const { context, page, faults, finger } = await open(shop, `campaigns/calendar/${dayOf(at)}`, TABLET)
    const entry = page.getByRole('button', { name: /Diwali/ })
    await entry.waitFor()
    const days = await page.locator('td time').evaluateAll((cells) => cells.map((cell) => cell.dateTime))
    const from = days.indexOf(dayOf(at))
    const to = from === days.length - 1 ? from - 1 : from + 1
    await finger.press(await middleOf(entry))
    await copyOf(page).waitFor()
    await finger.moveTo(await middleOf(page.locator('td').nth(to)))
    await picture(page, 'touch-drag-campaign')
    await finger.lift()
    await page
      .getByRole('dialog', { name: 'Move Diwali?' })
      .getByRole('button', { name: 'Move campaign' })
      .waitFor()
    expect(faults).toEqual([])
    await context.close()
  })
})
