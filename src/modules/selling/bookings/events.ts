/** Events of bookings (spec 6.3). */
import { z } from 'zod'
import { component } from '../../../core/component.ts'
import { event } from '../../../core/event.ts'
import { Instant } from '../../../core/values/text.ts'
import { BOOKING_FIELDS, bookingFields } from './schema.ts'

export const BookingInEvent = z.object(bookingFields).meta({
  ...component('EventBooking', 'A booking in an event.'),
  fields: BOOKING_FIELDS,
})
const by = z.enum(['customer', 'staff'])

const AT = '2026-06-01T09:30:00.000Z'
const booking = {
  id: '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e8f',
  service: 'Haircut',
  summary: 'Haircut with Meera, Wed 3 Jun 2026, 10:00',
  staff: { id: '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e92', name: 'Meera', kind: 'person' as const },
  startAt: '2026-06-03T04:30:00.000Z',
  endAt: '2026-06-03T05:15:00.000Z',
  timeZone: 'Asia/Kolkata',
  durationMinutes: 45,
  status: 'confirmed' as const,
  locationKind: 'business' as const,
  location: '12 Linking Road',
  priceMinor: 60_000,
  price: '₹600.00',
  currency: 'INR',
  advance: {
    amountMinor: 12_000,
    amount: '₹120.00',
    currency: 'INR',
    status: 'paid' as const,
    paidAt: AT,
    invoiceId: '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e93',
  },
  customer: {
    contactId: '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e91',
    name: 'Asha Rao',
    phone: '+919812345678',
    email: 'asha@example.com',
  },
  source: 'public' as const,
}

const common = {
  scope: 'bookings:read',
  touches: ({ booking }: { booking?: { id: string } }) => ({ booking: booking?.id }),
} as const

const BOOKING_EVENT_FIELDS = {
  booking: 'The booking after the change.',
  by: 'Whether the customer or your team made the change.',
  previousStartAt: 'When it was due to start before, in UTC.',
  rescheduledAt: 'When it was moved, in UTC.',
  reason: 'Why it was canceled; null without a reason.',
  cancelledAt: 'When it was canceled, in UTC.',
  completedAt: 'When it was marked as completed, in UTC.',
  markedAt: 'When it was marked as a no-show, in UTC.',
  from: 'State of the booking before.',
  restoredAt: 'When it was restored, in UTC.',
}

export const bookingCreated = event({
  ...common,
  name: 'booking.created',
  when: 'A booking was confirmed, after its advance was paid or without one. A held booking does not trigger it. Once per booking.',
  data: z.object({ booking: BookingInEvent, by, createdAt: Instant }).meta({ fields: BOOKING_EVENT_FIELDS }),
  example: { booking, by: 'customer', createdAt: AT },
})

export const bookingRescheduled = event({
  ...common,
  name: 'booking.rescheduled',
  when: 'A booking was moved. `booking` has the new time.',
  data: z
    .object({ booking: BookingInEvent, previousStartAt: Instant, by, rescheduledAt: Instant })
    .meta({ fields: BOOKING_EVENT_FIELDS }),
  example: { booking, previousStartAt: '2026-06-02T04:30:00.000Z', by: 'staff', rescheduledAt: AT },
})

export const bookingCancelled = event({
  ...common,
  name: 'booking.cancelled',
  when: 'The customer or the team canceled a booking. For a paid advance, `booking.advance.status` is refund_due or kept.',
  data: z
    .object({ booking: BookingInEvent, by, reason: z.string().nullable(), cancelledAt: Instant })
    .meta({ fields: BOOKING_EVENT_FIELDS }),
  example: {
    booking: { ...booking, status: 'cancelled', advance: { ...booking.advance, status: 'refund_due' } },
    by: 'customer',
    reason: 'I am ill.',
    cancelledAt: AT,
  },
})

export const bookingCompleted = event({
  ...common,
  name: 'booking.completed',
  when: 'The team marked the visit as completed.',
  data: z.object({ booking: BookingInEvent, completedAt: Instant }).meta({ fields: BOOKING_EVENT_FIELDS }),
  example: { booking: { ...booking, status: 'completed' }, completedAt: '2026-06-03T05:20:00.000Z' },
})

export const bookingNoShow = event({
  ...common,
  name: 'booking.no_show',
  when: 'The team marked the customer as a no-show.',
  data: z.object({ booking: BookingInEvent, markedAt: Instant }).meta({ fields: BOOKING_EVENT_FIELDS }),
  example: { booking: { ...booking, status: 'no_show' }, markedAt: '2026-06-03T05:20:00.000Z' },
})

export const bookingRestored = event({
  ...common,
  name: 'booking.restored',
  when: 'A booking was confirmed again. `from` is `cancelled`, `completed`, or `no_show`.',
  data: z
    .object({
      booking: BookingInEvent,
      from: z.enum(['cancelled', 'completed', 'no_show']),
      restoredAt: Instant,
    })
    .meta({ fields: BOOKING_EVENT_FIELDS }),
  example: { booking, from: 'cancelled', restoredAt: AT },
})
