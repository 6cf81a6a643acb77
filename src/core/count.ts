import type { Context } from './context.ts'
import { dayOf } from './values/calendar.ts'

/**
 * The facts that are counted by day for `GET /analytics` (spec 4.3): received messages, the states of sent ones, and opened
 * windows.
 */
export const COUNTED = ['received', 'sent', 'delivered', 'read', 'failed', 'skipped', 'opened'] as const
export type Counted = (typeof COUNTED)[number]

/** One increment, to be written in the transaction of its fact. */
export type PendingCount = {
  workspaceId: string
  /** The day, such as 2026-06-01, in the workspace's time zone. */
  day: string
  phoneNumberId: string
  /** Kind of the message; '' if the fact concerns no message. */
  type: string
  /** The message's campaign. */
  broadcastId: string | null
  /** The sent message, for reports on its later states; null if the fact concerns no sent message. */
  messageId: string | null
  counted: Counted
  /** When it happened, in the workspace's time. */
  at: Date
  /** The template of the sent message; null for other facts. */
  template: CountedTemplate | null
}

/** A fact of a template's results. `day`: the day on which its message was sent. `cause`: the operator's error code, if it failed. */
export type CountedTemplate = { name: string; language: string; day: string; cause: number | null }

/**
 * Counts a fact in the transaction that writes it, so that both commit or neither. `at` is when it happened, in the workspace's
 * time; a time in the future (the operator's clock is ahead) counts as now.
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
    template = null,
  }: {
    phoneNumberId: string
    type?: string
    broadcastId?: string | null
    messageId?: string | null
    at?: Date
    template?: (Omit<CountedTemplate, 'day'> & { sentAt: Date }) | null
  },
): void {
  const dayAt = (time: Date) => dayOf(time < ctx.now ? time : ctx.now, ctx.workspace.timezone)
  ctx.counts.push({
    workspaceId: ctx.workspace.id,
    day: dayAt(at),
    phoneNumberId,
    type,
    broadcastId,
    messageId,
    counted,
    at,
    template: template && {
      name: template.name,
      language: template.language,
      day: dayAt(template.sentAt),
      cause: template.cause,
    },
  })
}
