/** Statements on the account's replies to comments. */
import { type NotNull, type Selectable, sql } from 'kysely'
import type { Context, Tx } from '../../../../../core/context.ts'
import { instants, uuids } from '../../../../../database/sql/binary-arrays.ts'
import { db } from '../../../../../database/sql/sql.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import type { REPLY_STATUSES } from '../schema.ts'

export type ReplyRow = Omit<Selectable<Tables['socialReplies']>, 'status'> & {
  status: (typeof REPLY_STATUSES)[number]
}

const inWorkspace = (workspaceId: string) =>
  db.selectFrom('socialReplies').selectAll().where('workspaceId', '=', workspaceId)

const MAX_SHOWN = 20

/** Lists the latest replies to each of these comments, oldest first. */
export const listRepliesOf = (ctx: Context, commentIds: string[]): Promise<ReplyRow[]> =>
  ctx.tx.sql<ReplyRow>(
    `select r.* from unnest($2::uuid[]) as c (id) cross join lateral (
       select * from social_replies
       where social_replies.workspace_id = $1 and social_replies.comment_id = c.id
       order by social_replies.id desc limit ${MAX_SHOWN}
     ) r order by r.id`,
    [ctx.workspace.id, uuids(commentIds)],
  )

/** Inserts replies; those with a known id of the network are left unchanged. */
export const insertReplies = (tx: Tx, rows: ReplyRow[]): Promise<unknown> =>
  tx.sql(
    `insert into social_replies (workspace_id, id, comment_id, text, status, network_id, request_key, created_at, sent_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
       $8::timestamptz[], $9::timestamptz[])
     on conflict (workspace_id, network_id) where network_id is not null do nothing`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      uuids(rows.map((row) => row.commentId)),
      rows.map((row) => row.text),
      rows.map((row) => row.status),
      rows.map((row) => row.networkId),
      rows.map((row) => row.requestKey),
      instants(rows.map((row) => row.createdAt)),
      instants(rows.map((row) => row.sentAt)),
    ],
  )

/**
 * The account's own comment in a thread (by the network's id of the first comment), as the network reports
 * it.
 */
export type ReportedReply = Pick<
  Selectable<Tables['socialWaitingReplies']>,
  'networkId' | 'threadId' | 'text'
> & { at: Date }

/** Stores replies whose thread has not arrived yet; known ones are left unchanged. */
export const insertWaitingReplies = (
  { tx, workspace, now }: Context,
  accountId: string,
  replies: ReportedReply[],
): Promise<unknown> =>
  tx.sql(
    `insert into social_waiting_replies (workspace_id, account_id, created_at, network_id, thread_id, text, sent_at)
     select $1, $2, $3, * from unnest($4::text[], $5::text[], $6::text[], $7::timestamptz[])
     on conflict do nothing`,
    [
      workspace.id,
      accountId,
      now,
      replies.map((reply) => reply.networkId),
      replies.map((reply) => reply.threadId),
      replies.map((reply) => reply.text),
      instants(replies.map((reply) => reply.at)),
    ],
  )

/** Removes and returns the replies that wait for these threads, oldest first. */
export const takeWaitingReplies = (
  { tx, workspace }: Context,
  accountId: string,
  threadIds: string[],
): Promise<ReportedReply[]> =>
  tx.sql<ReportedReply>(
    `with taken as (
       delete from social_waiting_replies where workspace_id = $1 and account_id = $2 and thread_id = any($3::text[])
       returning network_id, thread_id, text, sent_at as at
     )
     select * from taken order by at, network_id`,
    [workspace.id, accountId, threadIds],
  )

/** Returns which of these ids of the network belong to stored replies. */
export const listKnownReplies = async (
  tx: Tx,
  workspaceId: string,
  networkIds: string[],
): Promise<string[]> =>
  (
    await tx.all(
      db
        .selectFrom('socialReplies')
        .select('networkId')
        .where('workspaceId', '=', workspaceId)
        .where('networkId', '=', sql<string>`any(${networkIds}::text[])`)
        .$narrowType<{ networkId: NotNull }>(),
    )
  ).map((row) => row.networkId)

/** A reply without a reported id of the network, and the id of its thread. */
export type UnreportedReply = ReplyRow & { threadId: string | null }

/** Lists such replies in these threads (by the network's id of the first comment), oldest first. */
export const listUnreportedForUpdate = (
  tx: Tx,
  scope: { workspaceId: string; accountId: string; threadIds: string[] },
): Promise<UnreportedReply[]> =>
  tx.sql<UnreportedReply>(
    `select r.*, coalesce(c.parent_id, c.network_id) as thread_id
     from social_comments c
     join social_replies r on r.workspace_id = c.workspace_id and r.comment_id = c.id and r.network_id is null
     where c.workspace_id = $1 and c.account_id = $2
       and (c.network_id = any($3::text[]) or c.parent_id = any($3::text[]))
     order by r.id for no key update of c for update of r`,
    [scope.workspaceId, scope.accountId, scope.threadIds],
  )

export const findReplyForUpdate = (tx: Tx, workspaceId: string, id: string): Promise<ReplyRow | undefined> =>
  tx.first(inWorkspace(workspaceId).where('id', '=', id).forUpdate()) as Promise<ReplyRow | undefined>

/** Returns the reply with this id of the network, locked. */
export const findReplyByNetworkIdForUpdate = (
  tx: Tx,
  workspaceId: string,
  networkId: string,
): Promise<ReplyRow | undefined> =>
  tx.first(inWorkspace(workspaceId).where('networkId', '=', networkId).forUpdate()) as Promise<
    ReplyRow | undefined
  >

/** Records the network's ids of replies that it has. */
export const setReplySent = (
  tx: Tx,
  rows: (Pick<ReplyRow, 'workspaceId' | 'id'> & { networkId: string; at: Date })[],
): Promise<unknown> =>
  tx.sql(
    `update social_replies r set network_id = s.network_id, sent_at = s.at, status = 'sent'
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[]) as s (workspace_id, id, network_id, at)
     where r.workspace_id = s.workspace_id and r.id = s.id`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      rows.map((row) => row.networkId),
      instants(rows.map((row) => row.at)),
    ],
  )

/** Removes the network's id from a reply to which a report gave it, because it belongs to another one. */
export const clearReplyId = (tx: Tx, row: Pick<ReplyRow, 'workspaceId' | 'id'>): Promise<unknown> =>
  tx.run(
    db
      .updateTable('socialReplies')
      .set({ networkId: null, sentAt: null, status: 'unconfirmed' })
      .where('workspaceId', '=', row.workspaceId)
      .where('id', '=', row.id),
  )

/** Records that the result is unknown, unless it is already settled. */
export const setReplyUnconfirmed = (tx: Tx, workspaceId: string, id: string): Promise<unknown> =>
  tx.run(
    db
      .updateTable('socialReplies')
      .set({ status: 'unconfirmed' })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .where('status', '=', 'sending'),
  )

export const deleteReply = (tx: Tx, workspaceId: string, id: string): Promise<unknown> =>
  tx.run(db.deleteFrom('socialReplies').where('workspaceId', '=', workspaceId).where('id', '=', id))

/** Returns the reply that an earlier attempt of this request recorded, locked. */
export const findReplyIntentForUpdate = (
  tx: Tx,
  workspaceId: string,
  requestKey: string,
): Promise<ReplyRow | undefined> =>
  tx.first(inWorkspace(workspaceId).where('requestKey', '=', requestKey).forUpdate()) as Promise<
    ReplyRow | undefined
  >

export const clearReplyRequestKey = (tx: Tx, row: Pick<ReplyRow, 'workspaceId' | 'id'>): Promise<unknown> =>
  tx.run(
    db
      .updateTable('socialReplies')
      .set({ requestKey: null })
      .where('workspaceId', '=', row.workspaceId)
      .where('id', '=', row.id),
  )
