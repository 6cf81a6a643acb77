import type { Context } from '../../../../../core/context.ts'
import { listMessageRows } from '../queries/message-lists.ts'
import { messageWords } from './message-words.ts'

/**
 * Returns the texts of the last `limit` messages of a conversation, oldest first; omits messages without
 * text.
 */
export async function lastWords(
  ctx: Context,
  conversationId: string,
  limit: number,
): Promise<{ direction: 'inbound' | 'outbound'; text: string }[]> {
  const rows = await listMessageRows(ctx, { conversationIds: [conversationId], limit, cursor: undefined })
  return rows
    .slice(0, limit)
    .reverse()
    .flatMap(({ direction, type, content, templateText, deletedAt }) => {
      const text = deletedAt === null ? messageWords(type, content, templateText) : null
      return text === null ? [] : [{ direction, text }]
    })
}
