/** Begins the calls that pace and free places allow, and updates lanes and pairs according to the answers. */
import { later, SECOND_MS } from '../../../../core/clock.ts'
import { platformContext } from '../../../../core/context.ts'
import { isObject } from '../../../../core/values/storable.ts'
import type { JournaledCall } from '../../../../dispatch/journal/call-journal.ts'
import { NARROWEST } from '../../../../dispatch/slow-start.ts'
import type { OperatorError } from '../../../../operator/port.ts'
import { noteConnection } from '../../../platform/workspaces/operations/note-connection.ts'
import { type NumberState, setNumberStates } from '../../../platform/workspaces/operations/number-state.ts'
import { isSpellingOf } from '../../contacts/operations/spellings.ts'
import { outboundOf } from '../sending/outbound-touch.ts'
import { LEASE_MS } from '../trace-schema.ts'
import { asStep, type Call, type Dispatcher, forget } from './dispatcher.ts'
import { putOffUntil } from './fetch-ahead.ts'
import { journaledOf } from './journaled-outcome.ts'
import { campaignRoomOf, type Lane, makeReady, narrowLane, pauseLane, roomOf, widenLane } from './lane.ts'
import { isHeld, release } from './lane-leases.ts'
import type { Outcome } from './outcome-writer.ts'
import { holdBack, type Pair, strikePair, takeNextWaiting, type Waiting } from './pair.ts'
import { type Begun, beginHandovers } from './queries/handovers.ts'
import { pauseLaneRow } from './queries/lanes.ts'
import { tracedCall, withStep } from './traced-call.ts'
import { isOfContent, isOperatorsFault, type Verdict, verdictOf, waitedMs, waitMs } from './verdict.ts'
import { withheldOutcome } from './withheld-outcome.ts'

export const HANDOVER_LEASE_MS = LEASE_MS.cloud
/** Calls in parallel. A call that takes longer than a second no longer counts against this limit. */
const MAX_QUICK = 384
const MAX_SLOW = 512
/** The operator's connections must suffice for all calls, so that none waits for a call that hangs. */
export const HANDOVERS_AT_ONCE = MAX_QUICK + MAX_SLOW
const SLOW_AFTER_MS = SECOND_MS
/** Places for quick calls that messages of campaigns leave free. */
const LEFT_FREE = 32

type Chosen = { lane: Lane; message: Waiting }
/** A message as it waited, and the content that was sent. */
type Tried = { message: Waiting; begun: Begun; leasedAtMs: number; journaled: JournaledCall | undefined }

/**
 * Chooses the messages that may begin now: each lane gets its share of the free places, within its pace and
 * width.
 */
function choose(dispatcher: Dispatcher): Chosen[] {
  const nowMs = dispatcher.clock.now().getTime()
  const nowMonotonicMs = dispatcher.clock.monotonicMs()
  const free = MAX_QUICK - (dispatcher.calls.size - dispatcher.slow)
  const open = [...dispatcher.lanes.values()].filter(
    (lane) =>
      !lane.closed &&
      lane.ready.length + lane.campaignQueue.length > 0 &&
      lane.pausedUntilMs <= nowMs &&
      isHeld(lane, nowMs),
  )
  const share = Math.max(1, Math.ceil(free / open.length))
  const chosen: Chosen[] = []
  for (const lane of open) {
    if (chosen.length >= free) break
    // A lane that hangs may keep its open calls, but begins no more.
    if (dispatcher.slow >= MAX_SLOW && lane.inFlight > 0) continue
    const max = Math.min(roomOf(lane, nowMonotonicMs), share, free - chosen.length)
    if (max === 0) continue
    for (const message of lane.ready.splice(0, max)) chosen.push({ lane, message })
    lane.queued -= max
    take(dispatcher, lane, max)
  }
  // Campaigns take the places that remain after all other messages.
  for (const lane of open) {
    const left = free - LEFT_FREE - chosen.length
    if (left <= 0) break
    if (dispatcher.slow >= MAX_SLOW && lane.inFlight > 0) continue
    const max = Math.min(campaignRoomOf(lane), share, left)
    if (max === 0) continue
    for (const message of lane.campaignQueue.splice(0, max)) chosen.push({ lane, message })
    take(dispatcher, lane, max)
  }
  return chosen
}

function take(dispatcher: Dispatcher, lane: Lane, messages: number): void {
  lane.tokens -= messages
  lane.inFlight += messages
  // Moves the lane to the end of the line, so that others choose first next time.
  dispatcher.lanes.delete(lane.phoneNumberId)
  dispatcher.lanes.set(lane.phoneNumberId, lane)
}

/** Begins the calls that may begin. Returns whether any did. */
export async function beginCalls(dispatcher: Dispatcher): Promise<boolean> {
  const chosen = choose(dispatcher)
  if (chosen.length === 0) return false
  const calls = chosen.map(({ lane }) => startCall(dispatcher, lane))
  const now = dispatcher.clock.now()
  const leaseEnd = later(now, HANDOVER_LEASE_MS)
  const journaling = dispatcher.journal?.lease(
    chosen.map(({ message }) => message),
    leaseEnd,
  )
  const { until, calls: journaled } = journaling ?? { until: leaseEnd, calls: [] }
  let handovers: Map<string, Begun>
  try {
    const messages = chosen.map(({ message }) => message)
    const rows = await asStep(dispatcher, 'lease messages', messages, () =>
      beginHandovers(dispatcher.database.query, messages, { now, until }),
    )
    handovers = new Map(rows.map((row) => [row.id, row]))
  } catch (error) {
    for (const [i, choice] of chosen.entries()) {
      endCall(dispatcher, calls[i]!)
      takeBack(dispatcher, choice, { until, journaled: journaled[i] })
    }
    throw error
  }
  for (const [i, { lane, message }] of chosen.entries()) {
    const row = handovers.get(message.id)
    const withheld = row && withheldOutcome(row, dispatcher.clock.now().getTime())
    if (row && !withheld) {
      const leasedAtMs = until.getTime() - HANDOVER_LEASE_MS
      void handOver(dispatcher, calls[i]!, { message, begun: row, leasedAtMs, journaled: journaled[i] })
      continue
    }
    dispatcher.journal?.notLeased(journaled[i])
    endCall(dispatcher, calls[i]!)
    if (row && withheld) {
      dispatcher.writer.add({ workspaceId: lane.workspaceId, id: row.id, outcome: withheld }, () =>
        forget(dispatcher, lane, row.id),
      )
      advance(dispatcher, lane, lane.pairs.get(message.conversationId))
    } else {
      // No longer due: a receipt arrived, the message was erased, its campaign was paused, or another process
      // began it.
      forget(dispatcher, lane, message.id)
      advance(dispatcher, lane, lane.pairs.get(message.conversationId))
    }
  }
  return true
}

/**
 * Undoes the begin of messages whose call did not start; they are next again. After a database fault it's
 * unknown whether the lease was written, so the release is written first.
 */
function takeBack(
  dispatcher: Dispatcher,
  { lane, message }: Chosen,
  { until, journaled }: { until: Date; journaled: JournaledCall | undefined },
): void {
  const { workspaceId, id } = message
  lane.takenBack.add(message)
  dispatcher.writer.add(
    { workspaceId, id, outcome: { kind: 'not_begun', leasedUntil: until } },
    (isWritten) => {
      if (isWritten) dispatcher.journal?.settle(journaled)
      // The lane may have been released meanwhile.
      if (!lane.takenBack.delete(message)) return
      if (message.campaign) lane.campaignQueue.unshift(message)
      else {
        lane.ready.unshift(message)
        lane.queued++
      }
      dispatcher.pump()
    },
  )
}

function startCall(dispatcher: Dispatcher, lane: Lane): Call {
  const call: Call = { lane, startedAtMs: dispatcher.clock.monotonicMs(), slow: false }
  dispatcher.calls.add(call)
  return call
}

function endCall(dispatcher: Dispatcher, call: Call): void {
  dispatcher.calls.delete(call)
  call.lane.inFlight--
  if (call.slow) dispatcher.slow--
}

/** Marks long calls as slow, so that they take no places from quick calls. */
export function markSlow(dispatcher: Dispatcher): void {
  const nowMs = dispatcher.clock.monotonicMs()
  for (const call of dispatcher.calls) {
    if (nowMs - call.startedAtMs <= SLOW_AFTER_MS) break
    if (!call.slow) {
      call.slow = true
      dispatcher.slow++
    }
  }
}

async function handOver(dispatcher: Dispatcher, call: Call, tried: Tried): Promise<void> {
  const { lane } = call
  const { message, begun, journaled } = tried
  const { number } = lane
  const startedAtMs = dispatcher.clock.now().getTime()
  const handover = await dispatcher.operator.send(
    number,
    outboundOf(begun),
    () => dispatcher.journal?.begin(journaled) ?? true,
  )
  endCall(dispatcher, call)
  const nowMs = dispatcher.clock.now().getTime()
  const verdict = verdictOf(handover, {
    tries: begun.handovers,
    ageMs: waitedMs(begun, nowMs),
    isOrder: isOrder(begun),
    broadcastId: begun.broadcastId,
  })
  const { broadcastId } = begun
  if (verdict.kind === 'campaign_refused') await pauseCampaign(dispatcher, lane, verdict)
  else if (verdict.kind === 'failed' && broadcastId !== null && isOfContent(verdict.error))
    await pauseCampaign(dispatcher, lane, { broadcastId, error: verdict.error })
  const outcome = withStep(
    consequence(dispatcher, lane, tried, verdict, nowMs),
    tracedCall({ ...tried, startedAtMs, endedAtMs: nowMs }, handover, verdict),
  )
  dispatcher.journal?.answer(journaled, journaledOf(outcome))
  dispatcher.writer.add({ workspaceId: message.workspaceId, id: message.id, outcome }, (isWritten) => {
    forget(dispatcher, lane, message.id)
    if (isWritten) dispatcher.journal?.settle(journaled)
  })
  if (verdict.kind === 'disconnected')
    closeNumber(dispatcher, lane, number.tokenSealed, 'disconnected', verdict)
  else if (verdict.kind === 'failed' && verdict.blocks)
    closeNumber(dispatcher, lane, undefined, verdict.blocks, verdict)
  dispatcher.pump()
}

/**
 * Pauses the campaign. If the error names a missing permission, the operator is asked about the number; other
 * messages continue until it confirms that.
 */
async function pauseCampaign(
  dispatcher: Dispatcher,
  lane: Lane,
  { broadcastId, error }: { broadcastId: string; error: OperatorError },
): Promise<void> {
  const { database, clock, onError } = dispatcher
  const { workspaceId, phoneNumberId, number } = lane
  try {
    const workspace = (await dispatcher.workspaces([workspaceId])).get(workspaceId)
    if (!workspace) return
    await database.tenant(workspace, async (unit) => {
      await dispatcher.pauseCampaign(platformContext(unit, workspace, clock), broadcastId, error)
      if (error.category === 'auth')
        await noteConnection(unit, { ...number, workspaceId, phoneNumberId }, error, clock.now())
    })
  } catch (reason) {
    onError(reason)
  }
}

/** Returns whether the message asks for a payment or reports one. */
const isOrder = ({ type, content }: Begun): boolean =>
  type === 'interactive' &&
  isObject(content) &&
  (content.type === 'order_details' || content.type === 'order_status')

/** Applies the verdict to the lane, the pair, and the message. */
function consequence(
  dispatcher: Dispatcher,
  lane: Lane,
  tried: Tried,
  verdict: Verdict,
  nowMs: number,
): Outcome {
  const { message } = tried
  const pair = lane.pairs.get(message.conversationId)
  if (verdict.kind === 'again') return waitAgain(dispatcher, lane, pair, tried, verdict, nowMs)
  if (verdict.kind === 'disconnected')
    return { kind: 'again', runAt: later(new Date(0), message.runAtMs), counted: verdict.error.permanent }
  if (verdict.kind === 'campaign_refused') {
    // The lane opens narrow after the pause.
    lane.limit = NARROWEST
    advance(dispatcher, lane, pair)
    return { kind: 'again', runAt: later(new Date(0), message.runAtMs), counted: true }
  }
  if (verdict.kind === 'unknown')
    pauseAfterFault(dispatcher, lane, "The operator's answers can't be read.", nowMs)
  else if (verdict.kind === 'failed' && isOperatorsFault(verdict.error))
    pauseAfterFault(dispatcher, lane, verdict.error.message, nowMs)
  else widenLane(lane, nowMs)
  if (verdict.kind === 'accepted' && pair) pair.strikes = 0
  advance(dispatcher, lane, pair)
  if (verdict.kind === 'accepted') return acceptedOutcome(verdict, tried.begun)
  return verdict.kind === 'failed' ? { kind: 'failed', error: verdict.error } : { kind: 'unknown' }
}

function acceptedOutcome(
  { chanmid, phone }: Extract<Verdict, { kind: 'accepted' }>,
  handover: Begun,
): Outcome {
  const respelled =
    phone !== null && isSpellingOf(phone, handover.phone)
      ? { phone: handover.phone, spelling: phone }
      : undefined
  return { kind: 'accepted', chanmid, respelled }
}

function waitAgain(
  dispatcher: Dispatcher,
  lane: Lane,
  pair: Pair | undefined,
  { message, begun }: Tried,
  { hold, error, atLeastMs }: Extract<Verdict, { kind: 'again' }>,
  nowMs: number,
): Outcome {
  const reason = error.message
  let untilMs: number
  if (hold === 'message') {
    untilMs = nowMs + Math.max(atLeastMs, waitMs('message', begun.handovers - 1) ?? 0)
    if (isOperatorsFault(error)) pauseAfterFault(dispatcher, lane, reason, nowMs)
  } else if (hold === 'pair') untilMs = nowMs + (pair ? strikePair(pair, atLeastMs) : atLeastMs)
  else {
    const pausedUntilMs = pauseLane(lane, hold, atLeastMs, nowMs)
    if (pausedUntilMs !== undefined) reportPause(dispatcher, lane, reason)
    untilMs = lane.pausedUntilMs
  }
  if (pair)
    for (const waiting of holdBack(pair, message.id, untilMs)) {
      if (!waiting.campaign) lane.queued--
      putOffUntil(
        dispatcher,
        lane,
        waiting,
        untilMs,
        hold === 'message' || hold === 'pair' ? 'order' : 'backing_off',
      )
    }
  return { kind: 'again', runAt: later(new Date(0), untilMs), counted: hold === 'message' }
}

function pauseAfterFault(dispatcher: Dispatcher, lane: Lane, reason: string, nowMs: number): void {
  if (narrowLane(lane, nowMs) !== undefined) reportPause(dispatcher, lane, reason)
}

/** Stores the pause for other processes and for people who ask why nothing is sent. */
function reportPause(dispatcher: Dispatcher, lane: Lane, reason: string): void {
  const pause = { holder: dispatcher.holder, until: later(new Date(0), lane.pausedUntilMs), reason }
  pauseLaneRow(dispatcher.database.query, lane, pause).catch(dispatcher.onError)
}

/** Makes the pair's next message ready, if there is one. */
function advance(dispatcher: Dispatcher, lane: Lane, pair: Pair | undefined): void {
  const next = pair && takeNextWaiting(pair)
  if (next) {
    next.readyAtMs = dispatcher.clock.now().getTime()
    makeReady(lane, next)
  }
  lane.busyAtMs = dispatcher.clock.monotonicMs()
}

/**
 * Closes a number from which the operator accepts nothing: its messages wait in the database until it works
 * again. A refusal of the old token does not count against a new one.
 */
function closeNumber(
  dispatcher: Dispatcher,
  lane: Lane,
  tokenSealed: Buffer | undefined,
  state: NumberState,
  { error }: { error: { code: number; message: string } },
): void {
  const { workspaceId, phoneNumberId } = lane
  lane.closed = true
  const change = { workspaceId, phoneNumberId, state, reason: error.message, code: error.code, tokenSealed }
  setNumberStates(dispatcher.database.query, [{ ...change, at: dispatcher.clock.now() }])
    .catch(dispatcher.onError)
    .finally(() => {
      if (dispatcher.lanes.get(phoneNumberId) !== lane) return
      lane.pairs.clear()
      release(dispatcher, [lane]).catch(dispatcher.onError)
    })
}
