/**
 * Starts the queued deliveries of lanes, as many as lanes and places allow, and gives back those that other
 * lanes could run earlier.
 */
import { openLine } from '../../../../dispatch/fair-places.ts'
import type { Outcome } from './attempt.ts'
import { type HeldDelivery, type Lane, learn } from './delivery-lanes.ts'
import type { DeliveryPlaces } from './delivery-places.ts'
import type { DeliveriesDeps } from './delivery-runner.ts'
import { leaseDeliveries } from './queries/delivery-claims.ts'

export type LaneScheduler = {
  /** Starts as many as the lane's width and its workspace's share allow. */
  start(lane: Lane): void
  /** Does the same for lanes that wait for a place; they take turns. */
  startWaiting(): void
  /** Gives back the lane's queue. */
  giveBack(lane: Lane): void
  /** Counts long-running attempts separately. */
  markSlow(rows: Iterable<HeldDelivery>): void
}

export type LaneSchedulerDeps = Pick<DeliveriesDeps, 'database' | 'clock' | 'onError'> & {
  places: DeliveryPlaces
  /** Runs a delivery to its outcome; returns undefined if it did not start. */
  run(row: HeldDelivery): Promise<Outcome | undefined>
  release(row: HeldDelivery): void
  /** Is called when an attempt of a lane has ended. */
  onFree(lane: Lane): void
}

/** An attempt that runs longer no longer counts against the limit for normal attempts. */
const SLOW_AFTER_MS = 1_000

export function laneScheduler({ places, run, ...deps }: LaneSchedulerDeps): LaneScheduler {
  const line = openLine<Lane>()

  const runInLane = async (row: HeldDelivery, lane: Lane): Promise<void> => {
    places.begin(lane.workspaceId)
    lane.inFlight++
    const outcome = await run(row)
    lane.inFlight--
    places.end(lane.workspaceId, row.slow)
    if (outcome === undefined) return
    learn(lane, outcome.ok, outcome.latencyMs ?? 0)
    if (!outcome.ok) giveBack(lane)
    if (line.isEmpty()) start(lane)
    else {
      line.join(lane)
      startWaiting()
    }
    deps.onFree(lane)
  }

  const start = (lane: Lane): void => {
    while (lane.waiting.length > 0 && lane.inFlight < lane.limit) {
      if (!places.mayBegin(lane.workspaceId)) {
        line.join(lane)
        return
      }
      void runInLane(lane.waiting.shift()!, lane)
    }
  }

  const startWaiting = (): void => {
    for (let lane = line.next(places.mayBegin); lane; lane = line.next(places.mayBegin)) start(lane)
  }

  /**
   * Gives back rows that were fetched ahead for an endpoint that then became slow or failed, to free their
   * places.
   */
  const giveBack = (lane: Lane): void => {
    const rows = lane.waiting.splice(0)
    if (rows.length === 0) return
    lane.more = true
    lane.claimedUpTo = new Date(0)
    line.leave(lane)
    for (const _ of rows) places.freeRow(lane.workspaceId)
    leaseDeliveries(
      deps.database,
      rows.map((row) => row.delivery),
      null,
    )
      .catch(deps.onError)
      .finally(() => rows.forEach(deps.release))
  }

  const turnSlow = (row: HeldDelivery, lane: Lane): void => {
    row.slow = true
    places.turnSlow(lane.workspaceId)
    lane.averageMs = Math.max(lane.averageMs, SLOW_AFTER_MS)
    giveBack(lane)
  }

  const markSlow = (rows: Iterable<HeldDelivery>): void => {
    const sinceMs = deps.clock.monotonicMs() - SLOW_AFTER_MS
    for (const row of rows)
      if (row.lane && row.startedAtMs !== null && !row.slow && row.startedAtMs < sinceMs)
        if (row.lane.inFlight > 0) turnSlow(row, row.lane)
  }

  return { start, startWaiting, giveBack, markSlow }
}
