/** Checks open requests without a report, and requests that have just ended. */
import type { Context, OutsideContext } from '../../../../core/context.ts'
import type { GatewayConnection } from '../../../../payment-gateway/port.ts'
import { findRequestRow, type RequestRow } from '../queries/requests.ts'
import { applyNews } from './apply-payment-reports.ts'
import { nextCheckAfterFault, nextCheckAt } from './check-times.ts'
import { newsOfLink, newsOfPayment } from './read-link-report.ts'
import type { News } from './request-after.ts'

/**
 * Returns the gateway's news of the request's link; none if it does not answer, because it is checked again.
 */
async function askAboutLink(
  { outside, clock }: OutsideContext,
  { account }: GatewayConnection,
  { id, linkId, linkAskedAt }: RequestRow,
): Promise<News[]> {
  if (linkId === null && linkAskedAt === null) return []
  const answer =
    linkId === null
      ? await outside.gateway.findLinkByReference(account, id)
      : await outside.gateway.findLink(account, linkId)
  return answer.kind === 'done' && answer.value ? newsOfLink(answer.value, clock.now()) : []
}

/**
 * Returns the operator's news of an order with a payment configuration, and the gateway's news of its
 * payment.
 */
async function askAboutOrder(
  { workspace, outside }: OutsideContext,
  connection: GatewayConnection | undefined,
  { id, phoneNumberId, referenceId, configuration }: RequestRow,
): Promise<News[]> {
  const number = await outside.operatorNumber(workspace.id, phoneNumberId)
  const operatorAnswer = number
    ? await outside.operator.findPayments(number, { configuration: configuration!, referenceId })
    : undefined
  const news: News[] =
    operatorAnswer?.kind === 'done'
      ? operatorAnswer.value.map((payment) => ({ kind: 'payment', payment }))
      : []
  if (!connection || news.some((item) => item.kind === 'payment' && item.payment.state === 'captured'))
    return news
  const order = await outside.gateway.findOrder(connection.account, { receipt: referenceId, requestId: id })
  return order.kind === 'done' && order.value ? [...news, ...order.value.payments.map(newsOfPayment)] : news
}

/** Checks, applies the news, and returns when to check next; undefined after the last check. */
export async function checkPaymentNow(
  ctx: OutsideContext,
  id: string,
): Promise<(ctx: Context) => Promise<Date | undefined>> {
  const request = await ctx.transaction((txCtx) => findRequestRow(txCtx, id))
  if (!request || request.status === 'paid') return async () => undefined
  const currentConnection = await ctx.outside.gatewayConnection(ctx.workspace.id)
  const connection = currentConnection?.provider === request.provider ? currentConnection : undefined
  const news =
    request.configuration !== null
      ? await askAboutOrder(ctx, connection, request)
      : connection
        ? await askAboutLink(ctx, connection, request)
        : []
  return async (txCtx) => {
    await applyNews(
      txCtx,
      news.map((item) => ({ ctx: txCtx, about: { id }, news: item })),
    )
    const after = await findRequestRow(txCtx, id)
    return after && after.status !== 'paid' ? nextCheckAt(after, txCtx.now) : undefined
  }
}

/** Returns when to check next after an internal error. */
export async function nextPaymentCheckAfterFault(ctx: Context, id: string): Promise<Date | undefined> {
  const request = await findRequestRow(ctx, id)
  return request && request.status !== 'paid' ? nextCheckAfterFault(request, ctx.now) : undefined
}
