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
    `with had as materialized (
       select r.contact_id, r.message_id, c.id
       from unnest($4::uuid[], $5::uuid[]) as r (contact_id, message_id)
       left join lateral (
         select id from conversations
         where conversations.workspace_id = $1 and conversations.contact_id = r.contact_id
           and conversations.phone_number_id = $2 limit 1) c on true
     ), made as (
       insert into conversations (workspace_id, contact_id, phone_number_id, id, state, created_at, updated_at)
       select $1::uuid, contact_id, $2::uuid, message_id, 'resolved', $3::timestamptz, $3::timestamptz
       from (select * from had where id is null order by contact_id) fresh
       on conflict (workspace_id, contact_id, phone_number_id) do nothing
       returning contact_id, id
     ), begun as (
       insert into conversation_activity (workspace_id, conversation_id, activity_id, last_message_at)
       select $1::uuid, id, id, $3::timestamptz from made
     ), moved as (
       update conversation_activity a
       set activity_id = old.message_id, last_message_at = greatest(a.last_message_at, $3::timestamptz)
       from (
         select * from had
         where id is not null and (select count(*) from made) = (select count(*) from had where id is null)
         order by id
       ) old
       where a.workspace_id = $1 and a.conversation_id = old.id
       returning old.contact_id, old.message_id, old.id
     )
     select array_agg(contact_id)::text as contacts, array_agg(message_id)::text as messages, array_agg(id)::text as chats
     from (select contact_id, message_id, id from moved union all select contact_id, id, id from made) opened`,
    [workspaceId, phoneNumberId, at, uuids(contactIds), uuids(messageIds)],
  )
  const ids = (text: string | null) => listOf(text) as string[]
  return {
    contactIds: ids(lists!.contacts),
    messageIds: ids(lists!.messages),
    conversationIds: ids(lists!.chats),
  }
}
