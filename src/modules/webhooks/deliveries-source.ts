/**
 * The engine that sends deliveries. A pending row is its own job: claimed under a lease, attempted,
 * settled in lists. Characters: a lane for each busy endpoint (delivery-lanes), the claim
 * (delivery-claims), one attempt (attempt), the writer of results (result-writer).
 * Nothing is kept for an idle endpoint.
 */
import type { Clock } from '../../core/clock.ts'
import { later } from '../../core/clock.ts'
import type { Database } from '../../core/context.ts'
import type { Sealer } from '../../core/sealing.ts'
import type { WorkSource } from '../../core/work.ts'
import { attempter, type DueDelivery, type Outcome } from './attempt.ts'
import {
  claimDeliveries,
  countLeased,
  findNextDue,
  leaseDeliveries,
  pullNearer,
  type ScanStart,
} from './delivery-claims.ts'
import {
  allowanceOf,
  allowancesOf,
  type Held,
  type Lane,
  learn,
  NARROW,
  newLane,
  runsLow,
} from './delivery-lanes.ts'
import { openLine, openPlaces } from './delivery-places.ts'
import { type LogPart, listPendingParts } from './log-parts.ts'
import { DELIVERIES } from './record-events.ts'
import { resultWriter } from './result-writer.ts'
import type { SendWebhook } from './send-webhook.ts'

export type DeliveriesDeps = {
  database: Pick<Database, 'query'>
  send: SendWebhook
  sealer: Sealer
  clock: Clock
  onError(error: unknown): void
}

export type DeliveriesSource = WorkSource & {
  /** Resolves when no attempt is under way in this process and all results are written. */
  idle(): Promise<void>
  /** Claims no more, gives back what has not begun, and waits for the attempts under way. */
  stop(): Promise<void>
}

/** A killed process's deliveries go out again after this long; a living one renews its leases in time. */
const LEASE_MS = 12_000
const RENEW_AFTER_MS = 4_000
const TICK_MS = 1_000
/** An attempt that runs longer no longer counts among those that the others must wait for. */
const SLOW_AFTER_MS = 1_000
const MOST_IN_FLIGHT = 256
const MOST_HELD = 1_024
const MOST_SLOW = 4_096
/** Lanes remembered for their width; the one that was made first goes first. */
const MOST_LANES = 10_000
const MOST_OF_A_SANDBOX = 64
/** How often it is looked up in which parts of the log rows are pending. */
const PARTS_MS = 60_000
/** A walk to all endpoints that took longer, besides what its rows took, is made again only when as long has passed. */
const SLOW_SCAN_MS = 100
const ROW_MS = 0.1

/**
 * The source of background work that sends deliveries. For one workspace, `runDue` waits until what
 * it claimed is settled (the sandbox's clock needs that). Without one it only sets due rows going
 * and answers 0: a hanging receiver must not hold up the caller, and the engine claims on by itself
 * as places become free.
 */
export function deliveriesSource(deps: DeliveriesDeps): DeliveriesSource {
  const { database, clock } = deps
  const attempt = attempter(deps)
  const held = new Set<Held>()
  const lanes = new Map<string, Lane>()
  /** Attempts that run, and rows in our hands; those that turned slow are counted apart. */
  const places = openPlaces(MOST_IN_FLIGHT)
  const rowPlaces = openPlaces(MOST_HELD)
  const line = openLine()
  /** Lanes that ran low while a claim was at work. */
  const wanting = new Set<Lane>()
  const idleWaiters: (() => void)[] = []
  const writer = resultWriter(
    database,
    () => held.size,
    () => stopping,
    deps.onError,
  )
  let slow = 0
  let backlog = false
  /** Where the last scan was cut short. */
  let scanAt: { part: LogPart; start: ScanStart } | null = null
  let parts: LogPart[] = []
  let partsAtMs = Number.NEGATIVE_INFINITY
  let scannedAtMs = Number.NEGATIVE_INFINITY
  let scanTookMs = 0
  let claiming: Promise<void> | undefined
  let claimNext: Promise<void> | undefined
  let ticker: NodeJS.Timeout | undefined
  let stopping = false

  const hold = (delivery: DueDelivery, lane: Lane | null, settled: () => void): Held => {
    const one: Held = {
      delivery,
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

  const letGo = (one: Held): void => {
    held.delete(one)
    if (one.lane) one.lane.unsettled--
    one.settled()
    if (held.size > 0) return
    clearInterval(ticker)
    ticker = undefined
    for (const resolve of idleWaiters.splice(0)) resolve()
  }

  const run = async (one: Held): Promise<Outcome> => {
    one.startedAtMs = clock.monotonicMs()
    const outcome = await attempt(one.delivery)
    writer.add({ delivery: one.delivery, outcome, endedAt: clock.now() }, () => letGo(one))
    return outcome
  }

  const runInLane = async (one: Held, lane: Lane): Promise<void> => {
    places.take(lane.workspaceId)
    lane.inFlight++
    const outcome = await run(one)
    lane.inFlight--
    if (one.slow) slow--
    else freePlace(lane)
    learn(lane, outcome.ok, outcome.latencyMs ?? 0)
    if (!outcome.ok) giveBack(lane)
    line.join(lane)
    startWaiting()
    claimFor(lane)
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
      .finally(() => rows.forEach(letGo))
  }

  const tick = (): void => {
    const nowMs = clock.monotonicMs()
    const renewed: Held[] = []
    for (const one of held) {
      if (one.lane && one.startedAtMs !== null && !one.slow && nowMs - one.startedAtMs > SLOW_AFTER_MS)
        if (one.lane.inFlight > 0) markSlow(one, one.lane)
      if (nowMs - one.leasedAtMs > RENEW_AFTER_MS) {
        one.leasedAtMs = nowMs
        renewed.push(one)
      }
    }
    if (renewed.length > 0)
      leaseDeliveries(
        database,
        renewed.map((one) => one.delivery),
        later(clock.now(), LEASE_MS),
      ).catch(deps.onError)
    startWaiting()
    if (backlog) claimSoon()
  }

  const markSlow = (one: Held, lane: Lane): void => {
    one.slow = true
    slow++
    freePlace(lane)
    lane.averageMs = Math.max(lane.averageMs, SLOW_AFTER_MS)
    giveBack(lane)
  }

  const laneOf = ({ workspaceId, endpointId, probing }: DueDelivery): Lane => {
    let lane = lanes.get(endpointId)
    if (!lane) {
      lane = newLane(workspaceId, endpointId, probing)
      lanes.set(endpointId, lane)
      if (lanes.size > MOST_LANES)
        for (const [id, old] of lanes)
          if (old.inFlight + old.waiting.length === 0) {
            lanes.delete(id)
            break
          }
    }
    return lane
  }

  const lookForParts = async (): Promise<void> => {
    const nowMs = clock.monotonicMs()
    if (nowMs - partsAtMs < PARTS_MS) return
    parts = await listPendingParts(database, clock.now())
    partsAtMs = nowMs
  }

  /** Claims what one part of the log has for the room that is left; answers whether it may have more. */
  const claimFrom = async (part: LogPart, after: ScanStart, onlyKnown = false): Promise<boolean> => {
    const room = MOST_HELD - rowPlaces.taken()
    const allowances = allowancesOf(busyLanes(), rowPlaces.left)
    const deliveries = await claimDeliveries(database, {
      now: clock.now(),
      leaseMs: LEASE_MS,
      most: room,
      mostOfEach: NARROW,
      allowances,
      start: after,
      part,
      onlyKnown,
    })
    const allowed = new Map(allowances.map((one) => [one.endpointId, one.rows]))
    const touched = new Map<Lane, number>()
    for (const delivery of deliveries) {
      const lane = laneOf(delivery)
      const already = touched.get(lane) ?? 0
      if (already === 0) lane.behind = delivery.late
      const one = hold(delivery, lane, () => {})
      // A few of the newest came along, and would wait again behind what is long overdue.
      if (lane.behind && !delivery.late) lane.waiting.unshift(one)
      else lane.waiting.push(one)
      touched.set(lane, already + 1)
      if (!lane.behind || delivery.late) lane.claimedUpTo = delivery.runAt
      if (delivery.probing) lane.more = true
    }
    for (const [lane, rows] of touched) if (rows >= (allowed.get(lane.endpointId) ?? NARROW)) lane.more = true
    const cutShort = deliveries.length >= room
    if (cutShort && !onlyKnown) scanAt = { part, start: lastOf(touched.keys()) }
    for (const lane of touched.keys()) start(lane)
    return cutShort
  }

  /** The part may have been dropped since. */
  const lookAnew = (error: unknown): never => {
    partsAtMs = Number.NEGATIVE_INFINITY
    throw error
  }

  /** Answers whether the scan began midway and so has to begin again. */
  const claim = async (): Promise<boolean> => {
    backlog = true
    if (stopping || MOST_HELD - rowPlaces.taken() < MOST_HELD / 8 || slow >= MOST_SLOW) return false
    await lookForParts()
    for (const lane of busyLanes()) lane.more = allowanceOf(lane) === 0
    const beganMs = clock.monotonicMs()
    if (scanTookMs > SLOW_SCAN_MS && beganMs - scannedAtMs < scanTookMs) {
      for (const part of parts) if (await claimFrom(part, null, true).catch(lookAnew)) break
      return false
    }
    const midway = scanAt
    const heldBefore = held.size
    scanAt = null
    for (const part of parts) {
      if (midway !== null && part < midway.part) continue
      if (await claimFrom(part, part === midway?.part ? midway.start : null).catch(lookAnew)) break
    }
    scannedAtMs = clock.monotonicMs()
    scanTookMs = scannedAtMs - beganMs - (held.size - heldBefore) * ROW_MS
    backlog = scanAt !== null || midway !== null
    return midway !== null && scanAt === null
  }

  /** One claim at a time. A call during one asks for another: the first may have looked too early. */
  const claimOnce = (): Promise<void> => {
    if (claiming) {
      claimNext ??= claiming.then(claimOnce, claimOnce)
      return claimNext
    }
    claimNext = undefined
    claiming = claim()
      .then(async (again) => {
        if (again) await claim()
      })
      .finally(() => {
        claiming = undefined
        for (const lane of Array.from(wanting)) claimFor(lane)
      })
    return claiming
  }

  const busyLanes = (): Lane[] => [...new Set([...held].flatMap((one) => one.lane ?? []))]

  const claimSoon = (): void => {
    if (!claiming && !stopping) claimOnce().catch(deps.onError)
  }

  /** Claims when the lane, or this process, has run low; looks again after a claim that is at work now. */
  const claimFor = (lane: Lane): void => {
    wanting.delete(lane)
    if (!runsLow(lane) && !(backlog && rowPlaces.taken() <= MOST_HELD / 2)) return
    if (claiming) wanting.add(lane)
    else claimSoon()
  }

  const runWorkspace = async (workspaceId: string): Promise<number> => {
    const deliveries: DueDelivery[] = []
    for (const part of await listPendingParts(database, clock.now()))
      deliveries.push(
        ...(await claimDeliveries(
          database,
          {
            now: clock.now(),
            leaseMs: LEASE_MS,
            most: MOST_OF_A_SANDBOX,
            mostOfEach: MOST_OF_A_SANDBOX,
            allowances: [],
            start: null,
            part,
          },
          workspaceId,
        )),
      )
    await Promise.all(
      deliveries.map((delivery) => new Promise<void>((settled) => void run(hold(delivery, null, settled)))),
    )
    return deliveries.length
  }

  const idle = (): Promise<void> =>
    held.size === 0 ? Promise.resolve() : new Promise((resolve) => idleWaiters.push(resolve))

  return {
    name: DELIVERIES,
    pollMs: 1_000,
    runDue: async ({ workspaceId }) => {
      if (workspaceId) return runWorkspace(workspaceId)
      await claimOnce()
      return 0
    },
    nextDue: (query, workspaceId) => findNextDue(query, workspaceId, clock.now()),
    running: (query, workspaceId) => countLeased(query, workspaceId, clock.now()),
    shift: (tx, workspaceId, ms) => pullNearer(tx, workspaceId, ms, clock.now()),
    idle,
    stop: async () => {
      stopping = true
      await claiming?.catch(() => {})
      for (const lane of lanes.values()) giveBack(lane)
      await idle()
    },
  }
}

/** The lane that comes last in the order of the scan. */
function lastOf(lanes: Iterable<Lane>): ScanStart {
  const place = (lane: Lane) => lane.workspaceId + lane.endpointId
  const [last] = [...lanes].sort((a, b) => (place(a) < place(b) ? 1 : -1))
  return last ? { workspaceId: last.workspaceId, endpointId: last.endpointId } : null
}
