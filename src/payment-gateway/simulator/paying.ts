/** Simulates customers who pay, or try to, and the gateway's reaction. */
import { newEntityId } from './ids.ts'
import { linkAt, secondsOf } from './links.ts'
import type { Entity, GatewayStore, SimulatedAccount } from './store.ts'

/** A customer's payment. */
export type Paying = {
  /** The paid amount in paise. Default: all of it. */
  paise?: number
  method?: string
  /** The attempt fails. */
  fail?: boolean
}

type SimulatorContext = { store: GatewayStore; account: SimulatedAccount }

/** Posts an event as a webhook, in the gateway's envelope (docs/formats.md section 15). */
export async function postEvent(
  { store, account }: SimulatorContext,
  event: string,
  payload: Record<string, Entity>,
): Promise<void> {
  const now = await store.now(account)
  await store.post(account, {
    id: newEntityId('evt').slice('evt_'.length),
    body: JSON.stringify({
      entity: 'event',
      account_id: account.id,
      event,
      contains: Object.keys(payload),
      payload: Object.fromEntries(Object.entries(payload).map(([name, entity]) => [name, { entity }])),
      created_at: secondsOf(now),
    }),
  })
}

async function attempt(
  { store, account }: SimulatorContext,
  { paise, method = 'upi', fail = false }: Paying,
  of: { amount: unknown; notes: unknown; orderId: string | null },
): Promise<Entity> {
  const payment: Entity = {
    id: newEntityId('pay'),
    entity: 'payment',
    amount: paise ?? of.amount,
    currency: 'INR',
    status: fail ? 'failed' : 'captured',
    order_id: of.orderId,
    captured: !fail,
    method,
    amount_refunded: 0,
    notes: of.notes ?? [],
    ...(fail
      ? {
          error_code: 'BAD_REQUEST_ERROR',
          error_description: 'The payment was declined.',
          error_reason: 'payment_failed',
        }
      : {}),
    created_at: secondsOf(await store.now(account)),
  }
  await store.keep(account, 'payment', payment)
  return payment
}

/**
 * Pays a link in any state, because a page opened in time still accepts payments. A link that is already paid
 * is reported again.
 */
export async function payLink(
  context: SimulatorContext,
  id: string,
  paying: Paying,
): Promise<Entity | undefined> {
  const { store, account } = context
  const link = await store.find(account, 'payment_link', id)
  if (!link) return undefined
  if (link.status === 'paid') {
    const payment = await store.find(account, 'payment', String((link.payments as Entity[])[0]?.payment_id))
    if (payment) await postEvent(context, 'payment_link.paid', { payment_link: link, payment })
    return payment
  }
  const payment = await attempt(context, paying, { amount: link.amount, notes: link.notes, orderId: null })
  if (payment.status === 'failed') {
    await postEvent(context, 'payment.failed', { payment })
    return payment
  }
  const paid: Entity = {
    ...linkAt(link, await store.now(account)),
    status: 'paid',
    amount_paid: payment.amount,
    updated_at: payment.created_at,
    payments: [
      {
        payment_id: payment.id,
        amount: payment.amount,
        method: payment.method,
        status: 'captured',
        created_at: payment.created_at,
      },
    ],
  }
  await store.keep(account, 'payment_link', paid)
  await postEvent(context, 'payment.captured', { payment })
  await postEvent(context, 'payment_link.paid', { payment_link: paid, payment })
  return payment
}

/**
 * Creates the operator's order for a payment in the chat; returns the same order for the same receipt and
 * notes.
 */
export async function makeOrder(
  { store, account }: SimulatorContext,
  order: { receipt: string; amount: number; notes: Record<string, string> },
): Promise<Entity> {
  const existing = (await store.list(account, 'order')).find(
    (candidate) =>
      candidate.receipt === order.receipt && JSON.stringify(candidate.notes) === JSON.stringify(order.notes),
  )
  if (existing) return existing
  const created: Entity = {
    id: newEntityId('order'),
    entity: 'order',
    ...order,
    amount_paid: 0,
    currency: 'INR',
    status: 'created',
    attempts: 0,
    created_at: secondsOf(await store.now(account)),
  }
  await store.keep(account, 'order', created)
  return created
}

/** Pays an order in the chat. An order that is already paid is reported again. */
export async function payOrder(context: SimulatorContext, order: Entity, paying: Paying): Promise<Entity> {
  const { store, account } = context
  if (order.status === 'paid') {
    const payments = await store.list(account, 'payment')
    const payment = payments.find((payment) => payment.order_id === order.id && payment.status === 'captured')
    if (payment) {
      await postEvent(context, 'order.paid', { order, payment })
      return payment
    }
  }
  const payment = await attempt(context, paying, {
    amount: order.amount,
    notes: order.notes,
    orderId: order.id,
  })
  const failed = payment.status === 'failed'
  const after: Entity = {
    ...order,
    attempts: Number(order.attempts) + 1,
    status: failed ? 'attempted' : 'paid',
    amount_paid: failed ? 0 : payment.amount,
  }
  await store.keep(account, 'order', after)
  await postEvent(context, failed ? 'payment.failed' : 'payment.captured', { payment })
  if (!failed) await postEvent(context, 'order.paid', { order: after, payment })
  return payment
}
