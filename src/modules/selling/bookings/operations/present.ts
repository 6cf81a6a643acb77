/** Writes bookings as in replies and events. */
import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { moneyText } from '../../../../core/values/money.ts'
import type { BookingInEvent } from '../events.ts'
import type { BookingRow } from '../queries/bookings.ts'
import { listServicesById, listStaffById, type ServiceRow, type StaffRow } from '../queries/setup.ts'
import type { Booking } from '../schema.ts'

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
export function momentText(time: Date, timeZone: string): string {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
    })
    formats.set(timeZone, format)
  }
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]))
  const day = `${parts.get('weekday')} ${parts.get('day')} ${parts.get('month')} ${parts.get('year')}`
  return `${day}, ${parts.get('hour')}:${parts.get('minute')}`
}

const UNITS: [name: string, minutes: number][] = [
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
]

/** Returns a duration as text for people, such as 1 hour 30 minutes. */
export function durationText(minutes: number): string {
  let rest = minutes
  const parts = UNITS.map(([name, length]) => {
    const count = Math.floor(rest / length)
    rest %= length
    return count > 0 ? `${count} ${name}${count === 1 ? '' : 's'}` : ''
  })
  return parts.filter(Boolean).join(' ')
}

/** Returns the service, the staff, and the time in one line. */
export const summaryOf = (row: BookingRow, service: string, staff: string | null): string =>
  `${service}${staff === null ? '' : ` with ${staff}`}, ${momentText(row.startAt, row.timeZone)}`

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
