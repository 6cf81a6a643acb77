/**
 * Claims due deliveries for all endpoints, partition by partition, for as many rows as the process has room
 * for.
 */
import { dueAt } from '../../../../core/due.ts'
import { NARROW } from '../../../../dispatch/slow-start.ts'
import type { LogPartition } from '../event-log/log-partitions.ts'
import { allowanceOf, allowancesOf, type Lane } from './delivery-lanes.ts'
import { type DeliveriesDeps, LEASE_MS, MAX_HELD, type Runner } from './delivery-runner.ts'
import { inOrder } from './endpoint-gaps.ts'
import { pendingPartitions } from './pending-partitions.ts'
import { claimDeliveries, type ScanStart } from './queries/delivery-claims.ts'

/**
 * After a scan that was slow for its number of rows, dead rows are probably in the way. For this many times
 * its duration, scans of busy endpoints start at their last claimed row; only older rows, which were given
 * back, must wait.
 */
const SLOW_SCAN_MS = 25
const ROW_MS = 0.1
const REST = 20

export type ClaimScan = {
  /** Claims once; returns whether the scan started midway, so that it must be repeated from the start. */
  claim(isStopping: () => boolean): Promise<boolean>
  /** Returns whether more rows may be due than the last claim took. */
  hasBacklog(): boolean
}

/** Builds the scan. The caller must run only one claim at a time. */
export function claimScan({ database, clock }: DeliveriesDeps, runner: Runner): ClaimScan {
  let backlog = false
  /** Where the last scan stopped early. */
  let scanAt: { partition: LogPartition; start: ScanStart } | null = null
  const pending = pendingPartitions(database, clock)
  let scannedAtMs = Number.NEGATIVE_INFINITY
  let scanTookMs = 0

  /** Claims rows of one partition for the remaining room; returns whether it may have more. */
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
    const allowed = new Map(allowances.map((allowance) => [allowance.endpointId, allowance.rows]))
    const rowsByLane = runner.take(deliveries, readAtMs)
    for (const [lane, rows] of rowsByLane)
      if (rows >= (allowed.get(lane.endpointId) ?? NARROW)) lane.more = true
    const cutShort = deliveries.length >= room
    if (cutShort && !pastClaimed) scanAt = { partition, start: lastOf(rowsByLane.keys()) }
    return cutShort
  }

  /** Looks the partitions up again, because this one may have been dropped. */
  const forgetPending = (error: unknown): never => {
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
        cutShort = await claimFrom(partition, null, true).catch(forgetPending)
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
      if (
        await claimFrom(partition, partition === midway?.partition ? midway.start : null).catch(forgetPending)
      )
        break
    }
    scannedAtMs = clock.monotonicMs()
    scanTookMs = scannedAtMs - beganMs - (runner.held() - heldBefore) * ROW_MS
    backlog = scanAt !== null || midway !== null
    return midway !== null && scanAt === null
  }

  return { claim, hasBacklog: () => backlog }
}

/** Returns the lane that is last in the order of the scan. */
function lastOf(lanes: Iterable<Lane>): ScanStart {
  const last = inOrder([...lanes]).at(-1)
  return last ? { workspaceId: last.workspaceId, endpointId: last.endpointId } : null
}
