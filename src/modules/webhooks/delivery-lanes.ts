/**
 * One lane for each endpoint that has deliveries under way: how many may run at once, and what waits.
 * A lane opens narrow, widens with each success and falls back to one after a failure, so that a
 * recovering endpoint meets no herd (RELIABILITY 2, row 17) and a hanging one holds little.
 */
import type { DueDelivery } from './attempt.ts'

/** A claimed delivery in this process's hands. */
export type Held = {
  delivery: DueDelivery
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
  /** Whether more rows may be due than were claimed. */
  more: boolean
  averageMs: number
}

export const NARROW = 4
export const WIDE = 32
/** Rows fetched ahead of a lane that answers within so many milliseconds. */
const AHEAD: [withinMs: number, rows: number][] = [
  [20, 512],
  [200, 96],
]
const WEIGHT_OF_LAST = 0.1

export const newLane = (workspaceId: string, endpointId: string): Lane => ({
  workspaceId,
  endpointId,
  limit: NARROW,
  inFlight: 0,
  waiting: [],
  more: false,
  averageMs: Number.POSITIVE_INFINITY,
})

const ahead = (lane: Lane): number =>
  lane.limit < WIDE ? 0 : (AHEAD.find(([withinMs]) => lane.averageMs <= withinMs)?.[1] ?? 0)

/** How many rows a claim may take for the lane. */
export const allowanceOf = (lane: Lane): number =>
  Math.max(0, lane.limit + ahead(lane) - lane.inFlight - lane.waiting.length)

/** Whether the lane has run so low that a claim for it is worth a statement. */
export const runsLow = (lane: Lane): boolean =>
  lane.more && lane.waiting.length <= ahead(lane) / 2 && allowanceOf(lane) > 0

/** Takes an attempt's end into account. */
export function learn(lane: Lane, ok: boolean, tookMs: number): void {
  lane.limit = ok ? Math.min(WIDE, lane.limit * 2) : 1
  lane.averageMs =
    ok && Number.isFinite(lane.averageMs)
      ? lane.averageMs + (tookMs - lane.averageMs) * WEIGHT_OF_LAST
      : tookMs
}
