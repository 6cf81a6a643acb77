/**
 * The list of conversations with the last message of each (src/modules/messaging/conversations/DECISIONS.md).
 */
import type { z } from 'zod'
import type { Context } from '../../../../../core/context.ts'
import { hasScope } from '../../../../../core/scopes.ts'
import { isObject } from '../../../../../core/values/storable.ts'
import { listConversations } from '../../../conversations/operations/read-conversations.ts'
import type { ConversationQuery } from '../../../conversations/schema.ts'
import type { LastMessage, ListedConversation } from '../../schema.ts'
import {
  type LastDirectMessageRow,
  type LastMessageRow,
  listLastDirectMessages,
  listLastMessages,
} from '../queries/last-messages.ts'
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

/** The states of messages on the photo network, as those of the chat network. */
const DIRECT_STATUSES: Record<string, z.input<typeof LastMessage>['status']> = {
  sending: 'queued',
  unconfirmed: 'queued',
  sent: 'sent',
  read: 'read',
}

const textOf = (content: unknown): string | null =>
  isObject(content) && typeof content.text === 'string' && content.text !== '' ? content.text : null

const presentDirect = (row: LastDirectMessageRow): z.input<typeof LastMessage> => ({
  id: row.id,
  direction: row.direction,
  type: row.type,
  text: snippetOf(textOf(row.content)),
  status: DIRECT_STATUSES[row.status] ?? null,
  createdAt: row.createdAt.toISOString(),
})

type Shown = Awaited<ReturnType<typeof listConversations>>['conversations']

/** Returns the last message of each conversation, by its id; none for a caller who cannot read messages. */
async function readLast(
  ctx: Context,
  conversations: Shown,
): Promise<Map<string, z.input<typeof LastMessage>>> {
  if (!hasScope(ctx, 'messages:read')) return new Map()
  const idsOf = (channel: Shown[number]['channel']) =>
    conversations.filter((conversation) => conversation.channel === channel).map(({ id }) => id)
  const [rows, directRows] = await Promise.all([
    listLastMessages(ctx, idsOf('chat')),
    listLastDirectMessages(ctx, idsOf('social')),
  ])
  return new Map([
    ...rows.map((row) => [row.conversationId, present(row)] as const),
    ...directRows.map((row) => [row.conversationId, presentDirect(row)] as const),
  ])
}

/** Returns one page of conversations with the last message of each. */
export async function listInbox(
  ctx: Context,
  query: ConversationQuery,
): Promise<{ conversations: z.input<typeof ListedConversation>[]; nextCursor: string | null }> {
  const { conversations, nextCursor } = await listConversations(ctx, query)
  const last = await readLast(ctx, conversations)
  return {
    conversations: conversations.map((conversation) => ({
      ...conversation,
      lastMessage: last.get(conversation.id) ?? null,
    })),
    nextCursor,
  }
}
