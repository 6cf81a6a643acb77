import type { Context } from '../../../../core/context.ts'
import { listMessageRows } from '../queries/message-lists.ts'
import { messageWords } from './message-words.ts'

/** What was last said in a conversation, oldest first, of at most so many messages; those that say nothing in words are left out. */
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
