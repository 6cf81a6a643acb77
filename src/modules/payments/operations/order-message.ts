/** What the customer gets, in the operator's format (docs/formats.md section 13). */
import { later, MINUTE_MS, SECOND_MS } from '../../../core/clock.ts'
import type { Workspace } from '../../../core/context.ts'
import { cutText } from '../../../core/cut-text.ts'
import type { OrderDetailsMessage, OrderStatusMessage } from '../../../operator/message-payload/order.ts'
import type { Importer } from '../queries/gateways.ts'
import type { NewRequest, RequestRow } from '../queries/requests.ts'

const amount = (paise: number) => ({ value: paise, offset: 100 as const })

const COUNTRY = 'India'
/** Stands where the operator insists on a part of an address that the workspace has not given. */
const NOT_GIVEN = '-'
const MAX_IMPORTER = 100

/** What the operator wants to know of every item that is in no catalog: the importer's word, else the business itself. */
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

type Asked = Omit<NewRequest, 'messageId' | 'provider'> & Pick<RequestRow, 'createdAt' | 'linkUrl'>
type Settings = Pick<OrderDetailsMessage['action']['parameters'], 'payment_type' | 'payment_settings'>

/** How it is paid: through the operator's configuration, else by the payment link. */
function settingsOf({ id, referenceId, configuration, linkUrl }: Asked): Settings | Record<string, never> {
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

/** The operator takes an end that lies five minutes ahead when it is handed over; what takes a moment keeps one to spare. */
const MIN_SHOWN_MS = 6 * MINUTE_MS

/** When the order that goes out at `now` shows its end, if it has one. What comes between its end and that still counts. */
function expirationOf({ expiresAt }: Asked, now: Date) {
  if (expiresAt === null) return {}
  const soonest = later(now, MIN_SHOWN_MS)
  const shown = expiresAt < soonest ? soonest : expiresAt
  const timestamp = String(Math.floor(shown.getTime() / SECOND_MS))
  return { expiration: { timestamp, description: 'Payment link expires' } }
}

/**
 * The order with its button to pay. As long as its payment link is missing, it must be held back; `now` is when it goes out, else
 * it goes out as it is asked for.
 */
export function orderDetails(
  asked: Asked,
  of: { importer: Importer | null; workspace: Workspace; now?: Date },
): Record<string, unknown> {
  const origin = originOf(of.importer, of.workspace)
  return {
    type: 'order_details',
    body: { text: asked.body },
    action: {
      name: 'review_and_pay',
      parameters: {
        reference_id: asked.referenceId,
        type: 'digital-goods',
        currency: 'INR',
        total_amount: amount(asked.totalPaise),
        ...settingsOf(asked),
        order: {
          status: 'pending',
          ...expirationOf(asked, of.now ?? asked.createdAt),
          items: asked.items.map(({ name, quantity, unitPaise }) => ({
            name,
            quantity,
            amount: amount(unitPaise),
            ...origin,
          })),
          subtotal: amount(asked.totalPaise - asked.shippingPaise),
          tax: amount(0),
          shipping: amount(asked.shippingPaise),
        },
      },
    },
  }
}

/** Says that the order can be paid no more. */
export const orderCancelled = (referenceId: string, text: string): OrderStatusMessage => ({
  type: 'order_status',
  body: { text },
  action: {
    name: 'review_order',
    parameters: { reference_id: referenceId, order: { status: 'canceled' } },
  },
})
