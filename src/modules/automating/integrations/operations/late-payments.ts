/** Payments of orders that the shop has cancelled. Owners and admins decide whether to ship or refund. */
import type { Context } from '../../../../core/context.ts'
import { notifyMembers } from '../../../platform/notifications/operations.ts'
import { listTeams } from '../../../platform/workspaces/operations/workspace-members.ts'
import type { OrderRow } from '../queries/orders.ts'
import { statusOf } from './order-after.ts'

const bodyOf = (order: OrderRow): string =>
  statusOf(order) === 'cancelled'
    ? 'The shop reports a payment for this canceled order. Check in the shop whether to refund it.'
    : 'The shop reports a payment after this order was canceled. Check in the shop whether to send the goods or refund the payment.'

/** Notifies owners and admins once per order, until they have read the notice. */
export async function notifyOfLatePayments(ctx: Context, orders: OrderRow[]): Promise<void> {
  if (orders.length === 0) return
  const team = await listTeams(ctx.tx, [ctx.workspace.id])
  const admins = team.filter(({ owner, role }) => owner || role === 'admin')
  await notifyMembers(
    ctx,
    orders.flatMap((order) =>
      admins.map(({ id }) => ({
        kind: 'order_paid_late' as const,
        memberId: id,
        title: order.reference,
        body: bodyOf(order),
        subjectId: order.id,
        contactId: order.contactId,
      })),
    ),
  )
}
