/** Schemas of services, staff, and booking settings (DECISIONS.md). */
import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { isTimeZone } from '../../../core/values/calendar.ts'
import { MAX_MINOR } from '../../../core/values/money.ts'
import { Instant, InstantInput } from '../../../core/values/text.ts'
import { nullableText, requiredText } from '../../messaging/contacts/schema.ts'
import { DayOfYear, DayRanges, WeeklyRange } from '../../platform/business-hours/range-schema.ts'
import { MAX_TOTAL_PAISE } from '../payments/schema.ts'

/** Limit for services, and for staff. */
export const MAX_ENTRIES = 200
const MAX_STAFF = 50
const MAX_QUESTIONS = 10
const MAX_WEEKLY = 50
const MAX_OVERRIDES = 400
const MAX_TIME_OFF = 400
const YEAR_MINUTES = 366 * 24 * 60

export const LOCATION_KINDS = ['business', 'customer', 'phone', 'online', 'other'] as const
export const REFUND_POLICIES = ['refund', 'keep'] as const
export const STAFF_KINDS = ['person', 'resource'] as const

const wholeNumber = (least: number, max: number, unit: string) =>
  z
    .int(`Must be a whole number of ${unit} from ${least} to ${max}.`)
    .min(least, `Must be a whole number of ${unit} from ${least} to ${max}.`)
    .max(max, `Must be a whole number of ${unit} from ${least} to ${max}.`)
const minutes = (least: number, max: number) => wholeNumber(least, max, 'minutes')

const Advance = z
  .strictObject({
    amountMinor: wholeNumber(100, MAX_TOTAL_PAISE, 'minor units').optional(),
    percent: wholeNumber(1, 100, 'percent').optional(),
  })
  .refine(({ amountMinor, percent }) => (amountMinor === undefined) !== (percent === undefined), {
    path: ['amountMinor'],
    message: 'Send either this or `percent`.',
  })
  .meta({ description: 'Advance for each seat, paid before the booking is confirmed.' })
export type Advance = z.output<typeof Advance>

const Question = z.strictObject({ label: requiredText(200), required: z.boolean().default(false) })
export type Question = z.output<typeof Question>

const fields = {
  name: requiredText(120).meta({ example: 'Haircut' }),
  description: nullableText(2000),
  durationMinutes: minutes(5, 1440).meta({ example: 45 }),
  bufferBeforeMinutes: minutes(0, 240),
  bufferAfterMinutes: minutes(0, 240),
  stepMinutes: minutes(5, 240).meta({ description: 'Time between the starts that are offered, in minutes.' }),
  capacity: wholeNumber(1, 500, 'people').meta({
    description: 'Number of customers who can book the same time. 1: the time is not shared.',
  }),
  priceMinor: wholeNumber(0, MAX_MINOR, 'minor units').meta({
    description: 'Price of each seat, in the smallest unit of the currency.',
  }),
  taxRate: z
    .number()
    .min(0, 'Must be at least 0.')
    .max(100, 'Must be at most 100.')
    .refine((rate) => Math.round(rate * 1_000) / 1_000 === rate, 'Must have at most three decimals.')
    .nullable(),
  hsn: z
    .string()
    .regex(/^[0-9]{4,8}$/, 'Must be 4 to 8 digits.')
    .nullable(),
  advance: Advance.nullable(),
  refundPolicy: z.enum(REFUND_POLICIES).meta({
    description: 'Treatment of a paid advance when the customer cancels in time: `refund` or `keep`.',
  }),
  minNoticeMinutes: minutes(0, YEAR_MINUTES),
  maxDaysAhead: wholeNumber(1, 365, 'days'),
  cancelNoticeMinutes: minutes(0, YEAR_MINUTES).meta({
    description: 'How long before the start a customer can still move or cancel the booking, in minutes.',
  }),
  locationKind: z.enum(LOCATION_KINDS),
  location: nullableText(500),
  staffIds: z
    .array(Id)
    .max(MAX_STAFF, `Must have at most ${MAX_STAFF} ids.`)
    .transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))]),
  questions: z
    .array(Question)
    .max(MAX_QUESTIONS, `Must have at most ${MAX_QUESTIONS} questions.`)
    .refine(
      (questions) => new Set(questions.map(({ label }) => label)).size === questions.length,
      'Must each have a different label.',
    ),
  active: z.boolean(),
}

const SERVICE_FIELDS = {
  bufferBeforeMinutes: 'Free time kept before a booking, in minutes.',
  bufferAfterMinutes: 'Free time kept after a booking, in minutes.',
  cancelNoticeMinutes: 'How long before the start a customer can still cancel, in minutes.',
  maxDaysAhead: 'How many days ahead customers can book.',
  minNoticeMinutes: 'Minimum time between booking and start, in minutes.',
  questions: 'Questions that customers answer when they book.',
  stepMinutes: 'Time between the starts that are offered, in minutes.',
  staffIds:
    'Ids of the staff and resources that offer it. Without any, it can be booked in the business hours.',
  name: 'Name of the service.',
  description: 'Description for customers; null without one.',
  'advance.amountMinor': 'Fixed amount of the advance, in the smallest unit of the currency.',
  'advance.percent': 'The advance as a share of the price, in percent.',
  refundPolicy: 'Treatment of a paid advance when the customer cancels in time: `refund` or `keep`.',
  capacity: 'How many customers can book the same time.',
  location: 'Address or other details of the place; null without them.',
  'questions.label': 'The question.',
  'questions.required': 'Whether the customer must answer it.',
  active: 'Whether the service can be booked.',
}

/** Body of `POST /booking-services`. */
export const NewService = z
  .strictObject({
    ...fields,
    description: fields.description.default(null),
    bufferBeforeMinutes: fields.bufferBeforeMinutes.default(0),
    bufferAfterMinutes: fields.bufferAfterMinutes.default(0),
    stepMinutes: fields.stepMinutes.default(15),
    capacity: fields.capacity.default(1),
    priceMinor: fields.priceMinor.default(0),
    taxRate: fields.taxRate.default(null),
    hsn: fields.hsn.default(null),
    advance: fields.advance.default(null),
    refundPolicy: fields.refundPolicy.default('refund'),
    minNoticeMinutes: fields.minNoticeMinutes.default(0),
    maxDaysAhead: fields.maxDaysAhead.default(60),
    cancelNoticeMinutes: fields.cancelNoticeMinutes.default(0),
    locationKind: fields.locationKind.default('business'),
    location: fields.location.default(null),
    staffIds: fields.staffIds.default([]),
    questions: fields.questions.default([]),
    active: fields.active.default(true),
  })
  .meta({ fields: SERVICE_FIELDS })
export type NewService = z.output<typeof NewService>
/** Body of `PATCH`: changes the given fields, for new bookings. */
export const ServicePatch = z.strictObject(fields).partial().meta({ fields: SERVICE_FIELDS })
export type ServicePatch = z.output<typeof ServicePatch>

const Override = z.strictObject({
  date: DayOfYear,
  ranges: DayRanges.meta({ description: 'Open times of the day. Empty: closed.' }),
})
const TimeOff = z
  .strictObject({ startAt: InstantInput, endAt: InstantInput })
  .refine(({ startAt, endAt }) => startAt < endAt, { path: ['endAt'], message: 'Must be after startAt.' })

/** Offsets such as +05:30 are not zones, because they have no daylight saving time. */
const isNamedZone = (zone: string): boolean =>
  /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(zone) && isTimeZone(zone)

const staff = {
  name: requiredText(120).meta({ example: 'Meera' }),
  kind: z.enum(STAFF_KINDS),
  memberId: Id.nullable().meta({ description: 'Id of the member who is this staff member; null for none.' }),
  timeZone: z
    .string()
    .refine(isNamedZone, 'Must be a time zone, such as Asia/Kolkata.')
    .meta({ example: 'Asia/Kolkata' }),
  weekly: z.array(WeeklyRange).max(MAX_WEEKLY, `Must have at most ${MAX_WEEKLY} ranges.`).meta({
    description:
      'Hours of the week. A range can run over midnight (`20:00` to `04:00`); it belongs to the day on which it starts. Overlapping ranges are merged.',
  }),
  overrides: z
    .array(Override)
    .max(MAX_OVERRIDES, `Must have at most ${MAX_OVERRIDES} days.`)
    .refine(
      (overrides) => new Set(overrides.map(({ date }) => date)).size === overrides.length,
      'Must have each day once.',
    )
    .meta({
      description:
        'Days with other hours. They replace the ranges of the week that start on that day. The night before stays open.',
    }),
  timeOff: z.array(TimeOff).max(MAX_TIME_OFF, `Must have at most ${MAX_TIME_OFF} times.`),
  active: z.boolean(),
}

const STAFF_FIELDS = {
  timeOff: 'Times when it is not available.',
  name: 'Name of the staff member or resource.',
  kind: 'Whether it is a person or a resource such as a room.',
  memberId: 'Id of the team member; null for none.',
  'weekly.from': 'When the range starts, such as `09:30`.',
  'weekly.to': 'When the range ends, such as `18:00`.',
  'overrides.ranges.from': 'When the range starts, such as `09:30`.',
  'overrides.ranges.to': 'When the range ends, such as `18:00`.',
  active: 'Whether it can be booked.',
}

export const NewStaff = z
  .strictObject({
    ...staff,
    kind: staff.kind.default('person'),
    memberId: staff.memberId.default(null),
    timeZone: staff.timeZone
      .optional()
      .meta({ description: "Time zone (IANA name), such as `Asia/Kolkata`. Default: the workspace's." }),
    weekly: staff.weekly.default([]),
    overrides: staff.overrides.default([]),
    timeOff: staff.timeOff.default([]),
    active: staff.active.default(true),
  })
  .meta({ fields: STAFF_FIELDS })
export type NewStaff = z.output<typeof NewStaff>
export const StaffPatch = z.strictObject(staff).partial().meta({ fields: STAFF_FIELDS })
export type StaffPatch = z.output<typeof StaffPatch>

const Reminder = z.strictObject({
  minutesBefore: minutes(5, 60 * 24 * 30),
  templateId: Id.meta({ description: 'Id of an approved template.' }),
})
export type Reminder = z.output<typeof Reminder>

const REMINDER_FIELDS = {
  reminders: 'Messages before the start of a booking.',
  'reminders.minutesBefore': 'How long before the start the message is sent, in minutes.',
  pageColor: "Color of the header and buttons of the customers' page; null for the standard color.",
}

/** Body of `PUT /booking-settings`. Omitted fields take their defaults. */
export const BookingSettings = z
  .strictObject({
    holdMinutes: minutes(5, 60).default(15).meta({
      description: 'Minutes that a time stays reserved for a customer who has not paid the advance yet.',
    }),
    reminders: z
      .array(Reminder)
      .max(3, 'Must have at most 3 reminders.')
      .refine(
        (reminders) => new Set(reminders.map((reminder) => reminder.minutesBefore)).size === reminders.length,
        'Must each have a different time.',
      )
      .default([]),
    publicPage: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether customers can book on the public page.' }),
    pageColor: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, 'Must be a color, such as #1d4ed8.')
      .nullable()
      .default(null)
      .meta({
        description: "Color of the customers' page: its header and buttons. Null for the standard color.",
        example: '#1d4ed8',
      }),
    maxOpenPerCustomer: wholeNumber(1, 100, 'bookings').default(3).meta({
      description: 'Maximum number of upcoming bookings that a customer can make on the public page.',
    }),
  })
  .meta({ fields: REMINDER_FIELDS })
export type BookingSettings = z.output<typeof BookingSettings>

/** A service that customers can book. */
export const Service = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string().nullable(),
    durationMinutes: z.int(),
    bufferBeforeMinutes: z.int(),
    bufferAfterMinutes: z.int(),
    stepMinutes: z.int(),
    capacity: z.int(),
    priceMinor: z.int(),
    price: z.string(),
    currency: z.string(),
    taxRate: z.number().nullable(),
    hsn: z.string().nullable(),
    advance: z.object({ amountMinor: z.int().optional(), percent: z.int().optional() }).nullable(),
    refundPolicy: z.enum(REFUND_POLICIES),
    minNoticeMinutes: z.int(),
    maxDaysAhead: z.int(),
    cancelNoticeMinutes: z.int(),
    locationKind: z.enum(LOCATION_KINDS),
    location: z.string().nullable(),
    staffIds: z.array(Id),
    questions: z.array(z.object({ label: z.string(), required: z.boolean() })),
    active: z.boolean(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'BookingService', description: 'Something that customers can book.', fields: SERVICE_FIELDS })

const RangeShown = z.object({ from: z.string(), to: z.string() })

/** A person or resource that customers can book. */
export const Staff = z
  .object({
    id: Id,
    name: z.string(),
    kind: z.enum(STAFF_KINDS),
    memberId: Id.nullable(),
    timeZone: z.string(),
    weekly: z.array(z.object({ day: z.int(), from: z.string(), to: z.string() })),
    overrides: z.array(z.object({ date: z.string(), ranges: z.array(RangeShown) })),
    timeOff: z.array(z.object({ startAt: Instant, endAt: Instant })),
    active: z.boolean(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    id: 'BookingStaff',
    description: 'A staff member, or a resource such as a room, for bookings.',
    fields: STAFF_FIELDS,
  })

/** The booking settings of a workspace. */
export const BookingSettingsShown = z
  .object({
    holdMinutes: z.int(),
    reminders: z.array(z.object({ minutesBefore: z.int(), templateId: Id })),
    publicPage: z.boolean(),
    pageColor: z.string().nullable(),
    maxOpenPerCustomer: z.int(),
    url: z.string().nullable().meta({ description: 'Address of the public booking page.' }),
  })
  .meta({
    id: 'BookingSettings',
    description: 'Settings for bookings.',
    fields: {
      ...REMINDER_FIELDS,
      holdMinutes: 'Minutes that a time stays reserved for a customer who has not paid the advance yet.',
      publicPage: 'Whether customers can book on the public page.',
      maxOpenPerCustomer: 'Maximum number of upcoming bookings of one customer.',
    },
  })
