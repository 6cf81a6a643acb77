import { dayOf } from './calendar.ts'
import type { Context } from './context.ts'

/** What is counted by day for `GET /analytics` (spec 4.3): what became of messages, and windows that opened. */
export const COUNTED = ['received', 'sent', 'delivered', 'read', 'failed', 'skipped', 'opened'] as const
export type Counted = (typeof COUNTED)[number]

/** One more of something, on its way into the counts with the fact that it counts. */
export type PendingCount = {
  workspaceId: string
  /** 2026-06-01, in the workspace's time zone. */
  day: string
  phoneNumberId: string
  /** Kind of the message; '' for what is no message. */
  type: string
  /** The campaign whose message it is about. */
  broadcastId: string | null
  /** The message, for whoever follows what becomes of it; null for what is no message of ours. */
  messageId: string | null
  counted: Counted
  /** When it happened, in the workspace's time. */
  at: Date
}

/**
 * Counts a fact in the transaction that writes it: both commit or neither does. `at` is when it
 * happened, in the workspace's time; an operator whose clock runs ahead counts as now.
 */
export function count(
  ctx: Pick<Context, 'workspace' | 'now' | 'counts'>,
  counted: Counted,
  {
    phoneNumberId,
    type = '',
    broadcastId = null,
    messageId = null,
    at = ctx.now,
  }: {
    phoneNumberId: string
    type?: string
    broadcastId?: string | null
    messageId?: string | null
    at?: Date
  },
): void {
  ctx.counts.push({
    workspaceId: ctx.workspace.id,
    day: dayOf(at < ctx.now ? at : ctx.now, ctx.workspace.timezone),
    phoneNumberId,
    type,
    broadcastId,
    messageId,
    counted,
    at,
  })
}
