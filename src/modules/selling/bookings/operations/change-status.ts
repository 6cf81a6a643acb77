/** Changes the state of a booking, and of its advance with it. */
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { voidReceivedMoney } from '../../crm/operations/received-money.ts'
import { takeBackAdvance } from '../../invoicing/operations/advances.ts'
import { holdSettings } from '../../invoicing/operations/settings.ts'
import { findPaymentLink } from '../../payments/operations/links.ts'
import { type BookingRow, updateBookingRow } from '../queries/bookings.ts'
import { listServicesById, listStaffById } from '../queries/setup.ts'
import type { BookingPatch, BookingStatus } from '../schema.ts'
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
import { freePlace, takePlace } from './place.ts'
import { planReminders } from './plan-reminders.ts'
import { withdrawAdvance } from './withdraw-advance.ts'

type Change = {
  status: Exclude<BookingPatch['status'], null>
  reason: string | null
  advance: BookingPatch['advance']
}

const ENDED: readonly BookingStatus[] = ['cancelled', 'completed', 'no_show']
type Ended = 'cancelled' | 'completed' | 'no_show'
const isEnded = (status: BookingStatus): status is Ended => ENDED.includes(status)

/** Changes the state of a booking, or records that its advance was refunded. */
export async function changeStatus(ctx: Context, id: string, change: Change, by: By): Promise<HeldBooking> {
  // A refund changes documents, so the sales settings are locked before the lead, as in every operation.
  if (change.status === undefined) await holdSettings(ctx)
  const held = await holdBooking(ctx, id)
  const { status } = held.booking
  if (change.status === undefined) return markRefunded(ctx, held)
  if (change.status === status) return held
  if (change.status === 'confirmed')
    return isEnded(status) ? restore(ctx, held, status) : confirm(ctx, held, change)
  if (change.status === 'cancelled') return cancel(ctx, held, change, by)
  return markVisit(ctx, held, change.status)
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
async function confirm(ctx: Context, held: HeldBooking, { advance }: Change): Promise<HeldBooking> {
  if (held.booking.status !== 'held') return refuse('conflict', 'The hold has expired. Book the time again.')
  if (advance !== 'waive')
    return refuse(
      'conflict',
      'The advance isn\'t paid. To confirm the booking without it, send advance "waive".',
    )
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

/** Returns the state of an advance after its booking was canceled. */
function advanceAfter({ advanceStatus, refundPolicy }: BookingRow, advance: Change['advance']) {
  if (advanceStatus !== 'paid') {
    if (advance === 'refund' || advance === 'keep')
      refuse('conflict', 'No advance was paid. Leave out `advance`.')
    return advanceStatus
  }
  const keeps = advance === undefined ? refundPolicy === 'keep' : advance === 'keep'
  return keeps ? 'kept' : 'refund_due'
}

async function cancel(ctx: Context, held: HeldBooking, change: Change, by: By): Promise<HeldBooking> {
  const { booking } = held
  if (booking.status !== 'held' && booking.status !== 'confirmed')
    return refuse('conflict', `The booking is ${booking.status}. You can cancel only an upcoming booking.`)
  const advanceStatus = advanceAfter(booking, change.advance)
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

/** Records that the visit took place or that the customer did not come. Refuses both before its start. */
async function markVisit(
  ctx: Context,
  held: HeldBooking,
  status: 'completed' | 'no_show',
): Promise<HeldBooking> {
  const { booking } = held
  if (booking.status !== 'confirmed')
    return refuse(
      'conflict',
      `The booking is ${booking.status}. Only a confirmed booking can become ${status}.`,
    )
  if (booking.startAt > ctx.now)
    return refuse(
      'conflict',
      `The booking starts at ${booking.startAt.toISOString()}. Wait until then, or cancel it.`,
    )
  const marked = await write(ctx, held, { status })
  await (status === 'completed' ? announceCompleted : announceNoShow)(ctx, marked)
  return marked
}

/** Confirms an ended booking again. A canceled booking takes its place again, if it is free. */
async function restore(ctx: Context, held: HeldBooking, from: Ended): Promise<HeldBooking> {
  const { booking } = held
  if (booking.confirmedAt === null)
    return refuse('conflict', 'The booking was never confirmed. Book the time again.')
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

/** Marks a due refund as made. If it is already recorded, changes nothing. */
async function markRefunded(ctx: Context, held: HeldBooking): Promise<HeldBooking> {
  const { advanceStatus } = held.booking
  if (advanceStatus === 'refunded') return held
  if (advanceStatus !== 'refund_due')
    return refuse('conflict', 'No refund is due. Cancel the booking with advance "refund" first.')
  return recordRefund(ctx, held)
}
