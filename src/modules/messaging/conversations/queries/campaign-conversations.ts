import type { Tx } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { listOf } from '../../../../database/sql/sql.ts'

/** The number a campaign sends from, and the time of the send in the workspace's time. */
export type CampaignPlace = { workspaceId: string; phoneNumberId: string; at: Date }

/**
 * Recipients with the ids of their messages, and with their conversations once these exist. All lists have
 * the same length.
 */
export type CampaignRecipients = { contactIds: string[]; messageIds: string[] }
export type OpenRecipients = CampaignRecipients & { conversationIds: string[] }

/**
 * Starts missing conversations of recipients, resolved until the customer answers, and moves the others to
 * the top. Locks each until the transaction ends. A new chat takes the id of its first message, so no
 * matching is needed. Contacts must be locked against erasure.
 *
 * If another transaction is creating one of the chats, moves none and returns only the chats created here;
 * the next statement handles the rest. So a transaction that waits for new chats holds no existing ones, and
 * existing chats are locked in one order.
 */
export async function openCampaignConversations(
  tx: Tx,
  { workspaceId, phoneNumberId, at }: CampaignPlace,
  { contactIds, messageIds }: CampaignRecipients,
): Promise<OpenRecipients> {
  const [lists] = await tx.sql<Record<'contacts' | 'messages' | 'chats', string | null>>(
    `select contacts::text, messages::text, chats::text
     from open_campaign_conversations($1, $2, $3, $4::uuid[], $5::uuid[])`,
    [workspaceId, phoneNumberId, at, uuids(contactIds), uuids(messageIds)],
  )
  const ids = (text: string | null) => listOf(text) as string[]
  return {
    contactIds: ids(lists!.contacts),
    messageIds: ids(lists!.messages),
    conversationIds: ids(lists!.chats),
  }
}
