/**
 * The engine that sends deliveries. A pending row is its own job: claimed under a lease, attempted,
 * settled in lists. Characters: a lane for each busy endpoint (delivery-lanes), the claim
 * (delivery-claims), what runs what was claimed (delivery-runner), one attempt (attempt), the writer
 * of results (result-writer). Nothing is kept for an idle endpoint.
 */
import type { WorkSource } from '../../../core/work.ts'
import type { DueDelivery } from '../delivery/attempt.ts'
import {
  claimDeliveries,
  countLeased,
  findNextDue,
  pullNearer,
  type ScanStart,
} from '../delivery/delivery-claims.ts'
import { allowanceOf, allowancesOf, type Lane, NARROW, runsLow } from '../delivery/delivery-lanes.ts'
import { type DeliveriesDeps, deliveryRunner, LEASE_MS, MAX_HELD } from '../delivery/delivery-runner.ts'
import { type LogPartition, listPendingPartitions } from '../event-log/log-partitions.ts'
import { DELIVERIES } from '../event-log/record-events.ts'

export type DeliveriesSource = WorkSource & {
  /** Resolves when no attempt is under way in this process and all results are written. */
  idle(): Promise<void>
  /** Claims no more, gives back what has not begun, and waits for the attempts under way. */
  stop(): Promise<void>
}

const MAX_OF_A_SANDBOX = 64
/** How often it is looked up in which parts of the log rows are pending. */
const PARTITIONS_MS = 60_000
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
  const runner = deliveryRunner(deps, {
    onFree: (lane) => claimFor(lane),
    onTick: () => {
      if (backlog) claimSoon()
    },
  })
  /** Lanes that ran low while a claim was at work. */
  const wanting = new Set<Lane>()
  let backlog = false
  /** Where the last scan was cut short. */
  let scanAt: { partition: LogPartition; start: ScanStart } | null = null
  let partitions: LogPartition[] = []
  let partitionsAtMs = Number.NEGATIVE_INFINITY
  let scannedAtMs = Number.NEGATIVE_INFINITY
  let scanTookMs = 0
  let claiming: Promise<void> | undefined
  let claimNext: Promise<void> | undefined
  let stopping = false

  const lookForPartitions = async (): Promise<void> => {
    const nowMs = clock.monotonicMs()
    if (nowMs - partitionsAtMs < PARTITIONS_MS) return
    partitions = await listPendingPartitions(database, clock.now())
    partitionsAtMs = nowMs
  }

  /** Claims what one part of the log has for the room that is left; answers whether it may have more. */
  const claimFrom = async (
    partition: LogPartition,
    after: ScanStart,
    onlyKnown = false,
  ): Promise<boolean> => {
    const room = runner.room()
    const allowances = allowancesOf(runner.busyLanes(), runner.roomOf)
    const readAtMs = clock.monotonicMs()
    const deliveries = await claimDeliveries(database, {
      now: clock.now(),
      leaseMs: LEASE_MS,
      max: room,
      maxOfEach: NARROW,
      allowances,
      start: after,
      partition,
      onlyKnown,
    })
    const allowed = new Map(allowances.map((one) => [one.endpointId, one.rows]))
    const touched = runner.take(deliveries, readAtMs)
    for (const [lane, rows] of touched) if (rows >= (allowed.get(lane.endpointId) ?? NARROW)) lane.more = true
    const cutShort = deliveries.length >= room
    if (cutShort && !onlyKnown) scanAt = { partition, start: lastOf(touched.keys()) }
    return cutShort
  }

  /** The part may have been dropped since. */
  const lookAnew = (error: unknown): never => {
    partitionsAtMs = Number.NEGATIVE_INFINITY
    throw error
  }

  /** Answers whether the scan began midway and so has to begin again. */
  const claim = async (): Promise<boolean> => {
    backlog = true
    if (stopping || runner.room() < MAX_HELD / 8 || runner.tooSlow()) return false
    await lookForPartitions()
    for (const lane of runner.busyLanes()) lane.more = allowanceOf(lane) === 0
    const beganMs = clock.monotonicMs()
    if (scanTookMs > SLOW_SCAN_MS && beganMs - scannedAtMs < scanTookMs) {
      for (const partition of partitions) if (await claimFrom(partition, null, true).catch(lookAnew)) break
      return false
    }
    const midway = scanAt
    const heldBefore = runner.held()
    scanAt = null
    for (const partition of partitions) {
      if (midway !== null && partition < midway.partition) continue
      if (await claimFrom(partition, partition === midway?.partition ? midway.start : null).catch(lookAnew))
        break
    }
    scannedAtMs = clock.monotonicMs()
    scanTookMs = scannedAtMs - beganMs - (runner.held() - heldBefore) * ROW_MS
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

  const claimSoon = (): void => {
    if (!claiming && !stopping) claimOnce().catch(deps.onError)
  }

  /** Claims when the lane, or this process, has run low; looks again after a claim that is at work now. */
  const claimFor = (lane: Lane): void => {
    wanting.delete(lane)
    if (!runsLow(lane) && !(backlog && runner.room() >= MAX_HELD / 2)) return
    if (claiming) wanting.add(lane)
    else claimSoon()
  }

  const runWorkspace = async (workspaceId: string): Promise<number> => {
    const deliveries: DueDelivery[] = []
    const readAtMs = clock.monotonicMs()
    for (const partition of await listPendingPartitions(database, clock.now()))
      deliveries.push(
        ...(await claimDeliveries(
          database,
          {
            now: clock.now(),
            leaseMs: LEASE_MS,
            max: MAX_OF_A_SANDBOX,
            maxOfEach: MAX_OF_A_SANDBOX,
            allowances: [],
            start: null,
            partition,
          },
          workspaceId,
        )),
      )
    await Promise.all(deliveries.map((delivery) => runner.runAlone(delivery, readAtMs)))
    return deliveries.length
  }

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
    idle: runner.idle,
    stop: async () => {
      stopping = true
      await claiming?.catch(() => {})
      await runner.stop()
    },
  }
}

/** The lane that comes last in the order of the scan. */
function lastOf(lanes: Iterable<Lane>): ScanStart {
  const place = (lane: Lane) => lane.workspaceId + lane.endpointId
  const [last] = [...lanes].sort((a, b) => (place(a) < place(b) ? 1 : -1))
  return last ? { workspaceId: last.workspaceId, endpointId: last.endpointId } : null
}
