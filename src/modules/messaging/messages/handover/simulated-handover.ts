/**
 * Hands over the messages of simulated numbers, immediately and without pace. The simulator accepts each
 * message once, so retries are safe, and a sandbox's clock may skip the waits.
 */
import { later } from '../../../../core/clock.ts'
import { dueAt, type MovingClock } from '../../../../core/due.ts'
import { outboundOf } from '../sending/outbound-touch.ts'
import { LEASE_MS } from '../trace-schema.ts'
import type { HandoverOptions } from './dispatcher.ts'
import { type Outcome, type Result, recordOutcomes } from './outcome-writer.ts'
import { type Claimed, claimSimulatedMessages } from './queries/handovers.ts'
import type { LaneKey } from './queries/lanes.ts'
import { tracedCall, withStep } from './traced-call.ts'
import { NUMBER_GONE, verdictOf, waitedMs, waitMs } from './verdict.ts'
import { withheldOutcome } from './withheld-outcome.ts'

const MAX_IN_FLIGHT = 256
const NUMBERS_AT_ONCE = 32
/** From this many messages on there is a backlog: receipts wait for it, and it gives way to requests. */
const FULL_LIST = MAX_IN_FLIGHT / 2

/**
 * Hands over due messages of these numbers, some of each, and returns how many there were. `moving`: the
 * clock of their sandbox.
 */
export async function handOverSimulated(
  options: HandoverOptions,
  numbers: LaneKey[],
  moving?: MovingClock,
): Promise<number> {
  let ran = 0
  if (numbers.length === 0 && !moving) options.setHandoversWaiting(false)
  for (let i = 0; i < numbers.length; i += NUMBERS_AT_ONCE) {
    const batch = numbers.slice(i, i + NUMBERS_AT_ONCE)
    const now = options.clock.now()
    const begunAtMs = options.clock.monotonicMs()
    const messages = await claimSimulatedMessages(options.database.query, batch, {
      due: dueAt(now, moving),
      until: later(now, LEASE_MS.simulator),
      ofEach: Math.ceil(MAX_IN_FLIGHT / batch.length),
    })
    const isFull = messages.length >= FULL_LIST
    if (!moving) options.setHandoversWaiting(isFull)
    // Each customer's messages go one after the other, so that they arrive in order.
    const pairs = Map.groupBy(messages, (message) => message.conversationId)
    const results = await Promise.all(
      [...pairs.values()].map((pair) => handOverInOrder(options, pair, now.getTime())),
    )
    await recordOutcomes(options, results.flat())
    ran += messages.length
    // Requests come first: then this work takes half of the time.
    const givesWay = options.areAnswersSlow() || (isFull && options.areAnswersFrequent())
    if (!moving && givesWay) await options.pause(options.clock.monotonicMs() - begunAtMs)
  }
  return ran
}

async function handOverInOrder(
  options: HandoverOptions,
  messages: Claimed[],
  leasedAtMs: number,
): Promise<Result[]> {
  const results: Result[] = []
  for (const message of messages)
    results.push({
      workspaceId: message.workspaceId,
      id: message.id,
      outcome:
        withheldOutcome(message, options.clock.now().getTime()) ??
        (await handOver(options, message, leasedAtMs)),
    })
  return results
}

async function handOver(options: HandoverOptions, message: Claimed, leasedAtMs: number): Promise<Outcome> {
  const number = await options.number(message.workspaceId, message.phoneNumberId)
  if (!number) return { kind: 'failed', error: NUMBER_GONE }
  const startedAtMs = options.clock.now().getTime()
  const handover = await options.operator.send(number, outboundOf(message))
  const now = options.clock.now()
  const verdict = verdictOf(handover, {
    tries: message.handovers,
    ageMs: waitedMs(message, now.getTime()),
  })
  const call = tracedCall({ leasedAtMs, startedAtMs, endedAtMs: now.getTime() }, handover, verdict)
  if (verdict.kind === 'accepted') return withStep({ kind: 'accepted', chanmid: verdict.chanmid }, call)
  if (verdict.kind !== 'unknown' && verdict.kind !== 'again')
    return withStep({ kind: 'failed', error: verdict.error }, call)
  const hold = verdict.kind === 'unknown' ? 'unreachable' : verdict.hold
  const atLeastMs = verdict.kind === 'unknown' ? 0 : verdict.atLeastMs
  const wait = Math.max(atLeastMs, waitMs(hold, message.handovers - 1) ?? 0)
  return withStep({ kind: 'again', runAt: later(now, wait), counted: true }, { ...call, hold })
}
