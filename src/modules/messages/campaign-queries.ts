/** Statements on the messages of campaigns. Each works on one campaign, in bounded lists. */
import type { Tx } from '../../core/context.ts'
import { uuids } from '../../core/sql.ts'

/** What every message of a campaign has. Times: `at` in the workspace's time, `runAt` real. */
export type CampaignMessages = {
  workspaceId: string
  broadcastId: string
  phoneNumberId: string
  content: Record<string, unknown>
  templateText: string | null
  at: Date
  runAt: Date
}

/** A recipient with the ids that its message, and its conversation where it has none yet, will get. */
export type CampaignRecipient = { contactId: string; messageId: string; conversationId: string }

/**
 * Starts the conversations that recipients do not have yet. The lock on the contact keeps its erasure from passing by
 * unseen: who is being erased gets no new chat.
 */
export const insertCampaignConversations = (
  tx: Tx,
  { workspaceId, phoneNumberId, at }: CampaignMessages,
  recipients: CampaignRecipient[],
): Promise<unknown> =>
  tx.sql(
    `with made as (
       insert into conversations (workspace_id, contact_id, phone_number_id, id, created_at, updated_at)
       select $1::uuid, r.contact_id, $2::uuid, r.conversation_id, $3::timestamptz, $3::timestamptz
       from (select * from unnest($4::uuid[], $5::uuid[]) as n (contact_id, conversation_id) order by contact_id) r
       cross join lateral (
         select from contacts where contacts.workspace_id = $1 and contacts.id = r.contact_id limit 1 for key share
       ) there
       left join lateral (
         select c.id from conversations c
         where c.workspace_id = $1 and c.contact_id = r.contact_id and c.phone_number_id = $2 limit 1
       ) had on true
       where had.id is null
       on conflict (workspace_id, contact_id, phone_number_id) do nothing
       returning id)
     insert into conversation_activity (workspace_id, conversation_id, activity_id) select $1::uuid, id, id from made`,
    [
      workspaceId,
      phoneNumberId,
      at,
      uuids(recipients.map((one) => one.contactId)),
      uuids(recipients.map((one) => one.conversationId)),
    ],
  )

/**
 * Moves the recipients' conversations to the top, each held until the transaction ends. Whoever has none by now was
 * erased: they are left out.
 */
export const holdCampaignConversations = (
  tx: Tx,
  { workspaceId, phoneNumberId, at }: CampaignMessages,
  recipients: CampaignRecipient[],
): Promise<CampaignRecipient[]> =>
  tx.sql(
    `with chats as materialized (
       select r.contact_id, r.message_id, c.id as conversation_id
       from unnest($4::uuid[], $5::uuid[]) as r (contact_id, message_id)
       cross join lateral (
         select id from conversations
         where conversations.workspace_id = $1 and conversations.contact_id = r.contact_id
           and conversations.phone_number_id = $2 limit 1) c
       order by c.id
     )
     update conversation_activity a
     set activity_id = chats.message_id, last_message_at = greatest(a.last_message_at, $3::timestamptz)
     from chats where a.workspace_id = $1 and a.conversation_id = chats.conversation_id
     returning chats.contact_id, chats.message_id, chats.conversation_id`,
    [
      workspaceId,
      phoneNumberId,
      at,
      uuids(recipients.map((one) => one.contactId)),
      uuids(recipients.map((one) => one.messageId)),
    ],
  )

/** Puts their messages into conversations that are held. */
export const insertCampaignMessages = (
  tx: Tx,
  { workspaceId, broadcastId, phoneNumberId, content, templateText, at, runAt }: CampaignMessages,
  recipients: CampaignRecipient[],
): Promise<unknown> =>
  tx.sql(
    `insert into messages (workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status,
                           created_at, run_at, template_text, broadcast_id)
     select $1::uuid, message_id, conversation_id, contact_id, $3::uuid, 'outbound', 'template', $4::jsonb, 'queued',
            $6::timestamptz, $7::timestamptz, $5::text, $2::uuid
     from unnest($8::uuid[], $9::uuid[], $10::uuid[]) as r (contact_id, message_id, conversation_id)`,
    [
      workspaceId,
      broadcastId,
      phoneNumberId,
      JSON.stringify(content),
      templateText,
      at,
      runAt,
      uuids(recipients.map((one) => one.contactId)),
      uuids(recipients.map((one) => one.messageId)),
      uuids(recipients.map((one) => one.conversationId)),
    ],
  )

type SkippedRow = {
  workspaceId: string
  id: string
  broadcastId: string
  phoneNumberId: string
  type: string
}

/** Marks messages whose call has not begun as deliberately not sent; returns those that this did. */
export const skipMessages = (
  tx: Tx,
  rows: { workspaceId: string; id: string; reason: string }[],
): Promise<SkippedRow[]> =>
  tx.sql<SkippedRow>(
    `with held as materialized (
       select m.workspace_id, m.id, u.reason from unnest($1::uuid[], $2::uuid[], $3::text[]) as u (workspace_id, id, reason)
       join messages m on m.workspace_id = u.workspace_id and m.id = u.id
       where m.status = 'queued' and m.run_at is not null and m.leased_until is null and m.broadcast_id is not null
       order by m.workspace_id, m.id for update of m
     )
     update messages m set status = 'skipped', skip_reason = held.reason, run_at = null
     from held where m.workspace_id = held.workspace_id and m.id = held.id
     returning m.workspace_id, m.id, m.broadcast_id, m.phone_number_id, m.type`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      rows.map((row) => row.reason),
    ],
  )

type Campaign = { workspaceId: string; broadcastId: string }

/** A campaign's queued messages, at most `limit`: `begun` says that a call for them began, and until when it may still end. */
export const listQueuedOfCampaign = (
  tx: Tx,
  { workspaceId, broadcastId }: Campaign,
  limit: number,
): Promise<{ id: string; leasedUntil: Date | null }[]> =>
  tx.sql(
    `select id, leased_until from messages
     where workspace_id = $1 and broadcast_id = $2 and status = 'queued' and run_at is not null
     order by contact_id limit $3`,
    [workspaceId, broadcastId, limit],
  )
