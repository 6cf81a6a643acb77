/** Statements on the messages of one campaign, in bounded lists. */

import type { Tx } from '../../../../../core/context.ts'
import { uuids } from '../../../../../database/sql/binary-arrays.ts'
import type { OpenRecipients } from '../../../conversations/operations/campaign-conversations.ts'
import type { StoredMessage } from '../../message-rows.ts'

/** The common values of a campaign's messages. Times: `at` in the workspace's time, `runAt` real. */
export type CampaignMessages = {
  workspaceId: string
  broadcastId: string
  phoneNumberId: string
  content: Record<string, unknown>
  templateText: string | null
  at: Date
  runAt: Date
}

/** Inserts messages into conversations that are locked. */
export const insertCampaignMessages = (
  tx: Tx,
  { workspaceId, broadcastId, phoneNumberId, content, templateText, at, runAt }: CampaignMessages,
  recipients: OpenRecipients,
): Promise<unknown> =>
  tx.sql(
    `insert into messages (workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status,
                           created_at, run_at, template_text, broadcast_id)
     select $1::uuid, message_id, conversation_id, contact_id, $3::uuid, 'outbound', 'template', $4::json, 'queued',
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
      uuids(recipients.contactIds),
      uuids(recipients.messageIds),
      uuids(recipients.conversationIds),
    ],
  )

type Campaign = { workspaceId: string; broadcastId: string }

/**
 * Lists at most `limit` queued messages of a campaign. `leasedUntil`: a call began and may still end until
 * then.
 */
export const listQueuedOfCampaign = (
  tx: Tx,
  { workspaceId, broadcastId }: Campaign,
  limit: number,
): Promise<Pick<StoredMessage, 'id' | 'leasedUntil'>[]> =>
  tx.sql(
    `select id, leased_until from messages
     where workspace_id = $1 and broadcast_id = $2 and status = 'queued' and run_at is not null
     order by contact_id limit $3`,
    [workspaceId, broadcastId, limit],
  )
