/** Emits the events of bookings, and adds entries to the timeline of the customer's lead. */
import type { Context } from '../../../../core/context.ts'
import { type EventKind, emit, touch } from '../../../../core/event.ts'
import { addTimelineEntries } from '../../crm/operations/timeline-entries.ts'
import {
  bookingCancelled,
  bookingCompleted,
  bookingCreated,
  bookingNoShow,
  bookingRescheduled,
  bookingRestored,
} from '../events.ts'
import type { BookingRow } from '../queries/bookings.ts'
import { bookingInEvent, readSetup } from './present.ts'

/** The side that caused a change. */
export type By = 'customer' | 'staff'
/** A booking whose row is locked, with its customer's lead. */
export type HeldBooking = { booking: BookingRow; lead: { id: string } | undefined }

type BookingReport = { kind: EventKind; entry: string; data: Record<string, unknown>; by: By }

async function reportChange(
  ctx: Context,
  { booking, lead }: HeldBooking,
  report: BookingReport,
): Promise<void> {
  // With the module turned off, changes are still recorded, but no event fires.
  if (ctx.workspace.modules.includes('bookings')) {
    const setup = await readSetup(ctx, [booking])
    const data = { booking: bookingInEvent(ctx, booking, setup), ...report.data }
    emit(ctx, report.kind, data, { contactId: booking.contactId })
  }
  await addToStory(ctx, { booking, lead }, report.entry, report.by)
}

/** Adds an entry to the timeline of the customer's lead, if they have one. */
export async function addToStory(
  ctx: Context,
  { booking, lead }: HeldBooking,
  kind: string,
  by: By,
): Promise<void> {
  if (!lead) return
  await addTimelineEntries(ctx, [
    {
      leadId: lead.id,
      kind,
      customerId: by === 'customer' ? booking.contactId : null,
      data: {
        bookingId: booking.id,
        serviceId: booking.serviceId,
        startAt: booking.startAt.toISOString(),
        status: booking.status,
      },
    },
  ])
  touch(ctx, { lead: lead.id })
}

export const announceCreated = (ctx: Context, held: HeldBooking, by: By): Promise<void> =>
  reportChange(ctx, held, {
    kind: bookingCreated,
    entry: 'booking_created',
    data: { by, createdAt: ctx.now.toISOString() },
    by,
  })

export const announceMoved = (ctx: Context, held: HeldBooking, from: Date, by: By): Promise<void> =>
  reportChange(ctx, held, {
    kind: bookingRescheduled,
    entry: 'booking_rescheduled',
    data: { previousStartAt: from.toISOString(), by, rescheduledAt: ctx.now.toISOString() },
    by,
  })

export const announceCancelled = (ctx: Context, held: HeldBooking, by: By): Promise<void> =>
  reportChange(ctx, held, {
    kind: bookingCancelled,
    entry: 'booking_cancelled',
    data: { by, reason: held.booking.cancelReason, cancelledAt: ctx.now.toISOString() },
    by,
  })

export const announceCompleted = (ctx: Context, held: HeldBooking): Promise<void> =>
  reportChange(ctx, held, {
    kind: bookingCompleted,
    entry: 'booking_completed',
    data: { completedAt: ctx.now.toISOString() },
    by: 'staff',
  })

export const announceNoShow = (ctx: Context, held: HeldBooking): Promise<void> =>
  reportChange(ctx, held, {
    kind: bookingNoShow,
    entry: 'booking_no_show',
    data: { markedAt: ctx.now.toISOString() },
    by: 'staff',
  })

export const announceRestored = (
  ctx: Context,
  held: HeldBooking,
  from: 'cancelled' | 'completed' | 'no_show',
): Promise<void> =>
  reportChange(ctx, held, {
    kind: bookingRestored,
    entry: 'booking_restored',
    data: { from, restoredAt: ctx.now.toISOString() },
    by: 'staff',
  })
