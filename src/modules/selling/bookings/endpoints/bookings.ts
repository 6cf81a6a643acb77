import { z } from 'zod'
import { endpoint, outsideEndpoint, reply, replyInPieces } from '../../../../core/endpoint.ts'
import { cursorPage } from '../../../../core/paging.ts'
import { presentOneInvoice } from '../../invoicing/operations/present.ts'
import { SalesInvoice } from '../../invoicing/schema.ts'
import { bookingTurns } from '../booking-queue.ts'
import { bookingsOn, requiresInvoicing } from '../gates.ts'
import { bookingFile } from '../operations/booking-file.ts'
import { changeBooking, renewLink } from '../operations/change-booking.ts'
import { createBooking } from '../operations/create-booking.ts'
import { getBooking, listBookings } from '../operations/find-booking.ts'
import { invoiceBooking } from '../operations/invoice-booking.ts'
import { presentBooking } from '../operations/present.ts'
import { Booking, BookingFilter, BookingFormat, BookingPatch, NewBooking } from '../schema.ts'

const Answer = z.object({ booking: Booking })
const read = {
  tag: 'Bookings',
  section: '4.10',
  gates: [bookingsOn],
  scope: 'bookings:read',
  role: 'viewer',
  bucket: 'reads',
} as const
const write = { ...read, scope: 'bookings:write', role: 'agent', bucket: 'bookings-writes' } as const

export const getBookings = endpoint({
  ...read,
  name: 'listBookings',
  method: 'GET',
  path: '/bookings',
  summary: 'List bookings, soonest first.',
  query: BookingFilter,
  tool: {
    title: 'List bookings',
    when: 'Use it to see the bookings of a day, a customer, or a staff member.',
  },
  replies: { 200: cursorPage('bookings', Booking) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listBookings(ctx, query)),
})

export const postBooking = endpoint({
  ...write,
  name: 'createBooking',
  method: 'POST',
  path: '/bookings',
  summary: 'Book a time of a service for a customer.',
  description:
    'If the time is not free, `conflict` contains three `nextSlots`. With `force`, the time can be outside the hours, the booking notice, and the horizon, but not at the time of another booking. If the service requires an advance, the time is held until it is paid, and no event is sent; `advance: "waive"` confirms the booking immediately.',
  body: NewBooking,
  example: {
    serviceId: '01970f3e-8a6b-7c1d-9e2f-3a4b5c6d7e8f',
    startAt: '2026-12-01T10:00:00+05:30',
    phone: '+919812345678',
    name: 'Asha Rao',
  },
  inTurn: bookingTurns,
  tool: {
    title: 'Book a time',
    when: 'Use it to book a free time for a customer, who may get a confirmation.',
    effect: 'acts',
  },
  replies: { 201: Answer },
  refuses: ['invalid_reference', 'conflict', 'plan_limit_reached'],
  handle: async (ctx, { body }) =>
    reply(201, { booking: await presentBooking(ctx, (await createBooking(ctx, body, 'staff')).booking) }),
})

export const getOneBooking = outsideEndpoint({
  ...read,
  name: 'getBooking',
  method: 'GET',
  path: '/bookings/:id',
  summary: 'Get one booking, or a calendar file with `format=ics`.',
  action: { title: 'Get a booking' },
  subject: 'booking',
  query: BookingFormat,
  replies: { 200: Answer },
  alsoAs: { 'text/calendar': 'With `format=ics`: a calendar file with one entry, in UTC.' },
  refuses: ['not_found'],
  handle: async ({ transaction }, { params, query }) =>
    transaction(async (ctx) => {
      const booking = await getBooking(ctx, params.id)
      return query.format === 'ics'
        ? replyInPieces(await bookingFile(ctx, booking))
        : reply(200, { booking: await presentBooking(ctx, booking) })
    }),
})

export const patchBooking = endpoint({
  ...write,
  name: 'updateBooking',
  method: 'PATCH',
  path: '/bookings/:id',
  summary: 'Move a booking, or change its state or details.',
  description:
    'Send one of: `startAt` with `staffId` and `force`; `status` with `reason` and `advance`; `notes` and `customer`. A change without effect triggers no event. From its start, a booking can become `completed` or `no_show`. `confirmed` restores a booking that ended.',
  subject: 'booking',
  body: BookingPatch,
  example: { startAt: '2026-12-01T11:00:00+05:30' },
  tool: {
    title: 'Move or cancel a booking',
    when: 'Use it to move a booking, or to cancel it. The customer may get a message about it.',
    effect: 'acts',
  },
  replies: { 200: Answer },
  refuses: ['not_found', 'invalid_reference', 'conflict'],
  handle: async (ctx, { params, body }) =>
    reply(200, {
      booking: await presentBooking(ctx, (await changeBooking(ctx, params.id, body, 'staff')).booking),
    }),
})

export const postBookingLink = endpoint({
  ...write,
  role: 'admin',
  name: 'renewLinkOfBooking',
  method: 'POST',
  path: '/bookings/:id/link',
  summary: "Replace the address of the customer's page of a booking. The old address stops working.",
  subject: 'booking',
  replies: { 200: Answer },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params }) =>
    reply(200, { booking: await presentBooking(ctx, (await renewLink(ctx, params.id)).booking) }),
})

export const postBookingInvoice = endpoint({
  ...write,
  name: 'invoiceBooking',
  method: 'POST',
  path: '/bookings/:id/invoice',
  summary:
    'Create the invoice of a booking: a draft, or an issued invoice with the advance from the receipt voucher as its first payment.',
  gates: [bookingsOn, requiresInvoicing],
  subject: 'booking',
  replies: { 201: z.object({ invoice: SalesInvoice }) },
  refuses: ['not_found', 'conflict', 'plan_limit_reached'],
  handle: async (ctx, { params }) =>
    reply(201, { invoice: await presentOneInvoice(ctx, await invoiceBooking(ctx, params.id)) }),
})
