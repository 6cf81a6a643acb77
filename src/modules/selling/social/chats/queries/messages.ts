/** Statements on the messages of direct chats. */
import { type NotNull, type Selectable, sql } from 'kysely'
import type { Context, Tx } from '../../../../../core/context.ts'
import type { SourceKind } from '../../../../../core/source.ts'
import { instants, uuids } from '../../../../../database/sql/binary-arrays.ts'
import { db } from '../../../../../database/sql/sql.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import type { MESSAGE_STATUSES } from '../schema.ts'

export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

/** A stored message. */
export type MessageRow = Omit<
  Selectable<Tables['socialMessages']>,
  'direction' | 'status' | 'content' | 'originalContent' | 'sourceKind'
> & {
  sourceKind: SourceKind | null
  direction: 'inbound' | 'outbound'
  status: MessageStatus
  content: Record<string, unknown>
  originalContent: Record<string, unknown> | null
}

const inWorkspace = (workspaceId: string) =>
  db.selectFrom('socialMessages').selectAll().where('workspaceId', '=', workspaceId)

/** Lists one page of a chat, newest first, with a row more than `limit`. */
export const listMessageRows = (
  ctx: Context,
  conversationId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<MessageRow[]> =>
  ctx.tx.all(
    inWorkspace(ctx.workspace.id)
      .where('conversationId', '=', conversationId)
      .$if(page.cursor !== undefined, (query) => query.where('id', '<', page.cursor!))
      .orderBy('id', 'desc')
      .limit(page.limit + 1),
  ) as Promise<MessageRow[]>

/** Lists messages of a chat after one of them, the nearest first. */
export const listMessagesAfter = (
  ctx: Context,
  { conversationId, id }: Pick<MessageRow, 'conversationId' | 'id'>,
  limit: number,
): Promise<MessageRow[]> =>
  ctx.tx.all(
    inWorkspace(ctx.workspace.id)
      .where('conversationId', '=', conversationId)
      .where('id', '>', id)
      .orderBy('id')
      .limit(limit),
  ) as Promise<MessageRow[]>

/** Lists all photos of the messages with these ids of the network, locked in a fixed order. */
export const listMessagesByMidForUpdate = (
  tx: Tx,
  workspaceId: string,
  mids: string[],
): Promise<MessageRow[]> =>
  tx.sql<MessageRow>(
    `select m.* from (select distinct mid from unnest($2::text[]) as w (mid) order by mid) wanted
     cross join lateral (
       select * from social_messages
       where social_messages.workspace_id = $1 and social_messages.mid = wanted.mid order by part for update
     ) m`,
    [workspaceId, mids],
  )

/** Returns which of these ids of the network are stored. */
export const listKnownMids = async (tx: Tx, workspaceId: string, mids: string[]): Promise<string[]> =>
  (
    await tx.all(
      db
        .selectFrom('socialMessages')
        .select('mid')
        .where('workspaceId', '=', workspaceId)
        .where('mid', '=', sql<string>`any(${mids}::text[])`)
        .where('part', '=', 0)
        .$narrowType<{ mid: NotNull }>(),
    )
  ).map((row) => row.mid)

export type NewMessage = Pick<
  MessageRow,
  'workspaceId' | 'id' | 'conversationId' | 'direction' | 'mid' | 'part' | 'type' | 'content' | 'status'
> &
  Pick<MessageRow, 'replyTo' | 'requestKey' | 'createdAt' | 'sentAt'> &
  Pick<MessageRow, 'sentBy' | 'sourceKind' | 'sourceId' | 'sourceName'>

/** Inserts messages and returns the new ids; known messages are left unchanged. */
export async function insertMessages(tx: Tx, rows: NewMessage[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const insertedRows = await tx.sql<Pick<MessageRow, 'id'>>(
    `insert into social_messages (workspace_id, id, conversation_id, direction, mid, part, type, content, status, reply_to,
       request_key, created_at, sent_at, sent_by, source_kind, source_id, source_name)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::int4[], $7::text[], $8::jsonb[],
       $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::timestamptz[], $14::uuid[],
       $15::text[], $16::uuid[], $17::text[])
     on conflict (workspace_id, mid, part) where mid is not null do nothing returning id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      uuids(rows.map((row) => row.conversationId)),
      rows.map((row) => row.direction),
      rows.map((row) => row.mid),
      rows.map((row) => row.part),
      rows.map((row) => row.type),
      rows.map((row) => JSON.stringify(row.content)),
      rows.map((row) => row.status),
      rows.map((row) => row.replyTo),
      rows.map((row) => row.requestKey),
      instants(rows.map((row) => row.createdAt)),
      instants(rows.map((row) => row.sentAt)),
      uuids(rows.map((row) => row.sentBy)),
      rows.map((row) => row.sourceKind),
      uuids(rows.map((row) => row.sourceId)),
      rows.map((row) => row.sourceName),
    ],
  )
  return new Set(insertedRows.map((row) => row.id))
}

/** Updates the changed fields of messages that the transaction has locked. A changed text is indexed again. */
export const updateMessages = (tx: Tx, rows: MessageRow[]): Promise<unknown> =>
  tx.sql(
    `update social_messages m set content = u.content, original_content = u.original_content, status = u.status,
            reaction = u.reaction, read_at = u.read_at, edited_at = u.edited_at, edition = u.edition,
            deleted_at = u.deleted_at, indexed = m.indexed and m.content = u.content
     from unnest($1::uuid[], $2::uuid[], $3::jsonb[], $4::jsonb[], $5::text[], $6::text[], $7::timestamptz[],
       $8::timestamptz[], $9::int4[], $10::timestamptz[])
       as u (workspace_id, id, content, original_content, status, reaction, read_at, edited_at, edition, deleted_at)
     where m.workspace_id = u.workspace_id and m.id = u.id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      rows.map((row) => JSON.stringify(row.content)),
      rows.map((row) => (row.originalContent === null ? null : JSON.stringify(row.originalContent))),
      rows.map((row) => row.status),
      rows.map((row) => row.reaction),
      instants(rows.map((row) => row.readAt)),
      instants(rows.map((row) => row.editedAt)),
      rows.map((row) => row.edition),
      instants(rows.map((row) => row.deletedAt)),
    ],
  )

/** Marks our messages of each chat as seen, up to the one that the customer has seen. */
export const markSeen = (tx: Tx, seenMessages: { upTo: MessageRow; at: Date }[]): Promise<unknown> =>
  tx.sql(
    `update social_messages m set status = 'read', read_at = s.at
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[]) as s (workspace_id, conversation_id, id, at)
     where m.workspace_id = s.workspace_id and m.conversation_id = s.conversation_id and m.id <= s.id
       and m.direction = 'outbound' and m.status = 'sent'`,
    [
      uuids(seenMessages.map(({ upTo }) => upTo.workspaceId)),
      uuids(seenMessages.map(({ upTo }) => upTo.conversationId)),
      uuids(seenMessages.map(({ upTo }) => upTo.id)),
      instants(seenMessages.map(({ at }) => at)),
    ],
  )

/** Lists our messages in these chats without an id of the network, oldest first. */
export const listUnreportedForUpdate = (
  tx: Tx,
  workspaceId: string,
  conversationIds: string[],
): Promise<MessageRow[]> =>
  tx.sql<MessageRow>(
    `select * from social_messages where workspace_id = $1 and conversation_id = any($2::uuid[]) and mid is null
     order by id for update`,
    [workspaceId, uuids(conversationIds)],
  )

export const findMessage = (tx: Tx, workspaceId: string, id: string): Promise<MessageRow | undefined> =>
  tx.first(inWorkspace(workspaceId).where('id', '=', id)) as Promise<MessageRow | undefined>

export const findMessageForUpdate = (
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<MessageRow | undefined> =>
  tx.first(inWorkspace(workspaceId).where('id', '=', id).forUpdate()) as Promise<MessageRow | undefined>

/** Returns the first part of the message with this id of the network. */
export const findMessageByMid = (tx: Tx, workspaceId: string, mid: string): Promise<MessageRow | undefined> =>
  tx.first(inWorkspace(workspaceId).where('mid', '=', mid).where('part', '=', 0)) as Promise<
    MessageRow | undefined
  >

/** Records the author of a message that a report stored. */
export const setAuthor = (
  tx: Tx,
  row: Pick<MessageRow, 'workspaceId' | 'id' | 'sentBy' | 'sourceKind' | 'sourceId' | 'sourceName'>,
): Promise<unknown> =>
  tx.run(
    db
      .updateTable('socialMessages')
      .set({
        sentBy: row.sentBy,
        sourceKind: row.sourceKind,
        sourceId: row.sourceId,
        sourceName: row.sourceName,
      })
      .where('workspaceId', '=', row.workspaceId)
      .where('id', '=', row.id),
  )

/** Records the network's ids of messages that it has. */
export const setSent = (
  tx: Tx,
  rows: (Pick<MessageRow, 'workspaceId' | 'id'> & { mid: string; at: Date })[],
): Promise<unknown> =>
  tx.sql(
    `update social_messages m set mid = s.mid, sent_at = s.at, status = 'sent'
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[]) as s (workspace_id, id, mid, at)
     where m.workspace_id = s.workspace_id and m.id = s.id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      rows.map((row) => row.mid),
      instants(rows.map((row) => row.at)),
    ],
  )

/** Removes the network's id from a message to which a report gave it, because it belongs to another one. */
export const clearMid = (tx: Tx, row: Pick<MessageRow, 'workspaceId' | 'id'>): Promise<unknown> =>
  tx.run(
    db
      .updateTable('socialMessages')
      .set({ mid: null, sentAt: null, status: 'unconfirmed' })
      .where('workspaceId', '=', row.workspaceId)
      .where('id', '=', row.id),
  )

/** Records that the result is unknown, unless it is already settled. */
export const setUnconfirmed = (tx: Tx, workspaceId: string, id: string): Promise<unknown> =>
  tx.run(
    db
      .updateTable('socialMessages')
      .set({ status: 'unconfirmed' })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .where('status', '=', 'sending'),
  )

export const deleteMessage = (tx: Tx, workspaceId: string, id: string): Promise<unknown> =>
  tx.run(db.deleteFrom('socialMessages').where('workspaceId', '=', workspaceId).where('id', '=', id))

/** Returns the message that an earlier attempt of this request recorded, locked. */
export const findIntentForUpdate = (
  tx: Tx,
  workspaceId: string,
  requestKey: string,
): Promise<MessageRow | undefined> =>
  tx.first(inWorkspace(workspaceId).where('requestKey', '=', requestKey).forUpdate()) as Promise<
    MessageRow | undefined
  >

/** Removes the request's key from a message, because it has expired. */
export const clearRequestKey = (tx: Tx, row: Pick<MessageRow, 'workspaceId' | 'id'>): Promise<unknown> =>
  tx.run(
    db
      .updateTable('socialMessages')
      .set({ requestKey: null })
      .where('workspaceId', '=', row.workspaceId)
      .where('id', '=', row.id),
  )

/** An edit, deletion, reaction … whose message has not arrived yet. */
export type WaitingChange = Selectable<Tables['socialMessageChanges']>

export const insertWaitingChanges = (tx: Tx, rows: WaitingChange[]): Promise<unknown> =>
  tx.sql(
    `insert into social_message_changes (workspace_id, id, mid, body, created_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::jsonb[], $5::timestamptz[])`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      rows.map((row) => row.mid),
      rows.map((row) => JSON.stringify(row.body)),
      instants(rows.map((row) => row.createdAt)),
    ],
  )

/** Removes and returns the changes that wait for these messages, in order of arrival. */
export const takeWaitingChanges = async (
  tx: Tx,
  workspaceId: string,
  mids: string[],
): Promise<WaitingChange[]> =>
  (
    await tx.sql<WaitingChange>(
      `delete from social_message_changes where workspace_id = $1 and mid = any($2::text[])
       returning workspace_id, id, mid, body, created_at`,
      [workspaceId, mids],
    )
  ).sort((a, b) => (a.id < b.id ? -1 : 1))
