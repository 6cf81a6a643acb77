import { SECOND_MS } from '../../../../core/clock.ts'
import type { Database } from '../../../../core/context.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { addUpDeltas } from '../queries.ts'

const BATCH = 5_000

/**
 * Returns the work source that adds up the deltas of transactions. The sums that readers see stay the same.
 */
export const countsSource = ({ database }: { database: Database }): WorkSource => ({
  name: 'counts',
  pollMs: 30 * SECOND_MS,
  // Counts don't depend on the time of a workspace, so a sandbox's clock waits for nothing here.
  runDue: async ({ workspaceId }) => (workspaceId === undefined ? addUpDeltas(database.query, BATCH) : 0),
})
