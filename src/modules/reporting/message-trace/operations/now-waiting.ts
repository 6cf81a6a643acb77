/** Decides what a message waits for at the moment. */
import { later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import type { FoundMessage } from '../../../messaging/messages/reading/operations/read-messages.ts'
import { hasOpenCall } from '../../../messaging/messages/trace-schema.ts'
import type { TracedRow } from '../queries.ts'
import type { MessageTrace, TraceStep } from '../schema.ts'
import { AGAIN, LATE } from './trace-text.ts'

type Now = NonNullable<MessageTrace['now']>

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Returns until when a number pauses, in the workspace's time, and why; undefined if it does not pause now. */
export function pauseOf(
  { now, workspace: { clockOffsetMs } }: Pick<Context, 'now' | 'workspace'>,
  { pausedUntil, pauseReason }: Pick<TracedRow, 'pausedUntil' | 'pauseReason'>,
): { text: string; until: string } | undefined {
  if (!pausedUntil || pausedUntil.getTime() <= now.getTime() - clockOffsetMs) return undefined
  return {
    text: `The number pauses. ${sentence(pauseReason ?? AGAIN.unreachable)}`,
    until: later(pausedUntil, clockOffsetMs).toISOString(),
  }
}

/** Returns the wait of a queued message. */
function queuedWait(ctx: Context, row: FoundMessage, traced: TracedRow, steps: TraceStep[]): Now {
  const { clockOffsetMs } = ctx.workspace
  const inWorkspaceTime = (time: Date): string => later(time, clockOffsetMs).toISOString()
  const nowMs = ctx.now.getTime() - clockOffsetMs
  const last = steps.findLast(({ kind }) => kind === 'call' || kind === 'waited')
  const since = last?.at ?? row.createdAt.toISOString()
  const { runAt, leasedUntil, laneLeasedUntil } = traced
  const wait = (kind: Now['kind'], text: string, rest: Partial<Now> = {}): Now => ({
    kind,
    text,
    since,
    until: null,
    ...rest,
  })
  if (leasedUntil)
    return hasOpenCall(traced.trace ?? '') || leasedUntil.getTime() <= nowMs
      ? wait('report', 'Parley waits for a report of the operator, because the call had no clear answer.', {
          until: inWorkspaceTime(leasedUntil),
        })
      : wait('call', 'Parley is calling the operator.')
  if (!runAt) return wait('content', 'The message waits for its payment link.')
  if (traced.campaignSending === false)
    return wait('campaign_paused', 'The campaign is paused.', {
      since: (traced.campaignUpdatedAt ?? row.createdAt).toISOString(),
    })
  if (traced.state !== null && traced.state !== 'active')
    return wait(
      'number_closed',
      `The operator accepts nothing from the number. ${sentence(traced.stateReason ?? 'See its state')}`,
      { since: traced.stateAt?.toISOString() ?? since },
    )
  const pause = pauseOf(ctx, traced)
  if (pause) return wait('backing_off', pause.text, { until: pause.until })
  if (runAt.getTime() > nowMs) {
    const { reason } = last ?? {}
    const kind =
      reason === 'order' || reason === 'recipient_pace' || reason === 'restricted' ? reason : 'retry'
    const text = { ...AGAIN, ...LATE }[reason as keyof typeof LATE] ?? 'The next attempt is due later.'
    return wait(kind, text, { until: inWorkspaceTime(runAt) })
  }
  if (traced.hasEarlier) return wait('order', 'An earlier message of this chat goes first.')
  return laneLeasedUntil && laneLeasedUntil.getTime() > nowMs
    ? wait('pace', 'The number sends only as many messages per second as the operator allows.')
    : wait('worker', 'The message waits for a process of Parley that sends from this number.')
}

/** Returns what the message waits for; null for nothing. */
export function waitingNow(
  ctx: Context,
  row: FoundMessage,
  traced: TracedRow,
  steps: TraceStep[],
): Now | null {
  if (row.status === 'queued') return queuedWait(ctx, row, traced, steps)
  if (row.status === 'sent' && row.sourceKind !== 'phone_app')
    return {
      kind: 'delivery',
      text: "The message waits for the operator's report that it arrived on the phone.",
      since: (row.sentAt ?? row.createdAt).toISOString(),
      until: null,
    }
  const pending = steps.find(({ delivery }) => delivery?.status === 'pending')
  const failed = steps.find(
    ({ delivery }) =>
      delivery?.status === 'failed' &&
      delivery.webhookId === pending?.delivery?.webhookId &&
      delivery.nextAt === pending?.delivery?.nextAt,
  )
  return pending
    ? {
        kind: 'webhook',
        text: `A webhook delivery of the event ${pending.delivery?.event} waits for its next attempt.`,
        since: (failed ?? pending).at,
        until: pending.delivery?.nextAt ?? null,
      }
    : null
}
