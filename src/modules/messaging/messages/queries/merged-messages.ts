/** Statements on messages whose contact was merged into another. */
import type { Context } from '../../../../core/context.ts'

/**
 * Moves messages of a chat from a merged contact to the chat's current contact, from `reached` backwards.
 * Reads at most `limit` messages. Returns where the next step starts; null after the last step.
 */
export const carryMergedMessages = async (
  ctx: Context,
  { conversationId, mergedId, reached }: { conversationId: string; mergedId: string; reached: string },
  limit: number,
): Promise<string | null> =>
  (
    await ctx.tx.sql<{ reached: string | null }>(
      'select carry_merged_messages($1, $2, $3, $4, $5) as reached',
      [ctx.workspace.id, conversationId, mergedId, reached, limit],
    )
  )[0]!.reached
