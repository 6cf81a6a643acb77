/**
 * Runs claimed deliveries: each in the lane of its endpoint, as many at once as lanes, workspaces and the process allow, and
 * keeps their leases alive until their results are written. What it has in hand it can give back.
 */
import type { Clock } from '../../../core/clock.ts'
import { later } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'
import type { Sealer } from '../../../core/sealing.ts'
import { attempter, type DueDelivery, type Outcome } from './attempt.ts'
import { leaseDeliveries } from './delivery-claims.ts'
import { type Held, type Lane, laneMemory, queueInLane } from './delivery-lanes.ts'
import { deliveryPlaces } from './delivery-places.ts'
import { freshData } from './fresh-data.ts'
import { type HeldDeliveries, heldDeliveries } from './held-deliveries.ts'
import { laneScheduler } from './lane-scheduler.ts'
import { resultWriter } from './result-writer.ts'
import type { SendWebhook } from './send-webhook.ts'
import type { StripWatch } from './strip-watch.ts'

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
   * Takes claimed rows in hand, in the order of the claim, and starts what may start; how many each lane got. `readAtMs` is
   * when the claim began.
   */
  take(claimed: readonly DueDelivery[], readAtMs: number): Map<Lane, number>
  /** Runs one outside of the lanes; resolves when its result is written. */
  runAlone(delivery: DueDelivery, readAtMs: number): Promise<void>
  /** Lanes of which something is in hand. */
  busyLanes(): Lane[]
  /** Rows in hand. */
  held(): number
  /** How many rows more may be claimed now: none while too many results wait to be written. */
  room(): number
  /** How many more a workspace may have in hand. */
  roomOf(workspaceId: string): number
  /** Whether a third of the rows that a workspace may have in hand is free. */
  isRoomy(workspaceId: string): boolean
  /** Whether so many attempts hang that no more may be begun. */
  tooSlow(): boolean
  /** Resolves when nothing is in hand and all results are written. */
  idle(): Promise<void>
  /** Gives back what has not begun, and waits for the attempts under way. */
  stop(): Promise<void>
}

/** A killed process's deliveries go out again after this long; a living one renews its leases in time. */
export const LEASE_MS = 12_000
const RENEW_AFTER_MS = 4_000
export const MAX_HELD = 1_024
/** While so many results wait to be written, since the database is slow or away, nothing more is claimed. */
export const MAX_UNWRITTEN = 2 * MAX_HELD

function renewLeases({ database, clock, onError }: DeliveriesDeps, held: Iterable<Held>): void {
  const nowMs = clock.monotonicMs()
  const renewed = [...held].filter((one) => nowMs - one.leasedAtMs > RENEW_AFTER_MS)
  if (renewed.length === 0) return
  for (const one of renewed) one.leasedAtMs = nowMs
  const deliveries = renewed.map((one) => one.delivery)
  leaseDeliveries(database, deliveries, later(clock.now(), LEASE_MS)).catch(onError)
}

/** Runs one to its outcome, whose writing releases it; nothing when the stop came before it could begin. */
function attemptRunner(
  deps: DeliveriesDeps,
  held: HeldDeliveries,
  { stopping, onFree }: { stopping(): boolean; onFree(lane: Lane): void },
) {
  const { clock, database, onError } = deps
  const attempt = attempter(deps)
  const fresh = freshData(deps, held.rows, stopping)
  const writer = resultWriter(database, { underWay: () => held.rows.size, stopping, onError })
  return async (one: Held): Promise<Outcome | undefined> => {
    if (fresh.isStale(one) && !(await fresh.read(one))) {
      held.release(one)
      return undefined
    }
    one.startedAtMs = clock.monotonicMs()
    const outcome = await attempt(one.delivery)
    held.end(one)
    writer.add({ delivery: one.delivery, outcome, endedAt: clock.now() }, () => {
      held.release(one)
      if (one.lane) onFree(one.lane)
    })
    return outcome
  }
}

/**
 * `onFree` hears of a lane one of whose attempts ended, and again once its result is written: more may be claimed then. `onTick`
 * is called now and then while something is in hand.
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

  const take: Runner['take'] = (claimed, readAtMs) => {
    const counts = new Map<Lane, number>()
    for (const delivery of claimed) {
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
      new Promise((settled) => {
        void run(held.hold(delivery, readAtMs, null, settled))
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
