import { SECOND_MS } from '../../../../core/clock.ts'
import type { Database } from '../../../../core/context.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { addUpTallies } from '../queries/tallies.ts'

const BATCH = 5_000

/** The work source that sums the results of campaigns' messages. Reads return the same before and after. */
export const talliesSource = ({ database }: { database: Database }): WorkSource => ({
  name: 'tallies',
  pollMs: 5 * SECOND_MS,
  // The sums do not depend on a workspace's time, so a sandbox clock does not wait for them.
  runDue: async ({ workspaceId }) => (workspaceId === undefined ? addUpTallies(database.query, BATCH) : 0),
})
