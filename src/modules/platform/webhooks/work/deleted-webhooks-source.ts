/** Deletes the pending deliveries of deleted endpoints (DECISIONS.md). */
import { type Clock, MINUTE_MS } from '../../../../core/clock.ts'
import type { Database } from '../../../../core/context.ts'
import type { WorkSource } from '../../../../core/work.ts'
import {
  DELETED_WEBHOOKS,
  deletePending,
  listDeletedWithPending,
  settleDeleted,
} from '../delivery/queries/delete-pending.ts'
import { listPendingPartitions, unlessDropped } from '../event-log/log-partitions.ts'

const MAX_ENDPOINTS = 1_000
/** The maximum of rows that one statement deletes. */
const MAX_ROWS = 1_000

/**
 * Runs every minute, and when an endpoint was deleted. A transaction that began before the deletion may add a
 * delivery after it, so the endpoint is checked until none can be added any more.
 */
export function deletedWebhooksSource(deps: { database: Pick<Database, 'query'>; clock: Clock }): WorkSource {
  const { database, clock } = deps
  return {
    name: DELETED_WEBHOOKS,
    pollMs: MINUTE_MS,
    async runDue({ workspaceId }) {
      if (workspaceId !== undefined) return 0
      const now = clock.now()
      const endpoints = await listDeletedWithPending(database, MAX_ENDPOINTS)
      if (endpoints.length === 0) return 0
      for (const partition of await listPendingPartitions(database, now)) {
        const count = await unlessDropped(deletePending(database, partition, endpoints, MAX_ROWS))
        if (count === MAX_ROWS) return count
      }
      await settleDeleted(database, endpoints, now)
      return 0
    },
  }
}
