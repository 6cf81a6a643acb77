import { SECOND_MS } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'
import type { WorkSource } from '../../../core/work.ts'
import { addUpDeltas } from '../queries.ts'

const BATCH = 5_000

/** The source of background work that adds up what transactions counted. What is read does not change by it. */
export const countsSource = ({ database }: { database: Database }): WorkSource => ({
  name: 'counts',
  pollMs: 30 * SECOND_MS,
  // It belongs to no workspace's time: a sandbox clock has nothing to wait for.
  runDue: async ({ workspaceId }) => (workspaceId === undefined ? addUpDeltas(database.query, BATCH) : 0),
})
