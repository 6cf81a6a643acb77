import { SECOND_MS } from '../../../../core/clock.ts'
import type { Database } from '../../../../core/context.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { addUpResults } from '../queries/results.ts'

const BATCH = 5_000

/** The work source that adds the results of templates to their days. Reads return the same before and after. */
export const resultsSource = ({ database }: { database: Database }): WorkSource => ({
  name: 'template-results',
  pollMs: 30 * SECOND_MS,
  // The sums do not depend on a workspace's time, so a sandbox clock does not wait for them.
  runDue: async ({ workspaceId }) => (workspaceId === undefined ? addUpResults(database.query, BATCH) : 0),
})
