/** A customer's page of their booking. It shows until when they can move or cancel. */
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { hideEmail, hidePhone } from '../../../../core/values/hidden-texts.ts'
import { type Html, html } from '../../../../core/values/html.ts'
import type { HtmlPage } from '../../../../core/values/html-page.ts'
import type { Language } from '../../../../core/values/languages.ts'
import { moneyText } from '../../../../core/values/money.ts'
import { LANGUAGES_STYLE, langIn, languageLinks } from '../../../../core/values/page-language.ts'
import {
  bookingInEvent,
  durationText,
  momentText,
  readSetup,
  statusOf,
  summaryIn,
} from '../operations/present.ts'
import { findFreeTimes, noticeOf } from '../operations/slots.ts'
import type { BookingRow } from '../queries/bookings.ts'
import { listServicesById, listStaffById } from '../queries/setup.ts'
import { bookingTexts } from '../texts/texts.ts'
import { momentIn, momentOf, type Wanted } from './book-page.ts'
import { brandHeader, brandStyle, readBrand } from './brand.ts'
import { PICKER_STYLE, timePicker } from './time-picker.ts'
import { keptIn, ZONE_SCRIPT, zoneOf } from './zone-choice.ts'

/** A customer's visit to their page. */
type Visit = { query: Wanted; language: Language }

/** Returns until when the customer can change the booking; undefined if they cannot. */
export async function changeableUntil(ctx: Context, row: BookingRow): Promise<Date | undefined> {
  if (!ctx.workspace.modules.includes('bookings') || row.status !== 'confirmed') return undefined
  const [service] = await listServicesById(ctx, [row.serviceId])
  const until = later(row.startAt, -service!.cancelNoticeMinutes * MINUTE_MS)
  return until > ctx.now ? until : undefined
}

function advanceOf(row: BookingRow, isOpen: boolean, { query, language }: Visit): Html {
  const { t } = bookingTexts(language)
  const amount = moneyText(row.advanceMinor!, row.currency, language)
  const until = momentText(row.holdExpiresAt!, row.timeZone, language)
  if (row.paymentUrl !== null && isOpen)
    return html`<p>${t('advance.pay', { amount, until })}</p><p><a class="button" href="${row.paymentUrl}">${t('advance.pay.action', { amount })}</a></p>`
  return html`<p>${t('advance.coming', { amount, until })} <a href="?${String(new URLSearchParams(keptIn(query)))}">${t('advance.reload')}</a></p>`
}

/** Folded, so that a single press cancels nothing. */
function cancelForm(language: Language): Html {
  const { t } = bookingTexts(language)
  return html`<details class="cancel"><summary>${t('cancel.action')}</summary>
<form method="post"><input type="hidden" name="action" value="cancel">
<label for="reason">${t('cancel.reason')}</label><input id="reason" name="reason" maxlength="500">
<button class="plain">${t('cancel.action')}</button></form></details>`
}

function moveForm(row: BookingRow, startAt: Date, { query, language }: Visit): Html {
  const { t } = bookingTexts(language)
  const moment = momentIn(startAt, zoneOf(query.zone, row.timeZone), row.timeZone, language)
  // The moment has markup of its own.
  const [before, after] = t('move.question', { moment: '\n' }).split('\n')
  return html`<p>${before}${moment}${after}</p>
<form method="post"><input type="hidden" name="action" value="move"><input type="hidden" name="at" value="${startAt.toISOString()}">
<button>${t('move.action')}</button> <a class="button plain" href="?${String(new URLSearchParams(keptIn(query)))}">${t('time.keep')}</a></form>`
}

async function timesOf(ctx: Context, row: BookingRow, { query, language }: Visit): Promise<Html> {
  const { t } = bookingTexts(language)
  const [service] = await listServicesById(ctx, [row.serviceId])
  const staff = await listStaffById(ctx, [row.staffId])
  const { from: earliest, to: latest } = noticeOf(ctx, service!)
  const bookable = { service: { ...service!, durationMinutes: row.durationMinutes }, staff }
  const picker = await timePicker({
    query: { ...query, near: undefined },
    language,
    ofBusiness: row.timeZone,
    earliest,
    latest,
    findStarts: async (from, to) =>
      (await findFreeTimes(ctx, bookable, { from, to, seats: row.partySize })).map(
        ({ startAt }) => new Date(startAt),
      ),
    kept: { move: '1', ...langIn(query) },
  })
  return html`<h2>${t('time.other')}</h2>${picker}<p><a href="?${String(new URLSearchParams(keptIn(query)))}">${t('time.keep')}</a></p>`
}

type Changes = { body: Html; usesZone?: boolean }

async function changes(ctx: Context, row: BookingRow, visit: Visit): Promise<Changes | undefined> {
  const { query, language } = visit
  const { t } = bookingTexts(language)
  const until = await changeableUntil(ctx, row)
  if (!until) return undefined
  const startAt = momentOf(query, 'at')
  if (query.move !== undefined)
    return startAt
      ? { body: moveForm(row, startAt, visit) }
      : { body: await timesOf(ctx, row, visit), usesZone: true }
  const moveLink = `?${new URLSearchParams({ move: '1', ...keptIn(query) })}`
  return {
    body: html`<p class="faint">${t('change.until', { moment: momentText(until, row.timeZone, language) })}</p>
<p><a class="button plain" href="${moveLink}">${t('time.other')}</a></p>${cancelForm(language)}`,
  }
}

const BOOKING_STYLE = `
.when { font-size: 1.25rem }
.cancel summary { cursor: pointer; color: var(--faint); min-height: 44px; align-content: center }
`

/** Query parameter of the page after a form was sent again and the booking did not change. */
export const STORED = 'stored'

/**
 * Returns the customer's name, number, and email, so that they notice a mistake. They are masked if they are hidden from any
 * role, because the chat contains the link to this page.
 */
function bookedFor({ workspace }: Context, { customer: { name, phone, email } }: BookingRow): string {
  const isHidden = workspace.detailsHiddenFrom.length > 0
  const details = isHidden ? [phone && hidePhone(phone), email && hideEmail(email)] : [phone, email]
  return [name, ...details].filter((text) => text !== null && text !== '').join(', ')
}

/** Returns the values of the address that name what the page shows; other languages show the same. */
const stepOf = (query: Wanted): Record<string, string> =>
  Object.fromEntries(
    ['move', 'month', 'day', 'at', 'zone'].flatMap((name) => {
      const value = query[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

/** Returns the page of a booking; `notice` says why a change was not possible. */
export async function bookingPage(
  ctx: Context,
  row: BookingRow,
  visit: Visit,
  notice?: string,
): Promise<HtmlPage> {
  const { query, language } = visit
  const { t } = bookingTexts(language)
  const setup = await readSetup(ctx, [row])
  const booking = bookingInEvent(ctx, row, setup)
  const status = statusOf(row, ctx.now)
  const isOn = ctx.workspace.modules.includes('bookings')
  const customer = bookedFor(ctx, row)
  const brand = await readBrand(ctx)
  const shownChanges = await changes(ctx, row, visit)
  const zone = zoneOf(query.zone, row.timeZone)
  const warning = notice ?? (query[STORED] === undefined ? undefined : t('notice.stored'))
  return {
    title: summaryIn(ctx, row, setup, language),
    language,
    style: brandStyle(brand) + PICKER_STYLE + LANGUAGES_STYLE + BOOKING_STYLE,
    ...(shownChanges?.usesZone && warning === undefined ? { script: ZONE_SCRIPT } : {}),
    body: html`<main>${brandHeader(brand)}${
      warning && html`<p class="notice bad" role="alert">${warning}</p>`
    }<p class="notice${status === 'confirmed' && ' good'}">${t(`status.${status}`)}</p>
<div class="paper"><h2>${booking.service}</h2>
<p><strong class="when">${momentText(row.startAt, row.timeZone, language)}</strong> <span class="faint">(<bdi>${row.timeZone}</bdi>, ${durationText(row.durationMinutes, language)})</span>${
      zone !== row.timeZone &&
      html`<br><span class="faint">${t('time.own', { moment: momentText(row.startAt, zone, language), zone })}</span>`
    }${
      booking.staff && html`<br>${t('booking.staff', { staff: booking.staff.name })}`
    }${row.location && html`<br>${row.location}`}${row.partySize > 1 && html`<br>${t('booking.people', { count: row.partySize })}`}${
      row.priceMinor > 0 && html`<br>${moneyText(row.priceMinor, row.currency, language)}`
    }${customer !== '' && html`<br>${t('booking.customer', { customer })}`}</p>
${status === 'held' && advanceOf(row, isOn, visit)}
${status === 'confirmed' && html`<p><a class="button plain" href="/b/${row.token}/visit.ics">${t('booking.calendar')}</a></p>`}
${shownChanges?.body}</div>${languageLinks(t('language'), language, stepOf(query))}</main>`,
  }
}
