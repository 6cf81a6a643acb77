import { type Clock, DAY_MS, HOUR_MS, later } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'
import type { WorkSource } from '../../../core/work.ts'
import { deleteOldImports } from '../queries.ts'

/** Files of up to fifty thousand rows. */
const MAX_AT_ONCE = 10
const KEPT_DAYS = 7

/** Forgets imported files with the rows that were refused, and those that nobody started. */
export const importsRetentionSource = (deps: {
  database: Pick<Database, 'query'>
  clock: Clock
}): WorkSource => ({
  name: 'imports-retention',
  pollMs: HOUR_MS,
  async runDue({ workspaceId }) {
    if (workspaceId !== undefined) return 0
    const before = later(deps.clock.now(), -KEPT_DAYS * DAY_MS)
    const gone = await deleteOldImports(deps.database.query, before, MAX_AT_ONCE)
    return gone.length < MAX_AT_ONCE ? 0 : gone.length
  },
  nextDue: async () => undefined,
})
