/** Statements on messages that the operator reported, and on their edits and deletions. */

import type { Selectable } from 'kysely'
import type { Tx } from '../../../../../core/context.ts'
import { instants, jsonTexts, texts, uuids } from '../../../../../database/sql/binary-arrays.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import type { MessageContext, OperatorError } from '../../../../../operator/port.ts'
import {
  type EveryMessage,
  type MessageRow,
  OF_EVERY,
  TYPES_OF_EVERY,
  valuesOfEvery,
} from '../../message-rows.ts'

/** A message as the operator reported it, in either direction. */
export type ReportedMessage = EveryMessage & {
  chanmid: string
  context: MessageContext | null
  /** Why the operator could not deliver the content. */
  error: OperatorError | null
  /** When its writer sent it, as the operator reported it. */
  sentAt: Date
}

const jsonOrNull = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/**
 * Inserts messages that are not stored yet. Fails if another transaction stores one of them meanwhile: the
 * reports are then applied again, and find it.
 */
export const insertReportedMessages = (tx: Tx, rows: ReportedMessage[]): Promise<unknown> =>
  tx.sql(
    `insert into messages (${OF_EVERY}, context, error, sent_at, source_kind)
     select * from unnest(${TYPES_OF_EVERY}, $13::json[], $14::json[], $15::timestamptz[], $16::text[])`,
    [
      ...valuesOfEvery(rows),
      jsonTexts(rows.map((row) => jsonOrNull(row.context))),
      jsonTexts(rows.map((row) => jsonOrNull(row.error))),
      instants(rows.map((row) => row.sentAt)),
      // Our side wrote these in the phone app.
      texts(rows.map((row) => (row.direction === 'outbound' ? 'phone_app' : null))),
    ],
  )

type Preceding = Pick<MessageRow, 'type' | 'content' | 'createdAt'> & {
  messageId: MessageRow['id']
  /** Both refer to the same message of ours, or both to none. */
  answersTheSame: boolean
}

/** Returns the customer's previous message in the chat for each of these messages. */
export const listMessagesBefore = (
  tx: Tx,
  keys: { workspaceId: string; conversationId: string; messageId: string }[],
): Promise<Preceding[]> =>
  tx.sql(
    `select own.id as message_id, b.type, b.content, b.created_at, b.reply_to is not distinct from own.reply_to as answers_the_same
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (workspace_id, conversation_id, id)
     join messages own on own.workspace_id = k.workspace_id and own.id = k.id
     cross join lateral (
       select m.type, m.content, m.created_at, m.reply_to from messages m
       where m.workspace_id = k.workspace_id and m.conversation_id = k.conversation_id and m.id < k.id and m.direction = 'inbound'
         and m.type <> 'reaction'
       order by m.id desc limit 1
     ) b`,
    [
      uuids(keys.map((key) => key.workspaceId)),
      uuids(keys.map((key) => key.conversationId)),
      uuids(keys.map((key) => key.messageId)),
    ],
  )

/** An edit or a deletion as it was reported; `original` is the channel's id of the message. */
export type ChangeRow = Pick<
  Selectable<Tables['messageChanges']>,
  'workspaceId' | 'chanmid' | 'original' | 'content' | 'at'
> & { content: Record<string, unknown> | null }

/** Stores changes; known changes are left unchanged. */
export const insertChanges = (
  tx: Tx,
  rows: (ChangeRow & { people: string[]; createdAt: Date })[],
): Promise<unknown> =>
  tx.sql(
    `insert into message_changes (workspace_id, chanmid, original, people, content, at, created_at)
     select workspace_id, chanmid, original, array(select jsonb_array_elements_text(people)), content, at, created_at
     from unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[], $5::jsonb[], $6::timestamptz[], $7::timestamptz[])
       as c (workspace_id, chanmid, original, people, content, at, created_at)
     on conflict (workspace_id, chanmid) do nothing`,
    [
      rows.map((row) => row.workspaceId),
      rows.map((row) => row.chanmid),
      rows.map((row) => row.original),
      rows.map((row) => JSON.stringify(row.people)),
      rows.map((row) => jsonOrNull(row.content)),
      rows.map((row) => row.at),
      rows.map((row) => row.createdAt),
    ],
  )

/** A message by the channel's id. */
export type ChanmidKey = { workspaceId: string; chanmid: string }

const keyColumns = (keys: ChanmidKey[]) => [
  keys.map((key) => key.workspaceId),
  keys.map((key) => key.chanmid),
]

/** Lists all changes of these messages, oldest first. */
export const listChangesOf = (tx: Tx, keys: ChanmidKey[]): Promise<ChangeRow[]> =>
  tx.sql<ChangeRow>(
    `select c.workspace_id, c.chanmid, c.original, c.content, c.at
     from (select distinct * from unnest($1::uuid[], $2::text[]) as k (workspace_id, original)) k
     join message_changes c on c.workspace_id = k.workspace_id and c.original = k.original
     order by c.at, c.chanmid`,
    keyColumns(keys),
  )

/** Removes the text from edits of these messages. An empty content distinguishes them from deletions. */
export const emptyChangesOf = (tx: Tx, keys: ChanmidKey[]): Promise<unknown> =>
  tx.sql(
    `update message_changes c set content = '{}' from unnest($1::uuid[], $2::text[]) as k (workspace_id, original)
     where c.workspace_id = k.workspace_id and c.original = k.original and c.content <> '{}'`,
    keyColumns(keys),
  )

/** Deletes unprocessed reports that name these messages, because they may contain their text. */
export const deleteReportsNaming = (tx: Tx, keys: ChanmidKey[]): Promise<unknown> =>
  tx.sql(
    `select delete_reports_naming(workspace_id, array_agg(chanmid))
     from unnest($1::uuid[], $2::text[]) as k (workspace_id, chanmid) group by workspace_id`,
    keyColumns(keys),
  )

/** The columns of a message that a change needs. */
export type ChangeableMessage = Pick<
  MessageRow,
  | 'workspaceId'
  | 'id'
  | 'contactId'
  | 'conversationId'
  | 'chanmid'
  | 'type'
  | 'templateText'
  | 'content'
  | 'originalContent'
  | 'editedAt'
  | 'deletedAt'
> & { chanmid: string }

/** Locks messages by the channel's id, in a fixed order. */
export const lockMessagesByChanmid = (tx: Tx, keys: ChanmidKey[]): Promise<ChangeableMessage[]> =>
  tx.sql<ChangeableMessage>(
    `select m.workspace_id, m.id, m.contact_id, m.conversation_id, m.chanmid, m.type, m.template_text, m.content, m.original_content, m.edited_at, m.deleted_at from messages m
     where (m.workspace_id, m.id) in (
       select found.workspace_id, found.id from unnest($1::uuid[], $2::text[]) as k (workspace_id, chanmid)
       join messages found on found.workspace_id = k.workspace_id and found.chanmid = k.chanmid)
     order by m.workspace_id, m.id for no key update`,
    keyColumns(keys),
  )

/** Writes changed messages; a deleted message keeps no content. */
export const updateChangedMessages = (tx: Tx, rows: ChangeableMessage[]): Promise<unknown> =>
  tx.sql(
    `update messages m set content = u.content, original_content = u.original_content, edited_at = u.edited_at,
            deleted_at = u.deleted_at, context = case when u.deleted_at is null then m.context end,
            template_text = case when u.deleted_at is null then m.template_text end
     from unnest($1::uuid[], $2::uuid[], $3::json[], $4::json[], $5::timestamptz[], $6::timestamptz[])
       as u (workspace_id, id, content, original_content, edited_at, deleted_at)
     where m.workspace_id = u.workspace_id and m.id = u.id`,
    [
      rows.map((row) => row.workspaceId),
      rows.map((row) => row.id),
      jsonTexts(rows.map((row) => JSON.stringify(row.content))),
      jsonTexts(rows.map((row) => jsonOrNull(row.originalContent))),
      instants(rows.map((row) => row.editedAt)),
      instants(rows.map((row) => row.deletedAt)),
    ],
  )

/** Returns when our latest messages of these conversations were sent. */
export const listLatestAnswers = (
  tx: Tx,
  keys: { workspaceId: string; conversationId: string }[],
): Promise<(Pick<MessageRow, 'workspaceId' | 'conversationId' | 'sentAt'> & { sentAt: Date })[]> =>
  tx.sql(
    `select m.workspace_id, m.conversation_id, m.sent_at
     from (select distinct * from unnest($1::uuid[], $2::uuid[]) as k (workspace_id, conversation_id)) k
     cross join lateral (
       select * from messages
       where messages.workspace_id = k.workspace_id and messages.conversation_id = k.conversation_id
       order by messages.id desc limit 100
     ) m
     where m.direction = 'outbound' and m.sent_at is not null`,
    [keys.map((key) => key.workspaceId), keys.map((key) => key.conversationId)],
  )
