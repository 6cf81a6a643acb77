/** Begins the calls that pace and places allow, and draws the consequences of their answers. */
import { later, SECOND_MS } from '../../../core/clock.ts'
import { type NumberState, setNumberStates } from '../../workspaces/operations/number-state.ts'
import { outboundOf } from '../sending/outbound-touch.ts'
import { type Call, type Desk, forget } from './desk.ts'
import { type Lane, makeReady, pauseLane, roomOf, spareRoomOf, wentWell, wentWrong } from './lane.ts'
import { isHeld, letGo } from './lane-leases.ts'
import { putOffUntil } from './look-ahead.ts'
import type { Outcome } from './outcome-writer.ts'
import { goOn, holdBack, type Pair, strikePair, type Waiting } from './pair.ts'
import { type Begun, beginHandovers } from './queries/handovers.ts'
import { pauseLaneRow } from './queries/lanes.ts'
import { type Verdict, verdictOf, waitMs } from './verdict.ts'

/** A call takes at most 30 seconds, then a receipt is waited for a minute; a little more for the writing. */
export const HANDOVER_LEASE_MS = 95 * SECOND_MS
/** Calls at once. One that takes longer than a second no longer counts among those that others wait for. */
const MOST_QUICK = 384
const MOST_SLOW = 512
/** The operator's connections have to suffice for all of them: none waits for one that hangs. */
export const HANDOVERS_AT_ONCE = MOST_QUICK + MOST_SLOW
const SLOW_AFTER_MS = SECOND_MS
/** Of the quick ones' places, those that messages of campaigns leave free. */
const LEFT_FREE = 32

type Chosen = { lane: Lane; message: Waiting }
/** A message as it waited, and what went out of it. */
type Tried = { message: Waiting; begun: Begun }

/** What may begin now: of each lane its share of the free places, as far as its pace and its width allow. */
function choose(desk: Desk): Chosen[] {
  const nowMs = desk.clock.now().getTime()
  const nowMonotonicMs = desk.clock.monotonicMs()
  const free = MOST_QUICK - (desk.calls.size - desk.slow)
  const open = [...desk.lanes.values()].filter(
    (lane) => lane.ready.length + lane.spare.length > 0 && lane.pausedUntilMs <= nowMs && isHeld(lane, nowMs),
  )
  const share = Math.max(1, Math.ceil(free / open.length))
  const chosen: Chosen[] = []
  for (const lane of open) {
    if (chosen.length >= free) break
    // Whoever hangs may hold what it has, and no more.
    if (desk.slow >= MOST_SLOW && lane.inFlight > 0) continue
    const most = Math.min(roomOf(lane, nowMonotonicMs), share, free - chosen.length)
    if (most === 0) continue
    for (const message of lane.ready.splice(0, most)) chosen.push({ lane, message })
    lane.queued -= most
    take(desk, lane, most)
  }
  // Campaigns take what is left over when everybody else has chosen.
  for (const lane of open) {
    const left = free - LEFT_FREE - chosen.length
    if (left <= 0) break
    if (desk.slow >= MOST_SLOW && lane.inFlight > 0) continue
    const most = Math.min(spareRoomOf(lane), share, left)
    if (most === 0) continue
    for (const message of lane.spare.splice(0, most)) chosen.push({ lane, message })
    take(desk, lane, most)
  }
  return chosen
}

function take(desk: Desk, lane: Lane, messages: number): void {
  lane.tokens -= messages
  lane.inFlight += messages
  // To the end of the line: next time others choose first.
  desk.lanes.delete(lane.phoneNumberId)
  desk.lanes.set(lane.phoneNumberId, lane)
}

/** Begins what may begin. Answers whether anything did. */
export async function beginCalls(desk: Desk): Promise<boolean> {
  const chosen = choose(desk)
  if (chosen.length === 0) return false
  const calls = chosen.map(({ lane }) => startCall(desk, lane))
  let begun: Map<string, Begun>
  try {
    const now = desk.clock.now()
    const rows = await beginHandovers(
      desk.database.query,
      chosen.map(({ message }) => message),
      { now, until: later(now, HANDOVER_LEASE_MS) },
    )
    begun = new Map(rows.map((row) => [row.id, row]))
  } catch (error) {
    for (const [i, { lane, message }] of chosen.entries()) {
      endCall(desk, calls[i]!)
      if (message.campaign) lane.spare.unshift(message)
      else {
        lane.ready.unshift(message)
        lane.queued++
      }
    }
    throw error
  }
  for (const [i, { lane, message }] of chosen.entries()) {
    const row = begun.get(message.id)
    if (row && row.skip === null) void handOver(desk, calls[i]!, message, row)
    else if (row?.skip) {
      endCall(desk, calls[i]!)
      const outcome: Outcome = { kind: 'skipped', reason: row.skip }
      desk.writer.add({ workspaceId: lane.workspaceId, id: row.id, outcome }, () =>
        forget(desk, lane, row.id),
      )
      advance(desk, lane, lane.pairs.get(message.conversationId))
    } else {
      // No longer due: a receipt came, it was erased, its campaign was paused, or somebody else began it.
      endCall(desk, calls[i]!)
      forget(desk, lane, message.id)
      advance(desk, lane, lane.pairs.get(message.conversationId))
    }
  }
  return true
}

function startCall(desk: Desk, lane: Lane): Call {
  const call: Call = { lane, startedAtMs: desk.clock.monotonicMs(), slow: false }
  desk.calls.add(call)
  return call
}

function endCall(desk: Desk, call: Call): void {
  desk.calls.delete(call)
  call.lane.inFlight--
  if (call.slow) desk.slow--
}

/** Marks the calls that take long, so that they take nobody else's place. */
export function markSlow(desk: Desk): void {
  const nowMs = desk.clock.monotonicMs()
  for (const call of desk.calls) {
    if (nowMs - call.startedAtMs <= SLOW_AFTER_MS) break
    if (!call.slow) {
      call.slow = true
      desk.slow++
    }
  }
}

async function handOver(desk: Desk, call: Call, message: Waiting, begun: Begun): Promise<void> {
  const { lane } = call
  const { number } = lane
  const handover = await desk.operator.send(number, outboundOf(begun))
  endCall(desk, call)
  const nowMs = desk.clock.now().getTime()
  const verdict = verdictOf(handover, {
    tries: begun.handovers,
    // A campaign's message may have waited for days before its first try; it can be cancelled, so it does not grow too old.
    ageMs: begun.broadcastId === null ? nowMs - begun.createdAtMs : 0,
  })
  const outcome = consequence(desk, lane, { message, begun }, verdict, nowMs)
  desk.writer.add({ workspaceId: message.workspaceId, id: message.id, outcome }, () =>
    forget(desk, lane, message.id),
  )
  if (verdict.kind === 'disconnected') closeNumber(desk, lane, number.tokenSealed, 'disconnected', verdict)
  else if (verdict.kind === 'failed' && verdict.blocks)
    closeNumber(desk, lane, undefined, verdict.blocks, verdict)
  desk.pump()
}

/** What the verdict means for the lane, for the pair, and for the message. */
function consequence(desk: Desk, lane: Lane, tried: Tried, verdict: Verdict, nowMs: number): Outcome {
  const { message } = tried
  const pair = lane.pairs.get(message.conversationId)
  if (verdict.kind === 'again') return waitAgain(desk, lane, pair, tried, verdict, nowMs)
  if (verdict.kind === 'disconnected')
    return { kind: 'again', runAt: later(new Date(0), message.runAtMs), counted: false }
  if (verdict.kind === 'unknown')
    pauseAfterFault(desk, lane, 'The operator does not answer as it should.', nowMs)
  else if (verdict.kind === 'failed' && verdict.error.category === 'transient')
    pauseAfterFault(desk, lane, verdict.error.message, nowMs)
  else wentWell(lane, nowMs)
  if (verdict.kind === 'accepted' && pair) pair.strikes = 0
  advance(desk, lane, pair)
  return verdict.kind === 'failed' ? { kind: 'failed', error: verdict.error } : verdict
}

function waitAgain(
  desk: Desk,
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
    pauseAfterFault(desk, lane, reason, nowMs)
  } else if (hold === 'pair') untilMs = nowMs + (pair ? strikePair(pair, atLeastMs) : atLeastMs)
  else {
    const pausedUntilMs = pauseLane(lane, hold, atLeastMs, nowMs)
    if (pausedUntilMs !== undefined) tellPause(desk, lane, reason)
    untilMs = lane.pausedUntilMs
  }
  if (pair)
    for (const behind of holdBack(pair, message.id, untilMs)) {
      if (!behind.campaign) lane.queued--
      putOffUntil(desk, lane, behind, untilMs)
    }
  return { kind: 'again', runAt: later(new Date(0), untilMs), counted: hold === 'message' }
}

function pauseAfterFault(desk: Desk, lane: Lane, reason: string, nowMs: number): void {
  if (wentWrong(lane, nowMs) !== undefined) tellPause(desk, lane, reason)
}

/** For other processes, and for people who ask why nothing goes. */
function tellPause(desk: Desk, lane: Lane, reason: string): void {
  const pause = { holder: desk.holder, until: later(new Date(0), lane.pausedUntilMs), reason }
  pauseLaneRow(desk.database.query, lane, pause).catch(desk.onError)
}

/** The pair's next message is ready, if it has one. */
function advance(desk: Desk, lane: Lane, pair: Pair | undefined): void {
  const next = pair && goOn(pair)
  if (next) makeReady(lane, next)
  lane.busyAtMs = desk.clock.monotonicMs()
}

/**
 * The operator takes nothing from the number: its messages wait in the database until it is mended. A
 * token that was replaced meanwhile is not blamed for the old one.
 */
function closeNumber(
  desk: Desk,
  lane: Lane,
  tokenSealed: Buffer | undefined,
  state: NumberState,
  { error }: { error: { code: number; message: string } },
): void {
  const { workspaceId, phoneNumberId } = lane
  const change = { workspaceId, phoneNumberId, state, reason: error.message, code: error.code, tokenSealed }
  setNumberStates(desk.database.query, [{ ...change, at: desk.clock.now() }])
    .catch(desk.onError)
    .finally(() => {
      if (desk.lanes.get(phoneNumberId) !== lane) return
      lane.pairs.clear()
      letGo(desk, [lane]).catch(desk.onError)
    })
}
