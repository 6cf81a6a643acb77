import { type Clock, DAY_MS, HOUR_MS, later } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'
import type { WorkSource } from '../../../core/work.ts'
import { deleteOldSubmissions } from '../queries/submissions.ts'

const MAX_AT_ONCE = 5_000

/** Forgets enquiries that are too old to be recognised. In a sandbox that runs ahead they lie longer, to no effect. */
export const submissionRetentionSource = (deps: {
  database: Pick<Database, 'query'>
  clock: Clock
}): WorkSource => ({
  name: 'submission-retention',
  pollMs: HOUR_MS,
  async runDue({ workspaceId }) {
    if (workspaceId !== undefined) return 0
    const gone = await deleteOldSubmissions(
      deps.database.query,
      later(deps.clock.now(), -DAY_MS),
      MAX_AT_ONCE,
    )
    return gone.length < MAX_AT_ONCE ? 0 : gone.length
  },
  nextDue: async () => undefined,
})
