/** Our own look at requests of which nothing was reported, and at those that have just ended. */
import type { Context, OutsideContext } from '../../../core/context.ts'
import type { GatewayConnection } from '../../../payment-gateway/port.ts'
import { findRequestRow, type RequestRow } from '../queries/requests.ts'
import { applyNews } from './apply-news.ts'
import { nextCheckAfterFault, nextCheckAt } from './check-times.ts'
import { newsOfLink, newsOfPayment } from './link-news.ts'
import type { News } from './request-after.ts'

/** What the gateway says of the request's link; nothing where it does not answer: it is asked again. */
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

/** What the operator says of an order that is paid through its configuration, and the gateway of what it made of it. */
async function askAboutOrder(
  { workspace, outside }: OutsideContext,
  connection: GatewayConnection | undefined,
  { id, phoneNumberId, referenceId, configuration }: RequestRow,
): Promise<News[]> {
  const number = await outside.operatorNumber(workspace.id, phoneNumberId)
  const answered = number
    ? await outside.operator.findPayments(number, { configuration: configuration!, referenceId })
    : undefined
  const news: News[] =
    answered?.kind === 'done' ? answered.value.map((payment) => ({ kind: 'payment', payment })) : []
  if (!connection || news.some((one) => one.kind === 'payment' && one.payment.state === 'captured'))
    return news
  const order = await outside.gateway.findOrder(connection.account, { receipt: referenceId, requestId: id })
  return order.kind === 'done' && order.value ? [...news, ...order.value.payments.map(newsOfPayment)] : news
}

/** Asks, applies what is said, and answers when to look next, as long as there is a next time. */
export async function lookAtPayment(
  ctx: OutsideContext,
  id: string,
): Promise<(ctx: Context) => Promise<Date | undefined>> {
  const request = await ctx.transaction((inside) => findRequestRow(inside, id))
  if (!request || request.status === 'paid') return async () => undefined
  const connected = await ctx.outside.gatewayConnection(ctx.workspace.id)
  const connection = connected?.provider === request.provider ? connected : undefined
  const news =
    request.configuration !== null
      ? await askAboutOrder(ctx, connection, request)
      : connection
        ? await askAboutLink(ctx, connection, request)
        : []
  return async (inside) => {
    await applyNews(
      inside,
      news.map((one) => ({ ctx: inside, about: { id }, news: one })),
    )
    const after = await findRequestRow(inside, id)
    return after && after.status !== 'paid' ? nextCheckAt(after, inside.now) : undefined
  }
}

/** When to look next after looks that met faults of ours. */
export async function nextLookAfterFault(ctx: Context, id: string): Promise<Date | undefined> {
  const request = await findRequestRow(ctx, id)
  return request && request.status !== 'paid' ? nextCheckAfterFault(request, ctx.now) : undefined
}
