import type { Context } from '../../../../../core/context.ts'
import { touch } from '../../../../../core/event.ts'
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
 * Records that the network has our reply under the id `networkId`, and returns the reply. A report may have
 * arrived before the answer, and may have given the id to another reply with the same text: the answer is
 * right.
 */
export async function recordReplied(
  ctx: Context,
  before: ReplyRow,
  { networkId, at }: { networkId: string; at: Date },
): Promise<ReplyRow> {
  const after: ReplyRow = { ...before, networkId, status: 'sent', sentAt: at }
  // All operations lock comments before their replies. The comment's author may have been erased meanwhile.
  if (!(await findCommentRowForUpdate(ctx, before.commentId))) return after
  const reply = await findReplyForUpdate(ctx.tx, ctx.workspace.id, before.id)
  if (!reply) return after
  if (reply.networkId === networkId) return reply
  const holder = await findReplyByNetworkIdForUpdate(ctx.tx, ctx.workspace.id, networkId)
  if (holder && holder.text.trim() === reply.text.trim()) await clearReplyId(ctx.tx, holder)
  // The network changed the text, so the report was stored as a reply typed in its app.
  else if (holder) await deleteReply(ctx.tx, ctx.workspace.id, holder.id)
  await setReplySent(ctx.tx, [{ workspaceId: ctx.workspace.id, id: reply.id, networkId, at }])
  touch(ctx, { socialComment: reply.commentId })
  await setReplied(ctx.tx, [{ workspaceId: ctx.workspace.id, commentId: reply.commentId, at }])
  return after
}
