/**
 * A number's lane: its pace, and how many of its messages may be with the operator in parallel. It opens
 * narrow, widens with each success, and narrows to one after trouble, to protect a recovering operator and to
 * risk few messages of a number in trouble.
 */
import { SECOND_MS } from '../../../../core/clock.ts'
import { NARROW, NARROWEST, widened } from '../../../../dispatch/slow-start.ts'
import type { SendingNumber } from './dispatcher.ts'
import type { Pair, Waiting } from './pair.ts'
import { waitMs } from './verdict.ts'

export type Lane = {
  workspaceId: string
  phoneNumberId: string
  /** The number as last read. */
  number: SendingNumber
  /** Places in its token bucket at `asOfMs` (monotonic). */
  tokens: number
  asOfMs: number
  /** Messages that may be with the operator in parallel, and those that are. */
  limit: number
  inFlight: number
  /**
   * The first messages of their pairs, ready to go, in order; `queued` also counts the messages after them.
   */
  ready: Waiting[]
  queued: number
  /**
   * The same for campaigns, which use the places that other messages leave free; when campaign messages were
   * last fetched, and whether more are due.
   */
  campaignQueue: Waiting[]
  campaignLookedAtMs: number
  hasMoreCampaign: boolean
  pairs: Map<string, Pair>
  /** Messages whose begin is being undone in the database; they are ready again afterwards. */
  takenBack: Set<Waiting>
  /** The ids of all messages of this lane in this process. */
  known: Set<string>
  /**
   * `more`: more messages may be due. `lookedTo`: the message after which to continue. `lookedAtMs`: the
   * monotonic time of the last fetch.
   */
  more: boolean
  lookedTo: { runAtMs: number; id: string } | null
  lookedAtMs: number
  /** Real time at which this process began to work on the lane, and the end of the last known pause before. */
  claimedAtMs: number
  troubleUntilMs: number
  /** Real time until which only this process works on the lane; 0: it does not. */
  leasedUntilMs: number
  /** Real time before which nothing is sent. */
  pausedUntilMs: number
  /** The operator accepts nothing from the number: nothing begins until the lane is claimed again. */
  closed: boolean
  /** Pauses in a row, and faults in a row. */
  strikes: number
  faults: number
  /** When the lane last had something to do (monotonic). */
  busyAtMs: number
}

/** Bounds of the lane's width, which otherwise suffices for one second of messages. */
const WIDE_LEAST = 32
const MAX_WIDE = 256
/** Together these shares add up to the number's throughput in any second. */
const STEADY_SHARE = 0.95
const BURST_SHARE = 0.05
/** One message plus those that accumulate between two checks, so that a slow number loses no throughput. */
const LEAST_BURST = 1.4
/**
 * The lane pauses from the third fault in a row, because each fault leaves a message with an unknown outcome.
 */
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
  claimedAtMs: 0,
  troubleUntilMs: 0,
  leasedUntilMs: 0,
  pausedUntilMs: 0,
  closed: false,
  strikes: 0,
  faults: 0,
  busyAtMs: 0,
})

/** The number of messages to fetch ahead: about one second's worth. */
export const aheadOf = (lane: Lane): number => Math.min(512, Math.max(64, lane.number.throughput))

/** Returns whether to fetch more: the rest would be gone in a twentieth of a second. */
export const isRunningLow = (lane: Lane): boolean => lane.queued <= Math.max(8, lane.number.throughput / 20)

/**
 * The interval between fetches for a lane that runs low. Each fetch also reads the messages already in
 * memory, so the interval grows with their number.
 */
export const fetchEveryMs = (lane: Lane): number =>
  Math.min(LOOK_AT_LEAST_EVERY_MS, LOOK_EVERY_MS * (1 + lane.known.size / MET_AGAIN_CHEAPLY))

/** The number of ready messages that may start now, within the limit for any second. */
export function roomOf(lane: Lane, nowMonotonicMs: number): number {
  const max = Math.max(LEAST_BURST, lane.number.throughput * BURST_SHARE)
  const perMs = (lane.number.throughput * STEADY_SHARE) / SECOND_MS
  lane.tokens = Math.min(max, lane.tokens + (nowMonotonicMs - lane.asOfMs) * perMs)
  lane.asOfMs = nowMonotonicMs
  return Math.max(0, Math.min(lane.ready.length, lane.limit - lane.inFlight, Math.floor(lane.tokens)))
}

/** Returns whether to fetch more messages of its campaigns. */
export const runsLowOnCampaigns = (lane: Lane): boolean =>
  lane.campaignQueue.length <= Math.max(8, lane.number.throughput / 20)

/**
 * The number of campaign messages that may start now, after ordinary ones. A quarter of the places, and one
 * message of the pace if it allows more than one, stay free for the next ordinary message.
 */
export function campaignRoomOf(lane: Lane): number {
  const places = Math.max(1, lane.limit - Math.ceil(lane.limit / 4)) - lane.inFlight
  const reserved = lane.number.throughput * BURST_SHARE >= 3 ? 1 : 0
  return Math.max(0, Math.min(lane.campaignQueue.length, places, Math.floor(lane.tokens - reserved)))
}

/** Makes a message ready to go. */
export function makeReady(lane: Lane, message: Waiting): void {
  if (message.campaign) lane.campaignQueue.push(message)
  else lane.ready.push(message)
}

/**
 * Sends a campaign's message immediately when an ordinary message to the same customer waits after it, to
 * keep their order.
 */
export function promote(lane: Lane, conversationId: string): void {
  const index = lane.campaignQueue.findIndex((waiting) => waiting.conversationId === conversationId)
  const [before] = index < 0 ? [] : lane.campaignQueue.splice(index, 1)
  if (!before) return
  before.campaign = false
  lane.ready.unshift(before)
  lane.queued++
}

/** Records a successful answer. Calls that began before a pause do not end it. */
export function widenLane(lane: Lane, nowMs: number): void {
  if (lane.pausedUntilMs > nowMs) return
  const maxLimit = Math.min(MAX_WIDE, Math.max(WIDE_LEAST, lane.number.throughput))
  lane.limit = widened(lane.limit, maxLimit)
  lane.faults = 0
  lane.strikes = 0
}

/** Pauses the whole number. Returns the end of a new pause; undefined while a pause is already active. */
export function pauseLane(
  lane: Lane,
  hold: 'throttle' | 'quality' | 'unreachable',
  atLeastMs: number,
  nowMs: number,
): number | undefined {
  lane.limit = NARROWEST
  if (lane.pausedUntilMs > nowMs) return undefined
  lane.pausedUntilMs = nowMs + Math.max(atLeastMs, waitMs(hold, lane.strikes))
  lane.troubleUntilMs = lane.pausedUntilMs
  lane.strikes++
  return lane.pausedUntilMs
}

/** Records a fault that may concern only one message. Many faults in a row count against the number. */
export function narrowLane(lane: Lane, nowMs: number): number | undefined {
  lane.limit = NARROWEST
  lane.faults++
  return lane.faults > FAULTS_BORNE ? pauseLane(lane, 'unreachable', 0, nowMs) : undefined
}
