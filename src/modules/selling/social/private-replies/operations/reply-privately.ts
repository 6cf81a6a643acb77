/**
 * `POST /social/comments/{id}/private-reply`: records the private reply, sends it once, and records the result. The network
 * takes one for each comment. An unknown result stays `unconfirmed` until a report of the network settles it.
 */
import { later, MINUTE_MS } from '../../../../../core/clock.ts'
import type { Context } from '../../../../../core/context.ts'
import type { AnsweringContext } from '../../../../../core/endpoint.ts'
import { Refusal, refuse } from '../../../../../core/errors.ts'
import { touch } from '../../../../../core/event.ts'
import { newId } from '../../../../../core/ids.ts'
import { enqueue } from '../../../../../database/sql/enqueue-jobs.ts'
import { networkRefusal } from '../../../../../social-network/refusals.ts'
import { findContact } from '../../../../messaging/contacts/operations/find-contact.ts'
import { refusalOf } from '../../../../messaging/contacts/operations/refusal-rule.ts'
import { applyMessages } from '../../chats/operations/apply-messages.ts'
import { authorOf } from '../../chats/operations/send-message.ts'
import { findMessage } from '../../chats/queries/messages.ts'
import { commentOfAccount, currentAccountOf } from '../../comments/operations/hide-comment.ts'
import { getCommentForUpdate } from '../../comments/operations/read-comments.ts'
import type { CommentRow } from '../../comments/queries/comments.ts'
import { earlierAttempt } from '../../operations/earlier-attempt.ts'
import { settlePrivateReply } from '../jobs.ts'
import {
  clearPrivateRequestKey,
  deletePrivateReply,
  findPrivateIntentForUpdate,
  insertPrivateReply,
  type PrivateReplyRow,
  setPrivateReplyUnconfirmed,
} from '../queries/private-replies.ts'
import { PRIVATE_REPLY_MS } from '../schema.ts'
import { recordPrivateReply } from './settle-private-replies.ts'

/** Without an answer by then, the result counts as unknown. */
const UNANSWERED_MS = 2 * MINUTE_MS

export type SentPrivately = { messageId: string; conversationId: string; mid: string }

type Attempt =
  | { kind: 'recorded'; row: PrivateReplyRow; comment: CommentRow & { networkId: string } }
  | { kind: 'earlier'; sent: SentPrivately | undefined }

/** Sends a private reply; returns the message and its chat. */
export async function replyPrivately(
  ctx: AnsweringContext<SentPrivately>,
  id: string,
  text: string,
): Promise<SentPrivately> {
  const attempt = await ctx.transaction((txCtx) => begin(txCtx, { id, text }, ctx.requestKey))
  if (attempt.kind === 'earlier') {
    if (!attempt.sent) throw unconfirmed()
    return attempt.sent
  }
  const { row, comment } = attempt
  const account = await currentAccountOf(ctx, comment.accountId)
  if (account instanceof Refusal) return forget(ctx, row, account)
  const answer = await ctx.outside.socialNetwork.sendPrivateReply(account, {
    commentId: comment.networkId,
    text,
  })
  if (answer.kind === 'done')
    return ctx.lastTransaction((txCtx) =>
      record(txCtx, { row, comment, accountId: account.id }, answer.value),
    )
  if (answer.kind === 'unknown')
    return ctx.lastTransaction(async (txCtx) => {
      await setPrivateReplyUnconfirmed(txCtx.tx, row)
      touch(txCtx, { socialComment: row.commentId })
      return unconfirmed()
    })
  return forget(ctx, row, networkRefusal(answer))
}

/** Nothing was sent, so nothing is kept. */
const forget = (
  ctx: AnsweringContext<SentPrivately>,
  row: PrivateReplyRow,
  refusal: Refusal,
): Promise<SentPrivately> =>
  ctx.lastTransaction(async (txCtx) => {
    await deletePrivateReply(txCtx.tx, row)
    return refusal
  })

const unconfirmed = (): Refusal =>
  new Refusal(
    'reply_unconfirmed',
    "The network didn't answer, so the message may have been sent. Check the chat with the author before you write again.",
  )

/** Stores the message in the chat with the author, as a report of it would. A report may have been faster. */
async function record(
  ctx: Context,
  { row, comment, accountId }: { row: PrivateReplyRow; comment: CommentRow; accountId: string },
  { mid, customerId }: { mid: string; customerId: string },
): Promise<SentPrivately | Refusal> {
  await applyMessages(ctx, {
    accountId,
    customers: new Map([[customerId, { name: null, username: comment.username }]]),
    messages: [
      {
        id: row.messageId,
        message: {
          kind: 'echo',
          mid,
          customerId,
          at: ctx.now,
          replyTo: null,
          items: [{ type: 'text', content: { text: row.text } }],
        },
      },
    ],
  })
  const recorded = await recordPrivateReply(ctx, row, { mid, at: ctx.now })
  touch(ctx, { socialComment: row.commentId })
  // The author was erased meanwhile.
  return recorded ? { ...recorded, mid } : new Refusal('not_found', 'The author of the comment was deleted.')
}

/** Checks all rules, and records the private reply before the call. */
async function begin(
  ctx: Context,
  { id, text }: { id: string; text: string },
  requestKey: string | null,
): Promise<Attempt> {
  const earlier = requestKey === null ? undefined : await findEarlier(ctx, requestKey)
  if (earlier) return earlier
  await commentOfAccount(ctx, id)
  const comment = await getCommentForUpdate(ctx, id)
  const { networkId } = comment
  if (comment.kind === 'mention' || networkId === null)
    return refuse(
      'conflict',
      'This mention is under a post of another account. Only comments under your own posts can be answered privately.',
    )
  if (later(comment.commentedAt, PRIVATE_REPLY_MS) <= ctx.now)
    refuse('conflict', 'The comment is older than seven days. Reply publicly instead.')
  const author = comment.authorId === null ? undefined : await findContact(ctx, `sx:${comment.authorId}`)
  if (author && refusalOf(author))
    refuse('contact_opted_out', 'The author opted out of messages. Nothing was sent.')
  const row: PrivateReplyRow = {
    workspaceId: ctx.workspace.id,
    commentId: comment.id,
    text,
    status: 'sending',
    messageId: newId(),
    mid: null,
    requestKey,
    ...authorOf(ctx),
    createdAt: ctx.now,
    sentAt: null,
  }
  if (!(await insertPrivateReply(ctx.tx, row)))
    refuse(
      'conflict',
      'This comment was already answered privately. The network takes one private reply to a comment.',
    )
  await enqueue(ctx, settlePrivateReply, { commentId: comment.id }, later(ctx.now, UNANSWERED_MS))
  return { kind: 'recorded', row, comment: { ...comment, networkId } }
}

async function findEarlier(ctx: Context, requestKey: string): Promise<Attempt | undefined> {
  const row = await findPrivateIntentForUpdate(ctx.tx, ctx.workspace.id, requestKey)
  const found = earlierAttempt(row, ctx.now)
  if (!row || found === 'none') return undefined
  if (found === 'forgotten') {
    await clearPrivateRequestKey(ctx.tx, row)
    return undefined
  }
  if (found === 'unknown') await setPrivateReplyUnconfirmed(ctx.tx, row)
  const message = found === 'done' ? await findMessage(ctx.tx, row.workspaceId, row.messageId) : undefined
  return {
    kind: 'earlier',
    sent: message && {
      messageId: message.id,
      conversationId: message.conversationId,
      mid: row.mid as string,
    },
  }
}
