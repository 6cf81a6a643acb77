/** A customer's page of their booking. It shows until when they can move or cancel. */
import { DAY_MS, later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { type Html, html } from '../../../../core/values/html.ts'
import type { HtmlPage } from '../../../../core/values/html-page.ts'
import { bookingInEvent, durationText, momentText, readSetup, statusOf } from '../operations/present.ts'
import { findFreeTimes, noticeOf } from '../operations/slots.ts'
import type { BookingRow } from '../queries/bookings.ts'
import { listServicesById, listStaffById } from '../queries/setup.ts'
import { momentOf, type Wanted } from './book-page.ts'
import { DAYS_SHOWN, TIMES_STYLE, timesList } from './times-list.ts'

const STATUS_TEXTS: Record<BookingRow['status'], string> = {
  held: 'We are keeping this time for you.',
  confirmed: 'Your booking is confirmed.',
  completed: 'Thank you for your visit.',
  no_show: 'You missed this booking.',
  cancelled: 'This booking was canceled.',
  expired: 'This booking expired because it was not paid in time.',
}

/** Returns until when the customer can change the booking; undefined if they cannot. */
export async function changeableUntil(ctx: Context, row: BookingRow): Promise<Date | undefined> {
  if (!ctx.workspace.modules.includes('bookings') || row.status !== 'confirmed') return undefined
  const [service] = await listServicesById(ctx, [row.serviceId])
  const until = later(row.startAt, -service!.cancelNoticeMinutes * MINUTE_MS)
  return until > ctx.now ? until : undefined
}

function advanceOf(row: BookingRow, amount: string, isOpen: boolean): Html {
  const until = momentText(row.holdExpiresAt!, row.timeZone)
  if (row.paymentUrl !== null && isOpen)
    return html`<p>Pay ${amount} by ${until} to keep it.</p><p><a class="button" href="${row.paymentUrl}">Pay ${amount}</a></p>`
  return html`<p>Pay an advance of ${amount} by ${until}. The payment link is on its way: <a href="?">reload this page</a> in a moment.</p>`
}

const cancelForm = html`<form method="post"><input type="hidden" name="action" value="cancel">
<label for="reason">Reason (optional)</label><input id="reason" name="reason" maxlength="500">
<button class="plain">Cancel this booking</button></form>`

const moveForm = (
  row: BookingRow,
  startAt: Date,
): Html => html`<p>Move it to ${momentText(startAt, row.timeZone)}?</p>
<form method="post"><input type="hidden" name="action" value="move"><input type="hidden" name="at" value="${startAt.toISOString()}">
<button>Move</button> <a class="button plain" href="?">Keep the current time</a></form>`

async function timesOf(ctx: Context, row: BookingRow, query: Wanted): Promise<Html> {
  const [service] = await listServicesById(ctx, [row.serviceId])
  const staff = await listStaffById(ctx, [row.staffId])
  const earliest = noticeOf(ctx, service!).from
  const from = momentOf(query, 'from') ?? earliest
  const bookable = { service: { ...service!, durationMinutes: row.durationMinutes }, staff }
  const times = await findFreeTimes(ctx, bookable, {
    from,
    to: later(from, DAYS_SHOWN * DAY_MS),
    seats: row.partySize,
  })
  return html`<h2>Choose another time</h2>${timesList({
    times: times.map(({ startAt }) => ({ startAt: new Date(startAt).toISOString() })),
    timeZone: row.timeZone,
    from,
    earliest,
    link: (query) => `?${new URLSearchParams({ move: '1', ...query })}`,
  })}<p><a href="?">Keep the current time</a></p>`
}

async function changes(ctx: Context, row: BookingRow, query: Wanted): Promise<Html | undefined> {
  const until = await changeableUntil(ctx, row)
  if (!until) return undefined
  const startAt = momentOf(query, 'at')
  if (query.move !== undefined) return startAt ? moveForm(row, startAt) : timesOf(ctx, row, query)
  return html`<p class="faint">Until ${momentText(until, row.timeZone)} you can change it yourself.</p>
<p><a class="button plain" href="?move=1">Choose another time</a></p>${cancelForm}`
}

/** Query parameter of the page after a form was sent again and the booking did not change. */
export const STORED = 'stored'
const STORED_NOTICE =
  'You already booked with this form. Your booking is below. To change it, contact the business.'

/** Returns the customer's name, number, and email, so that they notice a mistake. */
const bookedFor = ({ customer: { name, phone, email } }: BookingRow): string =>
  [name, phone, email].filter((text) => text !== null && text !== '').join(', ')

/** Returns the page of a booking; `notice` says why a change was not possible. */
export async function bookingPage(
  ctx: Context,
  row: BookingRow,
  query: Wanted,
  notice?: string,
): Promise<HtmlPage> {
  const booking = bookingInEvent(ctx, row, await readSetup(ctx, [row]))
  const status = statusOf(row, ctx.now)
  const isOn = ctx.workspace.modules.includes('bookings')
  const customer = bookedFor(row)
  const warning = notice ?? (query[STORED] === undefined ? undefined : STORED_NOTICE)
  return {
    title: booking.summary,
    style: TIMES_STYLE,
    body: html`<main><h1>${ctx.workspace.name}</h1>${
      warning && html`<p class="notice bad" role="alert">${warning}</p>`
    }<p class="notice${status === 'confirmed' && ' good'}">${STATUS_TEXTS[status]}</p>
<div class="paper"><h2>${booking.service}</h2>
<p>${momentText(row.startAt, row.timeZone)} <span class="faint">(${row.timeZone}, ${durationText(row.durationMinutes)})</span>${
      booking.staff && html`<br>with ${booking.staff.name}`
    }${row.location && html`<br>${row.location}`}${row.partySize > 1 && html`<br>${row.partySize} people`}${
      row.priceMinor > 0 && html`<br>${booking.price}`
    }${customer !== '' && html`<br>for ${customer}`}</p>
${status === 'held' && advanceOf(row, booking.advance!.amount, isOn)}
${status === 'confirmed' && html`<p><a href="/b/${row.token}/visit.ics">Add to calendar</a></p>`}
${await changes(ctx, row, query)}</div></main>`,
  }
}
