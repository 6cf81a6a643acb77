/** Changes the state of a booking, and of its advance with it. */
import type { Context } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { voidReceivedMoney } from '../../crm/operations/received-money.ts'
import { takeBackAdvance } from '../../invoicing/operations/advances.ts'
import { holdSettings } from '../../invoicing/operations/settings.ts'
import { findPaymentLink } from '../../payments/operations/links.ts'
import { type BookingRow, updateBookingRow } from '../queries/bookings.ts'
import { listServicesById, listStaffById } from '../queries/setup.ts'
import {
  announceCancelled,
  announceCompleted,
  announceCreated,
  announceNoShow,
  announceRestored,
  type By,
  type HeldBooking,
} from './announce.ts'
import { holdBooking } from './find-booking.ts'
import { advanceAfterCancel, type Change, type Ended, judgeStatusChange } from './judge-status-change.ts'
import { freePlace, takePlace } from './place.ts'
import { planReminders } from './plan-reminders.ts'
import { withdrawAdvance } from './withdraw-advance.ts'

/** Changes the state of a booking, or records that its advance was refunded. */
export async function changeStatus(ctx: Context, id: string, change: Change, by: By): Promise<HeldBooking> {
  // A refund changes documents, so the sales settings are locked before the lead, as in every operation.
  if (change.status === undefined) await holdSettings(ctx)
  const held = await holdBooking(ctx, id)
  const judged = judgeStatusChange(held.booking, change, ctx.now)
  if (judged instanceof Refusal) throw judged
  switch (judged.step) {
    case 'none':
      return held
    case 'refund':
      return recordRefund(ctx, held)
    case 'confirm':
      return confirm(ctx, held)
    case 'cancel':
      return cancel(ctx, held, change, by)
    case 'restore':
      return restore(ctx, held, judged.from)
    case 'visit':
      return markVisit(ctx, held, judged.status)
  }
}

async function write(
  ctx: Context,
  { booking, lead }: HeldBooking,
  change: Partial<BookingRow>,
): Promise<HeldBooking> {
  const changedBooking = await updateBookingRow(ctx, booking.id, change)
  touch(ctx, { booking: changedBooking.id })
  return { booking: changedBooking, lead }
}

/** Confirms a held booking that no longer needs its payment. */
async function confirm(ctx: Context, held: HeldBooking): Promise<HeldBooking> {
  const confirmed = await write(ctx, held, {
    status: 'confirmed',
    // A partial payment may have arrived, which must still be refunded.
    advanceStatus: held.booking.advanceStatus === 'refund_due' ? 'refund_due' : 'waived',
    holdExpiresAt: null,
    confirmedAt: ctx.now,
  })
  await withdrawAdvance(ctx, confirmed.booking)
  await announceCreated(ctx, confirmed, 'staff')
  await planReminders(ctx, confirmed.booking)
  return confirmed
}

async function cancel(ctx: Context, held: HeldBooking, change: Change, by: By): Promise<HeldBooking> {
  const { booking } = held
  const advanceStatus = advanceAfterCancel(booking, change.advance)
  if (advanceStatus instanceof Refusal) throw advanceStatus
  await freePlace(ctx, booking)
  const cancelledBooking = await write(ctx, held, {
    status: 'cancelled',
    sessionId: null,
    cancelReason: change.reason,
    holdExpiresAt: null,
    advanceStatus,
    changes: booking.changes + 1,
  })
  // A hold fires nothing.
  if (booking.status === 'confirmed') await announceCancelled(ctx, cancelledBooking, by)
  else await withdrawAdvance(ctx, booking)
  return cancelledBooking
}

/** Records that the visit took place or that the customer did not come. */
async function markVisit(
  ctx: Context,
  held: HeldBooking,
  status: 'completed' | 'no_show',
): Promise<HeldBooking> {
  const marked = await write(ctx, held, { status })
  await (status === 'completed' ? announceCompleted : announceNoShow)(ctx, marked)
  return marked
}

/** Confirms an ended booking again. A canceled booking takes its place again, if it is free. */
async function restore(ctx: Context, held: HeldBooking, from: Ended): Promise<HeldBooking> {
  const { booking } = held
  const place = from === 'cancelled' ? await takePlaceAgain(ctx, booking) : {}
  const restored = await write(ctx, held, {
    ...place,
    status: 'confirmed',
    cancelReason: null,
    changes: booking.changes + 1,
    ...((await isPaidInFull(ctx, booking)) ? { advanceStatus: 'paid' as const } : {}),
  })
  await announceRestored(ctx, restored, from)
  await planReminders(ctx, restored.booking)
  return restored
}

/** Returns whether the full advance was received and not refunded. */
async function isPaidInFull(
  ctx: Context,
  { advanceStatus, advanceMinor, paymentLinkId }: BookingRow,
): Promise<boolean> {
  if ((advanceStatus !== 'refund_due' && advanceStatus !== 'kept') || paymentLinkId === null) return false
  const link = await findPaymentLink(ctx, paymentLinkId)
  return (link?.paidPaise ?? 0) >= advanceMinor!
}

async function takePlaceAgain(ctx: Context, booking: BookingRow): Promise<{ sessionId: string }> {
  const [service] = await listServicesById(ctx, [booking.serviceId])
  const staff = await listStaffById(ctx, [booking.staffId])
  const { sessionId } = await takePlace(
    ctx,
    { service: { ...service!, durationMinutes: booking.durationMinutes }, staff },
    { startAt: booking.startAt, seats: booking.partySize, force: true },
  )
  return { sessionId }
}

/** Voids a refunded advance, in the ledger or on its document. */
async function voidAdvance(ctx: Context, { paymentLinkId, advanceInvoiceId }: BookingRow): Promise<void> {
  const link = paymentLinkId === null ? undefined : await findPaymentLink(ctx, paymentLinkId)
  if (!link?.paidPaise) return
  if (advanceInvoiceId === null)
    await voidReceivedMoney(ctx, { source: 'booking_advance', sourceId: link.id })
  else await takeBackAdvance(ctx, advanceInvoiceId, link, 'The advance was refunded.')
}

/** Records that the advance was refunded. Refuses `conflict` in locked books. */
export async function recordRefund(ctx: Context, held: HeldBooking): Promise<HeldBooking> {
  await voidAdvance(ctx, held.booking)
  return write(ctx, held, { advanceStatus: 'refunded' })
}
