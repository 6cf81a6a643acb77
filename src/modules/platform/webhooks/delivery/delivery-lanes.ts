/**
 * A lane for each endpoint with open deliveries: its number of parallel attempts, and its queue. It opens
 * narrow, widens with each success, and narrows to one after a failure (docs/reliability.md 2, row 17). After
 * ten failures in a row it only sends probes, until one succeeds (endpoint-health.ts).
 */
import { later } from '../../../../core/clock.ts'
import { NARROW, NARROWEST, widened } from '../../../../dispatch/slow-start.ts'
import type { DueDelivery } from './attempt.ts'

/** A claimed delivery in this process. */
export type HeldDelivery = {
  delivery: DueDelivery
  /** When its data was read, and the read that will replace it (fresh-data.ts). */
  readAtMs: number
  reading: Promise<boolean> | null
  leasedAtMs: number
  /** Null until its attempt starts. */
  startedAtMs: number | null
  slow: boolean
  lane: Lane | null
  settled(): void
}

export type Lane = {
  workspaceId: string
  endpointId: string
  /** The maximum of parallel attempts. */
  limit: number
  inFlight: number
  waiting: HeldDelivery[]
  /** Claimed rows, including those whose result is not written yet. */
  unsettled: number
  /** Failures in a row. */
  failures: number
  /** The due time up to which rows were claimed; rows that were given back are older. */
  claimedUpTo: Date
  /** True if the lane's oldest row was long overdue at the last claim. */
  behind: boolean
  /** True if more rows may be due than the last claim took. */
  more: boolean
  averageMs: number
}

export const WIDE = 32
/** The number of rows to fetch ahead for a lane that answers within this many milliseconds. */
const AHEAD: [withinMs: number, rows: number][] = [
  [20, 512],
  [200, 96],
]
const WEIGHT_OF_LAST = 0.1

/** Failures in a row after which an endpoint only gets probes. */
export const BREAK_AFTER = 10

/** Builds a lane; `isProbing`: the endpoint has failed so often that this is a probe. */
export const newLane = (workspaceId: string, endpointId: string, isProbing = false): Lane => ({
  workspaceId,
  endpointId,
  limit: isProbing ? NARROWEST : NARROW,
  inFlight: 0,
  waiting: [],
  unsettled: 0,
  failures: isProbing ? BREAK_AFTER : 0,
  claimedUpTo: new Date(0),
  behind: false,
  more: false,
  averageMs: Number.POSITIVE_INFINITY,
})

const ahead = (lane: Lane): number =>
  lane.limit < WIDE ? 0 : (AHEAD.find(([withinMs]) => lane.averageMs <= withinMs)?.[1] ?? 0)

/** Returns how many rows a claim may take for the lane. */
export const allowanceOf = (lane: Lane): number =>
  // The time of the next probe is unknown until the failed one is written.
  lane.failures >= BREAK_AFTER && lane.unsettled > 0
    ? 0
    : Math.max(0, lane.limit + ahead(lane) - lane.inFlight - lane.waiting.length)

/**
 * The number of rows that a claim may take for an endpoint: the oldest, and some of the newest if the
 * endpoint is far behind.
 */
export type Allowance = {
  workspaceId: string
  endpointId: string
  rows: number
  newest: number
  /** All rows before this time were claimed or given back. */
  from: Date
}

/** Rows become visible at commit, which may be this much later than the commit of younger rows. */
const LATE_COMMIT_MS = 1_000

/** The share of a claim for new events while an endpoint has a large backlog: one part in this many. */
const NEWEST_PART = 4

/**
 * Returns the allowances of busy lanes. Lanes of one workspace that need rows share its remaining room
 * (`leftOf`) equally; a hanging endpoint needs none and takes nothing from the others.
 */
export function allowancesOf(lanes: readonly Lane[], leftOf: (workspaceId: string) => number): Allowance[] {
  const laneCounts = new Map<string, number>()
  for (const lane of lanes)
    if (allowanceOf(lane) > 0) laneCounts.set(lane.workspaceId, (laneCounts.get(lane.workspaceId) ?? 0) + 1)
  return lanes.map((lane) => {
    const { workspaceId, endpointId } = lane
    const share = Math.ceil(leftOf(workspaceId) / (laneCounts.get(workspaceId) ?? 1))
    const total = Math.min(share, allowanceOf(lane))
    if (total === 0) lane.more = true
    const newest = lane.behind ? Math.floor(total / NEWEST_PART) : 0
    return {
      workspaceId,
      endpointId,
      rows: total - newest,
      newest,
      from: later(lane.claimedUpTo, -LATE_COMMIT_MS),
    }
  })
}

/**
 * Returns whether the lane has so few rows left that a claim is worth a statement. A lane with waiting rows
 * waits until its workspace has room for many (`isRoomy`), because a claim covers all lanes and each would
 * get only a few.
 */
export const isRunningLow = (lane: Lane, isRoomy: (workspaceId: string) => boolean): boolean =>
  lane.more &&
  lane.waiting.length <= ahead(lane) / 2 &&
  allowanceOf(lane) > 0 &&
  (lane.waiting.length === 0 || isRoomy(lane.workspaceId))

/** Updates the lane after an attempt. */
export function learn(lane: Lane, ok: boolean, tookMs: number): void {
  lane.failures = ok ? 0 : lane.failures + 1
  lane.limit = ok ? widened(lane.limit, WIDE) : NARROWEST
  lane.averageMs =
    ok && Number.isFinite(lane.averageMs)
      ? lane.averageMs + (tookMs - lane.averageMs) * WEIGHT_OF_LAST
      : tookMs
}

/** Queues a claimed row in its order, and records up to when the lane's rows were claimed. */
export function queueInLane(lane: Lane, held: HeldDelivery): void {
  const { late, runAt, probing } = held.delivery
  // The few newest rows go first, otherwise they would wait again behind overdue rows.
  if (lane.behind && !late) lane.waiting.unshift(held)
  else lane.waiting.push(held)
  if (!lane.behind || late) lane.claimedUpTo = runAt
  if (probing) lane.more = true
}

/** The maximum of lanes that are remembered for their width. */
const MAX_LANES = 10_000

/**
 * Keeps the lanes of a process by endpoint. Above the maximum, the oldest lane without claimed rows is
 * forgotten.
 */
export function laneMemory() {
  const lanes = new Map<string, Lane>()
  const dropIdleLane = (): void => {
    for (const [id, old] of lanes)
      if (old.inFlight + old.waiting.length === 0) {
        lanes.delete(id)
        return
      }
  }
  return {
    all: () => lanes.values(),
    of: ({ workspaceId, endpointId, probing }: DueDelivery): Lane => {
      const knownLane = lanes.get(endpointId)
      if (knownLane) return knownLane
      const lane = newLane(workspaceId, endpointId, probing)
      lanes.set(endpointId, lane)
      if (lanes.size > MAX_LANES) dropIdleLane()
      return lane
    },
  }
}
