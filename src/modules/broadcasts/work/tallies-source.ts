import { SECOND_MS } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'
import type { WorkSource } from '../../../core/work.ts'
import { addUpTallies } from '../queries/tallies.ts'

const BATCH = 5_000

/** The source of background work that adds up what became of campaigns' messages. What is read does not change by it. */
export const talliesSource = ({ database }: { database: Database }): WorkSource => ({
  name: 'tallies',
  pollMs: 5 * SECOND_MS,
  // It belongs to no workspace's time: a sandbox clock has nothing to wait for.
  runDue: async ({ workspaceId }) => (workspaceId === undefined ? addUpTallies(database.query, BATCH) : 0),
})
