/** Builds the line of a call for the trace of its message. */
import { SECOND_MS } from '../../../../core/clock.ts'
import type { Handover } from '../../../../operator/port.ts'
import { faultOf, lineOf, reasonOf } from '../trace-lines.ts'
import type { AgainReason, LateReason, TraceLine } from '../trace-schema.ts'
import type { Outcome } from './outcome-writer.ts'
import type { Waiting } from './pair.ts'
import type { Verdict } from './verdict.ts'

type CallLine = Extract<TraceLine, { call: number }>
/** A call, in real time. `leasedAtMs`: when its lease was written. */
type Timed = {
  leasedAtMs: number
  startedAtMs: number
  endedAtMs: number
  message?: Pick<Waiting, 'runAtMs' | 'knownAtMs' | 'readyAtMs' | 'late' | 'campaign'>
}

/** Returns the waits of more than a second before the call. */
function waitsOf({ leasedAtMs, message }: Timed): CallLine['waits'] {
  if (!message) return undefined
  const { runAtMs, knownAtMs = leasedAtMs, readyAtMs = knownAtMs, late, campaign } = message
  const waits: { for: LateReason | undefined; from: number; to: number }[] = [
    { for: late, from: runAtMs, to: knownAtMs },
    { for: 'order', from: knownAtMs, to: readyAtMs },
    { for: campaign ? 'campaign' : 'pace', from: readyAtMs, to: leasedAtMs },
  ]
  const long = waits.flatMap(({ for: reason, from, to }) =>
    reason !== undefined && to - from > SECOND_MS
      ? [{ for: reason, from: Math.round(from), to: Math.round(to) }]
      : [],
  )
  return long.length > 0 ? long : undefined
}

function holdOf(verdict: Verdict): AgainReason | undefined {
  if (verdict.kind === 'again') return verdict.hold
  if (verdict.kind === 'campaign_refused') return 'campaign_paused'
  return verdict.kind === 'disconnected' ? 'disconnected' : undefined
}

/** Returns the line of a call without the time of the next one, which its outcome decides. */
export function tracedCall(timed: Timed, handover: Handover, verdict: Verdict): CallLine {
  const { leasedAtMs, startedAtMs, endedAtMs } = timed
  return {
    call: Math.round(leasedAtMs),
    after: Math.max(0, Math.round(startedAtMs - leasedAtMs)),
    ms: Math.max(0, Math.round(endedAtMs - startedAtMs)),
    result: handover.kind,
    http: handover.status,
    error: handover.kind === 'refused' ? faultOf(handover.error) : undefined,
    reason: 'reason' in handover ? reasonOf(handover.reason) : undefined,
    hold: holdOf(verdict),
    waits: waitsOf(timed),
  }
}

/** Returns the outcome with the line of its call. */
export function withStep(outcome: Outcome, call: CallLine): Outcome {
  if (outcome.kind === 'again')
    return { ...outcome, step: lineOf({ ...call, next: outcome.runAt.getTime() }) }
  if (outcome.kind === 'accepted' || outcome.kind === 'failed' || outcome.kind === 'unknown')
    return { ...outcome, step: lineOf(call) }
  return outcome
}
