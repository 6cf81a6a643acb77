/** Messages that Parley decides not to send (spec 3): they end as skipped, without a failure event. */
import type { Context } from '../../../../../core/context.ts'
import { count } from '../../../../../core/count.ts'
import { touch } from '../../../../../core/event.ts'
import { forgetMarketing } from '../../../contacts/operations/marketing-cap.ts'
import { UNCONFIRMED } from '../../handover/verdict.ts'
import { applyReceipts } from '../../intake/operations/apply-receipts.ts'
import type { SkipReason } from '../../schema.ts'
import { listQueuedOfCampaign } from '../queries/campaign-messages.ts'
import { type SkippedRow, skipMessages } from '../queries/skipped-messages.ts'
import { giveQuotaBack, readQuota } from './message-quota.ts'

export type { SkippedRow } from '../queries/skipped-messages.ts'

type Skip = { ctx: Context; id: string; reason: SkipReason }

/** Skips messages whose hand-over has not begun, and returns them; the others reach their own final state. */
async function skipQueuedMessages(items: Skip[]): Promise<SkippedRow[]> {
  const unit = items[0]?.ctx
  if (!unit) return []
  const skipped = await skipMessages(
    unit.tx,
    items.map(({ ctx, id, reason }) => ({ workspaceId: ctx.workspace.id, id, reason, at: ctx.now })),
  )
  const contexts = contextsOf(items)
  for (const { workspaceId, id, conversationId, phoneNumberId, type, broadcastId } of skipped) {
    const ctx = contexts.get(workspaceId)
    if (!ctx) continue
    count(ctx, 'skipped', { phoneNumberId, type, broadcastId, messageId: id })
    touch(ctx, { message: id, conversation: conversationId })
  }
  return skipped
}

const contextsOf = (items: Skip[]): Map<string, Context> =>
  new Map(items.map(({ ctx }) => [ctx.workspace.id, ctx]))

/** Skips messages during their hand-over, and returns them to the month's allowance. */
export async function skipAtHandover(items: Skip[]): Promise<void> {
  const unit = items[0]?.ctx
  if (!unit) return
  const contexts = contextsOf(items)
  // The lock order of all operations: counters, then messages.
  await readQuota(unit, [...contexts.values()], { lock: true })
  const skipped = Map.groupBy(await skipQueuedMessages(items), ({ workspaceId }) => workspaceId)
  for (const [workspaceId, ctx] of contexts) {
    const rows = skipped.get(workspaceId) ?? []
    await giveQuotaBack(
      ctx,
      rows.map(({ createdAt }) => createdAt),
    )
  }
}

/**
 * Skips up to `limit` queued messages of a cancelled campaign, and returns them to the month's allowance and,
 * for `marketing`, to the contacts' limits. Handed-over messages stay; lost calls end as unconfirmed. Returns
 * the skipped messages, and whether none remain. The caller holds off erasures.
 */
export async function skipCampaignMessages(
  ctx: Context,
  {
    broadcastId,
    realNow,
    limit,
    marketing,
  }: { broadcastId: string; realNow: Date; limit: number; marketing: boolean },
): Promise<{ left: 'done' | 'more' | 'under_way'; skipped: SkippedRow[] }> {
  // The lock order of all operations: counters, messages, marks.
  await readQuota(ctx, [ctx], { lock: true })
  const queued = await listQueuedOfCampaign(ctx.tx, { workspaceId: ctx.workspace.id, broadcastId }, limit)
  const waiting = queued.filter((message) => message.leasedUntil === null)
  const leaseExpired = queued.filter(
    (message) => message.leasedUntil !== null && message.leasedUntil <= realNow,
  )
  const skipped = await skipQueuedMessages(waiting.map(({ id }) => ({ ctx, id, reason: 'cancelled' })))
  await applyReceipts(
    ctx,
    leaseExpired.map(({ id }) => ({
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
  await giveQuotaBack(
    ctx,
    skipped.map(({ createdAt }) => createdAt),
  )
  if (marketing)
    await forgetMarketing(
      ctx,
      skipped.map(({ workspaceId, contactId, createdAt }) => ({ workspaceId, contactId, at: createdAt })),
    )
  if (queued.length === 0) return { left: 'done', skipped }
  return { left: waiting.length + leaseExpired.length > 0 ? 'more' : 'under_way', skipped }
}

/** Returns whether messages of the campaign wait for their hand-over, or are being handed over. */
export const hasQueuedMessages = async (ctx: Context, broadcastId: string): Promise<boolean> =>
  (await listQueuedOfCampaign(ctx.tx, { workspaceId: ctx.workspace.id, broadcastId }, 1)).length > 0
