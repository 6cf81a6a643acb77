/** The calls of the gateway's API about orders, payments and refunds. */
import { collection, done, type GatewayHttpAnswer, gatewayError, unknownId } from './answers.ts'
import type { Call } from './call.ts'
import { newEntityId } from './ids.ts'
import { secondsOf } from './links.ts'
import { makeOrder, postEvent } from './paying.ts'
import type { Entity, EntityKind } from './store.ts'

/** Refunds a payment, by default in full. */
export async function refund({ store, account, id, values }: Call): Promise<GatewayHttpAnswer> {
  const payment = await store.find(account, 'payment', id)
  if (!payment) return unknownId()
  const leftPaise = Number(payment.amount) - Number(payment.amount_refunded)
  const amount = values.amount === undefined ? leftPaise : Number(values.amount)
  if (payment.status !== 'captured' || !Number.isSafeInteger(amount) || amount < 1 || amount > leftPaise)
    return gatewayError(400, 'The refund amount provided is greater than amount captured')
  const created: Entity = {
    id: newEntityId('rfnd'),
    entity: 'refund',
    amount,
    currency: 'INR',
    payment_id: id,
    status: 'processed',
    created_at: secondsOf(await store.now(account)),
  }
  const after = { ...payment, amount_refunded: Number(payment.amount_refunded) + amount }
  await store.keep(account, 'refund', created)
  await store.keep(account, 'payment', after)
  await postEvent({ store, account }, 'refund.processed', { refund: created, payment: after })
  return done(created)
}

const listEntities =
  (kind: EntityKind, fits: (entity: Entity, call: Call) => boolean) =>
  async (call: Call): Promise<GatewayHttpAnswer> =>
    collection((await call.store.list(call.account, kind)).filter((entity) => fits(entity, call)))

const findEntity =
  (kind: EntityKind) =>
  async ({ store, account, id }: Call): Promise<GatewayHttpAnswer> => {
    const entity = await store.find(account, kind, id)
    return entity ? done(entity) : unknownId()
  }

const MAX_COUNT = 100

export const listPayments = async ({ store, account, query }: Call): Promise<GatewayHttpAnswer> =>
  collection((await store.list(account, 'payment')).slice(0, Number(query.get('count') ?? MAX_COUNT)))
export const findPayment = findEntity('payment')
export const listRefunds = listEntities('refund', (refund, { id }) => refund.payment_id === id)
export const findOrder = findEntity('order')
export const listOrders = listEntities(
  'order',
  (order, { query }) => !query.has('receipt') || order.receipt === query.get('receipt'),
)
export const listOrderPayments = listEntities('payment', (payment, { id }) => payment.order_id === id)

export async function createOrder({ store, account, values }: Call): Promise<GatewayHttpAnswer> {
  const { amount, receipt, notes } = values
  if (!Number.isSafeInteger(amount) || (amount as number) < 100)
    return gatewayError(400, 'The amount must be at least INR 1.00', { field: 'amount' })
  const order = { receipt: typeof receipt === 'string' ? receipt : '', amount: amount as number }
  return done(
    await makeOrder({ store, account }, { ...order, notes: (notes ?? {}) as Record<string, string> }),
  )
}
