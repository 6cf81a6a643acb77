/** Claims what is due for all endpoints, partition by partition, for as many rows as a process has room for. */
import { dueAt } from '../../../core/due.ts'
import { NARROW } from '../../../dispatch/slow-start.ts'
import type { LogPartition } from '../event-log/log-partitions.ts'
import { claimDeliveries, type ScanStart } from './delivery-claims.ts'
import { allowanceOf, allowancesOf, type Lane } from './delivery-lanes.ts'
import { type DeliveriesDeps, LEASE_MS, MAX_HELD, type Runner } from './delivery-runner.ts'
import { inOrder } from './endpoint-gaps.ts'
import { pendingPartitions } from './pending-partitions.ts'

/**
 * After a walk that took longer, besides what its rows took, walks begin at what was claimed last of each busy endpoint until so many times as
 * long has passed: what was settled is in the way then. Of those endpoints' rows only older ones wait for so long: what was given back.
 */
const SLOW_SCAN_MS = 25
const ROW_MS = 0.1
const REST = 20

export type ClaimScan = {
  /** Claims once; answers whether the scan began midway and so has to begin again. */
  claim(isStopping: () => boolean): Promise<boolean>
  /** Whether more may be due than was claimed. */
  hasBacklog(): boolean
}

/** One claim at a time: the caller sees to that. */
export function claimScan({ database, clock }: DeliveriesDeps, runner: Runner): ClaimScan {
  let backlog = false
  /** Where the last scan was cut short. */
  let scanAt: { partition: LogPartition; start: ScanStart } | null = null
  const pending = pendingPartitions(database, clock)
  let scannedAtMs = Number.NEGATIVE_INFINITY
  let scanTookMs = 0

  /** Claims what one partition of the log has for the room that is left; answers whether it may have more. */
  const claimFrom = async (
    partition: LogPartition,
    after: ScanStart,
    pastClaimed = false,
  ): Promise<boolean> => {
    const room = runner.room()
    const allowances = allowancesOf(runner.busyLanes(), runner.roomOf)
    const readAtMs = clock.monotonicMs()
    const deliveries = await claimDeliveries(database, {
      due: dueAt(clock.now()),
      leaseMs: LEASE_MS,
      max: room,
      maxOfEach: NARROW,
      allowances,
      start: after,
      partition,
      pastClaimed,
    })
    const allowed = new Map(allowances.map((one) => [one.endpointId, one.rows]))
    const touched = runner.take(deliveries, readAtMs)
    for (const [lane, rows] of touched) if (rows >= (allowed.get(lane.endpointId) ?? NARROW)) lane.more = true
    const cutShort = deliveries.length >= room
    if (cutShort && !pastClaimed) scanAt = { partition, start: lastOf(touched.keys()) }
    return cutShort
  }

  /** The part may have been dropped since. */
  const lookAnew = (error: unknown): never => {
    pending.forget()
    throw error
  }

  const claim = async (isStopping: () => boolean): Promise<boolean> => {
    backlog = true
    if (isStopping() || runner.room() < MAX_HELD / 8 || runner.tooSlow()) return false
    const partitions = await pending.list()
    for (const lane of runner.busyLanes()) lane.more = allowanceOf(lane) === 0
    const beganMs = clock.monotonicMs()
    if (scanTookMs > SLOW_SCAN_MS && beganMs - scannedAtMs < REST * scanTookMs) {
      let cutShort = false
      for (const partition of partitions) {
        cutShort = await claimFrom(partition, null, true).catch(lookAnew)
        if (cutShort) break
      }
      backlog = cutShort || scanAt !== null
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

  return { claim, hasBacklog: () => backlog }
}

/** The lane that comes last in the order of the scan. */
function lastOf(lanes: Iterable<Lane>): ScanStart {
  const last = inOrder([...lanes]).at(-1)
  return last ? { workspaceId: last.workspaceId, endpointId: last.endpointId } : null
}
