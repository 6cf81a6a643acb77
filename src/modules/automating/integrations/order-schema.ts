/** Shapes of the orders of shops, and of the shops' reports. */
import { z } from 'zod'
import { customerName, customerPhone } from '../../../core/customer-details.ts'
import { Id } from '../../../core/ids.ts'
import { cursorQuery } from '../../../core/paging.ts'
import { Instant } from '../../../core/values/text.ts'

/** The shops of orders. The simulator can act as either of the first two. */
export const PROVIDERS = ['shopify', 'woocommerce', 'orders'] as const
export type Provider = (typeof PROVIDERS)[number]

export const ORDER_TYPES = ['order_placed', 'order_paid', 'order_shipped', 'order_cancelled'] as const
export type OrderType = (typeof ORDER_TYPES)[number]

/** The states of an order's question about cash on delivery. */
const COD_STATES = ['waiting', 'asked', 'confirmed', 'disowned', 'expired', 'dropped', 'failed'] as const
export type CodState = (typeof COD_STATES)[number]

/** An order of a shop. */
export const Order = z
  .object({
    id: Id,
    provider: z.enum(PROVIDERS),
    shopId: z.string(),
    reference: z.string(),
    status: z.enum(['placed', 'paid', 'shipped', 'cancelled']),
    contactId: Id.nullable(),
    phone: customerPhone(z.string()).nullable(),
    customerName: customerName(z.string()).nullable(),
    total: z.number().nullable(),
    currency: z.string().nullable(),
    url: z.string().nullable(),
    itemCount: z.int().nullable(),
    cashOnDelivery: z.boolean(),
    cod: z
      .object({
        status: z.enum(COD_STATES),
        askedAt: Instant.nullable(),
        answeredAt: Instant.nullable(),
        reason: z.string().nullable().meta({ description: 'Why the customer could not be asked.' }),
      })
      .nullable()
      .meta({
        description: 'Confirmation of a cash-on-delivery order; null if the customer is not asked.',
      }),
    placedAt: Instant.nullable(),
    paidAt: Instant.nullable(),
    shippedAt: Instant.nullable(),
    cancelledAt: Instant.nullable(),
    createdAt: Instant,
  })
  .meta({
    id: 'Order',
    description: 'An order of a connected shop.',
    fields: {
      reference: 'Number of the order at the shop.',
      status: 'State of the order.',
      phone: 'Phone number of the customer; null if the order has no readable one.',
      contactId: 'Id of the contact; null if the order has no readable phone number.',
      total: 'Total of the order in its currency, at most two decimals; null if unknown.',
      currency: 'Currency code (ISO 4217), such as `INR`; null if unknown.',
      url: 'Address of the order for the customer; null if unknown.',
      itemCount: 'Number of items; null if unknown.',
      cashOnDelivery: 'Whether it is paid in cash on delivery.',
      'cod.status': 'State of the confirmation.',
      'cod.askedAt': 'When the customer was asked, in UTC; null until then.',
      placedAt: 'When it was placed, in UTC; null if unknown.',
      shippedAt: 'When it was shipped, in UTC; null until then.',
    },
  })
export type Order = z.output<typeof Order>

/** The result of a shop's report: the stored outcome, and its status and text in responses. */
export const OUTCOMES = {
  applied: { status: 'applied', reason: null },
  repeat: { status: 'repeat', reason: 'The shop already reported this.' },
  other_topic: { status: 'ignored', reason: "Parley doesn't use reports of this topic." },
  no_order: { status: 'ignored', reason: 'The order or the time is missing.' },
  draft: { status: 'ignored', reason: 'The order is a draft or in the trash.' },
  test: { status: 'ignored', reason: "This is a test. Parley doesn't store it as an order." },
} as const
export type Outcome = keyof typeof OUTCOMES

/** A shop's report in a response, always without customer data. */
export const ShopDelivery = z
  .object({
    id: Id,
    deliveryId: z
      .string()
      .meta({ description: "The shop's id of the report, or a hash of its content if it has none." }),
    provider: z.enum(PROVIDERS),
    shopId: z.string(),
    topic: z.string().meta({ description: "Topic of the report, in the shop's terms." }),
    types: z
      .array(z.enum(ORDER_TYPES))
      .meta({ description: 'Changes to the order in the report; empty for other changes.' }),
    reference: z
      .string()
      .nullable()
      .meta({ description: 'Number of the order at the shop; null if the report was ignored.' }),
    status: z.enum(['waiting', 'applied', 'repeat', 'ignored', 'failed']).meta({
      description:
        'Result. `repeat`: it contained nothing new. `failed`: Parley could not apply it and does not try again.',
    }),
    reason: z.string().nullable().meta({ description: 'Why it was ignored, or not applied yet.' }),
    repeats: z.int().meta({ description: 'Number of times that the shop sent the same report again.' }),
    attempts: z.int().meta({ description: 'Number of failed attempts to apply it.' }),
    nextAttemptAt: Instant.nullable().meta({
      description: 'When Parley next tries to apply it, in UTC; null for never.',
    }),
    receivedAt: Instant,
  })
  .meta({
    id: 'ShopDelivery',
    description: 'A report that a shop sent.',
    fields: { receivedAt: 'When it first arrived, in UTC.' },
  })
export type ShopDelivery = z.output<typeof ShopDelivery>

/** Query of `GET /orders`. */
export const OrderFilter = z.object({
  ...cursorQuery,
  contactId: z
    .string()
    .min(1, 'Must not be empty.')
    .max(200)
    .optional()
    .meta({ description: 'Only orders of this contact: its id or phone number.' }),
  reference: z
    .string()
    .min(1, 'Must not be empty.')
    .max(200)
    .optional()
    .meta({ description: 'Only orders with this number at the shop.' }),
})
export type OrderFilter = z.output<typeof OrderFilter>
