/** Decides whether a booking's state may change, and what becomes of its advance. Reads nothing. */
import { Refusal } from '../../../../core/errors.ts'
import type { BookingRow } from '../queries/bookings.ts'
import type { BookingPatch, BookingStatus } from '../schema.ts'

/** A requested change of a booking. Without a status, its advance was refunded. */
export type Change = {
  status: Exclude<BookingPatch['status'], null>
  reason: string | null
  advance: BookingPatch['advance']
}

const ENDED: readonly BookingStatus[] = ['cancelled', 'completed', 'no_show']
export type Ended = 'cancelled' | 'completed' | 'no_show'
const isEnded = (status: BookingStatus): status is Ended => ENDED.includes(status)

type Judged = Pick<BookingRow, 'status' | 'startAt' | 'confirmedAt' | 'advanceStatus'>

/** The step that a change takes. */
export type StatusStep =
  | { step: 'none' | 'refund' | 'confirm' | 'cancel' }
  | { step: 'restore'; from: Ended }
  | { step: 'visit'; status: 'completed' | 'no_show' }

const conflict = (message: string): Refusal => new Refusal('conflict', message)

/** Returns the step that a change of a booking takes at `now`, or the refusal. */
export function judgeStatusChange(booking: Judged, change: Change, now: Date): StatusStep | Refusal {
  if (change.status === undefined) return judgeRefund(booking)
  if (change.status === booking.status) return { step: 'none' }
  if (change.status === 'confirmed') return judgeConfirmation(booking, change)
  if (change.status === 'cancelled')
    return booking.status === 'held' || booking.status === 'confirmed'
      ? { step: 'cancel' }
      : conflict(`The booking is ${booking.status}. You can cancel only an upcoming booking.`)
  return judgeVisit(booking, change.status, now)
}

function judgeRefund({ advanceStatus }: Judged): StatusStep | Refusal {
  if (advanceStatus === 'refunded') return { step: 'none' }
  return advanceStatus === 'refund_due'
    ? { step: 'refund' }
    : conflict('No refund is due. Cancel the booking with advance "refund" first.')
}

/** A held booking is confirmed without its payment; an ended one is confirmed again. */
function judgeConfirmation({ status, confirmedAt }: Judged, { advance }: Change): StatusStep | Refusal {
  if (isEnded(status))
    return confirmedAt === null
      ? conflict('The booking was never confirmed. Book the time again.')
      : { step: 'restore', from: status }
  if (status !== 'held') return conflict('The hold has expired. Book the time again.')
  return advance === 'waive'
    ? { step: 'confirm' }
    : conflict('The advance isn\'t paid. To confirm the booking without it, send advance "waive".')
}

/** A visit is over, or was missed, at the earliest when it starts. */
function judgeVisit(booking: Judged, status: 'completed' | 'no_show', now: Date): StatusStep | Refusal {
  if (booking.status !== 'confirmed')
    return conflict(`The booking is ${booking.status}. Only a confirmed booking can become ${status}.`)
  return booking.startAt > now
    ? conflict(`The booking starts at ${booking.startAt.toISOString()}. Wait until then, or cancel it.`)
    : { step: 'visit', status }
}

/** Returns the state of an advance after its booking was canceled, or the refusal. */
export function advanceAfterCancel(
  { advanceStatus, refundPolicy }: Pick<BookingRow, 'advanceStatus' | 'refundPolicy'>,
  advance: Change['advance'],
) {
  if (advanceStatus !== 'paid')
    return advance === 'refund' || advance === 'keep'
      ? conflict('No advance was paid. Leave out `advance`.')
      : advanceStatus
  const keeps = advance === undefined ? refundPolicy === 'keep' : advance === 'keep'
  return keeps ? 'kept' : 'refund_due'
}
