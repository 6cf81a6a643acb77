import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { countAutoReplyMessages } from '../../../messaging/messages/reading/operations/auto-reply-counts.ts'
import { listInOrder } from '../queries.ts'

/** Counted are the messages of this time. */
const COUNTED_MS = 30 * DAY_MS

/** Returns how often each auto-reply answered. */
export async function countAnswers(ctx: Context) {
  const since = later(ctx.now, -COUNTED_MS)
  const [rows, replies] = await Promise.all([countAutoReplyMessages(ctx, since), listInOrder(ctx)])
  const ids = new Set(replies.map(({ id }) => id))
  return {
    since: since.toISOString(),
    counts: rows
      .filter(({ sourceId }) => ids.has(sourceId))
      .map(({ sourceId, sent, lastSentAt }) => ({
        autoReplyId: sourceId,
        sent,
        lastSentAt: lastSentAt.toISOString(),
      })),
  }
}
