/** Statements on private replies to comments. */
import type { Selectable } from 'kysely'
import type { Context, Tx } from '../../../../../core/context.ts'
import type { SourceKind } from '../../../../../core/source.ts'
import { uuids } from '../../../../../database/sql/binary-arrays.ts'
import { db } from '../../../../../database/sql/sql.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import type { MessageRow } from '../../chats/queries/messages.ts'
import type { CommentRow } from '../../comments/queries/comments.ts'
import type { PRIVATE_REPLY_STATUSES } from '../schema.ts'

export type PrivateReplyRow = Omit<Selectable<Tables['socialPrivateReplies']>, 'status' | 'sourceKind'> & {
  status: (typeof PRIVATE_REPLY_STATUSES)[number]
  sourceKind: SourceKind | null
}

/** A private reply with the chat in which it is; null until the network has it. */
export type ListedPrivateReply = Pick<
  PrivateReplyRow,
  'commentId' | 'text' | 'status' | 'messageId' | 'createdAt' | 'sentAt'
> & { conversationId: MessageRow['conversationId'] | null }

/** Lists the private replies to these comments, at most one for each. */
export const listPrivateRepliesOf = (ctx: Context, commentIds: string[]): Promise<ListedPrivateReply[]> =>
  ctx.tx.sql<ListedPrivateReply>(
    `select r.comment_id, r.text, r.status, r.message_id, r.created_at, r.sent_at, m.conversation_id
     from social_private_replies r
     left join social_messages m on m.workspace_id = r.workspace_id and m.id = r.message_id
     where r.workspace_id = $1 and r.comment_id = any($2::uuid[])`,
    [ctx.workspace.id, uuids(commentIds)],
  )

/** Inserts a private reply. Returns false if the comment has one. */
export const insertPrivateReply = async (tx: Tx, row: PrivateReplyRow): Promise<boolean> =>
  (await tx.run(
    db
      .insertInto('socialPrivateReplies')
      .values(row)
      .onConflict((conflict) => conflict.columns(['workspaceId', 'commentId']).doNothing()),
  )) > 0

/** Returns the private reply that an earlier attempt of this request recorded, locked. */
export const findPrivateIntentForUpdate = (
  tx: Tx,
  workspaceId: string,
  requestKey: string,
): Promise<PrivateReplyRow | undefined> =>
  tx.first(
    db
      .selectFrom('socialPrivateReplies')
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .where('requestKey', '=', requestKey)
      .forUpdate(),
  ) as Promise<PrivateReplyRow | undefined>

const isThis = ({ workspaceId, commentId }: Pick<PrivateReplyRow, 'workspaceId' | 'commentId'>) =>
  db
    .updateTable('socialPrivateReplies')
    .where('workspaceId', '=', workspaceId)
    .where('commentId', '=', commentId)

type Key = Pick<PrivateReplyRow, 'workspaceId' | 'commentId'>

export const clearPrivateRequestKey = (tx: Tx, key: Key): Promise<unknown> =>
  tx.run(isThis(key).set({ requestKey: null }))

/** Records that the result is unknown, unless it is already settled. */
export const setPrivateReplyUnconfirmed = (tx: Tx, key: Key): Promise<unknown> =>
  tx.run(isThis(key).set({ status: 'unconfirmed' }).where('status', '=', 'sending'))

/** Records the message that the network has. */
export const setPrivateReplySent = (
  tx: Tx,
  key: Key,
  { messageId, mid, at }: { messageId: string; mid: string; at: Date },
): Promise<unknown> => tx.run(isThis(key).set({ status: 'sent', messageId, mid, sentAt: at }))

export const deletePrivateReply = (tx: Tx, { workspaceId, commentId }: Key): Promise<unknown> =>
  tx.run(
    db
      .deleteFrom('socialPrivateReplies')
      .where('workspaceId', '=', workspaceId)
      .where('commentId', '=', commentId),
  )

/** A private reply whose result is not known, with the author of its comment. */
export type OpenPrivateReply = PrivateReplyRow & Pick<CommentRow, 'authorId'>

/** Locks and lists the private replies of an account that a report may settle, oldest first. */
export const listOpenPrivateRepliesForUpdate = (
  tx: Tx,
  scope: { workspaceId: string; accountId: string },
): Promise<OpenPrivateReply[]> =>
  tx.sql<OpenPrivateReply>(
    `select r.*, c.author_id from social_private_replies r
     join social_comments c on c.workspace_id = r.workspace_id and c.id = r.comment_id
     where r.workspace_id = $1 and c.account_id = $2 and r.status <> 'sent'
     order by r.message_id for update of r`,
    [scope.workspaceId, scope.accountId],
  )
