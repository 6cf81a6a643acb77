/**
 * A number and one of its recipients. Their messages keep their order: one at a time, and none overtakes a
 * message that waits. The operator takes 45 immediately and then one every six seconds (docs/formats.md
 * section 12). All times are real time in milliseconds.
 */
import { SECOND_MS } from '../../../../core/clock.ts'
import type { LateReason } from '../trace-schema.ts'
import { waitMs } from './verdict.ts'

const BURST = 45
/** Slightly more than the operator's six seconds, because its clock and ours differ. */
const REFILL_MS = 6.1 * SECOND_MS

/** A waiting message as look-ahead reads it. */
export type Waiting = {
  workspaceId: string
  id: string
  conversationId: string
  runAtMs: number
  /** True if the message belongs to a campaign: ordinary messages go first. */
  campaign?: boolean
  /** When it was fetched, and when the messages before it in its chat had gone (real time). */
  knownAtMs?: number
  readyAtMs?: number
  /** Why it was fetched more than a second after it was due. */
  late?: LateReason | undefined
}

export type Pair = {
  /** When the bucket of 45 will be full again; full if this time is past. */
  fullAtMs: number
  /** True if one of the pair's messages is being submitted, or is next. */
  busy: boolean
  /** The messages after it, in order. */
  waiting: Waiting[]
  /** Nothing is sent before this time. */
  heldUntilMs: number
  /** The latest time until which messages were put off: new messages queue after them. */
  putOffUntilMs: number
  /** The last message put off; ids ascend. */
  lastPutOff: string
  /** The number of consecutive times that the operator throttled the pair. */
  strikes: number
}

export const newPair = (): Pair => ({
  fullAtMs: 0,
  busy: false,
  waiting: [],
  heldUntilMs: 0,
  putOffUntilMs: 0,
  lastPutOff: '',
  strikes: 0,
})

/** Builds a pair whose messages another process put off until `untilMs`, the last of them `lastPutOff`. */
export const pairPutOff = (untilMs: number, lastPutOff: string, nowMs: number): Pair => ({
  ...newPair(),
  fullAtMs: nowMs + BURST * REFILL_MS,
  putOffUntilMs: untilMs,
  lastPutOff,
})

/** Returns whether the process can forget the pair. */
export const isIdle = (pair: Pair, nowMs: number): boolean =>
  !pair.busy && pair.fullAtMs <= nowMs && pair.putOffUntilMs <= nowMs && pair.heldUntilMs <= nowMs

const nextFreeMs = (pair: Pair): number => pair.fullAtMs - (BURST - 1) * REFILL_MS

const putOff = (pair: Pair, id: string, untilMs: number): number => {
  pair.putOffUntilMs = Math.max(pair.putOffUntilMs, untilMs)
  if (id > pair.lastPutOff) pair.lastPutOff = id
  return untilMs
}

/** Admits a due message of the pair as next or after the others, or returns until when it is put off. */
export function admit(pair: Pair, message: Waiting, nowMs: number): 'next' | 'behind' | number {
  const newcomer = message.id > pair.lastPutOff
  const freeMs = nextFreeMs(pair)
  if (pair.heldUntilMs > nowMs) return putOff(pair, message.id, pair.heldUntilMs)
  if (newcomer && pair.putOffUntilMs > nowMs)
    return putOff(pair, message.id, pair.putOffUntilMs + (freeMs > nowMs ? REFILL_MS : 0))
  if (freeMs > nowMs) {
    // A message that already had its turn keeps its place: the messages after it also wait until then.
    if (!newcomer) pair.heldUntilMs = freeMs
    return putOff(pair, message.id, freeMs)
  }
  pair.fullAtMs = Math.max(pair.fullAtMs, nowMs) + REFILL_MS
  if (pair.busy) {
    pair.waiting.push(message)
    return 'behind'
  }
  pair.busy = true
  return 'next'
}

/** Returns the pair's next message, if any, after the current one was answered or did not begin. */
export function takeNextWaiting(pair: Pair): Waiting | undefined {
  const next = pair.waiting.shift()
  pair.busy = next !== undefined
  return next
}

/** Returns the bucket places of messages that did not go out. */
const refundTokens = (pair: Pair, messages: number): void => {
  pair.fullAtMs -= messages * REFILL_MS
}

/**
 * Holds the pair until `untilMs` after its current message has to wait. Returns the messages after it, to be
 * put off.
 */
export function holdBack(pair: Pair, id: string, untilMs: number): Waiting[] {
  const heldBack = pair.waiting
  pair.waiting = []
  pair.busy = false
  pair.heldUntilMs = Math.max(pair.heldUntilMs, untilMs)
  refundTokens(pair, heldBack.length + 1)
  putOff(pair, id, untilMs)
  for (const message of heldBack) putOff(pair, message.id, untilMs)
  return heldBack
}

/** Forgets the pair's fetched messages that have not begun. */
export function forgetWaiting(pair: Pair): void {
  refundTokens(pair, pair.waiting.length + (pair.busy ? 1 : 0))
  pair.waiting = []
  pair.busy = false
}

/** Records that the operator throttled the pair. Returns how long to pause it, at least `atLeastMs`. */
export function strikePair(pair: Pair, atLeastMs: number): number {
  const ms = Math.max(atLeastMs, waitMs('pair', pair.strikes))
  pair.strikes++
  return ms
}
