/** Which lanes this process works on: taken under a lease, renewed while it lives, let go when there is nothing to do. */
import { later, SECOND_MS } from '../../../core/clock.ts'
import type { Desk } from './desk.ts'
import { type Lane, newLane } from './lane.ts'
import { forgetWaiting, isIdle, pairPutOff } from './pair.ts'
import { type LaneKey, listPutOff, releaseLanes, renewLanes, takeLanes } from './queries/lanes.ts'

/** A killed process's lanes are free after this long; a living one renews in time. */
const LANE_LEASE_MS = 10 * SECOND_MS
export const RENEW_EVERY_MS = 2.5 * SECOND_MS
/** A lease that ends so soon is not relied on. */
const MARGIN_MS = 2 * SECOND_MS
const MOST_LANES = 2_000
const MOST_RESTING = 5_000

/** Whether this process alone may begin the lane's messages. */
export const isHeld = (lane: Lane, nowMs: number): boolean => lane.leasedUntilMs - MARGIN_MS > nowMs

/** Takes those lanes that are free; returns them. */
export async function takeFreeLanes(desk: Desk, numbers: LaneKey[]): Promise<Lane[]> {
  const wanted = numbers.slice(0, Math.max(0, MOST_LANES - desk.lanes.size))
  if (wanted.length === 0) return []
  const now = desk.clock.now()
  const until = later(now, LANE_LEASE_MS)
  const taken = await takeLanes(desk.database.query, wanted, { holder: desk.holder, now, until })
  const lanes: Lane[] = []
  const strange: Lane[] = []
  for (const { workspaceId, phoneNumberId, strikes, kept } of taken) {
    const number = await desk.number(workspaceId, phoneNumberId)
    if (!number) continue
    const rested = kept ? desk.resting.get(phoneNumberId) : undefined
    const lane = rested ?? { ...newLane(workspaceId, number), asOfMs: desk.clock.monotonicMs() }
    desk.resting.delete(phoneNumberId)
    Object.assign(lane, { number, strikes, more: true, moreSpare: true, leasedUntilMs: until.getTime() })
    lane.busyAtMs = desk.clock.monotonicMs()
    lanes.push(lane)
    if (!rested) strange.push(lane)
  }
  await learnPutOff(desk, strange, now)
  for (const lane of lanes) desk.lanes.set(lane.phoneNumberId, lane)
  return lanes
}

/** What another process put off keeps its place before what comes new. */
async function learnPutOff(desk: Desk, lanes: Lane[], now: Date): Promise<void> {
  if (lanes.length === 0) return
  const byNumber = new Map(lanes.map((lane) => [lane.phoneNumberId, lane]))
  for (const row of await listPutOff(desk.database.query, lanes, now))
    byNumber
      .get(row.phoneNumberId)
      ?.pairs.set(row.conversationId, pairPutOff(row.until.getTime(), row.lastId, now.getTime()))
}

/** Lengthens all leases. A lane that somebody else has taken meanwhile is dropped. */
export async function renewLeases(desk: Desk): Promise<void> {
  const lanes = [...desk.lanes.values()]
  const until = later(desk.clock.now(), LANE_LEASE_MS)
  const renewed = await renewLanes(desk.database.query, lanes, { holder: desk.holder, until })
  const held = new Set(renewed.map((row) => row.phoneNumberId))
  for (const lane of lanes)
    if (held.has(lane.phoneNumberId)) lane.leasedUntilMs = until.getTime()
    else dropLane(desk, lane)
}

/** Forgets what was fetched ahead; calls under way come to their end. */
function empty(desk: Desk, lane: Lane): void {
  desk.known -= lane.known.size
  lane.known.clear()
  lane.ready = []
  lane.queued = 0
  lane.spare = []
  lane.lookedTo = null
  lane.leasedUntilMs = 0
  for (const pair of lane.pairs.values()) forgetWaiting(pair)
  if (desk.lanes.get(lane.phoneNumberId) === lane) desk.lanes.delete(lane.phoneNumberId)
}

/** Forgets a lane that is another's now, or whose number cannot send. */
function dropLane(desk: Desk, lane: Lane): void {
  lane.pairs.clear()
  empty(desk, lane)
}

/** Lets lanes go that have no call under way, so that any process may take them. */
export async function letGo(desk: Desk, lanes: Lane[]): Promise<void> {
  if (lanes.length === 0) return
  const nowMs = desk.clock.now().getTime()
  const leases = lanes.map(({ workspaceId, phoneNumberId, strikes, leasedUntilMs }) => ({
    workspaceId,
    phoneNumberId,
    strikes,
    until: later(new Date(0), leasedUntilMs),
  }))
  for (const lane of lanes) {
    empty(desk, lane)
    sweepPairs(lane, nowMs)
    if (lane.pairs.size > 0) desk.resting.set(lane.phoneNumberId, lane)
  }
  for (const id of desk.resting.keys()) {
    if (desk.resting.size <= MOST_RESTING) break
    desk.resting.delete(id)
  }
  await releaseLanes(desk.database.query, leases, desk.holder)
}

/** Forgets the pairs of which nothing need be remembered. */
export function sweepPairs(lane: Lane, nowMs: number): void {
  for (const [conversationId, pair] of lane.pairs) if (isIdle(pair, nowMs)) lane.pairs.delete(conversationId)
}
