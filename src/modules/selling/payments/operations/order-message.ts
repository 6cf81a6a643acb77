/** The messages of payment requests in the operator's format (docs/formats.md section 13). */
import { later, MINUTE_MS, SECOND_MS } from '../../../../core/clock.ts'
import type { Workspace } from '../../../../core/context.ts'
import { cutText } from '../../../../core/values/cut-text.ts'
import type { OrderDetailsMessage, OrderStatusMessage } from '../../../../operator/message-payload/order.ts'
import type { Importer } from '../queries/gateways.ts'
import type { NewRequest, RequestRow } from '../queries/requests.ts'

const amount = (paise: number) => ({ value: paise, offset: 100 as const })

const COUNTRY = 'India'
/** Fills a required part of an address that the workspace has not provided. */
const NOT_GIVEN = '-'
const MAX_IMPORTER = 100

/**
 * Returns the origin that the operator requires for items outside a catalog: the importer, otherwise the
 * business itself.
 */
function originOf(importer: Importer | null, { name }: Workspace) {
  const {
    line = NOT_GIVEN,
    city = NOT_GIVEN,
    zone = NOT_GIVEN,
    postalCode = NOT_GIVEN,
  } = importer?.address ?? {}
  return {
    country_of_origin: COUNTRY,
    importer_name: cutText(importer?.name ?? name, MAX_IMPORTER),
    importer_address: {
      address_line1: line,
      city,
      zone_code: zone,
      postal_code: postalCode,
      country_code: 'IN',
    },
  }
}

type OrderRequest = Omit<NewRequest, 'messageId' | 'provider'> & Pick<RequestRow, 'createdAt' | 'linkUrl'>
type Settings = Pick<OrderDetailsMessage['action']['parameters'], 'payment_type' | 'payment_settings'>

/** Returns the payment setting: the operator's configuration, otherwise the payment link. */
function settingsOf({
  id,
  referenceId,
  configuration,
  linkUrl,
}: OrderRequest): Settings | Record<string, never> {
  if (configuration !== null) {
    const razorpay = { receipt: referenceId, notes: { payment_request_id: id } }
    const gateway = { type: 'razorpay' as const, configuration_name: configuration, razorpay }
    return { payment_settings: [{ type: 'payment_gateway', payment_gateway: gateway }] }
  }
  return linkUrl === null
    ? {}
    : {
        payment_type: 'upi',
        payment_settings: [{ type: 'payment_link', payment_link: { uri: linkUrl } }],
      }
}

/**
 * The operator requires an end at least five minutes after the hand-over; this leaves a minute for the delay.
 */
const MIN_SHOWN_MS = 6 * MINUTE_MS

/**
 * Returns the expiration to show in an order sent at `now`, if it has one. A payment between its own end and
 * this one still counts.
 */
function expirationOf({ expiresAt }: OrderRequest, now: Date) {
  if (expiresAt === null) return {}
  const soonest = later(now, MIN_SHOWN_MS)
  const shownExpiry = expiresAt < soonest ? soonest : expiresAt
  const timestamp = String(Math.floor(shownExpiry.getTime() / SECOND_MS))
  return { expiration: { timestamp, description: 'Payment link expires' } }
}

/**
 * Builds the order with its pay button. Without its payment link it must be held; `now`: when it is sent
 * (default: when requested).
 */
export function orderDetails(
  order: OrderRequest,
  sender: { importer: Importer | null; workspace: Workspace; now?: Date },
): Record<string, unknown> {
  const origin = originOf(sender.importer, sender.workspace)
  return {
    type: 'order_details',
    body: { text: order.body },
    action: {
      name: 'review_and_pay',
      parameters: {
        reference_id: order.referenceId,
        type: 'digital-goods',
        currency: 'INR',
        total_amount: amount(order.totalPaise),
        ...settingsOf(order),
        order: {
          status: 'pending',
          ...expirationOf(order, sender.now ?? order.createdAt),
          items: order.items.map(({ name, quantity, unitPaise }) => ({
            name,
            quantity,
            amount: amount(unitPaise),
            ...origin,
          })),
          subtotal: amount(order.totalPaise - order.shippingPaise),
          tax: amount(0),
          shipping: amount(order.shippingPaise),
        },
      },
    },
  }
}

/** Builds the message that the order can no longer be paid. */
export const orderCancelled = (referenceId: string, text: string): OrderStatusMessage => ({
  type: 'order_status',
  body: { text },
  action: {
    name: 'review_order',
    parameters: { reference_id: referenceId, order: { status: 'canceled' } },
  },
})
