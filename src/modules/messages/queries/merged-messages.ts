/** Statements on messages whose contact became part of another. */
import type { Context } from '../../../core/context.ts'

/**
 * Carries messages of a chat that name a merged contact, from `reached` on backwards, to the contact that has the chat now: at most `limit`
 * messages are read. Returns where the next step begins; null after the last one.
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
