import { SECOND_MS } from '../../core/clock.ts'
import type { Database } from '../../core/context.ts'
import type { WorkSource } from '../../core/work.ts'
import { addUpLeadCounts } from './lead-list-queries.ts'

const BATCH = 5_000

/** The source of background work that adds up what changes of leads counted. What is read does not change by it. */
export const leadCountsSource = ({ database }: { database: Database }): WorkSource => ({
  name: 'lead-counts',
  pollMs: 10 * SECOND_MS,
  // It belongs to no workspace's time: a sandbox clock has nothing to wait for.
  runDue: async ({ workspaceId }) => (workspaceId === undefined ? addUpLeadCounts(database.query, BATCH) : 0),
})
