/**
 * `POST /social/comments/{id}/reply` (spec 4.6): records the reply, sends it once, and records the result. An
 * unknown result stays `unconfirmed` until a report of the network settles it; Parley never sends it again.
 */
import { later, MINUTE_MS } from '../../../../../core/clock.ts'
import type { Context, OutsideContext } from '../../../../../core/context.ts'
import type { AnsweringContext } from '../../../../../core/endpoint.ts'
import { Refusal } from '../../../../../core/errors.ts'
import { newId } from '../../../../../core/ids.ts'
import { enqueue } from '../../../../../database/sql/enqueue-jobs.ts'
import type { Answered, SocialAccount } from '../../../../../social-network/port.ts'
import { networkRefusal } from '../../../../../social-network/refusals.ts'
import { earlierAttempt } from '../../operations/earlier-attempt.ts'
import { settleReply } from '../jobs.ts'
import type { CommentRow } from '../queries/comments.ts'
import {
  clearReplyRequestKey,
  deleteReply,
  findReplyIntentForUpdate,
  insertReplies,
  type ReplyRow,
  setReplyUnconfirmed,
} from '../queries/replies.ts'
import { commentOfAccount, currentAccountOf } from './hide-comment.ts'
import { getCommentForUpdate } from './read-comments.ts'
import { recordReplied } from './record-replied.ts'

/** Without an answer by then, the result of the reply counts as unknown. */
const UNANSWERED_MS = 2 * MINUTE_MS

type ReplyAttempt =
  | { kind: 'recorded'; reply: ReplyRow; comment: CommentRow }
  | { kind: 'earlier'; reply: ReplyRow; isKnown: boolean }

/** Replies in public; returns the reply as stored. */
export async function replyToComment(
  ctx: AnsweringContext<ReplyRow>,
  id: string,
  text: string,
): Promise<ReplyRow> {
  const attempt = await ctx.transaction((txCtx) => begin(txCtx, { id, text }, ctx.requestKey))
  if (attempt.kind === 'earlier') {
    if (!attempt.isKnown) throw unconfirmed()
    return attempt.reply
  }
  const { reply, comment } = attempt
  const account = await currentAccountOf(ctx, comment.accountId)
  if (account instanceof Refusal) return forget(ctx, reply, account)
  const answer = await submitReply(ctx, account, comment, text)
  if (answer.kind === 'done') {
    const networkId = answer.value.id
    return ctx.lastTransaction((txCtx) => recordReplied(txCtx, reply, { networkId, at: txCtx.now }))
  }
  if (answer.kind === 'unknown')
    return ctx.lastTransaction(async (txCtx) => {
      await setReplyUnconfirmed(txCtx.tx, ctx.workspace.id, reply.id)
      return unconfirmed()
    })
  return forget(ctx, reply, networkRefusal(answer))
}

/** No reply was sent, so nothing is kept. */
const forget = (ctx: AnsweringContext<ReplyRow>, reply: ReplyRow, refusal: Refusal): Promise<ReplyRow> =>
  ctx.lastTransaction(async (txCtx) => {
    await deleteReply(txCtx.tx, ctx.workspace.id, reply.id)
    return refusal
  })

const unconfirmed = (): Refusal =>
  new Refusal(
    'reply_unconfirmed',
    "The network didn't answer, so the reply may have been posted. Check the comment before you reply again.",
  )

/** A mention is under another account's post, and a separate call answers it. */
function submitReply(
  { outside: { socialNetwork } }: OutsideContext,
  account: SocialAccount,
  { kind, networkId, mediaId }: CommentRow,
  text: string,
): Promise<Answered<{ id: string }>> {
  return kind === 'mention' && mediaId !== null
    ? socialNetwork.replyToMention(account, { mediaId, commentId: networkId, text })
    : socialNetwork.replyToComment(account, { commentId: networkId as string, text })
}

/** Checks all rules, and records the reply before the call. */
async function begin(
  ctx: Context,
  { id, text }: { id: string; text: string },
  requestKey: string | null,
): Promise<ReplyAttempt> {
  const earlierAttempt = requestKey === null ? undefined : await findEarlier(ctx, requestKey)
  if (earlierAttempt) return earlierAttempt
  await commentOfAccount(ctx, id)
  const comment = await getCommentForUpdate(ctx, id)
  const reply: ReplyRow = {
    workspaceId: ctx.workspace.id,
    id: newId(),
    commentId: comment.id,
    text,
    status: 'sending',
    networkId: null,
    requestKey,
    createdAt: ctx.now,
    sentAt: null,
  }
  await insertReplies(ctx.tx, [reply])
  await enqueue(ctx, settleReply, { replyId: reply.id }, later(ctx.now, UNANSWERED_MS))
  return { kind: 'recorded', reply, comment }
}

async function findEarlier(ctx: Context, requestKey: string): Promise<ReplyAttempt | undefined> {
  const reply = await findReplyIntentForUpdate(ctx.tx, ctx.workspace.id, requestKey)
  const found = earlierAttempt(reply, ctx.now)
  if (!reply || found === 'none') return undefined
  if (found === 'forgotten') {
    await clearReplyRequestKey(ctx.tx, reply)
    return undefined
  }
  if (found === 'unknown') await setReplyUnconfirmed(ctx.tx, ctx.workspace.id, reply.id)
  return { kind: 'earlier', reply, isKnown: found === 'done' }
}
