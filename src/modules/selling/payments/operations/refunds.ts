import type { Context, OutsideContext } from '../../../../core/context.ts'
import { applyNews } from './apply-payment-reports.ts'
import { keepEarlyRefund } from './early-refunds.ts'
import { applyLinkRefunds } from './link-reports.ts'

/**
 * Reads the total refund of a payment from the gateway, because reports of single refunds arrive in any
 * order.
 */
export async function readRefundsOf(
  ctx: OutsideContext,
  paymentId: string,
): Promise<(ctx: Context) => Promise<void>> {
  const connection = await ctx.outside.gatewayConnection(ctx.workspace.id)
  if (!connection) return async () => {}
  const answer = await ctx.outside.gateway.listRefunds(connection.account, paymentId)
  if (answer.kind === 'unknown') throw new Error(answer.reason)
  if (answer.kind === 'refused') throw new Error(answer.message)
  const refundedPaise = answer.value
    .filter(({ processed }) => processed)
    .reduce((sum, { amountPaise }) => sum + amountPaise, 0)
  return async (txCtx) => {
    const item = { ctx: txCtx, about: { paymentId }, news: { kind: 'refunds', refundedPaise } } as const
    const unmatched = await applyNews(txCtx, [item])
    if (unmatched.length === 0 || (await applyLinkRefunds(txCtx, paymentId, refundedPaise))) return
    await keepEarlyRefund(txCtx, paymentId)
  }
}
