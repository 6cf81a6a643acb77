import type { Clock } from '../../../../core/clock.ts'
import type { Database } from '../../../../core/context.ts'
import { type LogPartition, listPendingPartitions } from '../event-log/log-partitions.ts'

/** The interval of queries for the partitions with pending rows. */
const LOOK_EVERY_MS = 60_000

export type PendingPartitions = {
  /** Returns the partitions with pending rows as of the last lookup, the oldest first. */
  list(): Promise<LogPartition[]>
  /** Forces another lookup, because a partition may have been dropped. */
  forget(): void
}

export function pendingPartitions(database: Pick<Database, 'query'>, clock: Clock): PendingPartitions {
  let partitions: LogPartition[] = []
  let lookedAtMs = Number.NEGATIVE_INFINITY
  return {
    list: async () => {
      const nowMs = clock.monotonicMs()
      if (nowMs - lookedAtMs >= LOOK_EVERY_MS) {
        partitions = await listPendingPartitions(database, clock.now())
        lookedAtMs = nowMs
      }
      return partitions
    },
    forget: () => {
      lookedAtMs = Number.NEGATIVE_INFINITY
    },
  }
}
