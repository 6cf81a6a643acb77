/**
 * Runs claimed deliveries: each in the lane of its endpoint, as many at once as lanes, workspaces and the process allow, and
 * keeps their leases alive until their results are written. What it has in hand it can give back.
 */
import type { Clock } from '../../../core/clock.ts'
import { later } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'
import type { Sealer } from '../../../core/sealing.ts'
import { openLine, openPlaces } from '../../../dispatch/fair-places.ts'
import { idleGate } from '../../../dispatch/idle-gate.ts'
import { attempter, type DueDelivery, type Outcome } from './attempt.ts'
import { leaseDeliveries } from './delivery-claims.ts'
import { type Held, type Lane, laneMemory, learn, queueInLane } from './delivery-lanes.ts'
import { freshData } from './fresh-data.ts'
import { resultWriter } from './result-writer.ts'
import type { SendWebhook } from './send-webhook.ts'
import type { StripWatch } from './strip-watch.ts'

export type DeliveriesDeps = {
  database: Pick<Database, 'query'>
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
  /** How many rows more may be claimed now. */
  room(): number
  /** How many more a workspace may have in hand. */
  roomOf(workspaceId: string): number
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
const TICK_MS = 1_000
/** An attempt that runs longer no longer counts among those that the others must wait for. */
const SLOW_AFTER_MS = 1_000
const MAX_IN_FLIGHT = 256
export const MAX_HELD = 1_024
const MAX_SLOW = 4_096

function renewLeases({ database, clock, onError }: DeliveriesDeps, held: Set<Held>): void {
  const nowMs = clock.monotonicMs()
  const renewed = [...held].filter((one) => nowMs - one.leasedAtMs > RENEW_AFTER_MS)
  if (renewed.length === 0) return
  for (const one of renewed) one.leasedAtMs = nowMs
  const deliveries = renewed.map((one) => one.delivery)
  leaseDeliveries(database, deliveries, later(clock.now(), LEASE_MS)).catch(onError)
}

/** `onFree` hears of a lane one of whose attempts ended; `onTick` is called now and then while something is in hand. */
export function deliveryRunner(
  deps: DeliveriesDeps,
  { onFree, onTick }: { onFree(lane: Lane): void; onTick(): void },
): Runner {
  const { database, clock } = deps
  const attempt = attempter(deps)
  const held = new Set<Held>()
  const lanes = laneMemory()
  /** Attempts that run, and rows in our hands; those that turned slow are counted apart. */
  const places = openPlaces(MAX_IN_FLIGHT)
  const rowPlaces = openPlaces(MAX_HELD)
  const line = openLine<Lane>()
  const gate = idleGate(() => held.size === 0)
  const writer = resultWriter(database, {
    underWay: () => held.size,
    stopping: () => stopping,
    onError: deps.onError,
  })
  let slow = 0
  let ticker: NodeJS.Timeout | undefined
  let stopping = false

  const fresh = freshData(deps, held, () => stopping)

  const hold = (delivery: DueDelivery, readAtMs: number, lane: Lane | null, settled: () => void): Held => {
    const one: Held = {
      delivery,
      readAtMs,
      reading: null,
      leasedAtMs: clock.monotonicMs(),
      startedAtMs: null,
      slow: false,
      lane,
      settled,
    }
    held.add(one)
    if (lane) {
      lane.unsettled++
      rowPlaces.take(lane.workspaceId)
    }
    ticker ??= setInterval(tick, TICK_MS)
    return one
  }

  const release = (one: Held): void => {
    held.delete(one)
    if (one.lane) one.lane.unsettled--
    one.settled()
    if (held.size > 0) return
    clearInterval(ticker)
    ticker = undefined
    gate.settle()
  }

  /** Answers nothing when we were asked to stop before it could begin. */
  const run = async (one: Held): Promise<Outcome | undefined> => {
    if (fresh.isStale(one) && !(await fresh.read(one))) {
      release(one)
      return undefined
    }
    one.startedAtMs = clock.monotonicMs()
    const outcome = await attempt(one.delivery)
    writer.add({ delivery: one.delivery, outcome, endedAt: clock.now() }, () => release(one))
    return outcome
  }

  const runInLane = async (one: Held, lane: Lane): Promise<void> => {
    places.take(lane.workspaceId)
    lane.inFlight++
    const outcome = await run(one)
    lane.inFlight--
    if (one.slow) slow--
    else freePlace(lane)
    if (outcome === undefined) return
    learn(lane, outcome.ok, outcome.latencyMs ?? 0)
    if (!outcome.ok) giveBack(lane)
    line.join(lane)
    startWaiting()
    onFree(lane)
  }

  const freePlace = (lane: Lane): void => {
    places.free(lane.workspaceId)
    rowPlaces.free(lane.workspaceId)
  }

  const mayStart = (workspaceId: string): boolean => places.left(workspaceId) > 0

  /** Starts what the lane's width and its workspace's share allow. */
  const start = (lane: Lane): void => {
    while (lane.waiting.length > 0 && lane.inFlight < lane.limit) {
      if (!mayStart(lane.workspaceId)) {
        line.join(lane)
        return
      }
      void runInLane(lane.waiting.shift()!, lane)
    }
  }

  const startWaiting = (): void => {
    for (let lane = line.next(mayStart); lane; lane = line.next(mayStart)) start(lane)
  }

  /** Rows fetched ahead of an endpoint that then turned slow or failed: others could hold them, later. */
  const giveBack = (lane: Lane): void => {
    const rows = lane.waiting.splice(0)
    if (rows.length === 0) return
    lane.more = true
    lane.claimedUpTo = new Date(0)
    line.leave(lane)
    for (const _ of rows) rowPlaces.free(lane.workspaceId)
    leaseDeliveries(
      database,
      rows.map((row) => row.delivery),
      null,
    )
      .catch(deps.onError)
      .finally(() => rows.forEach(release))
  }

  const tick = (): void => {
    const nowMs = clock.monotonicMs()
    for (const one of held)
      if (one.lane && one.startedAtMs !== null && !one.slow && nowMs - one.startedAtMs > SLOW_AFTER_MS)
        if (one.lane.inFlight > 0) markSlow(one, one.lane)
    renewLeases(deps, held)
    startWaiting()
    onTick()
  }

  const markSlow = (one: Held, lane: Lane): void => {
    one.slow = true
    slow++
    freePlace(lane)
    lane.averageMs = Math.max(lane.averageMs, SLOW_AFTER_MS)
    giveBack(lane)
  }

  const take: Runner['take'] = (claimed, readAtMs) => {
    const counts = new Map<Lane, number>()
    for (const delivery of claimed) {
      const lane = lanes.of(delivery)
      const already = counts.get(lane) ?? 0
      if (already === 0) lane.behind = delivery.late
      queueInLane(
        lane,
        hold(delivery, readAtMs, lane, () => {}),
      )
      counts.set(lane, already + 1)
    }
    for (const lane of counts.keys()) start(lane)
    return counts
  }

  return {
    take,
    runAlone: (delivery, readAtMs) =>
      new Promise((settled) => {
        void run(hold(delivery, readAtMs, null, settled))
      }),
    busyLanes: () => [...new Set([...held].flatMap((one) => one.lane ?? []))],
    held: () => held.size,
    room: () => MAX_HELD - rowPlaces.taken(),
    roomOf: rowPlaces.left,
    tooSlow: () => slow >= MAX_SLOW,
    idle: gate.wait,
    stop: async () => {
      stopping = true
      for (const lane of lanes.all()) giveBack(lane)
      await gate.wait()
    },
  }
}
