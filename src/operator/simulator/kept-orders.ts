/** Orders whose payment a message requests in the chat, and their payments (docs/formats.md section 13). */
import { randomBytes } from 'node:crypto'
import { isObject, textOrNull } from '../../core/storable.ts'
import type { TakenMessage } from './director.ts'
import { decodedParameter } from './request-body.ts'
import type { SimulatedNumber, SimulatedObject, SimulatorStore } from './store.ts'
import { unixSeconds, valueHead } from './webhook-values.ts'

const KIND = 'order'

/** Each reference is unique for a number. */
const idOf = (number: SimulatedNumber, reference: string): string => `order ${number.operatorId} ${reference}`

/** Stores the order of a payment request; the latest message with a reference counts. */
export async function keepOrder(store: SimulatorStore, message: TakenMessage): Promise<void> {
  const content = decodedParameter(message.content)
  if (message.type !== 'interactive' || !isObject(content) || content.type !== 'order_details') return
  const { parameters } = content.action as { parameters: Record<string, unknown> }
  const reference = String(parameters.reference_id)
  const existing = await findOrder(store, message.number, reference)
  await store.keep(message.number, {
    kind: KIND,
    id: idOf(message.number, reference),
    value: {
      reference,
      amount: parameters.total_amount,
      currency: parameters.currency,
      settings: parameters.payment_settings,
      chanmid: message.chanmid,
      to: message.recipient.waId ?? null,
      userId: message.recipient.userId ?? null,
      status: existing?.value.status ?? 'pending',
      transactions: existing?.value.transactions ?? [],
    },
    bytes: null,
    expiresAt: null,
  })
}

export async function findOrder(
  store: SimulatorStore,
  number: SimulatedNumber,
  reference: string,
): Promise<SimulatedObject | undefined> {
  const order = await store.find(idOf(number, reference))
  return order?.kind === KIND && order.accountId === number.accountId ? order : undefined
}

/** How a customer pays. Ids are the gateway's, generated unless given. */
export type Paying = {
  paise?: number | undefined
  method?: string | undefined
  /** Default: success. */
  outcome?: 'success' | 'failed' | 'pending' | undefined
  orderId?: string | undefined
  paymentId?: string | undefined
}

const newId = (prefix: string) => `${prefix}_${randomBytes(9).toString('base64url').replace(/[-_]/g, '0')}`

/**
 * Records that a customer pays an order, or tries to, and reports it. An order already paid is reported
 * again.
 */
export async function payOrder(
  store: SimulatorStore,
  number: SimulatedNumber,
  order: SimulatedObject,
  paying: Paying,
): Promise<void> {
  const now = await store.now(number)
  const { outcome = 'success' } = paying
  const transactions = order.value.transactions as Record<string, unknown>[]
  const paid = transactions.find((transaction) => transaction.status === 'success')
  const transaction = paid ?? {
    id: paying.orderId ?? newId('order'),
    pg_transaction_id: paying.paymentId ?? newId('pay'),
    type: 'razorpay',
    status: outcome,
    created_timestamp: Number(unixSeconds(now)),
    updated_timestamp: Number(unixSeconds(now)),
    method: { type: paying.method ?? 'upi' },
    ...(outcome === 'failed' ? { error: { code: 'BAD_REQUEST_ERROR', reason: 'payment_failed' } } : {}),
  }
  const status = paid || outcome === 'success' ? 'captured' : 'pending'
  const amount =
    paying.paise === undefined || paid ? order.value.amount : { value: paying.paise, offset: 100 }
  const value = {
    ...order.value,
    status,
    amount,
    transactions: paid ? transactions : [...transactions, transaction],
  }
  await store.keep(number, { ...order, value })
  const report = () => ({
    ...valueHead(number),
    statuses: [
      {
        id: order.value.chanmid,
        recipient_id: textOrNull(order.value.to) ?? undefined,
        recipient_user_id: textOrNull(order.value.userId) ?? undefined,
        type: 'payment',
        status,
        payment: {
          reference_id: order.value.reference,
          amount,
          currency: order.value.currency,
          transaction,
        },
        timestamp: unixSeconds(now),
      },
    ],
  })
  await store.schedule(number, [{ afterMs: 0, value: report }], undefined)
}
