import type { Context } from '../../../../core/context.ts'
import { findCommentRowForUpdate, setReplied } from '../queries/comments.ts'
import {
  clearReplyId,
  deleteReply,
  findReplyByNetworkIdForUpdate,
  findReplyForUpdate,
  type ReplyRow,
  setReplySent,
} from '../queries/replies.ts'

/**
 * The network has our reply under the id `networkId`. A report may have come before its own answer, and may then have given
 * the id to another reply that says the same: the answer knows better. Returns the reply as it is now.
 */
export async function recordReplied(
  ctx: Context,
  given: ReplyRow,
  { networkId, at }: { networkId: string; at: Date },
): Promise<ReplyRow> {
  const after: ReplyRow = { ...given, networkId, status: 'sent', sentAt: at }
  // Comments are locked before their replies, by everybody. Its author may have been erased meanwhile.
  if (!(await findCommentRowForUpdate(ctx, given.commentId))) return after
  const reply = await findReplyForUpdate(ctx.tx, ctx.workspace.id, given.id)
  if (!reply) return after
  if (reply.networkId === networkId) return reply
  const holder = await findReplyByNetworkIdForUpdate(ctx.tx, ctx.workspace.id, networkId)
  if (holder && holder.text.trim() === reply.text.trim()) await clearReplyId(ctx.tx, holder)
  // The network worded it otherwise, so that it was taken for one that our side typed elsewhere.
  else if (holder) await deleteReply(ctx.tx, ctx.workspace.id, holder.id)
  await setReplySent(ctx.tx, [{ workspaceId: ctx.workspace.id, id: reply.id, networkId, at }])
  await setReplied(ctx.tx, [{ workspaceId: ctx.workspace.id, commentId: reply.commentId, at }])
  return after
}
