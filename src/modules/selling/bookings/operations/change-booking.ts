/** Changes a booking: its time, its state, or its text. */
import { isDeepStrictEqual } from 'node:util'
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { refuseHiddenChange } from '../../../../core/customer-details.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { newLinkToken } from '../../../../core/values/link-token.ts'
import { type BookingRow, updateBookingRow } from '../queries/bookings.ts'
import { listServicesById, listStaffById } from '../queries/setup.ts'
import type { BookingPatch } from '../schema.ts'
import { announceMoved, type By, type HeldBooking } from './announce.ts'
import { changeStatus } from './change-status.ts'
import { phoneOf } from './customer-phone.ts'
import { noStaff } from './find-bookable.ts'
import { getBooking, holdBooking } from './find-booking.ts'
import { freePlace, takePlace } from './place.ts'
import { planReminders } from './plan-reminders.ts'

const isMovable = ({ status }: BookingRow): boolean => status === 'held' || status === 'confirmed'

type NewTime = { startAt: Date; staffId?: string | undefined; force?: boolean | undefined }

/**
 * Moves a booking from its place to another in one transaction. If this fails, the booking keeps its place.
 */
export async function moveBooking(
  ctx: Context,
  id: string,
  { startAt, staffId, force = false }: NewTime,
  by: By,
): Promise<HeldBooking> {
  const current = await getBooking(ctx, id)
  const wantedStaff = staffId?.toLowerCase() ?? current.staffId
  const { booking, lead } = await holdBooking(ctx, id, [wantedStaff])
  if (!isMovable(booking))
    refuse('conflict', `The booking is ${booking.status}. Restore it, or create a new one.`)
  if (booking.startAt.getTime() === startAt.getTime() && booking.staffId === wantedStaff)
    return { booking, lead }
  const [service] = await listServicesById(ctx, [booking.serviceId])
  const isOther = wantedStaff !== booking.staffId
  if (isOther && !service!.staffIds.includes(wantedStaff)) noStaff()
  const staff = (await listStaffById(ctx, [wantedStaff])).filter(
    ({ active, deletedAt }) => !isOther || (active && deletedAt === null),
  )
  await freePlace(ctx, booking)
  // The duration stays the same as when it was booked.
  const place = await takePlace(
    ctx,
    { service: { ...service!, durationMinutes: booking.durationMinutes }, staff },
    { startAt, seats: booking.partySize, force },
  )
  const movedBooking = await updateBookingRow(ctx, booking.id, {
    startAt,
    endAt: later(startAt, booking.durationMinutes * MINUTE_MS),
    staffId: place.staff.id,
    sessionId: place.sessionId,
    timeZone: place.staff.timeZone,
    changes: booking.changes + 1,
  })
  const held = { booking: movedBooking, lead }
  touch(ctx, { booking: movedBooking.id })
  // A hold fires nothing.
  if (movedBooking.status !== 'confirmed') return held
  await announceMoved(ctx, held, booking.startAt, by)
  await planReminders(ctx, movedBooking)
  return held
}

/** Returns the requested customer, with their number in E.164. */
const readCustomer = async (
  ctx: Context,
  customer: BookingPatch['customer'],
): Promise<BookingPatch['customer']> =>
  customer?.phone ? { ...customer, phone: await phoneOf(ctx, customer.phone, 'customer.phone') } : customer

/** Changes the notes, answers, and customer details of a booking. The contact stays the same. */
async function rewordBooking(
  ctx: Context,
  id: string,
  { notes, customer: input }: Pick<BookingPatch, 'notes' | 'customer'>,
): Promise<HeldBooking> {
  const customer = await readCustomer(ctx, input)
  const { booking, lead } = await holdBooking(ctx, id)
  if (booking.contactId === null) refuse('conflict', "The customer was erased. The booking can't be changed.")
  for (const field of ['phone', 'email'] as const)
    refuseHiddenChange(ctx, `customer.${field}`, booking.customer[field], customer?.[field])
  const change = {
    ...(notes === undefined ? {} : { notes }),
    ...(customer === undefined ? {} : { customer: { ...booking.customer, ...customer } }),
  }
  const isSame = (Object.keys(change) as (keyof typeof change)[]).every((key) =>
    isDeepStrictEqual(change[key], booking[key]),
  )
  if (isSame) return { booking, lead }
  const changedBooking = await updateBookingRow(ctx, booking.id, change)
  touch(ctx, { booking: changedBooking.id })
  return { booking: changedBooking, lead }
}

/** Changes one thing of a booking. A value that is already set changes nothing. */
export async function changeBooking(
  ctx: Context,
  id: string,
  { startAt, staffId, force, status, reason, advance, notes, customer }: BookingPatch,
  by: By,
): Promise<HeldBooking> {
  if (startAt !== undefined) return moveBooking(ctx, id, { startAt, staffId, force }, by)
  if (status !== undefined || advance !== undefined)
    return changeStatus(ctx, id, { status, reason: reason ?? null, advance }, by)
  return rewordBooking(ctx, id, { notes, customer })
}

/** Replaces the address of the customer's page with a new one. */
export async function renewLink(ctx: Context, id: string): Promise<HeldBooking> {
  const { booking, lead } = await holdBooking(ctx, id)
  if (booking.contactId === null) refuse('conflict', 'The customer was erased. The booking has no page.')
  const renewed = await updateBookingRow(ctx, booking.id, { token: newLinkToken() })
  touch(ctx, { booking: renewed.id })
  return { booking: renewed, lead }
}
