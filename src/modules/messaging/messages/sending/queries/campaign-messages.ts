/** Statements on the messages of one campaign, in bounded lists. */

import type { Tx } from '../../../../../core/context.ts'
import { jsonTexts, texts, uuids } from '../../../../../database/sql/binary-arrays.ts'
import type { OpenRecipients } from '../../../conversations/operations/campaign-conversations.ts'
import type { FilledContent } from '../../../templates/operations/personal-values.ts'
import type { StoredMessage } from '../../message-rows.ts'

/** The common values of a campaign's messages. Times: `at` in the workspace's time, `runAt` real. */
export type CampaignMessages = {
  workspaceId: string
  broadcastId: string
  /** The campaign's name. */
  name: string
  phoneNumberId: string
  content: Record<string, unknown>
  templateText: string | null
  at: Date
  runAt: Date
  /** The content of each recipient by contact id; null: all get the same. */
  personal: ReadonlyMap<string, FilledContent> | null
}

/** Selects a message for each recipient; `content` and `text` are values of all, or columns of each. */
const insertion = ({ content, text, from }: Record<'content' | 'text' | 'from', string>): string =>
  `insert into messages (workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status,
                         created_at, run_at, template_text, broadcast_id, source_kind, source_id, source_name)
   select $1::uuid, message_id, conversation_id, contact_id, $3::uuid, 'outbound', 'template', ${content}, 'queued',
          $6::timestamptz, $7::timestamptz, ${text}, $2::uuid, 'campaign', $2::uuid, $11::text
   from ${from}`
const SAME = insertion({
  content: '$4::json',
  text: '$5::text',
  from: 'unnest($8::uuid[], $9::uuid[], $10::uuid[]) as r (contact_id, message_id, conversation_id)',
})
const PERSONAL = insertion({
  content: 'content',
  text: 'template_text',
  from: `unnest($8::uuid[], $9::uuid[], $10::uuid[], $4::json[], $5::text[])
         as r (contact_id, message_id, conversation_id, content, template_text)`,
})

/** Inserts messages into conversations that are locked. */
export function insertCampaignMessages(
  tx: Tx,
  { workspaceId, broadcastId, name, phoneNumberId, at, runAt, ...campaign }: CampaignMessages,
  recipients: OpenRecipients,
): Promise<unknown> {
  const filled = campaign.personal && recipients.contactIds.map((id) => campaign.personal!.get(id)!)
  return tx.sql(filled ? PERSONAL : SAME, [
    workspaceId,
    broadcastId,
    phoneNumberId,
    filled
      ? jsonTexts(filled.map(({ content }) => JSON.stringify(content)))
      : JSON.stringify(campaign.content),
    filled ? texts(filled.map(({ text }) => text)) : campaign.templateText,
    at,
    runAt,
    uuids(recipients.contactIds),
    uuids(recipients.messageIds),
    uuids(recipients.conversationIds),
    name,
  ])
}

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
