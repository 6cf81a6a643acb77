/** Deletes messages past the days that their workspace keeps them (docs/decisions/retention.md). */
import { DAY_MS } from '../../../../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../../../../core/retention.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { sweepingPastRetention } from '../../../../database/sql/past-retention.ts'
import { deleteOldMessages } from '../intake/queries/message-retention.ts'

const MAX_AT_ONCE = 1_000

/** Deletes them in bounded lists, with their files, by the workspace's time. */
export function messageRetentionSource(deps: RetentionDeps): WorkSource {
  const sweep = sweepingPastRetention(deleteOldMessages)
  const ofEveryWorkspace = retentionSource(deps, {
    name: 'message-retention',
    // A look into each workspace costs more than the deletion of the few messages that fall due there in an hour.
    pollMs: DAY_MS,
    max: MAX_AT_ONCE,
    deleteOld: async (query, now, max) => [await sweep(query, now, max)],
  })
  return {
    ...ofEveryWorkspace,
    async runDue({ workspaceId }) {
      if (workspaceId === undefined) return ofEveryWorkspace.runDue({})
      const request = { now: deps.clock.now(), workspaceId, max: MAX_AT_ONCE }
      return (await deleteOldMessages(deps.database.query, request)).deleted
    },
  }
}
