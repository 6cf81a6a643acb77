import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { issuesOf } from '../../../core/issues.ts'
import { SIMULATED_STORES } from '../../../shop/simulator/orders.ts'
import { TEXT_MAX } from '../../messaging/messages/schema.ts'
import { Money } from '../../selling/crm/schema.ts'
import { COMMENT_MAX, MAX_RATING, MIN_RATING } from '../../selling/reviews/schema.ts'
import { ORDER_TYPES } from '../integrations/order-schema.ts'

const short = (max: number) =>
  z.string().min(1, 'Must not be empty.').max(max, `Must be at most ${max} characters.`)

/** The content of a customer's message: exactly one of these fields. */
const CONTENT = ['text', 'buttonId', 'listId', 'mediaId', 'formAnswers'] as const

/**
 * Body of `POST /sandbox/inbound` (spec 4.9): exactly one of text, buttonId, listId, and, as additions,
 * mediaId and formAnswers.
 */
export const InboundBody = z
  .strictObject({
    from: short(200).meta({
      description: 'Phone number with country code, or `chan:<user id>` for a customer without a number.',
      example: '+919812345678',
    }),
    name: short(200).optional().meta({ description: 'Profile name.' }),
    username: short(100).optional().meta({ description: 'Username of a customer without a number.' }),
    text: z
      .string()
      .max(TEXT_MAX)
      .refine((text) => text.trim() !== '', 'Must not be empty.')
      .optional(),
    buttonId: short(256)
      .optional()
      .meta({ description: 'Your id of the reply button that the customer taps; used with `title`.' }),
    listId: short(200)
      .optional()
      .meta({ description: 'Your id of the list row that the customer picks; used with `title`.' }),
    title: short(200).optional(),
    mediaId: short(200)
      .optional()
      .meta({ description: 'Id of a file from `POST /media` that the customer sends.' }),
    caption: short(1024).optional().meta({ description: 'Caption of a picture, video, or document.' }),
    formAnswers: z
      .record(z.string().max(200, 'Must be at most 200 characters.'), z.unknown())
      .optional()
      .meta({
        description: 'Answers of an in-chat form that the customer submits, by the names of its fields.',
        example: { part_of_day: 'Morning' },
      }),
    replyTo: short(256).optional().meta({
      description: 'Channel message id of the message that the customer replies to, such as the form.',
    }),
  })
  .superRefine((body, context) => {
    const contentFields = CONTENT.filter((field) => body[field] !== undefined)
    if (contentFields.length !== 1)
      context.addIssue({
        code: 'custom',
        path: contentFields.length === 0 ? ['text'] : [contentFields[1]!],
        message: `Send exactly one of ${CONTENT.join(', ')}.`,
      })
    else if ((contentFields[0] === 'buttonId' || contentFields[0] === 'listId') && body.title === undefined)
      context.addIssue({ code: 'custom', path: ['title'], message: `Required with ${contentFields[0]}.` })
  })
  .meta({ fields: { text: 'Text that the customer writes.', title: 'Label of the button or the row.' } })
export type InboundBody = z.output<typeof InboundBody>

const REFERENCE_MAX = 100
const PAISE_MAX = 999_999_999

const customerNumber = short(60).meta({ description: 'Phone number of the customer, as they wrote it.' })

/** The fields of each kind of fact. */
const FACTS = {
  order: z.strictObject({
    kind: z.literal('order'),
    store: z.enum(SIMULATED_STORES),
    type: z.enum(ORDER_TYPES),
    reference: short(REFERENCE_MAX).meta({ description: 'Number of the order at the shop (order).' }),
    from: customerNumber,
    name: short(100).optional(),
    total: Money.optional(),
    cod: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the order is paid in cash on delivery (order).' }),
  }),
  payment: z.strictObject({
    kind: z.literal('payment'),
    request: short(200).meta({
      description:
        'Id of the payment request, or of another record with a payment link (payment); id of the review request (review).',
    }),
    paise: z.int().min(1).max(PAISE_MAX).optional(),
    method: z.enum(['upi', 'card', 'netbanking', 'wallet']).optional(),
    fail: z.boolean().optional().meta({ description: 'Whether the payment fails (payment).' }),
  }),
  call: z.strictObject({ kind: z.literal('call'), from: customerNumber }),
  review: z.strictObject({
    kind: z.literal('review'),
    request: Id,
    rating: z.int().min(MIN_RATING).max(MAX_RATING),
    comment: z.string().max(COMMENT_MAX).optional(),
  }),
}
export type SimulatedFact = {
  [Kind in keyof typeof FACTS]: z.output<(typeof FACTS)[Kind]>
}[keyof typeof FACTS]

/** Body of `POST /sandbox/simulate`: the kind of fact, with its fields. */
export const SimulateBody = z
  .strictObject({
    kind: z.enum(['order', 'payment', 'call', 'review']),
    ...z
      .object({ ...FACTS.review.shape, ...FACTS.payment.shape, ...FACTS.order.shape })
      .omit({ kind: true })
      .partial().shape,
  })
  .transform((body, context): SimulatedFact => {
    const parsed = FACTS[body.kind].safeParse(body)
    if (parsed.success) return parsed.data
    for (const { path, message } of issuesOf(parsed.error, FACTS[body.kind]))
      context.addIssue({ code: 'custom', path: [path], message })
    return z.NEVER
  })
  .meta({
    fields: {
      kind: 'Kind of fact to simulate.',
      rating: 'Rating from 1 to 5 (review).',
      comment: 'Comment of the customer (review).',
      paise: 'Amount paid, in paise (payment). Default: the whole amount.',
      method: 'How it is paid (payment).',
      store: 'Shop that the order comes from (order).',
      type: 'Change of the order (order).',
      name: 'Name of the customer (order).',
      total: 'Total of the order, at most two decimals (order).',
    },
  })

/** The longest step of a sandbox clock: a year. */
const MAX_ADVANCE_SECONDS = 31_536_000

/**
 * The end of a sandbox's clock: times computed from it (a window, a schedule, a file's life) must still have
 * a year of four digits, as instants require.
 */
const CLOCK_END = new Date('9998-01-01T00:00:00.000Z')

/** Returns how many milliseconds a clock that is `offsetMs` ahead may still be moved. */
export const longestAdvance = (realNow: Date, offsetMs: number): number =>
  CLOCK_END.getTime() - realNow.getTime() - offsetMs

export const ClockBody = z
  .strictObject({
    advanceSeconds: z
      .number('Must be a number.')
      .int(`Must be a whole number from 1 to ${MAX_ADVANCE_SECONDS}.`)
      .min(1, `Must be a whole number from 1 to ${MAX_ADVANCE_SECONDS}.`)
      .max(MAX_ADVANCE_SECONDS, `Must be a whole number from 1 to ${MAX_ADVANCE_SECONDS}.`),
  })
  .meta({ fields: { advanceSeconds: 'Seconds to move the clock forward.' } })
