/** Cancels links at the gateway that must not be paid any more. */
import type { Context, OutsideContext } from '../../../../core/context.ts'
import type { GatewayAnswer } from '../../../../payment-gateway/port.ts'
import { findRequestRow } from '../queries/requests.ts'
import { applyNews } from './apply-payment-reports.ts'
import { newsOfLink } from './read-link-report.ts'

type Finish = (ctx: Context) => Promise<void>
const nothingToDo: Finish = async () => {}

/** Throws if a retry may help. A final refusal is ignored. */
function valueOrRetry<Value>(answer: GatewayAnswer<Value | undefined>): Value | undefined {
  if (answer.kind === 'done') return answer.value
  if (answer.kind === 'unknown') throw new Error(answer.reason)
  if (!answer.permanent) throw new Error(answer.message)
  return undefined
}

/** Cancels the link of a request that has ended. If it was paid meanwhile, the request becomes paid. */
export async function cancelLinkOf(ctx: OutsideContext, id: string): Promise<Finish> {
  const request = await ctx.transaction((txCtx) => findRequestRow(txCtx, id))
  const connection = await ctx.outside.gatewayConnection(ctx.workspace.id)
  if (!request || connection?.provider !== request.provider) return nothingToDo
  const { gateway } = ctx.outside
  const openLink =
    request.linkId === null
      ? valueOrRetry(await gateway.findLinkByReference(connection.account, id))
      : { id: request.linkId }
  const link = openLink && valueOrRetry(await gateway.cancelLink(connection.account, openLink.id))
  if (!link) return nothingToDo
  return async (txCtx) => {
    const news = newsOfLink(link, txCtx.now)
    await applyNews(
      txCtx,
      news.map((item) => ({ ctx: txCtx, about: { id }, news: item })),
    )
  }
}

/** Cancels the link of an erased request. */
export async function cancelLinkById(ctx: OutsideContext, linkId: string): Promise<Finish> {
  const connection = await ctx.outside.gatewayConnection(ctx.workspace.id)
  if (connection) valueOrRetry(await ctx.outside.gateway.cancelLink(connection.account, linkId))
  return nothingToDo
}
