/** Schemas of bookings in requests and replies (DECISIONS.md). */
import { z } from 'zod'
import { component } from '../../../core/component.ts'
import { customerEmail, customerName, customerPhone, customerText } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { cursorQuery, wholeNumber } from '../../../core/paging.ts'
import { Instant, InstantInput } from '../../../core/values/text.ts'
import { nullableText, requiredText } from '../../messaging/contacts/schema.ts'
import { DayOfYear } from '../../platform/business-hours/range-schema.ts'
import { Email } from '../crm/schema.ts'
import { LOCATION_KINDS, STAFF_KINDS } from './setup-schema.ts'

export const BOOKING_STATUSES = ['held', 'confirmed', 'completed', 'no_show', 'cancelled', 'expired'] as const
export type BookingStatus = (typeof BOOKING_STATUSES)[number]
export const ADVANCE_STATUSES = ['pending', 'paid', 'waived', 'refund_due', 'refunded', 'kept'] as const

const MAX_SEATS = 500
const partySize = z
  .int(`Must be a whole number of people from 1 to ${MAX_SEATS}.`)
  .min(1, `Must be a whole number of people from 1 to ${MAX_SEATS}.`)
  .max(MAX_SEATS, `Must be a whole number of people from 1 to ${MAX_SEATS}.`)

const Answers = z
  .record(z.string().max(200, 'Must be at most 200 characters.'), nullableText(1000))
  .refine((answers) => Object.keys(answers).length <= 10, 'Must have at most 10 answers.')
  .meta({ description: 'Answers by the label of their question.' })

export const BOOKING_FIELDS = {
  serviceId: 'Id of the service.',
  staffId: 'Id of the staff member or resource.',
  partySize: 'Number of people.',
  holdExpiresAt:
    'Until when a held time stays reserved without confirmation, in UTC; null for a booking that is not held.',
  contactId: 'Id of the contact.',
  invoiceId: 'Id of the invoice; null without one.',
  email: 'Email address of the customer.',
  service: 'Name of the service.',
  summary: 'The booking in one line, such as `Haircut with Meera, Wed 3 Jun 2026, 10:00`.',
  staff: 'Staff member or resource of the booking; null for none.',
  'staff.name': 'Name of the staff member or resource.',
  'staff.kind': 'Whether it is a person or a resource such as a room.',
  status: 'State of the booking.',
  location: 'Address or other details of the place; null without them.',
  price: 'Price as text in the currency, such as `₹600.00`.',
  'advance.amountMinor': 'Amount of the advance in the smallest unit of the currency.',
  'advance.status': 'State of the advance.',
  'advance.invoiceId': 'Id of the receipt voucher of the advance; null without one.',
  customer: 'Customer of the booking.',
  'customer.contactId': 'Id of the contact; null after the contact was erased.',
  'customer.name': 'Name of the customer; null if unknown.',
  'customer.email': 'Email address of the customer; null if unknown.',
  name: 'Name of the customer.',
  source: 'Source of the booking: the customer (`public`) or your team (`staff`).',
  notes: 'Notes for your team. The customer does not see them.',
}

/** Body of `POST /bookings`. */
export const NewBooking = z
  .strictObject({
    serviceId: Id,
    staffId: Id.optional().meta({
      description: 'Id of the staff member or resource. Default: any that is free.',
    }),
    startAt: InstantInput.meta({ example: '2026-12-01T10:00:00+05:30' }),
    contactId: Id.optional(),
    phone: z.string().min(1, 'Must not be empty.').max(40, 'Must be at most 40 characters.').optional().meta({
      description: 'Phone number of the customer, instead of `contactId`. Needs `name`.',
      example: '+919812345678',
    }),
    name: requiredText(200).optional().meta({ example: 'Asha Rao' }),
    email: Email.optional(),
    partySize: partySize.default(1),
    answers: Answers.optional(),
    notes: nullableText(2000).optional(),
    advance: z.enum(['request', 'waive']).optional().meta({
      description:
        '`waive` confirms the booking without the advance. Default: the advance of the service is required.',
    }),
    force: z.boolean().default(false).meta({
      description:
        'Whether to allow times outside the hours, the booking notice, and the horizon. Bookings never overlap.',
    }),
    notify: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether to send the customer a message, if the 24-hour window is open.' }),
  })
  .superRefine((body, context) => {
    const raise = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (body.contactId !== undefined) {
      if (body.phone !== undefined) raise('phone', 'Must be left out when contactId is sent.')
      return
    }
    if (body.phone === undefined) raise('phone', 'Required (or contactId).')
    if (body.name === undefined) raise('name', 'Required with phone.')
  })
  .meta({ fields: BOOKING_FIELDS })
export type NewBooking = z.output<typeof NewBooking>

const CustomerPatch = z.strictObject({
  name: requiredText(200).optional(),
  phone: nullableText(40).optional().meta({ description: 'A phone number in any common spelling.' }),
  email: z
    .email('Must be an email address.')
    .max(254, 'Must be at most 254 characters.')
    .nullable()
    .optional(),
})

const GROUPS = [
  ['startAt', 'staffId', 'force'],
  ['status', 'reason', 'advance'],
  ['notes', 'customer'],
] as const

/** Body of `PATCH /bookings/{id}`: another time, another state, or other text. */
export const BookingPatch = z
  .strictObject({
    startAt: InstantInput.optional().meta({ description: 'New start time.' }),
    staffId: Id.optional().meta({
      description: 'Id of another staff member or resource; used with `startAt`.',
    }),
    force: z.boolean().optional().meta({
      description:
        'Whether `startAt` can be outside the hours, the booking notice, and the horizon. Bookings never overlap.',
    }),
    status: z.enum(['confirmed', 'cancelled', 'completed', 'no_show']).optional(),
    reason: nullableText(500).optional().meta({ description: 'Reason for the cancellation.' }),
    advance: z.enum(['waive', 'refund', 'keep', 'refunded']).optional().meta({
      description:
        '`waive` confirms a held booking without its advance. When you cancel, `refund` or `keep` says what happens to a paid advance. `refunded` records that it was returned.',
    }),
    notes: nullableText(2000).optional(),
    customer: CustomerPatch.optional(),
  })
  .superRefine((body, context) => {
    const raise = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: path === '' ? [] : [path], message })
    const present = GROUPS.filter((group) => group.some((field) => body[field] !== undefined))
    if (present.length !== 1)
      raise(
        '',
        'Must change one thing: startAt (with staffId or force), status (with reason or advance), or notes and customer.',
      )
    if (body.staffId !== undefined && body.startAt === undefined) raise('startAt', 'Required with staffId.')
    if (body.force !== undefined && body.startAt === undefined) raise('startAt', 'Required with force.')
    if (body.reason !== undefined && body.status !== 'cancelled')
      raise('reason', 'Must be left out unless status is cancelled.')
    if (body.advance !== undefined) {
      const requiredStatus = {
        waive: 'confirmed',
        refund: 'cancelled',
        keep: 'cancelled',
        refunded: undefined,
      }[body.advance]
      if (body.status !== requiredStatus)
        raise(
          'advance',
          requiredStatus
            ? `${body.advance} can be sent only with status ${requiredStatus}.`
            : 'refunded must be sent without status.',
        )
    }
  })
  .meta({ fields: BOOKING_FIELDS })
export type BookingPatch = z.output<typeof BookingPatch>

export const AdvanceShown = z.object({
  amountMinor: z.int(),
  amount: z.string(),
  currency: z.string(),
  status: z.enum(ADVANCE_STATUSES),
  paidAt: Instant.nullable(),
  invoiceId: Id.nullable(),
})

/** Also in events (spec 6.3). */
export const bookingFields = {
  id: Id,
  service: z.string(),
  summary: z.string(),
  staff: z
    .object({ id: Id, name: z.string(), kind: z.enum(STAFF_KINDS) })
    .meta(component('BookedStaff', 'The staff member or resource of a booking.'))
    .nullable(),
  startAt: Instant,
  endAt: Instant,
  timeZone: z.string(),
  durationMinutes: z.int(),
  status: z.enum(BOOKING_STATUSES),
  locationKind: z.enum(LOCATION_KINDS),
  location: z.string().nullable(),
  priceMinor: z.int(),
  price: z.string(),
  currency: z.string(),
  advance: AdvanceShown.nullable(),
  customer: z
    .object({
      contactId: Id.nullable(),
      name: customerName(z.string()).nullable(),
      phone: customerPhone(z.string()).nullable(),
      email: customerEmail(z.string()).nullable(),
    })
    .meta(component('BookingCustomer', 'The customer of a booking.')),
  source: z.enum(['public', 'staff']),
}

/** A visit: its customer, staff, service, and time. */
export const Booking = z
  .object({
    ...bookingFields,
    serviceId: Id,
    partySize: z.int(),
    holdExpiresAt: Instant.nullable(),
    paymentUrl: z.string().nullable().meta({ description: 'Where the customer pays the advance.' }),
    notes: z.string().nullable(),
    answers: z.record(z.string(), customerText(z.string()).nullable()),
    cancelReason: z.string().nullable(),
    invoiceId: Id.nullable().meta({
      description: 'Id of the invoice of the visit. `advance.invoiceId` is the document of the advance.',
    }),
    url: z.string().nullable().meta({ description: "Address of the customer's page of the booking." }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Booking', description: 'An appointment of a customer.', fields: BOOKING_FIELDS })

const MOMENT_FORM = 'Must be a day, such as 2026-12-01, or an ISO 8601 time with an offset.'
/** A moment, or (as text) a day of the workspace's zone. */
const MomentOrDay = z
  .string({ error: (issue) => (issue.input === undefined ? 'Required.' : MOMENT_FORM) })
  .transform((text, context) => {
    if (DayOfYear.safeParse(text).success) return text
    const moment = InstantInput.safeParse(text)
    if (moment.success) return moment.data
    context.addIssue(MOMENT_FORM)
    return z.NEVER
  })
export type MomentOrDay = z.output<typeof MomentOrDay>

export const BookingFilter = z
  .object({
    ...cursorQuery,
    from: MomentOrDay.optional().meta({
      description: 'Only bookings that start at this time or later. A date is a day in your time zone.',
    }),
    to: MomentOrDay.optional().meta({
      description: 'Only bookings that start before this time, or on this day or earlier.',
    }),
    status: z.enum(BOOKING_STATUSES).optional(),
    serviceId: Id.optional(),
    staffId: Id.optional(),
    contactId: Id.optional(),
  })
  .meta({
    fields: {
      status: 'Only bookings in this state.',
      serviceId: 'Only bookings of this service.',
      staffId: 'Only bookings with this staff member or resource.',
      contactId: 'Only bookings of this contact.',
    },
  })
export type BookingFilter = z.output<typeof BookingFilter>

export const BookingFormat = z.object({
  format: z
    .enum(['json', 'ics'])
    .default('json')
    .meta({ description: '`json` returns the data, and `ics` a calendar file.' }),
})

export const MAX_SLOT_DAYS = 31

export const SlotQuery = z.object({
  serviceId: Id.meta({ description: 'Slots of this service.' }),
  staffId: Id.optional().meta({ description: 'Only slots of this staff member or resource.' }),
  from: MomentOrDay.meta({
    description: 'Only slots that start at this time or later. A date is a day in your time zone.',
  }),
  to: MomentOrDay.meta({
    description: `Only slots that start before this time, or on this day or earlier. At most ${MAX_SLOT_DAYS} days.`,
  }),
  partySize: wholeNumber(1, MAX_SEATS).default(1).meta({
    description: 'Only slots with at least this number of free places.',
    type: 'integer',
    minimum: 1,
    maximum: MAX_SEATS,
  }),
})
export type SlotQuery = z.output<typeof SlotQuery>

/** A free time. */
export const Slot = z
  .object({
    startAt: Instant,
    endAt: Instant,
    staffId: Id.nullable(),
    remaining: z.int().meta({ description: 'Places that are left.' }),
  })
  .meta({
    id: 'BookingSlot',
    description: 'A free time that can be booked.',
    fields: { staffId: 'Id of the staff member or resource that is free; null if the service needs none.' },
  })
