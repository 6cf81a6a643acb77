/**
 * A number's lane: how fast it may go and how many of its messages may be in the operator's hands at
 * once. It opens narrow, widens with each success and falls back to one after trouble, so that an
 * operator that recovers meets no herd and a number in trouble holds little.
 */
import { SECOND_MS } from '../../../core/clock.ts'
import { NARROW, NARROWEST, widened } from '../../../dispatch/slow-start.ts'
import type { SendingNumber } from './dispatcher.ts'
import type { Pair, Waiting } from './pair.ts'
import { waitMs } from './verdict.ts'

export type Lane = {
  workspaceId: string
  phoneNumberId: string
  /** As it was when last looked at. */
  number: SendingNumber
  /** Places in its bucket, as of `asOfMs` (monotonic). */
  tokens: number
  asOfMs: number
  /** Messages that may be with the operator at once, and that are. */
  limit: number
  inFlight: number
  /** Heads of their pairs, ready to go, in order; `queued` counts those behind them, too. */
  ready: Waiting[]
  queued: number
  /** The same of campaigns: they take what the others leave over. When they were last looked for, and whether more are due. */
  campaignQueue: Waiting[]
  campaignLookedAtMs: number
  hasMoreCampaign: boolean
  pairs: Map<string, Pair>
  /** Messages of which it is being written that their calls have not begun: then they are ready again. */
  takenBack: Set<Waiting>
  /** Everything in this process's hands, by message id. */
  known: Set<string>
  /** More may be due than was looked at; after which one; when it was last looked at (monotonic). */
  more: boolean
  lookedTo: { runAtMs: number; id: string } | null
  lookedAtMs: number
  /** Real time until which this process alone works on it; 0: it does not. */
  leasedUntilMs: number
  /** Real time before which nothing goes. */
  pausedUntilMs: number
  /** The operator takes nothing from its number: nothing more begins until it is claimed anew. */
  closed: boolean
  /** Pauses in a row, and faults in a row. */
  strikes: number
  faults: number
  /** When it last had something to do (monotonic). */
  busyAtMs: number
}

/** Enough for a second's worth of messages, within these bounds. */
const WIDE_LEAST = 32
const MAX_WIDE = 256
/** Together they add up to the number's throughput in any second. */
const STEADY_SHARE = 0.95
const BURST_SHARE = 0.05
/** One, and what gathers between two looks, so that a slow number loses nothing. */
const LEAST_BURST = 1.4
/** From the third fault in a row on the lane pauses: each costs a message that nobody can be sure of. */
const FAULTS_BORNE = 2
const LOOK_EVERY_MS = 200
const LOOK_AT_LEAST_EVERY_MS = SECOND_MS
const MET_AGAIN_CHEAPLY = 8

export const newLane = (workspaceId: string, number: SendingNumber): Lane => ({
  workspaceId,
  phoneNumberId: number.id,
  number,
  tokens: 1,
  asOfMs: 0,
  limit: NARROW,
  inFlight: 0,
  ready: [],
  queued: 0,
  campaignQueue: [],
  campaignLookedAtMs: 0,
  hasMoreCampaign: true,
  pairs: new Map(),
  takenBack: new Set(),
  known: new Set(),
  more: true,
  lookedTo: null,
  lookedAtMs: 0,
  leasedUntilMs: 0,
  pausedUntilMs: 0,
  closed: false,
  strikes: 0,
  faults: 0,
  busyAtMs: 0,
})

/** How many messages are fetched ahead: about a second's worth. */
export const aheadOf = (lane: Lane): number => Math.min(512, Math.max(64, lane.number.throughput))

/** Whether it is worth looking for more: what is left is gone in a twentieth of a second. */
export const runsLow = (lane: Lane): boolean => lane.queued <= Math.max(8, lane.number.throughput / 20)

/** How often a lane that runs low is looked at: a look meets again what is in hand, so the more that is, the less often. */
export const lookEveryMs = (lane: Lane): number =>
  Math.min(LOOK_AT_LEAST_EVERY_MS, LOOK_EVERY_MS * (1 + lane.known.size / MET_AGAIN_CHEAPLY))

/** How many messages may begin now, given what is ready; the pace is kept in any second. */
export function roomOf(lane: Lane, nowMonotonicMs: number): number {
  const max = Math.max(LEAST_BURST, lane.number.throughput * BURST_SHARE)
  const perMs = (lane.number.throughput * STEADY_SHARE) / SECOND_MS
  lane.tokens = Math.min(max, lane.tokens + (nowMonotonicMs - lane.asOfMs) * perMs)
  lane.asOfMs = nowMonotonicMs
  return Math.max(0, Math.min(lane.ready.length, lane.limit - lane.inFlight, Math.floor(lane.tokens)))
}

/** Whether it is worth looking for more of its campaigns. */
export const runsLowOnCampaigns = (lane: Lane): boolean =>
  lane.campaignQueue.length <= Math.max(8, lane.number.throughput / 20)

/**
 * How many messages of campaigns may begin now, after the ordinary ones: a quarter of the places, and one message of the
 * pace where there is more than one, are left for whoever comes next.
 */
export function campaignRoomOf(lane: Lane): number {
  const places = Math.max(1, lane.limit - Math.ceil(lane.limit / 4)) - lane.inFlight
  const kept = lane.number.throughput * BURST_SHARE >= 3 ? 1 : 0
  return Math.max(0, Math.min(lane.campaignQueue.length, places, Math.floor(lane.tokens - kept)))
}

/** A message is ready to go. */
export function makeReady(lane: Lane, message: Waiting): void {
  if (message.campaign) lane.campaignQueue.push(message)
  else lane.ready.push(message)
}

/** Somebody ordinary waits behind a campaign's message to the same person: that one goes at once, so that they keep their order. */
export function promote(lane: Lane, conversationId: string): void {
  const at = lane.campaignQueue.findIndex((one) => one.conversationId === conversationId)
  const [before] = at < 0 ? [] : lane.campaignQueue.splice(at, 1)
  if (!before) return
  before.campaign = false
  lane.ready.unshift(before)
  lane.queued++
}

/** The operator answered as it should. What began before a pause says nothing about its end. */
export function wentWell(lane: Lane, nowMs: number): void {
  if (lane.pausedUntilMs > nowMs) return
  const wide = Math.min(MAX_WIDE, Math.max(WIDE_LEAST, lane.number.throughput))
  lane.limit = widened(lane.limit, wide)
  lane.faults = 0
  lane.strikes = 0
}

/** The operator holds the whole number up. Returns the end of a pause that begins; undefined while one is on. */
export function pauseLane(
  lane: Lane,
  hold: 'throttle' | 'quality' | 'unreachable',
  atLeastMs: number,
  nowMs: number,
): number | undefined {
  lane.limit = NARROWEST
  if (lane.pausedUntilMs > nowMs) return undefined
  lane.pausedUntilMs = nowMs + Math.max(atLeastMs, waitMs(hold, lane.strikes))
  lane.strikes++
  return lane.pausedUntilMs
}

/** A message met a fault that may be its own. Many in a row are the number's. */
export function wentWrong(lane: Lane, nowMs: number): number | undefined {
  lane.limit = NARROWEST
  lane.faults++
  return lane.faults > FAULTS_BORNE ? pauseLane(lane, 'unreachable', 0, nowMs) : undefined
}
