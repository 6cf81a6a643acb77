import type { Context } from '../../../../../core/context.ts'
import { addTimelineEntries } from '../../../crm/operations/timeline-entries.ts'
import { listLinkedConversations } from '../queries/conversations.ts'
import type { MessageRow } from '../queries/messages.ts'

type TimelineMessage = Pick<MessageRow, 'id' | 'conversationId' | 'direction' | 'type'>

/**
 * Adds these messages to the timelines of the leads to which their chats are linked. The text stays in the
 * message.
 */
export async function addToLeadTimelines(ctx: Context, messages: TimelineMessage[]): Promise<void> {
  if (messages.length === 0) return
  const linkedChats = new Map(
    (await listLinkedConversations(ctx, [...new Set(messages.map((message) => message.conversationId))])).map(
      (row) => [row.id, row],
    ),
  )
  await addTimelineEntries(
    ctx,
    messages.flatMap(({ id, conversationId, direction, type }) => {
      const chat = linkedChats.get(conversationId)
      if (!chat) return []
      const inbound = direction === 'inbound'
      return [
        {
          leadId: chat.leadId,
          kind: inbound ? 'social_message_received' : 'social_message_sent',
          customerId: inbound ? chat.contactId : null,
          data: { conversationId, messageId: id, type },
        },
      ]
    }),
  )
}
