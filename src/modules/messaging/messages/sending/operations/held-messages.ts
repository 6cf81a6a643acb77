/**
 * Messages that are accepted and wait for a part of their content, such as the address of a payment link. The
 * module that holds a message must release it or end it.
 */
import { realTime } from '../../../../../core/clock.ts'
import { type Context, wake } from '../../../../../core/context.ts'
import { count } from '../../../../../core/count.ts'
import { touch } from '../../../../../core/event.ts'
import { applyReceipts } from '../../intake/operations/apply-receipts.ts'
import type { SkipReason } from '../../schema.ts'
import {
  isMessageReleased,
  lockHeldMessage,
  releaseHeldMessage,
  skipHeldMessage,
} from '../queries/held-messages.ts'
import { giveQuotaBack, readQuota } from './message-quota.ts'
import { HANDOVER } from './send-messages.ts'

/**
 * Locks a message that may be held, and the counters that ending it changes, in the lock order of all
 * operations: before rows that depend on it. Returns whether it is held.
 */
export async function lockHeld(ctx: Context, id: string): Promise<boolean> {
  await readQuota(ctx, [ctx], { lock: true })
  return lockHeldMessage(ctx.tx, { workspaceId: ctx.workspace.id, id })
}

/**
 * Releases a locked message with `content`. It is skipped if its conversation's window closed while it was
 * held.
 */
export async function releaseMessage(
  ctx: Context,
  id: string,
  content: Record<string, unknown>,
): Promise<void> {
  const key = { workspaceId: ctx.workspace.id, id }
  const runAt = realTime(ctx.now, ctx.workspace)
  if (await releaseHeldMessage(ctx.tx, key, { content, now: ctx.now, runAt })) wake(ctx, HANDOVER)
  else await skipHeld(ctx, id, 'window_closed')
}

/** Returns whether its customer has the message, or will get it. */
export const isReleased = (ctx: Context, id: string): Promise<boolean> =>
  isMessageReleased(ctx.tx, { workspaceId: ctx.workspace.id, id })

/** Ends a locked, held message as deliberately not sent; a released message reaches its own final state. */
export async function skipHeld(ctx: Context, id: string, reason: SkipReason): Promise<void> {
  const skipped = await skipHeldMessage(
    ctx.tx,
    { workspaceId: ctx.workspace.id, id },
    { reason, at: ctx.now },
  )
  if (!skipped) return
  const { phoneNumberId, conversationId, type, createdAt } = skipped
  count(ctx, 'skipped', { phoneNumberId, type, messageId: id })
  touch(ctx, { message: id, conversation: conversationId })
  await giveQuotaBack(ctx, [createdAt])
}

/** Ends a locked, held message as failed, with its event. */
export async function failHeld(
  ctx: Context,
  id: string,
  reason: { title: string; message: string },
): Promise<void> {
  if (!(await lockHeldMessage(ctx.tx, { workspaceId: ctx.workspace.id, id }))) return
  const error = { code: 0, ...reason, details: null, category: 'payment', permanent: true, retryable: false }
  const about = { kind: 'receipt', chanmid: null, callbackData: id, pricing: null } as const
  await applyReceipts(ctx, [{ ctx, receipt: { ...about, status: 'failed', at: ctx.now, errors: [error] } }])
}
