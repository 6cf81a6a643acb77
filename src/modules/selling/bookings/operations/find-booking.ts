import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { cutPage } from '../../../../core/paging.ts'
import { holdOffErasures } from '../../../messaging/contacts/operations/erase-contact.ts'
import { presentContactId } from '../../../messaging/contacts/operations/find-contact.ts'
import { holdLeadOf } from '../../crm/operations/received-money.ts'
import {
  type BookingRow,
  findBookingForUpdate,
  findBookingRow,
  listBookingRows,
  listNearestBookingRows,
} from '../queries/bookings.ts'
import type { BookingFilter } from '../schema.ts'
import type { HeldBooking } from './announce.ts'
import { holdStaff } from './place.ts'
import { presentBookings } from './present.ts'
import { endOfRequested, startOfRequested } from './requested-period.ts'

const refuseMissing = (): never => refuse('not_found', 'Booking not found. See GET /bookings.')

/** Returns a booking. Foreign and missing ids get the same 404. */
export async function getBooking(ctx: Context, id: string): Promise<BookingRow> {
  return (isUuid(id) ? await findBookingRow(ctx, id.toLowerCase()) : undefined) ?? refuseMissing()
}

export async function listBookings(ctx: Context, filter: BookingFilter) {
  const { from, to } = filter
  const found = await listBookingRows(ctx, {
    ...filter,
    contactId: await presentContactId(ctx, filter.contactId),
    from: from === undefined ? undefined : startOfRequested(ctx, from),
    to: to === undefined ? undefined : endOfRequested(ctx, to),
  })
  const { rows, nextCursor } = cutPage(found, filter.limit, ({ id }) => id)
  return { bookings: await presentBookings(ctx, rows), nextCursor }
}

/** Returns the next and the last booking of a contact; null for none. */
export async function findNearestBookings(ctx: Context, contactId: string) {
  const rows = await listNearestBookingRows(ctx, contactId)
  const shown = await presentBookings(ctx, rows)
  const at = (isNext: boolean) => shown[rows.findIndex((row) => row.isNext === isNext)] ?? null
  return { next: at(true), last: at(false) }
}

/**
 * Locks the lead of the customer, then the current and possible next staff, then the booking: the order of
 * every operation, to avoid deadlocks. It ends expired holds, and keeps the customer from being erased before
 * the commit.
 */
export async function holdBooking(ctx: Context, id: string, moreStaff: string[] = []): Promise<HeldBooking> {
  await holdOffErasures(ctx)
  const current = await getBooking(ctx, id)
  const lead = await holdLeadOf(ctx, current.contactId)
  await holdStaff(ctx, [current.staffId, ...moreStaff])
  const booking = (await findBookingForUpdate(ctx, current.id)) ?? refuseMissing()
  // Another request moved the booking to other staff before this lock.
  if (booking.staffId !== current.staffId && !moreStaff.includes(booking.staffId))
    return refuse('conflict', 'The booking was changed by another request. Read it again.')
  return { booking, lead }
}
