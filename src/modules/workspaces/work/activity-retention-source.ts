import { type Clock, DAY_MS, HOUR_MS, later } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'
import type { WorkSource } from '../../../core/work.ts'
import { deleteOldActivity } from '../queries/activity.ts'

const MAX_AT_ONCE = 2_000

/** Forgets what was logged more than `activityDays` ago. In a sandbox that runs ahead entries lie longer, to no effect. */
export const activityRetentionSource = (deps: {
  database: Pick<Database, 'query'>
  clock: Clock
  activityDays: number
}): WorkSource => ({
  name: 'activity-retention',
  pollMs: HOUR_MS,
  async runDue({ workspaceId }) {
    if (workspaceId !== undefined) return 0
    const gone = await deleteOldActivity(
      deps.database.query,
      later(deps.clock.now(), -deps.activityDays * DAY_MS),
      MAX_AT_ONCE,
    )
    return gone < MAX_AT_ONCE ? 0 : gone
  },
  nextDue: async () => undefined,
})
