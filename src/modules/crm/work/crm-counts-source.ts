import { SECOND_MS } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'
import type { WorkSource } from '../../../core/work.ts'
import { addUpLeadCounts } from '../queries/lead-lists.ts'
import { addUpTaskCounts } from '../queries/task-counts.ts'

const BATCH = 1_000

/** The source of background work that adds up what changes of leads and tasks counted. What is read does not change by it. */
export const crmCountsSource = ({ database }: { database: Database }): WorkSource => ({
  name: 'crm-counts',
  pollMs: 2 * SECOND_MS,
  // It belongs to no workspace's time: a sandbox clock has nothing to wait for.
  runDue: async ({ workspaceId }) => {
    if (workspaceId !== undefined) return 0
    const taken = [await addUpLeadCounts(database.query, BATCH), await addUpTaskCounts(database.query, BATCH)]
    // What is left over may gather: nobody waits for it.
    return taken.includes(BATCH) ? BATCH : 0
  },
})
