/** Links that are to be paid no more are ended at the gateway too. */
import type { Context, OutsideContext } from '../../../core/context.ts'
import type { GatewayAnswer } from '../../../payment-gateway/port.ts'
import { findRequestRow } from '../queries/requests.ts'
import { applyNews } from './apply-news.ts'
import { newsOfLink } from './link-news.ts'

type Finish = (ctx: Context) => Promise<void>
const nothingToDo: Finish = async () => {}

/** Throws where asking again may help. What is refused for good stays as it is. */
function doneOr<Value>(answer: GatewayAnswer<Value | undefined>): Value | undefined {
  if (answer.kind === 'done') return answer.value
  if (answer.kind === 'unknown') throw new Error(answer.reason)
  if (!answer.permanent) throw new Error(answer.message)
  return undefined
}

/** Ends the link of a request that is over. One that was paid meanwhile is paid. */
export async function cancelLinkOf(ctx: OutsideContext, id: string): Promise<Finish> {
  const request = await ctx.transaction((inside) => findRequestRow(inside, id))
  const connection = await ctx.outside.gatewayConnection(ctx.workspace.id)
  if (!request || connection?.provider !== request.provider) return nothingToDo
  const { gateway } = ctx.outside
  const known =
    request.linkId === null
      ? doneOr(await gateway.findLinkByReference(connection.account, id))
      : { id: request.linkId }
  const link = known && doneOr(await gateway.cancelLink(connection.account, known.id))
  if (!link) return nothingToDo
  return async (inside) => {
    const news = newsOfLink(link, inside.now)
    await applyNews(
      inside,
      news.map((one) => ({ ctx: inside, about: { id }, news: one })),
    )
  }
}

/** Ends the link of a request that was erased. */
export async function cancelLinkById(ctx: OutsideContext, linkId: string): Promise<Finish> {
  const connection = await ctx.outside.gatewayConnection(ctx.workspace.id)
  if (connection) doneOr(await ctx.outside.gateway.cancelLink(connection.account, linkId))
  return nothingToDo
}
