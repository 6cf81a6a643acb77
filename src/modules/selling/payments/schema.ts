import { z } from 'zod'
import { Id } from '../../../core/ids.ts'
import { cursorQuery } from '../../../core/paging.ts'
import { Instant } from '../../../core/values/text.ts'
import { exactly, words } from '../../../operator/message-payload/fields.ts'
import { REFERENCE_ID } from '../../../operator/message-payload/order.ts'

/** The states; their transitions are in DECISIONS.md. */
export const PAYMENT_STATUSES = ['created', 'sent', 'paid', 'failed', 'expired', 'cancelled'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** The states in which a customer may still pay. */
export const OPEN_STATUSES = ['created', 'sent', 'failed'] as const

export const MAX_TOTAL_PAISE = 50_000_000
const MAX_ITEMS = 50
const MAX_QUANTITY = 9_999
/** The operator accepts no payment that ends earlier (docs/formats.md section 13). */
const MIN_EXPIRY_MINUTES = 5
const MAX_EXPIRY_MINUTES = 30 * 24 * 60

const whole = (least: number, max: number, unit: string) =>
  z
    .int(`Must be a whole number${unit} from ${least} to ${max}.`)
    .min(least, `Must be a whole number${unit} from ${least} to ${max}.`)
    .max(max, `Must be a whole number${unit} from ${least} to ${max}.`)
const paise = (least: number) => whole(least, MAX_TOTAL_PAISE, ' of paise')

const PaymentItem = z.strictObject({
  name: words(60).meta({ example: 'Kurta' }),
  quantity: whole(1, MAX_QUANTITY, '').meta({ example: 2 }),
  unitPaise: paise(1).meta({ example: 22_000 }),
})
export type PaymentItem = z.output<typeof PaymentItem>

/** Returns the total amount of the request. */
export const totalOf = ({ items, shippingPaise }: { items: PaymentItem[]; shippingPaise: number }): number =>
  items.reduce((sum, { quantity, unitPaise }) => sum + quantity * unitPaise, shippingPaise)

export const ReferenceId = z
  .string()
  .regex(REFERENCE_ID, 'Must be 1 to 35 letters, digits, underscores, dots, or dashes.')

/** Descriptions of the fields. */
const PAYMENT_REQUEST_FIELDS = {
  refundedPaise: 'Refunded amount, in paise.',
  referenceId: 'Your own order number.',
  status: 'State of the request.',
  items: 'Items of the order.',
  'items.name': 'Name of the item.',
  body: 'Text of the message that asks for the payment.',
  'furtherPayments.paymentId': "The gateway's id of the payment.",
  'failure.at': 'When it failed, in UTC.',
}

/** Body of `POST /payment-requests` (spec 4.7). */
export const PaymentRequestBody = z
  .strictObject({
    conversationId: Id.optional().meta({ description: 'Id of the conversation for the request.' }),
    to: words(200).optional().meta({
      description:
        "Instead of `conversationId`: the customer's phone number in E.164, `chan:<user id>`, or `contact:<id>`.",
      example: '+919812345678',
    }),
    phoneNumberId: Id.optional().meta({
      description: 'With `to`: id of the sending number. Default: the first active number.',
    }),
    referenceId: ReferenceId.meta({
      description: 'Your own order number, unique in the workspace.',
      example: 'ORD-1001',
    }),
    items: z.array(PaymentItem).min(1).max(MAX_ITEMS),
    shippingPaise: paise(0).default(0),
    currency: exactly('INR').optional().meta({ description: 'Currency of the payment: INR.' }),
    body: words(1024).optional().meta({
      description: 'Text of the message. Default: `Please pay for order <referenceId>`.',
    }),
    expiresInMinutes: whole(MIN_EXPIRY_MINUTES, MAX_EXPIRY_MINUTES, '').optional().meta({
      description: 'Minutes in which it can be paid. Default: until it is canceled.',
    }),
  })
  .superRefine((body, context) => {
    const raise = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    const { conversationId, to, phoneNumberId } = body
    if (conversationId === undefined && to === undefined) raise('to', 'Required (or conversationId).')
    if (conversationId !== undefined)
      for (const [field, value] of Object.entries({ to, phoneNumberId }))
        if (value !== undefined) raise(field, 'Must be left out when conversationId is sent.')
    const totalPaise = totalOf(body)
    if (totalPaise > MAX_TOTAL_PAISE)
      raise('items', `The total with shipping must be at most ${MAX_TOTAL_PAISE} paise. It is ${totalPaise}.`)
  })
  .meta({ fields: PAYMENT_REQUEST_FIELDS })
export type PaymentRequestBody = z.output<typeof PaymentRequestBody>

/** Body of `POST /payment-requests/{id}/cancel`. */
export const CancelBody = z.strictObject({
  body: words(1024).optional().meta({
    description: 'Text that the customer receives. Default: a notice that the order was canceled.',
  }),
})

const Failure = z.object({
  source: z.enum(['message', 'gateway', 'payment']).meta({
    description:
      'Failed step: the delivery of the message, the payment link at the gateway, or an attempt to pay.',
  }),
  code: z.string(),
  message: z.string(),
  at: Instant,
})
export type Failure = z.output<typeof Failure>

const FurtherPayment = z.object({
  paymentId: z.string(),
  paidPaise: z.int(),
  paymentMethod: z.string().nullable(),
  paidAt: Instant,
})
export type FurtherPayment = z.output<typeof FurtherPayment>

/** A payment requested from a customer in a conversation (spec 2.10). Amounts are whole paise. */
export const PaymentRequest = z
  .object({
    id: Id,
    referenceId: z.string(),
    status: z.enum(PAYMENT_STATUSES),
    conversationId: Id,
    contactId: Id,
    messageId: Id.meta({
      description: 'Id of the message with the request; `GET /messages/{id}` has its delivery state.',
    }),
    items: z.array(PaymentItem),
    shippingPaise: z.int(),
    totalPaise: z.int(),
    currency: z.literal('INR'),
    body: z.string(),
    paymentUrl: z.string().nullable().meta({
      description: 'Address where the customer pays, for payment links; null until the link exists.',
    }),
    expiresAt: Instant.nullable(),
    paidPaise: z.int().nullable().meta({
      description: 'Amount paid, in paise. If it differs from `totalPaise`, check before you deliver.',
    }),
    paymentMethod: z.string().nullable().meta({ example: 'upi' }),
    paymentId: z.string().nullable().meta({ description: "The gateway's id of the payment." }),
    refundedPaise: z.int(),
    furtherPayments: z.array(FurtherPayment).meta({
      description: 'Payments that arrived although it was already paid. They do not count: refund them.',
    }),
    failure: Failure.nullable().meta({ description: 'The latest failure. A later payment still counts.' }),
    createdAt: Instant,
    sentAt: Instant.nullable(),
    paidAt: Instant.nullable(),
    updatedAt: Instant,
  })
  .meta({
    id: 'PaymentRequest',
    description: 'A payment request to a customer in a chat.',
    fields: PAYMENT_REQUEST_FIELDS,
  })

export const PaymentRequestFilter = z.object({
  ...cursorQuery,
  status: z.enum(PAYMENT_STATUSES).optional().meta({ description: 'Only payment requests in this state.' }),
})
export type PaymentRequestFilter = z.output<typeof PaymentRequestFilter>
