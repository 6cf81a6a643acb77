/**
 * Runs claimed deliveries: each in the lane of its endpoint, as many in parallel as lanes, workspaces and the
 * process allow. Keeps their leases alive until their results are written, and can give back deliveries that
 * have not started.
 */
import type { Clock } from '../../../../core/clock.ts'
import { later } from '../../../../core/clock.ts'
import type { Database } from '../../../../core/context.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import { attempter, type DueDelivery, type Outcome } from './attempt.ts'
import { type HeldDelivery, type Lane, laneMemory, queueInLane } from './delivery-lanes.ts'
import { deliveryPlaces } from './delivery-places.ts'
import { resultWriter } from './delivery-results.ts'
import { freshData } from './fresh-data.ts'
import { type HeldDeliveries, heldDeliveries } from './held-deliveries.ts'
import { laneScheduler } from './lane-scheduler.ts'
import { leaseDeliveries } from './queries/delivery-claims.ts'
import type { SendWebhook } from './send-webhook.ts'
import type { StripWatch } from './stripped-events.ts'

export type DeliveriesDeps = {
  database: Pick<Database, 'query' | 'system'>
  send: SendWebhook
  sealer: Sealer
  clock: Clock
  strips: Pick<StripWatch, 'mayBeStale'>
  onError(error: unknown): void
}

export type Runner = {
  /**
   * Takes claimed rows in the order of the claim, and starts as many as possible. Returns how many each lane
   * got. `readAtMs`: when the claim began.
   */
  take(claimedDeliveries: readonly DueDelivery[], readAtMs: number): Map<Lane, number>
  /** Runs a delivery outside the lanes; resolves when its result is written. */
  runAlone(delivery: DueDelivery, readAtMs: number): Promise<void>
  /** Lanes with claimed rows. */
  busyLanes(): Lane[]
  /** The number of claimed rows. */
  held(): number
  /**
   * Returns the number of rows that may be claimed now: 0 while too many results wait for their statement.
   */
  room(): number
  /** Returns the number of rows that may be claimed now for a workspace. */
  roomOf(workspaceId: string): number
  /** Returns whether a third of a workspace's places for rows is free. */
  isRoomy(workspaceId: string): boolean
  /** Returns true if too many attempts hang for another one to start. */
  tooSlow(): boolean
  /** Resolves when no row is claimed and all results are written. */
  idle(): Promise<void>
  /** Gives back rows that have not started, and waits for running attempts. */
  stop(): Promise<void>
}

/** A killed process's deliveries are sent again after this time; a live process renews its leases earlier. */
export const LEASE_MS = 12_000
const RENEW_AFTER_MS = 4_000
export const MAX_HELD = 1_024
/** Claiming stops while this many results wait to be written, because the database is slow or unavailable. */
export const MAX_UNWRITTEN = 2 * MAX_HELD

function renewLeases({ database, clock, onError }: DeliveriesDeps, held: Iterable<HeldDelivery>): void {
  const nowMs = clock.monotonicMs()
  const renewed = [...held].filter((delivery) => nowMs - delivery.leasedAtMs > RENEW_AFTER_MS)
  if (renewed.length === 0) return
  for (const delivery of renewed) delivery.leasedAtMs = nowMs
  const deliveries = renewed.map((delivery) => delivery.delivery)
  leaseDeliveries(database, deliveries, later(clock.now(), LEASE_MS)).catch(onError)
}

/**
 * Builds the function that runs a delivery to its outcome; writing the outcome releases it. Does nothing if
 * the stop came before the start.
 */
function attemptRunner(
  deps: DeliveriesDeps,
  held: HeldDeliveries,
  { stopping, onFree }: { stopping(): boolean; onFree(lane: Lane): void },
) {
  const { clock, database, onError } = deps
  const attempt = attempter(deps)
  const freshReader = freshData(deps, held.rows, stopping)
  const writer = resultWriter(database, { underWay: () => held.rows.size, stopping, onError })
  return async (row: HeldDelivery): Promise<Outcome | undefined> => {
    if (freshReader.isStale(row) && !(await freshReader.read(row))) {
      held.release(row)
      return undefined
    }
    row.startedAtMs = clock.monotonicMs()
    const outcome = await attempt(row.delivery)
    held.end(row)
    writer.add({ delivery: row.delivery, outcome, endedAt: clock.now() }, () => {
      held.release(row)
      if (row.lane) onFree(row.lane)
    })
    return outcome
  }
}

/**
 * Builds the runner. `onFree` is called when an attempt of a lane has ended, and when its result is written,
 * because more may be claimed then. `onTick` is called periodically while rows are claimed.
 */
export function deliveryRunner(
  deps: DeliveriesDeps,
  { onFree, onTick }: { onFree(lane: Lane): void; onTick(): void },
): Runner {
  let stopping = false
  const lanes = laneMemory()
  const places = deliveryPlaces(MAX_HELD)
  const held = heldDeliveries(deps.clock, () => {
    scheduler.markSlow(held.rows)
    renewLeases(deps, held.rows)
    scheduler.startWaiting()
    onTick()
  })
  const run = attemptRunner(deps, held, { stopping: () => stopping, onFree })
  const scheduler = laneScheduler({ ...deps, places, run, release: held.release, onFree })

  const take: Runner['take'] = (claimedDeliveries, readAtMs) => {
    const counts = new Map<Lane, number>()
    for (const delivery of claimedDeliveries) {
      const lane = lanes.of(delivery)
      const already = counts.get(lane) ?? 0
      if (already === 0) lane.behind = delivery.late
      places.takeRow(lane.workspaceId)
      queueInLane(
        lane,
        held.hold(delivery, readAtMs, lane, () => {}),
      )
      counts.set(lane, already + 1)
    }
    for (const lane of counts.keys()) scheduler.start(lane)
    return counts
  }

  return {
    take,
    runAlone: (delivery, readAtMs) =>
      new Promise((onSettled) => {
        void run(held.hold(delivery, readAtMs, null, onSettled))
      }),
    busyLanes: () => [...held.lanes],
    held: () => held.rows.size,
    room: () => Math.max(0, Math.min(places.room(), MAX_UNWRITTEN - held.unwritten())),
    roomOf: places.roomOf,
    isRoomy: places.isRoomy,
    tooSlow: places.tooSlow,
    idle: held.idle,
    stop: async () => {
      stopping = true
      for (const lane of lanes.all()) scheduler.giveBack(lane)
      await held.idle()
    },
  }
}
