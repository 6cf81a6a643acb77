import type { z } from 'zod'
import { SECOND_MS } from '../../../../../core/clock.ts'
import type { Context, OutsideContext } from '../../../../../core/context.ts'
import type { AnsweringContext } from '../../../../../core/endpoint.ts'
import { Refusal, refuse } from '../../../../../core/errors.ts'
import { touch } from '../../../../../core/event.ts'
import { turns } from '../../../../../core/lock-queue.ts'
import type { SocialAccount } from '../../../../../social-network/port.ts'
import { networkRefusal } from '../../../../../social-network/refusals.ts'
import { requireAccount } from '../../operations/accounts.ts'
import { type CommentRow, updateHidden } from '../queries/comments.ts'
import type { SocialComment } from '../schema.ts'
import { getComment, showComment } from './read-comments.ts'

type PresentedComment = z.input<typeof SocialComment>

/** Returns the comment and its account; refuses if that account is no longer connected. */
export async function commentOfAccount(ctx: Context, id: string): Promise<CommentRow> {
  const account = await requireAccount(ctx)
  const comment = await getComment(ctx, id)
  if (comment.accountId !== account.id)
    refuse('not_connected', 'The account of this comment is no longer connected. Connect it again.')
  return comment
}

/** Returns the account now, if it is still the account of the comment. */
export async function currentAccountOf(
  ctx: OutsideContext,
  accountId: string,
): Promise<SocialAccount | Refusal> {
  const account = await ctx.outside.socialAccount(ctx.workspace.id)
  return account?.id === accountId
    ? account
    : new Refusal(
        'not_connected',
        'The account was just disconnected. Nothing was changed. Connect it again.',
      )
}

/**
 * Runs calls for a comment one after the other, so that Parley shows the result of the network's last call.
 */
const hidingTurns = turns({ atOnce: 1, maxWaiting: 20, maxWaitMs: 30 * SECOND_MS })

/**
 * Hides a comment from everyone but its author, or shows it again (spec 4.6). The call is idempotent, so
 * nothing is recorded before it: after a call without an answer the caller tries again.
 */
export async function hideComment(
  ctx: AnsweringContext<PresentedComment>,
  id: string,
  hidden: boolean,
): Promise<PresentedComment> {
  const comment = await ctx.transaction((txCtx) => commentOfAccount(txCtx, id))
  if (comment.networkId === null)
    return refuse('conflict', 'This mention is in the caption of a post. Only comments can be hidden.')
  const hideable = { ...comment, networkId: comment.networkId }
  return hidingTurns(
    comment.id,
    () => setHidden(ctx, hideable, hidden),
    () => false,
  )
}

async function setHidden(
  ctx: AnsweringContext<PresentedComment>,
  comment: CommentRow & { networkId: string },
  hidden: boolean,
): Promise<PresentedComment> {
  const account = await currentAccountOf(ctx, comment.accountId)
  if (account instanceof Refusal) throw account
  const answer = await ctx.outside.socialNetwork.setCommentHidden(account, {
    commentId: comment.networkId,
    hidden,
  })
  if (answer.kind !== 'done') throw networkRefusal(answer)
  return ctx.lastTransaction(async (txCtx) => {
    await updateHidden(txCtx, comment.id, hidden)
    touch(txCtx, { socialComment: comment.id })
    return showComment(txCtx, await getComment(txCtx, comment.id))
  })
}
