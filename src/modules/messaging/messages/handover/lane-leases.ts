/**
 * The lanes that this process works on: claimed under a lease, renewed while the process lives, released when
 * idle.
 */
import { later, SECOND_MS } from '../../../../core/clock.ts'
import type { Dispatcher } from './dispatcher.ts'
import { type Lane, newLane } from './lane.ts'
import { forgetWaiting, isIdle, pairPutOff } from './pair.ts'
import { claimLanes, type LaneKey, listPutOff, releaseLanes, renewLanes } from './queries/lanes.ts'

/** The lanes of a killed process are free after this time; a live process renews earlier. */
const LANE_LEASE_MS = 10 * SECOND_MS
export const RENEW_EVERY_MS = 2.5 * SECOND_MS
/** A lease that ends within this time is not relied on. */
const MARGIN_MS = 2 * SECOND_MS
const MAX_LANES = 2_000
const MAX_RESTING = 5_000

/** Returns whether only this process may begin the lane's messages. */
export const isHeld = (lane: Lane, nowMs: number): boolean => lane.leasedUntilMs - MARGIN_MS > nowMs

/** Claims those of the lanes that are free, and returns them. */
export async function claimFreeLanes(dispatcher: Dispatcher, numbers: LaneKey[]): Promise<Lane[]> {
  const candidates = numbers.slice(0, Math.max(0, MAX_LANES - dispatcher.lanes.size))
  if (candidates.length === 0) return []
  const now = dispatcher.clock.now()
  const until = later(now, LANE_LEASE_MS)
  const claimed = await claimLanes(dispatcher.database.query, candidates, {
    holder: dispatcher.holder,
    now,
    until,
  })
  const lanes: Lane[] = []
  const unknownOnes: Lane[] = []
  for (const { workspaceId, phoneNumberId, strikes, kept, troubleUntil } of claimed) {
    const number = await dispatcher.number(workspaceId, phoneNumberId)
    if (!number) continue
    const rested = kept ? dispatcher.resting.get(phoneNumberId) : undefined
    const lane = rested ?? { ...newLane(workspaceId, number), asOfMs: dispatcher.clock.monotonicMs() }
    dispatcher.resting.delete(phoneNumberId)
    Object.assign(lane, {
      number,
      strikes,
      more: true,
      hasMoreCampaign: true,
      closed: false,
      claimedAtMs: now.getTime(),
      troubleUntilMs: Math.max(lane.troubleUntilMs, troubleUntil?.getTime() ?? 0),
      leasedUntilMs: until.getTime(),
    })
    lane.busyAtMs = dispatcher.clock.monotonicMs()
    lanes.push(lane)
    if (!rested) unknownOnes.push(lane)
  }
  await applyPutOff(dispatcher, unknownOnes, now)
  for (const lane of lanes) dispatcher.lanes.set(lane.phoneNumberId, lane)
  return lanes
}

/** Messages that another process put off keep their place before new messages. */
async function applyPutOff(dispatcher: Dispatcher, lanes: Lane[], now: Date): Promise<void> {
  if (lanes.length === 0) return
  const byNumber = new Map(lanes.map((lane) => [lane.phoneNumberId, lane]))
  for (const row of await listPutOff(dispatcher.database.query, lanes, now))
    byNumber
      .get(row.phoneNumberId)
      ?.pairs.set(row.conversationId, pairPutOff(row.until.getTime(), row.lastId, now.getTime()))
}

/** Extends all leases. A lane that another process has taken meanwhile is dropped. */
export async function renewLeases(dispatcher: Dispatcher): Promise<void> {
  const lanes = [...dispatcher.lanes.values()]
  const until = later(dispatcher.clock.now(), LANE_LEASE_MS)
  const renewed = await renewLanes(dispatcher.database.query, lanes, { holder: dispatcher.holder, until })
  const held = new Set(renewed.map((row) => row.phoneNumberId))
  for (const lane of lanes)
    if (held.has(lane.phoneNumberId)) lane.leasedUntilMs = until.getTime()
    else dropLane(dispatcher, lane)
}

/** Forgets the messages that were fetched ahead; calls under way finish. */
function empty(dispatcher: Dispatcher, lane: Lane): void {
  dispatcher.known -= lane.known.size
  lane.known.clear()
  lane.ready = []
  lane.queued = 0
  lane.campaignQueue = []
  lane.takenBack.clear()
  lane.lookedTo = null
  lane.leasedUntilMs = 0
  for (const pair of lane.pairs.values()) forgetWaiting(pair)
  if (dispatcher.lanes.get(lane.phoneNumberId) === lane) dispatcher.lanes.delete(lane.phoneNumberId)
}

/** Drops a lane that another process has taken, or whose number cannot send. */
function dropLane(dispatcher: Dispatcher, lane: Lane): void {
  lane.pairs.clear()
  empty(dispatcher, lane)
}

/** Releases lanes without a call under way, so that any process may claim them. */
export async function release(dispatcher: Dispatcher, lanes: Lane[]): Promise<void> {
  if (lanes.length === 0) return
  const nowMs = dispatcher.clock.now().getTime()
  const leases = lanes.map(({ workspaceId, phoneNumberId, strikes, leasedUntilMs }) => ({
    workspaceId,
    phoneNumberId,
    strikes,
    until: later(new Date(0), leasedUntilMs),
  }))
  for (const lane of lanes) {
    empty(dispatcher, lane)
    sweepPairs(lane, nowMs)
    if (lane.pairs.size > 0) dispatcher.resting.set(lane.phoneNumberId, lane)
  }
  for (const id of dispatcher.resting.keys()) {
    if (dispatcher.resting.size <= MAX_RESTING) break
    dispatcher.resting.delete(id)
  }
  await releaseLanes(dispatcher.database.query, leases, dispatcher.holder)
}

/** Forgets the pairs without anything to remember. */
export function sweepPairs(lane: Lane, nowMs: number): void {
  for (const [conversationId, pair] of lane.pairs) if (isIdle(pair, nowMs)) lane.pairs.delete(conversationId)
}
