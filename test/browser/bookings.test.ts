/**
 * Bookings: services are set up, a time is booked, moved, completed, and canceled, and viewers may only read.
 */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bookingShop, madeBooking, madeService, madeStaff } from '../support/bookings.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { pay } from '../support/payments.ts'
import { sellsAs } from '../support/sales.ts'
import { signIn } from '../support/sessions.ts'
import { until } from '../support/until.ts'
import { violationsOf } from './axe.ts'
import { hasChromium, launch, openPage, profileOf } from './chromium.ts'
import { picture } from './picture.ts'

/** The browser's console message about an expected error answer. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
/** The offset of the shop's time zone from UTC. */
const AHEAD_MS = 5.5 * 60 * 60 * 1_000
const TWO_DAYS = 2 * 24 * 60 * 60
const DAY_MS = 24 * 60 * 60 * 1_000

/** The words of customers' names in the calendar that are broken into two lines, as an expression of the page. */
const BROKEN_WORDS = `[...document.querySelectorAll('[data-booking] [data-customer]')].flatMap((name) => {
  const node = name.firstChild
  return [...node.data.matchAll(/\\S+/g)].flatMap((word) => {
    const range = document.createRange()
    range.setStart(node, word.index)
    range.setEnd(node, word.index + word[0].length)
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
    return lines.size > 1 ? [word[0]] : []
  })
})`

/** Returns the minute of the day in UTC. */
const minuteOf = (time: number): number => Math.floor((time % DAY_MS) / 60_000)

describe.skipIf(!hasChromium)('bookings', () => {
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

  const open = async (shop: TestWorkspace, role: 'viewer' | 'agent' | 'admin', options = {}) => {
    const context = await profileOf(browser, parley, await signIn(parley, shop, role), options)
    return { context, ...(await openPage(context)) }
  }
  const tile = (page: Page, name: string) => page.locator('[data-booking]').filter({ hasText: name })
  const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Booking' })
  const choose = async (page: Page, entry: string) => {
    await panelOf(page).getByRole('button', { name: 'More actions for this booking' }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }

  test('a time is booked from the page, moved, completed, restored, invoiced, and canceled', async () => {
    const shop = await bookingShop(parley)
    await shop.set({ modules: ['bookings', 'invoicing'] })
    const meera = await madeStaff(shop)
    const ravi = await madeStaff(shop, { name: 'Ravi' })
    const service = await madeService(shop, {
      staffIds: [meera.id, ravi.id],
      priceMinor: 60_000,
      advance: { percent: 20 },
    })
    const { context, page, faults } = await open(shop, 'agent')
    const find = async (name: string): Promise<Body> =>
      ((await shop.get('/bookings')).body.bookings as Body[]).find(
        (booking) => booking.customer.name === name,
      )!

    // Number and name, without the advance; missing fields are named.
    await page.goto(`/w/${shop.workspaceId}/bookings`)
    await page.getByRole('region', { name: 'Meera' }).waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New booking' })
    await dialog.getByRole('button', { name: 'Next day' }).click()
    await dialog.getByRole('button', { name: 'Create booking' }).click()
    await dialog.getByText('Choose a time').waitFor()
    await dialog.getByRole('button', { name: /^10:00\sAM$/ }).click()
    await dialog.getByLabel('Phone').fill('98123 45678')
    await dialog.getByLabel('Name').fill('Asha Rao')
    await dialog.getByRole('combobox', { name: 'Advance' }).click()
    await page.getByRole('option', { name: /^Waive it/ }).click()
    await dialog.getByRole('button', { name: 'Create booking' }).click()
    const panel = panelOf(page)
    await panel.getByRole('heading', { name: 'Asha Rao' }).waitFor()
    await tile(page, 'Asha Rao').waitFor()
    const booked = await find('Asha Rao')
    expect(booked).toMatchObject({ status: 'confirmed', advance: { status: 'waived' } })

    // Another member takes the time meanwhile: the page offers the next times, and shows the other booking
    // without a reload.
    await page.keyboard.press('c')
    await dialog.getByRole('combobox', { name: 'Staff' }).click()
    await page.getByRole('option', { name: 'Ravi' }).click()
    const day = await dialog.getByLabel('Day', { exact: true }).inputValue()
    await dialog.getByRole('button', { name: /^11:00\sAM$/ }).click()
    await dialog.getByLabel('Phone').fill('98123 45679')
    await dialog.getByLabel('Name').fill('Meera Iyer')
    await dialog.getByRole('combobox', { name: 'Advance' }).click()
    await page.getByRole('option', { name: /^Waive it/ }).click()
    await madeBooking(shop, {
      serviceId: service.id,
      staffId: ravi.id,
      startAt: `${day}T11:00:00+05:30`,
      name: 'Leela Nair',
      advance: 'waive',
    })
    await dialog.getByRole('button', { name: 'Create booking' }).click()
    await dialog.getByText('This time was just taken').waitFor()
    await dialog
      .getByRole('button', { name: /11:30\sAM$/ })
      .first()
      .click()
    await dialog.getByRole('button', { name: 'Create booking' }).click()
    await panel.getByRole('heading', { name: 'Meera Iyer' }).waitFor()
    await page.getByRole('region', { name: 'Ravi' }).locator('[data-booking]').nth(1).waitFor()
    await tile(page, 'Leela Nair').waitFor()
    expect(await find('Meera Iyer')).toMatchObject({ staff: { id: ravi.id } })

    // Moved by keyboard, to another time.
    await tile(page, 'Asha Rao').click()
    await panel.getByRole('heading', { name: 'Asha Rao' }).waitFor()
    await page.keyboard.press('m')
    const moving = page.getByRole('dialog', { name: "Move Asha Rao's booking" })
    await moving.getByRole('button', { name: /^2:00\sPM$/ }).click()
    await moving.getByRole('button', { name: 'Move booking' }).click()
    await page.getByText(/^Moved to/).waitFor()
    await moving.waitFor({ state: 'detached' })
    expect(Date.parse((await find('Asha Rao')).startAt) - Date.parse(booked.startAt)).toBe(4 * 3_600_000)
    await page.keyboard.press('e')
    const noting = page.getByRole('dialog', { name: 'Notes about the visit' })
    await noting.getByLabel('Notes').fill('Window seat.')
    await noting.getByRole('button', { name: 'Save' }).click()
    await panel.getByText('Window seat.').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      choose(page, 'Download calendar file'),
    ])
    expect(download.suggestedFilename()).toBe('booking.ics')

    // Not before it begins; then completed, restored, and invoiced.
    expect(await panel.getByRole('button', { name: 'Complete' }).count()).toBe(0)
    await shop.advance(TWO_DAYS)
    // As when a member returns to the tab: it reads the clock again.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await panel.getByRole('button', { name: 'Complete' }).click()
    await panel.getByText('Completed', { exact: true }).waitFor()
    expect(await find('Asha Rao')).toMatchObject({ status: 'completed', notes: 'Window seat.' })
    await panel.getByRole('button', { name: 'Restore' }).click()
    await panel.getByText('Confirmed', { exact: true }).waitFor()
    await choose(page, 'Create invoice')
    await page.waitForURL(/\/invoices\/[\w-]+$/)
    await page.goBack()

    // Canceled with a reason: hidden until the filter shows it.
    await panel.getByRole('heading', { name: 'Asha Rao' }).waitFor()
    await choose(page, 'Cancel booking')
    const cancelDialog = page.getByRole('dialog', { name: "Cancel Asha Rao's booking?" })
    await cancelDialog.getByLabel('Reason').fill('She is ill.')
    await cancelDialog.getByRole('button', { name: 'Cancel booking' }).click()
    await panel.getByText('She is ill.').waitFor()
    await tile(page, 'Asha Rao').waitFor({ state: 'detached' })
    await page.getByText('Show 1 canceled or expired').click()
    await tile(page, 'Asha Rao').waitFor()
    await panel.getByRole('heading', { name: 'Asha Rao' }).click()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Week' }).click()
    await tile(page, 'Leela Nair').waitFor()
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('a time outside of hours is booked after a confirmation, and an advance leads to its receipt and invoice', async () => {
    const shop = await bookingShop(parley)
    await shop.set({ modules: ['bookings', 'invoicing'] })
    await sellsAs(shop)
    const closed = await madeStaff(shop, { weekly: [] })
    const service = await madeService(shop, {
      staffIds: [closed.id],
      priceMinor: 60_000,
      advance: { percent: 50 },
      questions: [{ label: 'Long or short?', required: false }],
    })
    const { context, page, faults } = await open(shop, 'agent')
    await page.goto(`/w/${shop.workspaceId}/bookings`)
    await page.getByRole('region', { name: 'Meera' }).waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New booking' })
    await dialog.getByText('No free times on this day.').waitFor()
    await dialog.getByText('Choose any time, also outside opening hours').click()
    await dialog.getByText("You still can't book a time that is taken.").waitFor()
    await dialog.getByRole('button', { name: 'Create booking' }).click()
    await dialog.getByText('Choose a time').waitFor()
    const day = new Date(Date.now() + AHEAD_MS + DAY_MS).toISOString().slice(0, 10)
    await dialog.getByLabel('Day', { exact: true }).fill(day)
    await dialog.getByLabel('Time', { exact: true }).fill('05:15')
    await dialog.getByLabel('Phone').fill('98123 45678')
    await dialog.getByLabel('Name').fill('Asha Rao')
    await dialog.getByLabel('Long or short?').fill('Short')
    await dialog.getByRole('button', { name: 'Create booking' }).click()
    const panel = panelOf(page)
    await panel.getByRole('heading', { name: 'Asha Rao' }).waitFor()
    const [{ id, startAt }] = (await shop.get('/bookings')).body.bookings
    expect(startAt).toBe(new Date(`${day}T05:15:00+05:30`).toISOString())
    expect(service.staffIds).toEqual([closed.id])

    // Paid: the receipt is next to the customer's details, without a reload.
    await panel.getByText('Short', { exact: true }).waitFor()
    await until(
      async () => (await shop.get(`/bookings/${id}`)).body.booking.paymentUrl,
      'the booking can be paid for',
    )
    await pay(parley, shop, id)
    await panel.getByRole('link', { name: /^VCH/ }).click()
    await page.getByText('Receipt voucher', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Create invoice' }).click()
    await page.getByRole('heading', { name: /^INV/ }).waitFor()
    await page.getByRole('link', { name: /^From receipt voucher VCH/ }).waitFor()
    await page.getByRole('link', { name: 'The booking' }).click()
    await panel.getByRole('link', { name: /^INV/ }).waitFor()
    expect(await panel.getByRole('link', { name: /^VCH/ }).count()).toBe(0)
    await panel.getByRole('link', { name: 'Asha Rao' }).click()
    await page.waitForURL(/\/contacts\/[\w-]+$/)
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('a click on a free time books it, the current time is marked, one person is shown alone, and the page is shared', async () => {
    const shop = await bookingShop(parley)
    const meera = await madeStaff(shop)
    const ravi = await madeStaff(shop, { name: 'Ravi' })
    await madeService(shop, { name: 'Draping', staffIds: [meera.id] })
    const service = await madeService(shop, { staffIds: [ravi.id] })
    const day = new Date(Date.now() + AHEAD_MS + 3 * DAY_MS).toISOString().slice(0, 10)
    await madeBooking(shop, { serviceId: service.id, startAt: `${day}T12:00:00+05:30`, name: 'Leela Nair' })
    const { context, page, faults } = await open(shop, 'admin')
    await page.goto(`/w/${shop.workspaceId}/bookings/day`)
    await page.getByRole('region', { name: 'Ravi' }).waitFor()
    const minute = minuteOf(Date.now() + AHEAD_MS)
    // The grid has hours from 8 to 20.
    const isOpenNow = minute >= 8 * 60 && minute < 20 * 60
    expect(await page.locator('[data-now]').count()).toBe(isOpenNow ? 2 : 0)

    // The time, the staff, and a service of theirs are chosen.
    await page.goto(`/w/${shop.workspaceId}/bookings/day/${day}`)
    await page.getByRole('region', { name: 'Ravi' }).locator('[data-free="630"]').click()
    const dialog = page.getByRole('dialog', { name: 'New booking' })
    await dialog.getByRole('button', { name: /^10:30\sAM$/, pressed: true }).waitFor()
    expect(await dialog.getByRole('combobox', { name: 'Service' }).textContent()).toMatch(/^Haircut/)
    await dialog.getByLabel('Phone').fill('98123 45678')
    await dialog.getByLabel('Name').fill('Asha Rao')
    await dialog.getByRole('button', { name: 'Create booking' }).click()
    await panelOf(page).getByRole('heading', { name: 'Asha Rao' }).waitFor()
    const booked = ((await shop.get('/bookings')).body.bookings as Body[]).find(
      ({ customer }) => customer.name === 'Asha Rao',
    )!
    expect(booked).toMatchObject({
      staff: { id: ravi.id },
      startAt: new Date(`${day}T10:30:00+05:30`).toISOString(),
    })
    await page.keyboard.press('Escape')

    // A taken time is named, and not booked.
    await page.getByRole('region', { name: 'Meera' }).locator('[data-free="600"]').click()
    await dialog.getByRole('button', { name: /^10:00\sAM$/, pressed: true }).waitFor()
    await dialog.getByRole('combobox', { name: 'Service' }).click()
    await page.getByRole('option', { name: /^Haircut/ }).click()
    expect(await dialog.getByRole('button', { pressed: true }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('combobox', { name: 'Staff' }).click()
    await page.getByRole('option', { name: 'Meera' }).click()
    await page.getByRole('region', { name: 'Ravi' }).waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Week' }).click()
    await page.waitForURL(/bookings\/week\/.*staff=/)
    expect(await tile(page, 'Leela Nair').count()).toBe(0)

    await page.getByRole('button', { name: 'Booking page' }).click()
    await page.getByText("Customers can't book themselves yet.").waitFor()
    await page.keyboard.press('Escape')
    const { url } = (await shop.call('PUT', '/booking-settings', { publicPage: true })).body.bookingSettings
    await page.getByRole('button', { name: 'Booking page' }).click()
    await page.getByText(url).waitFor()
    expect(await page.getByRole('link', { name: 'Open page' }).getAttribute('href')).toBe(url)
    expect(faults).toEqual([])
    await context.close()

    // Viewers read the calendar, and can't book.
    const viewer = await open(shop, 'viewer')
    await viewer.page.goto(`/w/${shop.workspaceId}/bookings/day/${day}`)
    await viewer.page.getByRole('region', { name: 'Ravi' }).waitFor()
    expect(await viewer.page.locator('[data-free]').count()).toBe(0)
    await viewer.context.close()
  })

  /** Returns a Wednesday in at least two weeks: its week has a day before and a day after it. */
  const wednesday = (): string => {
    const day = new Date(Date.now() + AHEAD_MS + 14 * DAY_MS)
    day.setUTCDate(day.getUTCDate() + ((10 - day.getUTCDay()) % 7))
    return day.toISOString().slice(0, 10)
  }
  /** The top edge of a tile or a free half hour: a tile that is held there starts where it is dropped. */
  const TOP = { position: { x: 20, y: 4 } }
  const drag = async (page: Page, from: Locator, to: Locator) => {
    await from.hover(TOP)
    await page.mouse.down()
    // The first movement starts the drag, and the second one enters the place.
    for (const x of [16, 18, 20]) await to.hover({ position: { ...TOP.position, x }, force: true })
    await page.locator('[data-move-preview]').waitFor()
  }
  const free = (page: Page, column: string, minute: number) =>
    page.getByRole('region', { name: column }).locator(`[data-free="${minute}"]`)

  test('a booking is dragged to another time and person, stays if the time is not free, and the move is undone', async () => {
    const shop = await bookingShop(parley)
    const meera = await madeStaff(shop, {
      weekly: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ day: weekday, from: '10:00', to: '18:00' })),
    })
    const ravi = await madeStaff(shop, { name: 'Ravi' })
    const lotus = await madeStaff(shop, { name: 'Room Lotus', kind: 'resource' })
    await madeService(shop, { name: 'Massage', staffIds: [lotus.id] })
    const service = await madeService(shop, { staffIds: [meera.id, ravi.id], durationMinutes: 60 })
    const day = wednesday()
    const bookedAt = (clock: string, name: string) =>
      madeBooking(shop, {
        serviceId: service.id,
        staffId: meera.id,
        startAt: `${day}T${clock}:00+05:30`,
        name,
      })
    const { id } = await bookedAt('10:00', 'Asha Rao')
    await bookedAt('12:00', 'Leela Nair')
    const placeOf = async () => {
      const { booking } = (await shop.get(`/bookings/${id}`)).body
      return [booking.startAt, booking.staff.name]
    }
    const at = (clock: string) => new Date(`${day}T${clock}:00+05:30`).toISOString()
    const { context, page, faults } = await open(shop, 'agent', { viewport: { width: 1280, height: 800 } })
    await page.goto(`/w/${shop.workspaceId}/bookings/day/${day}`)
    const asha = tile(page, 'Asha Rao')
    const preview = page.locator('[data-move-preview]')
    await asha.waitFor()

    // To another person, with the new time under the pointer.
    await drag(page, asha, free(page, 'Ravi', 840))
    await preview.getByText(/^2:00\sPM to 3:00\sPM$/).waitFor()
    await picture(page, 'booking-dragged')
    await page.mouse.up()
    await page.getByText(/^Moved to Ravi, .*2:00\sPM$/).waitFor()
    await page.getByText('The customer gets no message, unless an automation sends it.').waitFor()
    await page.getByRole('region', { name: 'Ravi' }).locator('[data-booking]').waitFor()
    expect(await placeOf()).toEqual([at('14:00'), 'Ravi'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Change undone').waitFor()
    await page.getByRole('region', { name: 'Meera' }).locator('[data-booking]').nth(1).waitFor()
    expect(await placeOf()).toEqual([at('10:00'), 'Meera'])

    // Not to the time of another booking, nor to a person without the service.
    await drag(page, asha, free(page, 'Meera', 690))
    await preview.getByText('Another booking is at this time').waitFor()
    await picture(page, 'booking-refused')
    await page.mouse.up()
    await page
      .getByText(/^The booking stays on .*10:00\sAM\.$/)
      .first()
      .waitFor()
    await drag(page, asha, free(page, 'Room Lotus', 840))
    await preview.getByText("Room Lotus doesn't offer Haircut").waitFor()
    await page.mouse.up()
    // An error is announced as an alert, and its notice is hidden from roles until it has the focus.
    await page.locator('[data-notices] button').filter({ hasText: 'Choose a time' }).first().click()
    const dialog = page.getByRole('dialog', { name: "Move Asha Rao's booking" })
    await dialog.getByRole('button', { name: 'Go back' }).click()
    await dialog.waitFor({ state: 'detached' })

    // The server knows what the page can't know: the hours before the own time.
    await page.getByRole('region', { name: 'Calendar' }).evaluate((grid) => grid.scrollTo(0, 0))
    await drag(page, asha, free(page, 'Meera', 570))
    await page.mouse.up()
    await page
      .getByText(/9:30\sAM, isn't free$/)
      .first()
      .waitFor()
    await asha.getByText(/^10:00\sAM$/).waitFor()
    expect(await placeOf()).toEqual([at('10:00'), 'Meera'])

    // In the week, to the next day with the same person.
    await page.getByRole('tab', { name: 'Week' }).click()
    const columns = page.getByRole('region', { name: 'Calendar' }).getByRole('region')
    const readTitles = () =>
      columns.evaluateAll((found) => found.map((column) => column.textContent?.includes('Asha Rao')))
    // The columns of the day are shown until those of the week are loaded.
    await expect.poll(async () => (await readTitles()).length).toBe(7)
    await expect.poll(readTitles).toContain(true)
    const titles = await readTitles()
    const next = columns.nth(titles.indexOf(true) + 1)
    await drag(page, asha, next.locator('[data-free="660"]'))
    await page.mouse.up()
    await next.locator('[data-booking]').waitFor()
    await page.getByText(/^Moved to .*11:00\sAM$/).waitFor()
    expect(await placeOf()).toEqual([new Date(Date.parse(at('11:00')) + DAY_MS).toISOString(), 'Meera'])

    // By keyboard, without opening the booking.
    await asha.focus()
    await page.keyboard.press('m')
    await dialog.getByRole('combobox', { name: 'Staff' }).click()
    await page.getByRole('option', { name: 'Ravi' }).click()
    await dialog.getByRole('button', { name: /^4:00\sPM$/ }).click()
    await dialog.getByRole('button', { name: 'Move booking' }).click()
    await page.getByText(/^Moved to Ravi, .*4:00\sPM$/).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => asha.evaluate((element) => element.matches(':focus'))).toBe(true)
    // The notice of the move before can still be shown.
    await page
      .locator('[data-type="good"]')
      .filter({ hasText: /Moved to Ravi, .*4:00\sPM/ })
      .getByRole('button', { name: 'Undo' })
      .click()
    await page.getByText('Change undone').waitFor()

    // Outside of the hours only if the member wants it.
    await asha.focus()
    await page.keyboard.press('m')
    await dialog.getByText('Choose any time, also outside opening hours').click()
    await dialog.getByLabel('Time', { exact: true }).fill('07:15')
    await dialog.getByRole('button', { name: 'Move booking' }).click()
    await page.getByText(/^Moved to .*7:15\sAM$/).waitFor()
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()

    const viewer = await open(shop, 'viewer')
    await viewer.page.goto(`/w/${shop.workspaceId}/bookings/day/${day}`)
    await tile(viewer.page, 'Leela Nair').waitFor()
    expect(await viewer.page.locator('[draggable="true"]').count()).toBe(0)
    await viewer.context.close()
  })

  test('a busy week of five staff fits its width: simultaneous bookings are stacked, and listed at a press', async () => {
    const shop = await bookingShop(parley)
    const names = ['Meera', 'Ravi', 'Leela', 'Arjun', 'Kavya']
    const staff = await Promise.all(names.map((name) => madeStaff(shop, { name })))
    const services = await Promise.all(
      ['Haircut', 'Color and style'].map((name, index) =>
        madeService(shop, { name, staffIds: staff.map(({ id }) => id), durationMinutes: 30 + 30 * index }),
      ),
    )
    const monday = new Date(Date.now() + AHEAD_MS + 14 * DAY_MS)
    monday.setUTCDate(monday.getUTCDate() + ((8 - monday.getUTCDay()) % 7))
    const dayOf = (offset: number) => new Date(monday.getTime() + offset * DAY_MS).toISOString().slice(0, 10)
    const customers = [
      'Asha Rao',
      'Nisha Ramakrishnan',
      'Tom Featherstonehaugh',
      'Ravi Deshpande',
      'Maria Okafor',
      'Li Wei',
    ]
    // Sixty bookings: two rounds of all staff on each day from Monday to Saturday.
    for (let i = 0; i < 60; i++) {
      const [day, round, person] = [Math.floor(i / 10), Math.floor(i / 5) % 2, i % 5]
      const [service, hour] = [(day + person) % 2, 10 + (day % 3) + 4 * round]
      const minute = person % 2 === 0 ? '00' : '30'
      await madeBooking(shop, {
        serviceId: services[service]!.id,
        staffId: staff[person]!.id,
        startAt: `${dayOf(day)}T${hour}:${minute}:00+05:30`,
        name: customers[i % customers.length],
      })
    }
    const { context, page, faults } = await open(shop, 'agent', { reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`/w/${shop.workspaceId}/bookings/week/${dayOf(0)}`)
    const calendar = page.getByRole('region', { name: 'Calendar' })
    const stack = calendar.getByRole('button', { name: /^\d bookings on/ }).first()
    await stack.waitFor()
    const overflow = () => calendar.evaluate((element) => element.scrollWidth - element.clientWidth)
    expect(await overflow()).toBe(0)
    const stacked = await calendar
      .locator('[data-stack]')
      .evaluateAll((found) => found.flatMap((element) => element.getAttribute('data-stack')!.split(' ')))
    const alone = await calendar
      .locator('[data-booking]')
      .evaluateAll((found) => found.map((element) => element.getAttribute('data-booking')))
    expect(new Set([...stacked, ...alone]).size).toBe(60)
    expect(await page.evaluate(BROKEN_WORDS), 'words of names on two lines').toEqual([])
    const long = calendar.locator('[data-booking]').filter({ hasText: 'Featherstonehaugh' }).first()
    expect(await long.getAttribute('title')).toContain(customers[2])
    await picture(page, 'bookings-busy-week')
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await picture(page, 'bookings-busy-week-dark')
    await stack.click()
    const list = page.getByRole('dialog', { name: /^\d bookings on/ })
    await list.locator('[data-booking]').first().waitFor()
    await picture(page, 'bookings-stack-dark')
    expect((await violationsOf(page)).map(({ id }) => id)).toEqual([])
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await picture(page, 'bookings-stack')
    expect((await violationsOf(page)).map(({ id }) => id)).toEqual([])
    const opened = await list.locator('[data-booking]').first().getAttribute('data-booking')
    await list.locator('[data-booking]').first().click()
    await panelOf(page).getByRole('button', { name: 'Move' }).waitFor()
    await list.waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('booking')).toBe(opened)
    await picture(page, 'bookings-busy-week-open')
    expect(await overflow()).toBe(0)
    await panelOf(page).getByRole('button', { name: 'Close booking' }).click()
    await calendar
      .getByRole('button', { name: /^\d bookings on/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Show the day by staff' }).click()
    for (const name of names)
      await page.getByRole('region', { name }).locator('[data-booking]').nth(1).waitFor()
    await picture(page, 'bookings-busy-day')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/w/${shop.workspaceId}/bookings/week/${dayOf(0)}`)
    await page.locator('[data-booking]').nth(59).waitFor({ state: 'attached' })
    await picture(page, 'bookings-busy-week-phone')
    expect(faults).toEqual([])
    await context.close()
  })

  test('a booking over midnight is shown on both of its days', async () => {
    const shop = await bookingShop(parley)
    const staff = await madeStaff(shop)
    const service = await madeService(shop, {
      name: 'Night watch',
      staffIds: [staff.id],
      durationMinutes: 210,
    })
    // A Monday: a week can start on the next day, but no week ends on this one.
    const day = new Date(Date.now() + AHEAD_MS + 14 * DAY_MS)
    day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7))
    const [first, second] = [day, new Date(day.getTime() + DAY_MS)].map((date) =>
      date.toISOString().slice(0, 10),
    )
    await madeBooking(shop, { serviceId: service.id, startAt: `${first}T22:30:00+05:30` })
    const { context, page, faults } = await open(shop, 'viewer')
    const openView = (view: string) => page.goto(`/w/${shop.workspaceId}/bookings/${view}`)
    const hoursOf = async (element: Locator) => {
      const { height } = (await element.locator('xpath=..').boundingBox())!
      return height / 56
    }

    await openView(`day/${first}`)
    await tile(page, 'Asha Rao')
      .getByText(/^10:30\sPM$/)
      .waitFor()
    expect(await hoursOf(tile(page, 'Asha Rao'))).toBeCloseTo(1.5, 1)
    await openView(`day/${second}`)
    await tile(page, 'Asha Rao')
      .getByText(/^until 2:00\sAM$/)
      .waitFor()
    expect(await hoursOf(tile(page, 'Asha Rao'))).toBeCloseTo(2, 1)
    expect(await tile(page, 'Asha Rao').getAttribute('title')).toMatch(/10:30\sPM – 2:00\sAM/)
    await openView(`week/${first}`)
    await tile(page, 'Asha Rao').nth(1).waitFor()
    expect(await tile(page, 'Asha Rao').count()).toBe(2)
    await picture(page, 'booking-over-midnight')
    await openView(`day/${new Date(day.getTime() + 2 * DAY_MS).toISOString().slice(0, 10)}`)
    await page.getByRole('region', { name: 'Meera' }).waitFor()
    expect(await tile(page, 'Asha Rao').count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()

    const phone = await open(shop, 'viewer', PHONE)
    await phone.page.goto(`/w/${shop.workspaceId}/bookings/day/${second}`)
    await tile(phone.page, 'Asha Rao')
      .getByText(/^until 2:00\sAM$/)
      .waitFor()
    await phone.context.close()
  })

  test("a viewer sees bookings and can't change anything, on a phone as a list", async () => {
    const shop = await bookingShop(parley)
    const booking = await madeBooking(shop)
    const { context, page, faults } = await open(shop, 'viewer', PHONE)
    const day = new Date(Date.parse(booking.startAt) + AHEAD_MS).toISOString().slice(0, 10)
    await page.goto(`/w/${shop.workspaceId}/bookings/week/${day}`)
    await tile(page, 'Asha Rao').click()
    const panel = panelOf(page)
    await panel.getByRole('heading', { name: 'Asha Rao' }).waitFor()
    await panel.getByRole('button', { name: 'More actions for this booking' }).click()
    await page.getByRole('menuitem', { name: 'Download calendar file' }).waitFor()
    await page.getByRole('menuitem', { name: 'Open chat' }).waitFor()
    expect(await page.getByRole('menuitem').count()).toBe(2)
    await page.keyboard.press('Escape')
    expect(await panel.getByRole('button', { name: 'Move' }).count()).toBe(0)
    await panel.getByRole('button', { name: 'Close booking' }).click()
    await tile(page, 'Asha Rao').waitFor()
    expect(await page.getByRole('button', { name: 'New booking' }).count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  })

  test('admins set up services, resources, and hours, and give customers a page', async () => {
    const shop = await bookingShop(parley)
    const { context, page, faults } = await open(shop, 'admin')
    await page.goto(`/w/${shop.workspaceId}/bookings`)
    await page.getByRole('link', { name: 'Add a service in Settings' }).click()
    await page.getByRole('button', { name: 'Add staff or room' }).click()
    const person = page.getByRole('dialog', { name: 'Add staff or room' })
    await person.getByRole('button', { name: 'Save' }).click()
    await person.getByText('Enter a name.').waitFor()
    await person.getByLabel('Name').fill('Meera')
    await person.getByRole('combobox', { name: 'Member' }).click()
    await page.getByRole('option').nth(1).click()
    await person.getByLabel('Monday: from').fill('10:00')
    await person.getByRole('button', { name: 'Add hours on Saturday' }).click()
    await person.getByRole('button', { name: 'Add time off' }).click()
    await person.getByRole('button', { name: 'Save' }).click()
    await person.getByText('Enter both times. The second must be later.').waitFor()
    await person.getByLabel('Time off 1: from').fill('2027-01-01T00:00')
    await person.getByLabel('Time off 1: to').fill('2027-01-03T00:00')
    await person.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Meera is saved').waitFor()
    const [staff] = (await shop.get('/booking-staff')).body.staff as Body[]
    expect(staff).toMatchObject({
      name: 'Meera',
      memberId: expect.any(String),
      timeOff: [{ startAt: '2026-12-31T18:30:00.000Z', endAt: '2027-01-02T18:30:00.000Z' }],
    })
    expect(staff!.weekly.map(({ day, from }: Body) => [day, from])).toEqual([
      [1, '10:00'],
      [2, '09:00'],
      [3, '09:00'],
      [4, '09:00'],
      [5, '09:00'],
      [6, '09:00'],
    ])

    await page.getByRole('button', { name: 'Add service' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add service' })
    await dialog.getByLabel('Name').fill('Haircut')
    await dialog.getByLabel('Duration (minutes)').fill('2')
    await dialog.getByLabel('Price per person (INR)').fill('600')
    await dialog.getByText('Meera').click()
    await dialog.getByRole('button', { name: 'Add question' }).click()
    await dialog.getByLabel('Question 1', { exact: true }).fill('Long or short?')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Must be a whole number of minutes from 5 to 1440.').waitFor()
    await dialog.getByLabel('Duration (minutes)').fill('45')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Service saved').waitFor()
    expect((await shop.get('/booking-services')).body.services).toMatchObject([
      {
        name: 'Haircut',
        durationMinutes: 45,
        priceMinor: 60_000,
        staffIds: [staff!.id],
        questions: [{ label: 'Long or short?', required: false }],
      },
    ])

    await page.getByText('Let customers book online').click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Booking rules saved').waitFor()
    const { url } = (await shop.get('/booking-settings')).body.bookingSettings
    await page.locator('code').getByText(url).waitFor()
    expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([])
    await context.close()
  })

  test('if the module is off, the menu has no such page, and the page says who can turn it on', async () => {
    const shop = await parley.workspace()
    await shop.set({ modules: ['invoicing'] })
    const { context, page } = await open(shop, 'agent')
    await page.goto(`/w/${shop.workspaceId}/bookings`)
    // The command turns off every module that it isn't given.
    await page.getByRole('heading', { name: 'Bookings are turned off' }).waitFor()
    await page.getByText('--modules invoicing,bookings').waitFor()
    expect(await page.getByRole('link', { name: 'Bookings' }).count()).toBe(0)
    await context.close()
  })
})
