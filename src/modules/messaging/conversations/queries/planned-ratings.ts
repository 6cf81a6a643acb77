import { realTime } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import { runOffsetOf } from '../../../../core/due.ts'

/**
 * Plans to ask about a chat while ratings are enabled, unless a question was planned or sent before. Returns
 * whether it is planned now.
 */
export async function insertPlannedRating(ctx: Context, conversationId: string): Promise<boolean> {
  const planned = await ctx.tx.sql(
    `insert into conversation_ratings (workspace_id, conversation_id, status, run_at, run_offset_ms, created_at)
     select workspace_id, $2::uuid, 'due', after_ms($3, delay_minutes * 60000), $4::bigint, $5::timestamptz
     from rating_settings where workspace_id = $1 and enabled
     on conflict (workspace_id, conversation_id) do nothing
     returning conversation_id`,
    [ctx.workspace.id, conversationId, realTime(ctx.now, ctx.workspace), runOffsetOf(ctx.workspace), ctx.now],
  )
  return planned.length > 0
}
