import { MINUTE_MS } from '../../../../core/clock.ts'
import type { Database } from '../../../../core/context.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { addUpPriced } from '../pricing/queries.ts'

const BATCH = 5_000

/** Sums the counts of charged messages. Readers see the same totals before and after. */
export const pricedSource = ({ database }: { database: Database }): WorkSource => ({
  name: 'priced',
  pollMs: MINUTE_MS,
  // The sums do not depend on a workspace's time, so a sandbox clock does not wait for them.
  runDue: async ({ workspaceId }) => (workspaceId === undefined ? addUpPriced(database.query, BATCH) : 0),
})
