/**
 * One lane for each endpoint that has deliveries under way: how many may run at once, and what waits.
 * A lane opens narrow, widens with each success and falls back to one after a failure, so that a
 * recovering endpoint meets no herd (docs/reliability.md 2, row 17) and a hanging one holds little. After ten
 * failures in a row the endpoint gets a probe now and then, until one succeeds (endpoint-health.ts).
 */
import { later } from '../../../core/clock.ts'
import { NARROW, NARROWEST, widened } from '../../../dispatch/slow-start.ts'
import type { DueDelivery } from './attempt.ts'

/** A claimed delivery in this process's hands. */
export type Held = {
  delivery: DueDelivery
  /** When its data was read, and the reading that takes its place (fresh-data.ts). */
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
  /** Attempts that may run at once. */
  limit: number
  inFlight: number
  waiting: Held[]
  /** Rows in our hands, those included whose result is not written yet. */
  unsettled: number
  /** Failures in a row. */
  failures: number
  /** Up to when rows that fell due were claimed; what was given back is older. */
  claimedUpTo: Date
  /** Whether its oldest row was long overdue when last looked at. */
  behind: boolean
  /** Whether more rows may be due than were claimed. */
  more: boolean
  averageMs: number
}

export const WIDE = 32
/** Rows fetched ahead of a lane that answers within so many milliseconds. */
const AHEAD: [withinMs: number, rows: number][] = [
  [20, 512],
  [200, 96],
]
const WEIGHT_OF_LAST = 0.1

/** Failures in a row after which an endpoint gets probes only. */
export const BREAK_AFTER = 10

/** `probing`: the endpoint has failed so often that this is a probe. */
export const newLane = (workspaceId: string, endpointId: string, probing = false): Lane => ({
  workspaceId,
  endpointId,
  limit: probing ? NARROWEST : NARROW,
  inFlight: 0,
  waiting: [],
  unsettled: 0,
  failures: probing ? BREAK_AFTER : 0,
  claimedUpTo: new Date(0),
  behind: false,
  more: false,
  averageMs: Number.POSITIVE_INFINITY,
})

const ahead = (lane: Lane): number =>
  lane.limit < WIDE ? 0 : (AHEAD.find(([withinMs]) => lane.averageMs <= withinMs)?.[1] ?? 0)

/** How many rows a claim may take for the lane. */
export const allowanceOf = (lane: Lane): number =>
  // Until a failed probe is written nobody knows when the next may go.
  lane.failures >= BREAK_AFTER && lane.unsettled > 0
    ? 0
    : Math.max(0, lane.limit + ahead(lane) - lane.inFlight - lane.waiting.length)

/** How many rows a claim may take for an endpoint: the oldest, and so many of the newest, of one that is far behind. */
export type Allowance = {
  workspaceId: string
  endpointId: string
  rows: number
  newest: number
  /** Before this moment lies only what was claimed, or given back. */
  from: Date
}

/** Rows appear with the commit that made them, which may come so much later than those of younger rows. */
const LATE_COMMIT_MS = 1_000

/** The part of a claim that goes to new events while an endpoint has much to catch up with. */
const NEWEST_PART = 4

/**
 * The allowances of busy lanes; those of a workspace that want rows share in equal parts those that it
 * may still hold, which `leftOf` says. A hanging endpoint wants none, and takes nothing from the others.
 */
export function allowancesOf(lanes: readonly Lane[], leftOf: (workspaceId: string) => number): Allowance[] {
  const wanting = new Map<string, number>()
  for (const lane of lanes)
    if (allowanceOf(lane) > 0) wanting.set(lane.workspaceId, (wanting.get(lane.workspaceId) ?? 0) + 1)
  return lanes.map((lane) => {
    const { workspaceId, endpointId } = lane
    const share = Math.ceil(leftOf(workspaceId) / (wanting.get(workspaceId) ?? 1))
    const all = Math.min(share, allowanceOf(lane))
    if (all === 0) lane.more = true
    const newest = lane.behind ? Math.floor(all / NEWEST_PART) : 0
    return {
      workspaceId,
      endpointId,
      rows: all - newest,
      newest,
      from: later(lane.claimedUpTo, -LATE_COMMIT_MS),
    }
  })
}

/**
 * Whether the lane has run so low that a claim for it is worth a statement. One that has something left waits until its
 * workspace may have many rows more (`isRoomy`): a claim looks at all lanes, and each would get a few.
 */
export const runsLow = (lane: Lane, isRoomy: (workspaceId: string) => boolean): boolean =>
  lane.more &&
  lane.waiting.length <= ahead(lane) / 2 &&
  allowanceOf(lane) > 0 &&
  (lane.waiting.length === 0 || isRoomy(lane.workspaceId))

/** Takes an attempt's end into account. */
export function learn(lane: Lane, ok: boolean, tookMs: number): void {
  lane.failures = ok ? 0 : lane.failures + 1
  lane.limit = ok ? widened(lane.limit, WIDE) : NARROWEST
  lane.averageMs =
    ok && Number.isFinite(lane.averageMs)
      ? lane.averageMs + (tookMs - lane.averageMs) * WEIGHT_OF_LAST
      : tookMs
}

/** Puts a claimed row where its turn comes, and keeps in mind up to when the lane's rows were claimed. */
export function queueInLane(lane: Lane, one: Held): void {
  const { late, runAt, probing } = one.delivery
  // A few of the newest came along, and would wait again behind what is long overdue.
  if (lane.behind && !late) lane.waiting.unshift(one)
  else lane.waiting.push(one)
  if (!lane.behind || late) lane.claimedUpTo = runAt
  if (probing) lane.more = true
}

/** Lanes remembered for their width. */
const MAX_LANES = 10_000

/** The lanes of a process by their endpoints. Of too many, the first made of which nothing is in hand is forgotten. */
export function laneMemory() {
  const lanes = new Map<string, Lane>()
  const forgetOne = (): void => {
    for (const [id, old] of lanes)
      if (old.inFlight + old.waiting.length === 0) {
        lanes.delete(id)
        return
      }
  }
  return {
    all: () => lanes.values(),
    of: ({ workspaceId, endpointId, probing }: DueDelivery): Lane => {
      const known = lanes.get(endpointId)
      if (known) return known
      const lane = newLane(workspaceId, endpointId, probing)
      lanes.set(endpointId, lane)
      if (lanes.size > MAX_LANES) forgetOne()
      return lane
    },
  }
}
