import { z } from 'zod'
import { isObject, objectsIn } from '../../../core/values/storable.ts'
import type { SimulatedNumber, SimulatorStore } from '../store.ts'
import { findOrder, payOrder } from '../stored-orders.ts'

/** A customer pays a requested order, or tries to. */
export const PayingInChat = z.strictObject({
  reference: z.string(),
  number: z.string().optional(),
  paise: z.int().min(1).optional(),
  method: z.enum(['upi', 'card', 'netbanking', 'wallet']).optional(),
  outcome: z.enum(['success', 'failed', 'pending']).optional(),
  orderId: z.string().optional(),
  paymentId: z.string().optional(),
})

type PayingInChat = z.infer<typeof PayingInChat>

/** The gateway of a payment configuration: creates order and payment, and returns their ids. */
export type PayAtGateway = (
  order: { receipt: string; amount: number; notes: Record<string, string> },
  paying: Pick<PayingInChat, 'paise' | 'method' | 'outcome'>,
) => Promise<{ orderId: string; paymentId: string }>

/** Pays an order and reports it. Returns the updated order; undefined if no message requested its payment. */
export async function payInChat(
  { store, payAtGateway }: { store: SimulatorStore; payAtGateway: PayAtGateway | undefined },
  number: SimulatedNumber,
  { reference, number: _number, ...paying }: PayingInChat,
): Promise<Record<string, unknown> | undefined> {
  const order = await findOrder(store, number, reference)
  if (!order) return undefined
  const gatewayOrder = configuredOrder(order.value)
  // A pending payment has not reached the gateway yet.
  const ids =
    gatewayOrder && paying.outcome !== 'pending' ? await payAtGateway?.(gatewayOrder, paying) : undefined
  await payOrder(store, number, order, { ...paying, ...ids })
  return (await findOrder(store, number, reference))?.value
}

/** Returns the order data that the gateway gets for a payment through a configuration. */
function configuredOrder({ settings, amount }: Record<string, unknown>) {
  const [{ payment_gateway: gateway } = {}] = objectsIn(settings)
  const razorpay = isObject(gateway) && isObject(gateway.razorpay) ? gateway.razorpay : undefined
  if (!razorpay || !isObject(amount)) return undefined
  const notes = razorpay.notes as Record<string, string>
  return { receipt: String(razorpay.receipt), amount: Number(amount.value), notes }
}
