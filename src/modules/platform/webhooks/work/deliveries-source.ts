/**
 * The engine that sends deliveries. A pending row is its own job: claimed under a lease, attempted, and
 * settled in batches. Parts: delivery-lanes; the claim (claim-turns, claim-scan, delivery-claims);
 * delivery-runner; attempt; result-writer. Idle endpoints use no memory.
 */
import { dueAt, type MovingClock } from '../../../../core/due.ts'
import type { WorkSource } from '../../../../core/work.ts'
import type { DueDelivery } from '../delivery/attempt.ts'
import { claimScan } from '../delivery/claim-scan.ts'
import { claimTurns } from '../delivery/claim-schedule.ts'
import {
  type DeliveriesDeps,
  deliveryRunner,
  LEASE_MS,
  MAX_HELD,
  type Runner,
} from '../delivery/delivery-runner.ts'
import { claimDeliveries } from '../delivery/queries/delivery-claims.ts'
import { alignDeliveries, countLeased, findNextDue } from '../delivery/queries/waiting-deliveries.ts'
import { listPendingPartitions } from '../event-log/log-partitions.ts'
import { DELIVERIES } from '../event-log/record-events.ts'

export type DeliveriesSource = WorkSource & {
  /** Resolves when no attempt is under way in this process and all results are written. */
  idle(): Promise<void>
  /** Stops claiming, gives back deliveries that have not started, and waits for running attempts. */
  stop(): Promise<void>
}

const MAX_OF_A_SANDBOX = 64

/** Runs a workspace's due deliveries, and waits until they are settled. */
async function runWorkspace(
  { database, clock }: DeliveriesDeps,
  runner: Runner,
  { workspaceId, moving }: { workspaceId: string; moving: MovingClock | undefined },
): Promise<number> {
  const deliveries: DueDelivery[] = []
  const readAtMs = clock.monotonicMs()
  const claim = {
    due: dueAt(clock.now(), moving),
    leaseMs: LEASE_MS,
    max: MAX_OF_A_SANDBOX,
    maxOfEach: MAX_OF_A_SANDBOX,
    allowances: [],
    start: null,
  }
  for (const partition of await listPendingPartitions(database, clock.now()))
    deliveries.push(...(await claimDeliveries(database, { ...claim, partition }, workspaceId)))
  await Promise.all(deliveries.map((delivery) => runner.runAlone(delivery, readAtMs)))
  return deliveries.length
}

/**
 * Builds the source of background work that sends deliveries. For one workspace, `runDue` waits until its
 * claimed rows are settled (the sandbox's clock needs that). Otherwise it only starts them and returns 0,
 * because a hanging receiver must not block the caller; the engine claims more as places become free.
 */
export function deliveriesSource(deps: DeliveriesDeps): DeliveriesSource {
  const { clock, onError } = deps
  const runner = deliveryRunner(deps, {
    onFree: (lane) => turns.claimFor(lane),
    onTick: () => {
      if (scan.hasBacklog()) turns.claimSoon()
    },
  })
  const scan = claimScan(deps, runner)
  const turns = claimTurns(scan, {
    hasRoom: () => runner.room() >= MAX_HELD / 2,
    isRoomy: runner.isRoomy,
    onError,
  })

  return {
    name: DELIVERIES,
    pollMs: 1_000,
    runDue: async ({ workspaceId, moving }) => {
      if (workspaceId) return runWorkspace(deps, runner, { workspaceId, moving })
      await turns.claimOnce()
      return 0
    },
    nextDue: (query, workspaceId) => findNextDue(query, workspaceId, clock.now()),
    running: (query, workspaceId, by) => countLeased(query, workspaceId, { now: clock.now(), by }),
    align: alignDeliveries,
    idle: runner.idle,
    stop: async () => {
      await turns.stop()
      await runner.stop()
    },
  }
}
