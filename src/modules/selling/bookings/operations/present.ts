/** Writes bookings as in replies and events. */
import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { type Language, localeOf } from '../../../../core/values/languages.ts'
import { moneyText } from '../../../../core/values/money.ts'
import type { BookingInEvent } from '../events.ts'
import type { BookingRow } from '../queries/bookings.ts'
import { listServicesById, listStaffById, type ServiceRow, type StaffRow } from '../queries/setup.ts'
import type { Booking } from '../schema.ts'
import { bookingTexts } from '../texts/texts.ts'

type Setup = { services: Map<string, ServiceRow>; staff: Map<string, StaffRow> }
const NO_SETUP: Setup = { services: new Map(), staff: new Map() }

/** Returns the services and staff of bookings, including deleted ones. */
export async function readSetup(ctx: Context, rows: BookingRow[]): Promise<Setup> {
  if (rows.length === 0) return NO_SETUP
  const [services, staff] = await Promise.all([
    listServicesById(ctx, [...new Set(rows.map(({ serviceId }) => serviceId))]),
    listStaffById(ctx, [...new Set(rows.map(({ staffId }) => staffId))]),
  ])
  return {
    services: new Map(services.map((service) => [service.id, service])),
    staff: new Map(staff.map((member) => [member.id, member])),
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns a moment in a zone as text for people, such as Wed 3 Jun 2026, 10:00. */
export function momentText(time: Date, timeZone: string, language: Language = 'en'): string {
  const name = `${language} ${timeZone}`
  let format = formats.get(name)
  if (!format) {
    format = new Intl.DateTimeFormat(localeOf(language), {
      timeZone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(name, format)
  }
  if (language !== 'en') return format.format(time)
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]))
  const day = `${parts.get('weekday')} ${parts.get('day')} ${parts.get('month')} ${parts.get('year')}`
  return `${day}, ${parts.get('hour')}:${parts.get('minute')}`
}

const UNITS: [unit: string, minutes: number][] = [
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
]

/** Returns a duration as text for people, such as 1 hour 30 minutes. */
export function durationText(minutes: number, language: Language = 'en'): string {
  let rest = minutes
  const locale = localeOf(language)
  const parts = UNITS.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length)
    rest %= length
    const format = () => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
    return count > 0 ? [format().format(count)] : []
  })
  return new Intl.ListFormat(locale, { type: 'unit', style: 'narrow' }).format(parts)
}

/** Returns the service, the staff, and the time in one line. */
export function summaryOf(
  row: Pick<BookingRow, 'startAt' | 'timeZone'>,
  service: string,
  staff: string | null,
  language: Language = 'en',
): string {
  const moment = momentText(row.startAt, row.timeZone, language)
  return staff === null
    ? `${service}, ${moment}`
    : bookingTexts(language).t('summary', { service, staff, moment })
}

const instant = (time: Date | null): string | null => time?.toISOString() ?? null

/** Returns the state of a booking. A hold whose time is over counts as expired before the row says so. */
export const statusOf = (row: BookingRow, now: Date): BookingRow['status'] =>
  row.status === 'held' && row.holdExpiresAt! <= now ? 'expired' : row.status

export function bookingInEvent(
  ctx: Context,
  row: BookingRow,
  { services, staff: staffById }: Setup,
): z.input<typeof BookingInEvent> {
  const staff = staffById.get(row.staffId)
  const shownStaff = staff && staff.hiddenFor === null ? staff : null
  const service = services.get(row.serviceId)?.name ?? ''
  return {
    id: row.id,
    service,
    summary: summaryOf(row, service, shownStaff?.name ?? null),
    staff: shownStaff && { id: shownStaff.id, name: shownStaff.name, kind: shownStaff.kind },
    startAt: row.startAt.toISOString(),
    endAt: row.endAt.toISOString(),
    timeZone: row.timeZone,
    durationMinutes: row.durationMinutes,
    status: statusOf(row, ctx.now),
    locationKind: row.locationKind,
    location: row.location,
    priceMinor: row.priceMinor,
    price: moneyText(row.priceMinor, row.currency),
    currency: row.currency,
    advance:
      row.advanceMinor === null
        ? null
        : {
            amountMinor: row.advanceMinor,
            amount: moneyText(row.advanceMinor, row.currency),
            currency: row.currency,
            status: row.advanceStatus!,
            paidAt: instant(row.advancePaidAt),
            invoiceId: row.advanceInvoiceId,
          },
    customer: { contactId: row.contactId, ...row.customer },
    source: row.source,
  }
}

/** Returns the same line in the language of a customer. */
export function summaryIn(ctx: Context, row: BookingRow, setup: Setup, language: Language): string {
  const { service, staff } = bookingInEvent(ctx, row, setup)
  return summaryOf(row, service, staff?.name ?? null, language)
}

/** Returns the address of the customer's page; null if the customer was erased. */
const urlOf = ({ siteUrl }: Context, { contactId, token }: BookingRow): string | null =>
  contactId === null ? null : `${siteUrl}/b/${token}`

/** Returns bookings as in replies. */
export async function presentBookings(ctx: Context, rows: BookingRow[]): Promise<z.input<typeof Booking>[]> {
  const setup = await readSetup(ctx, rows)
  return rows.map((row) => ({
    ...bookingInEvent(ctx, row, setup),
    serviceId: row.serviceId,
    partySize: row.partySize,
    holdExpiresAt: instant(row.holdExpiresAt),
    paymentUrl: statusOf(row, ctx.now) === 'held' ? row.paymentUrl : null,
    notes: row.notes,
    answers: row.answers,
    cancelReason: row.cancelReason,
    invoiceId: row.invoiceId,
    url: urlOf(ctx, row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }))
}

export const presentBooking = async (ctx: Context, row: BookingRow) => (await presentBookings(ctx, [row]))[0]!
