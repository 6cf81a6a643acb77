/**
 * The list of conversations with the last message of each (src/modules/messaging/conversations/DECISIONS.md).
 */
import type { z } from 'zod'
import type { Context } from '../../../../../core/context.ts'
import { hasScope } from '../../../../../core/scopes.ts'
import { listConversations } from '../../../conversations/operations/read-conversations.ts'
import type { ConversationQuery } from '../../../conversations/schema.ts'
import type { LastMessage, ListedConversation } from '../../schema.ts'
import { type LastMessageRow, listLastMessages } from '../queries/last-messages.ts'
import { messageWords } from './message-words.ts'

/** The longest excerpt of a message in a list, in characters. */
const MAX_SNIPPET = 200

const snippetOf = (words: string | null): string | null =>
  words === null
    ? null
    : Array.from(words.slice(0, 2 * MAX_SNIPPET))
        .slice(0, MAX_SNIPPET)
        .join('')

const present = (row: LastMessageRow): z.input<typeof LastMessage> => ({
  id: row.id,
  direction: row.direction,
  type: row.type,
  text: snippetOf(messageWords(row.type, row.content, row.templateText)),
  status: row.status === 'received' ? null : row.status,
  createdAt: row.createdAt.toISOString(),
})

/** Returns one page of conversations with the last message of each. */
export async function listInbox(
  ctx: Context,
  query: ConversationQuery,
): Promise<{ conversations: z.input<typeof ListedConversation>[]; nextCursor: string | null }> {
  const { conversations, nextCursor } = await listConversations(ctx, query)
  const rows = hasScope(ctx, 'messages:read')
    ? await listLastMessages(
        ctx,
        conversations.map((conversation) => conversation.id),
      )
    : []
  const last = new Map(rows.map((row) => [row.conversationId, present(row)]))
  return {
    conversations: conversations.map((conversation) => ({
      ...conversation,
      lastMessage: last.get(conversation.id) ?? null,
    })),
    nextCursor,
  }
}
