/** Messages of campaigns that are deliberately not sent (spec 3): nobody is told that they failed. */
import type { Context } from '../../../core/context.ts'
import { count } from '../../../core/count.ts'
import { listQueuedOfCampaign, skipMessages } from '../campaign-queries.ts'
import { UNCONFIRMED } from '../work/verdict.ts'
import { applyReceipts } from './apply-receipts.ts'

/** Why a queued message is not sent. */
export type SkipReason = 'opted_out' | 'blocked' | 'cancelled'

/** Skips messages whose hand-over has not begun; the others come to their own end. Answers how many it were. */
export async function skipQueuedMessages(
  items: { ctx: Context; id: string; reason: SkipReason }[],
): Promise<number> {
  const unit = items[0]?.ctx
  if (!unit) return 0
  const skipped = await skipMessages(
    unit.tx,
    items.map(({ ctx, id, reason }) => ({ workspaceId: ctx.workspace.id, id, reason })),
  )
  const contexts = new Map(items.map(({ ctx }) => [ctx.workspace.id, ctx]))
  for (const { workspaceId, phoneNumberId, type, broadcastId } of skipped) {
    const ctx = contexts.get(workspaceId)
    if (ctx) count(ctx, 'skipped', { phoneNumberId, type, broadcastId })
  }
  return skipped.length
}

/**
 * Skips up to `limit` queued messages of a cancelled campaign. What was handed over stays; a call whose outcome was lost
 * is told as unconfirmed. Answers whether there is nothing left to wait for.
 */
export async function skipCampaignMessages(
  ctx: Context,
  { broadcastId, realNow, limit }: { broadcastId: string; realNow: Date; limit: number },
): Promise<'done' | 'more' | 'under_way'> {
  const queued = await listQueuedOfCampaign(ctx.tx, { workspaceId: ctx.workspace.id, broadcastId }, limit)
  const waiting = queued.filter((one) => one.leasedUntil === null)
  const lost = queued.filter((one) => one.leasedUntil !== null && one.leasedUntil <= realNow)
  await skipQueuedMessages(waiting.map(({ id }) => ({ ctx, id, reason: 'cancelled' })))
  await applyReceipts(
    ctx,
    lost.map(({ id }) => ({
      ctx,
      receipt: {
        kind: 'receipt',
        chanmid: null,
        callbackData: id,
        status: 'failed',
        at: ctx.now,
        errors: [UNCONFIRMED],
        pricing: null,
      },
    })),
  )
  if (queued.length === 0) return 'done'
  return waiting.length + lost.length > 0 ? 'more' : 'under_way'
}

/** Whether messages of the campaign wait to be handed over, or are being. */
export const hasQueuedMessages = async (ctx: Context, broadcastId: string): Promise<boolean> =>
  (await listQueuedOfCampaign(ctx.tx, { workspaceId: ctx.workspace.id, broadcastId }, 1)).length > 0
