import { z } from 'zod'
import { customerName } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { cursorQuery } from '../../../core/paging.ts'
import { Instant } from '../../../core/values/text.ts'
import { DayOfYear } from '../../platform/business-hours/range-schema.ts'
import en from './texts/en.json' with { type: 'json' }

export const ABOUT = ['invoice', 'booking'] as const
export type About = (typeof ABOUT)[number]
export const REQUEST_STATUSES = ['queued', 'sent', 'answered', 'expired', 'failed'] as const
export const PERIODS = ['week', 'month'] as const
export type PeriodKind = (typeof PERIODS)[number]
export const MIN_RATING = 1
export const MAX_RATING = 5
export const COMMENT_MAX = 2_000
/** Customers read it in their language, from the catalogs. */
export const STANDARD_QUESTION = en.question
const QUESTION_MAX = 1_000
const URL_MAX = 2_000
/** A month: later customers do not remember the purchase. */
const HOURS_MAX = 720
const DAYS_MAX = 365

const hours = (after: string) =>
  z
    .int(`Must be a whole number from 0 to ${HOURS_MAX}.`)
    .min(0, `Must be a whole number from 0 to ${HOURS_MAX}.`)
    .max(HOURS_MAX, `Must be a whole number from 0 to ${HOURS_MAX}.`)
    .nullable()
    .default(null)
    .meta({ description: `Hours after ${after} until the customer is asked; null for never.` })

/** Descriptions of the fields. */
const REVIEW_SETTINGS_FIELDS = {
  question: 'Question that customers are asked. They read the standard question in their language.',
  alertAt: 'Ratings up to this one are low, and create a task.',
  afterInvoicePaidHours: 'Hours after the payment of an invoice until the customer is asked; null for never.',
  afterBookingHours: 'Hours after a visit until the customer is asked; null for never.',
  templateId: 'Id of the template that asks while the 24-hour window is closed; null for none.',
  publicUrl: 'Your page at a review site, shown to every customer who rated; null for none.',
  alertMemberId: 'Id of the member who gets the tasks; null for the owner of the lead.',
  everyDays: 'Minimum days between automatic requests to a customer; 0 for no limit.',
}

/** Settings of review requests (DECISIONS.md). */
export const ReviewSettings = z
  .strictObject({
    question: z
      .string()
      .trim()
      .min(1, 'Must not be empty.')
      .max(QUESTION_MAX, `Must be at most ${QUESTION_MAX} characters.`)
      .default(STANDARD_QUESTION),
    alertAt: z
      .int(`Must be a whole number from ${MIN_RATING} to ${MAX_RATING}.`)
      .min(MIN_RATING, `Must be a whole number from ${MIN_RATING} to ${MAX_RATING}.`)
      .max(MAX_RATING, `Must be a whole number from ${MIN_RATING} to ${MAX_RATING}.`)
      .default(3)
      .meta({ description: 'Ratings up to this one are low, and create a task.' }),
    afterInvoicePaidHours: hours('the payment of an invoice'),
    afterBookingHours: hours('a visit'),
    templateId: Id.nullable().default(null).meta({
      description:
        'Id of an approved template that asks while the 24-hour window is closed. A button whose address ends in {{1}} opens the review page.',
    }),
    publicUrl: z
      .url({ protocol: /^https$/, error: 'Must be an https address.' })
      .max(URL_MAX, `Must be at most ${URL_MAX} characters.`)
      .nullable()
      .default(null)
      .meta({
        description:
          'Address of your page at a review site. Every customer who rates sees it, whatever the rating: review sites forbid asking only satisfied customers.',
      }),
    alertMemberId: Id.nullable().default(null).meta({
      description: 'Id of the member who gets the tasks; null for the owner of the lead.',
    }),
    everyDays: z
      .int(`Must be a whole number from 0 to ${DAYS_MAX}.`)
      .min(0, `Must be a whole number from 0 to ${DAYS_MAX}.`)
      .max(DAYS_MAX, `Must be a whole number from 0 to ${DAYS_MAX}.`)
      .default(30)
      .meta({
        description: 'Minimum days between automatic requests to a customer. A teammate can ask earlier.',
      }),
  })
  .meta({ fields: REVIEW_SETTINGS_FIELDS })
export type ReviewSettings = z.output<typeof ReviewSettings>

/** The same settings in answers. */
export const ReviewSettingsShown = z
  .object({
    question: z.string(),
    alertAt: z.int(),
    afterInvoicePaidHours: z.int().nullable(),
    afterBookingHours: z.int().nullable(),
    templateId: Id.nullable(),
    publicUrl: z.string().nullable(),
    alertMemberId: Id.nullable(),
    everyDays: z.int(),
  })
  .meta({
    id: 'ReviewSettings',
    description: 'When and how customers are asked for reviews.',
    fields: REVIEW_SETTINGS_FIELDS,
  })

/** Descriptions of the fields. */
export const REVIEW_SUBJECT_FIELDS = {
  about: 'Subject of the review: an invoice or a booking.',
  subjectId: 'Id of the invoice or booking.',
  rating: 'Rating of the customer, from 1 (bad) to 5 (very good).',
  comment: 'Text from the customer; null without one.',
  low: 'Whether the rating is low, by `alertAt` in the settings.',
  requestId: 'Id of the review request that it answers.',
  reviewId: 'Id of the review.',
  subjectLabel: 'Number of the invoice, or name of the booked service.',
  contactId: 'Id of the contact; null after the contact was erased.',
}

/** Body of `POST /review-requests`. */
export const NewReviewRequest = z
  .strictObject({
    about: z.enum(ABOUT, `Must be one of ${ABOUT.join(', ')}.`),
    subjectId: Id,
    via: z.enum(['chat', 'link'], 'Must be chat or link.').meta({
      description: '`chat`: Parley sends the request to the customer. `link`: you share the address.',
    }),
  })
  .meta({ fields: REVIEW_SUBJECT_FIELDS })
export type NewReviewRequest = z.output<typeof NewReviewRequest>

const subject = {
  about: z.enum(ABOUT),
  subjectId: Id,
  subjectLabel: z.string().meta({ description: 'Number of the invoice, or name of the booked service.' }),
  contactId: Id.nullable(),
  customerName: customerName(z.string()).nullable(),
}

/** A review request that was sent or is planned. */
export const ReviewRequest = z
  .object({
    id: Id,
    status: z.enum(REQUEST_STATUSES),
    ...subject,
    via: z.enum(['chat', 'link']),
    messageId: Id.nullable(),
    failure: z
      .string()
      .nullable()
      .meta({ description: 'Why the request was not sent; null unless it failed.' }),
    url: z.string().nullable().meta({ description: "Address of the customer's page." }),
    dueAt: Instant.nullable().meta({ description: 'When a queued request is sent, in UTC.' }),
    sentAt: Instant.nullable(),
    expiresAt: Instant.nullable(),
    answeredAt: Instant.nullable(),
    createdAt: Instant,
  })
  .meta({
    id: 'ReviewRequest',
    description: 'A request to a customer for a review.',
    fields: {
      ...REVIEW_SUBJECT_FIELDS,
      status: 'State of the request.',
      via: 'How the customer is asked: in the chat, or by a link that you pass on.',
      messageId: 'Id of the message; null without one.',
    },
  })

/** A customer's review. */
export const Review = z
  .object({
    id: Id,
    requestId: Id,
    rating: z.number().int(),
    comment: z.string().nullable(),
    low: z.boolean(),
    ...subject,
    answeredAt: Instant,
  })
  .meta({ id: 'Review', description: "A customer's review.", fields: REVIEW_SUBJECT_FIELDS })

export const RequestFilter = z
  .object({
    ...cursorQuery,
    status: z.enum(REQUEST_STATUSES).optional(),
    about: z.enum(ABOUT).optional(),
  })
  .meta({
    fields: {
      status: 'Only requests in this state.',
      about: 'Only requests about invoices, or only requests about bookings.',
    },
  })
const span = {
  from: DayOfYear.optional().meta({
    description: "Only reviews since this day, in the workspace's time zone.",
  }),
  to: DayOfYear.optional().meta({
    description: "Only reviews until this day, included, in the workspace's time zone.",
  }),
}
export type ReviewSpan = { from?: string | undefined; to?: string | undefined }

const ONLY_ABOUT = 'Only reviews of invoices, or only reviews of bookings.'
export const ReviewFilter = z
  .object({
    ...cursorQuery,
    low: z.enum(['true', 'false']).optional().meta({ description: '`true`: only low ratings.' }),
    rating: z
      .enum(['1', '2', '3', '4', '5'])
      .optional()
      .meta({ description: 'Only reviews with this rating.' }),
    about: z.enum(ABOUT).optional(),
    ...span,
  })
  .meta({ fields: { about: ONLY_ABOUT } })

/** Query of `GET /reviews/summary`. */
export const ReviewSummaryQuery = z
  .object({
    about: z.enum(ABOUT).optional(),
    ...span,
    by: z.enum(PERIODS).optional().meta({
      description: 'Also count by week (from Monday) or by month, in `byPeriod`.',
    }),
  })
  .meta({ fields: { about: ONLY_ABOUT } })

/** Counts of reviews and of review requests. */
export const ReviewSummary = z
  .object({
    total: z.int().meta({ description: 'How many reviews there are.' }),
    average: z
      .number()
      .nullable()
      .meta({ description: 'Average rating, rounded to two decimals; null without reviews.' }),
    low: z.int().meta({ description: 'How many reviews are low.' }),
    byRating: z
      .array(
        z.object({
          rating: z.int().meta({ description: 'Rating, from 1 (bad) to 5 (very good).' }),
          count: z.int().meta({ description: 'How many reviews have this rating.' }),
        }),
      )
      .meta({ description: 'Reviews by rating, from 5 to 1.' }),
    byPeriod: z
      .array(
        z.object({
          from: z.iso.date().meta({ description: 'First day of the week or month.', example: '2026-06-01' }),
          count: z.int().meta({ description: 'How many reviews are from it.' }),
          average: z.number().meta({ description: 'Their average rating, rounded to two decimals.' }),
        }),
      )
      .meta({
        description:
          'Weeks or months with reviews, the oldest first; empty without `by`. The first and the last contain only days from `from` to `to`.',
      }),
    asked: z.int().meta({ description: 'How many review requests reached a customer.' }),
    answered: z.int().meta({ description: 'How many of them were answered.' }),
  })
  .meta({ id: 'ReviewSummary', description: 'Reviews in numbers.' })
