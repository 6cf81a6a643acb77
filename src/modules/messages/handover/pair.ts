/**
 * A number and one of its recipients. Their messages keep their order: one at a time, and none past
 * one that has to wait. The operator takes 45 at once and then one in six seconds (docs/formats.md section
 * 12). All times are real time in milliseconds.
 */
import { SECOND_MS } from '../../../core/clock.ts'
import { waitMs } from './verdict.ts'

const BURST = 45
/** A little more than the operator's six seconds: its clock and ours are not the same. */
const REFILL_MS = 6.1 * SECOND_MS

/** A waiting message as the lane's look-ahead knows it. */
export type Waiting = {
  workspaceId: string
  id: string
  conversationId: string
  runAtMs: number
  /** A campaign's, which lets ordinary ones go first. */
  campaign?: boolean
}

export type Pair = {
  /** Where the bucket of 45 stands: full when this is past. */
  fullAtMs: number
  /** One of them is being handed over, or is next. */
  busy: boolean
  /** Those behind it, in order. */
  waiting: Waiting[]
  /** Nothing goes before. */
  heldUntilMs: number
  /** Messages were put off until times up to this one: what comes new goes behind them. */
  putOffUntilMs: number
  /** The last of those put off; ids rise. */
  lastPutOff: string
  /** Throttled so often in a row. */
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

/** A pair of which another process put messages off until `untilMs`, the last of them `lastPutOff`. */
export const pairPutOff = (untilMs: number, lastPutOff: string, nowMs: number): Pair => ({
  ...newPair(),
  fullAtMs: nowMs + BURST * REFILL_MS,
  putOffUntilMs: untilMs,
  lastPutOff,
})

/** Whether nothing need be remembered of it. */
export const isIdle = (pair: Pair, nowMs: number): boolean =>
  !pair.busy && pair.fullAtMs <= nowMs && pair.putOffUntilMs <= nowMs && pair.heldUntilMs <= nowMs

const nextFreeMs = (pair: Pair): number => pair.fullAtMs - (BURST - 1) * REFILL_MS

const putOff = (pair: Pair, id: string, untilMs: number): number => {
  pair.putOffUntilMs = Math.max(pair.putOffUntilMs, untilMs)
  if (id > pair.lastPutOff) pair.lastPutOff = id
  return untilMs
}

/** Lets a due message of the pair in, as its next or behind the others; or says until when it is put off. */
export function admit(pair: Pair, message: Waiting, nowMs: number): 'next' | 'behind' | number {
  const newcomer = message.id > pair.lastPutOff
  const freeMs = nextFreeMs(pair)
  if (pair.heldUntilMs > nowMs) return putOff(pair, message.id, pair.heldUntilMs)
  if (newcomer && pair.putOffUntilMs > nowMs)
    return putOff(pair, message.id, pair.putOffUntilMs + (freeMs > nowMs ? REFILL_MS : 0))
  if (freeMs > nowMs) {
    // One that had its turn already keeps its place: those behind it wait until then, too.
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

/** The message under way has its answer, or was not begun: the pair's next one, if any. */
export function goOn(pair: Pair): Waiting | undefined {
  const next = pair.waiting.shift()
  pair.busy = next !== undefined
  return next
}

/** Gives back the place in the bucket of a message that did not go out. */
const unspend = (pair: Pair, messages: number): void => {
  pair.fullAtMs -= messages * REFILL_MS
}

/** The message under way has to wait until `untilMs`: so do those behind it, which are returned to be put off. */
export function holdBack(pair: Pair, id: string, untilMs: number): Waiting[] {
  const behind = pair.waiting
  pair.waiting = []
  pair.busy = false
  pair.heldUntilMs = Math.max(pair.heldUntilMs, untilMs)
  unspend(pair, behind.length + 1)
  putOff(pair, id, untilMs)
  for (const message of behind) putOff(pair, message.id, untilMs)
  return behind
}

/** Forgets what of the pair was fetched and has not begun. */
export function forgetWaiting(pair: Pair): void {
  unspend(pair, pair.waiting.length + (pair.busy ? 1 : 0))
  pair.waiting = []
  pair.busy = false
}

/** The operator found the pair too busy: how long it is left alone, at least `atLeastMs`. */
export function strikePair(pair: Pair, atLeastMs: number): number {
  const ms = Math.max(atLeastMs, waitMs('pair', pair.strikes))
  pair.strikes++
  return ms
}
