import { type Clock, MINUTE_MS } from '../../../../core/clock.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { dropOldDays, emptyDefaultPartitions, type LogDatabase, makeLogDays } from '../event-log/log-days.ts'

/**
 * Maintains the partitions of the logs in real time, also for a sandbox that runs ahead: events older than 7
 * days of its own time are hidden from it, although their partitions still exist.
 */
export function logDaysSource(deps: { database: LogDatabase; clock: Clock }): WorkSource {
  const { database, clock } = deps
  return {
    name: 'log-days',
    pollMs: MINUTE_MS,
    async runDue({ workspaceId }) {
      if (workspaceId !== undefined) return 0
      const now = clock.now()
      await makeLogDays(database, now)
      await dropOldDays(database, now)
      await emptyDefaultPartitions(database, now)
      return 0
    },
    nextDue: async () => undefined,
  }
}
