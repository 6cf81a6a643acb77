/** Plans and cancels questions about cash-on-delivery orders. */
import { later, MINUTE_MS, realTime } from '../../../../core/clock.ts'
import { type Context, wake } from '../../../../core/context.ts'
import { runOffsetOf } from '../../../../core/due.ts'
import { dropQuestions, insertQuestions } from '../queries/cod.ts'
import type { OrderRow } from '../queries/orders.ts'
import type { StoreSettings } from '../schema.ts'
import type { FiredEvent } from './order-after.ts'

/** The name of the background work that asks the questions. */
export const COD_QUESTIONS = 'cod-questions'

/** Returns whether the order still needs a confirmation. */
export const isOpen = ({ paidAt, shippedAt, cancelledAt }: OrderRow): boolean =>
  paidAt === null && shippedAt === null && cancelledAt === null

/** Updates the plans after reports. `last`: the orders after all reports. */
export async function planQuestions(
  ctx: Context,
  steps: { order: OrderRow; fired: FiredEvent[] }[],
  { last, settingsOf }: { last: OrderRow[]; settingsOf(integration: string): StoreSettings },
): Promise<void> {
  const hasFired = (order: OrderRow, type: FiredEvent['type']): boolean =>
    steps.some((step) => step.order.id === order.id && step.fired.some((fact) => fact.type === type))
  const settledOrders = last.filter(
    (order) => hasFired(order, 'order_paid') || hasFired(order, 'order_cancelled'),
  )
  const questions = last.flatMap((order) => {
    const { cod } = settingsOf(order.integration)
    const { contactId, cashOnDelivery } = order
    if (!cod.enabled || !cashOnDelivery || contactId === null || !isOpen(order)) return []
    if (!hasFired(order, 'order_placed')) return []
    const askAt = later(ctx.now, cod.delayMinutes * MINUTE_MS)
    return [
      {
        orderId: order.id,
        contactId,
        runAt: realTime(askAt, ctx.workspace),
        runOffsetMs: runOffsetOf(ctx.workspace),
      },
    ]
  })
  if (settledOrders.length > 0)
    await dropQuestions(
      ctx,
      settledOrders.map(({ id }) => id),
    )
  if (questions.length === 0) return
  await insertQuestions(ctx, questions)
  wake(ctx, COD_QUESTIONS)
}
