/**
 * Comments and mentions that the network reported (spec 6.3), and the account's own comments under its posts.
 */
import type { Context } from '../../../../../core/context.ts'
import { emit } from '../../../../../core/event.ts'
import { newId } from '../../../../../core/ids.ts'
import type { ReportedComment } from '../../../../../social-network/port.ts'
import { findContactsForSend } from '../../../../messaging/contacts/operations/find-contact.ts'
import { happenedAt } from '../../operations/happened-at.ts'
import { socialCommentReceived } from '../events.ts'
import {
  type CommentRow,
  insertComments,
  listCommentsByNetworkIdForUpdate,
  setReplied,
} from '../queries/comments.ts'
import {
  insertReplies,
  insertWaitingReplies,
  listKnownReplies,
  listUnreportedForUpdate,
  type ReportedReply,
  setReplySent,
  takeWaitingReplies,
} from '../queries/replies.ts'

/** A comment with the data requested about it; `id` is ours if it is new. */
export type PlacedComment = {
  id: string
  comment: ReportedComment
  permalink: string | null
  /** True if the comment mentions the account under another account's post, in any form of report. */
  isMention: boolean
}

/**
 * Stores comments and emits their events; the account's own comments settle its replies. The caller must be
 * the only one to apply reports of the account, because replies and threads look for each other.
 */
export async function applyComments(
  ctx: Context,
  accountId: string,
  reportedComments: PlacedComment[],
): Promise<void> {
  const [own, others] = [true, false].map((isOwn) =>
    reportedComments.filter(({ comment }) => comment.own === isOwn),
  )
  const rows = others!.map((placedComment) => rowOf(ctx, accountId, placedComment))
  const insertedIds = await insertComments(ctx.tx, rows)
  await announce(
    ctx,
    rows.filter(({ id }) => insertedIds.has(id)),
  )
  const threadIds = rows.flatMap(({ networkId }) => networkId ?? [])
  const waitingReplies = threadIds.length === 0 ? [] : await takeWaitingReplies(ctx, accountId, threadIds)
  await applyOwn(ctx, accountId, [
    ...waitingReplies,
    ...own!.flatMap(({ comment }) => replyOf(comment) ?? []),
  ])
}

const replyOf = ({ commentId, parentId, text, at }: ReportedComment): ReportedReply | undefined =>
  commentId === null || parentId === null
    ? undefined
    : { networkId: commentId, threadId: parentId, text: text ?? '', at }

const rowOf = (
  ctx: Context,
  accountId: string,
  { id, comment, permalink, isMention }: PlacedComment,
): CommentRow => ({
  workspaceId: ctx.workspace.id,
  id,
  accountId,
  networkId: comment.commentId,
  mediaId: comment.mediaId,
  parentId: comment.parentId,
  kind: comment.parentId !== null ? 'reply' : isMention ? 'mention' : 'comment',
  authorId: comment.authorId,
  username: comment.username,
  text: comment.text,
  permalink,
  live: comment.live,
  hidden: false,
  repliedAt: null,
  commentedAt: happenedAt(ctx, comment.at),
  createdAt: ctx.now,
})

async function announce(ctx: Context, rows: CommentRow[]): Promise<void> {
  if (rows.length === 0) return
  // The events name the author's contact, so that an erasure of the contact also strips them.
  const authors = await findContactsForSend(
    ctx,
    rows.map((row) => ({ workspaceId: row.workspaceId, phone: `sx:${row.authorId ?? ''}`, userId: null })),
  )
  for (const [i, row] of rows.entries())
    emit(
      ctx,
      socialCommentReceived,
      {
        commentId: row.id,
        kind: row.kind,
        socialCommentId: row.networkId,
        socialMediaId: row.mediaId,
        username: row.username,
        text: row.text,
        permalink: row.permalink,
        commentedAt: row.commentedAt.toISOString(),
      },
      { contactId: authors[i]?.id ?? null },
    )
}

/**
 * Applies the account's own comments in threads: they confirm our replies; those typed in the network's app
 * count as replies too, once the comment to which they reply is stored.
 */
async function applyOwn(ctx: Context, accountId: string, inThreads: ReportedReply[]): Promise<void> {
  if (inThreads.length === 0) return
  const { id: workspaceId } = ctx.workspace
  const threadIds = [...new Set(inThreads.map(({ threadId }) => threadId))]
  const tops = await listCommentsByNetworkIdForUpdate(ctx.tx, {
    workspaceId,
    accountId,
    networkIds: threadIds,
  })
  const open = await listUnreportedForUpdate(ctx.tx, { workspaceId, accountId, threadIds })
  const knownIds = new Set(
    await listKnownReplies(
      ctx.tx,
      workspaceId,
      inThreads.map(({ networkId }) => networkId),
    ),
  )
  const newReplies = inThreads.filter(({ networkId }) => !knownIds.has(networkId) && knownIds.add(networkId))
  const settledReplies: { id: string; networkId: string; commentId: string; at: Date }[] = []
  const typedReplies: typeof newReplies = []
  for (const ownReply of newReplies) {
    const position = open.findIndex(
      (reply) => reply.threadId === ownReply.threadId && reply.text.trim() === ownReply.text.trim(),
    )
    const [reply] = position < 0 ? [] : open.splice(position, 1)
    if (reply)
      settledReplies.push({
        id: reply.id,
        commentId: reply.commentId,
        networkId: ownReply.networkId,
        at: ownReply.at,
      })
    else typedReplies.push(ownReply)
  }
  if (settledReplies.length > 0)
    await setReplySent(
      ctx.tx,
      settledReplies.map((reply) => ({ ...reply, workspaceId })),
    )
  const byThread = new Map(tops.map((row) => [row.networkId, row]))
  const answeredReplies = typedReplies.flatMap(({ networkId, threadId, text, at }) => {
    const top = byThread.get(threadId)
    return top ? [{ commentId: top.id, networkId, text, at }] : []
  })
  const earlyReplies = typedReplies.filter(({ threadId }) => !byThread.has(threadId))
  if (earlyReplies.length > 0) await insertWaitingReplies(ctx, accountId, earlyReplies)
  await insertReplies(
    ctx.tx,
    answeredReplies.map((reply) => ({
      workspaceId,
      id: newId(),
      commentId: reply.commentId,
      text: reply.text,
      status: 'sent',
      networkId: reply.networkId,
      requestKey: null,
      createdAt: ctx.now,
      sentAt: reply.at,
    })),
  )
  await setReplied(
    ctx.tx,
    [...settledReplies, ...answeredReplies].map(({ commentId, at }) => ({ workspaceId, commentId, at })),
  )
}
