import { MINUTE_MS } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'
import type { WorkSource } from '../../../core/work.ts'
import { addUpPriced } from '../pricing/queries.ts'

const BATCH = 5_000

/** Adds up the counts of charged messages. The totals that readers see do not change by it. */
export const pricedSource = ({ database }: { database: Database }): WorkSource => ({
  name: 'priced',
  pollMs: MINUTE_MS,
  // Runs in no workspace's time, so a sandbox clock has nothing to wait for.
  runDue: async ({ workspaceId }) => (workspaceId === undefined ? addUpPriced(database.query, BATCH) : 0),
})
