/**
 * Messages that request payment for an order or report its status (docs/formats.md section 13). Only Parley
 * itself sends them.
 */
import { z } from 'zod'
import {
  checked,
  exactly,
  listOf,
  object,
  oneOf,
  optionalText,
  webLink,
  wholeNumber,
  words,
} from './fields.ts'
import { Body, Footer, ImageHeader } from './interactive-parts.ts'

const MAX_PAISE = 1_000_000_000

/** An amount in paise, in the operator's format. */
const Amount = object({ value: wholeNumber(0, MAX_PAISE), offset: z.literal(100, 'Must be 100.') })

export const REFERENCE_ID = /^[A-Za-z0-9_.-]{1,35}$/
const ReferenceId = z
  .string('Must be text.')
  .regex(REFERENCE_ID, 'Must be 1 to 35 letters, digits, underscores, dots, or dashes.')

const ImporterAddress = object({
  address_line1: words(100),
  address_line2: words(100).optional(),
  city: words(120),
  zone_code: words(10),
  postal_code: words(20),
  country_code: words(2),
})

const Item = object({
  retailer_id: words(100).optional(),
  name: words(60),
  quantity: wholeNumber(1, 1_000_000),
  amount: Amount,
  sale_amount: Amount.optional(),
  // Without a catalog the operator requires the importer of each item.
  country_of_origin: words(60),
  importer_name: words(100),
  importer_address: ImporterAddress,
})

const GatewaySettings = object({
  type: exactly('payment_gateway'),
  payment_gateway: object({
    type: exactly('razorpay'),
    configuration_name: words(60),
    razorpay: object({ receipt: words(40), notes: z.record(z.string(), optionalText(256)) }),
  }),
})
const LinkSettings = object({ type: exactly('payment_link'), payment_link: object({ uri: webLink }) })

const Parameters = object({
  reference_id: ReferenceId,
  type: oneOf(['digital-goods', 'physical-goods']),
  currency: exactly('INR'),
  total_amount: Amount,
  payment_type: exactly('upi').optional(),
  payment_settings: listOf(
    z.discriminatedUnion('type', [GatewaySettings, LinkSettings], 'Must be payment_gateway or payment_link.'),
    1,
    1,
  ),
  order: object({
    status: exactly('pending'),
    expiration: object({
      timestamp: z.string('Must be text.').regex(/^\d{10,12}$/, 'Must be seconds since 1970.'),
      description: words(120),
    }).optional(),
    items: listOf(Item, 1, 999),
    subtotal: Amount,
    tax: Amount,
    shipping: Amount.optional(),
    discount: Amount.optional(),
  }),
})

/** subtotal = Σ (sale_amount or amount) · quantity; total = subtotal + tax + shipping − discount. */
const checkTotals = checked<z.output<typeof Parameters>>(({ total_amount, order }, raise) => {
  const { items, subtotal, tax, shipping, discount } = order
  const sum = items.reduce(
    (paise, item) => paise + (item.sale_amount ?? item.amount).value * item.quantity,
    0,
  )
  if (sum !== subtotal.value) raise(['order', 'subtotal', 'value'], 'Must be the sum of the items.')
  const total = subtotal.value + tax.value + (shipping?.value ?? 0) - (discount?.value ?? 0)
  if (total !== total_amount.value)
    raise(['total_amount', 'value'], 'Must be subtotal plus tax plus shipping minus discount.')
})

/** Shows an order with a button to pay it. */
export const OrderDetailsMessage = object({
  type: exactly('order_details'),
  header: ImageHeader.optional(),
  body: Body,
  footer: Footer.optional(),
  action: object({ name: exactly('review_and_pay'), parameters: Parameters.check(checkTotals) }),
})
export type OrderDetailsMessage = z.output<typeof OrderDetailsMessage>

const ORDER_STATUSES = [
  'pending',
  'processing',
  'partially_shipped',
  'shipped',
  'completed',
  'canceled',
] as const

/** Reports the status of an order. */
export const OrderStatusMessage = object({
  type: exactly('order_status'),
  body: Body,
  footer: Footer.optional(),
  action: object({
    name: exactly('review_order'),
    parameters: object({
      reference_id: ReferenceId,
      order: object({ status: oneOf(ORDER_STATUSES), description: words(120).optional() }),
    }),
  }),
})
export type OrderStatusMessage = z.output<typeof OrderStatusMessage>

/** The payment messages by kind. */
export const ORDER_MESSAGES = { order_details: OrderDetailsMessage, order_status: OrderStatusMessage }
