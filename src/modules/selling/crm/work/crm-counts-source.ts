import { SECOND_MS } from '../../../../core/clock.ts'
import type { Database } from '../../../../core/context.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { addUpLeadCounts } from '../queries/lead-lists.ts'
import { addUpTaskCounts } from '../queries/task-counts.ts'

const BATCH = 1_000

/**
 * Background work that adds up counted changes of leads and tasks. Adding up doesn't change the totals that
 * clients read.
 */
export const crmCountsSource = ({ database }: { database: Database }): WorkSource => ({
  name: 'crm-counts',
  pollMs: 2 * SECOND_MS,
  // Counters don't depend on a workspace's clock, so a moved sandbox clock needs no run.
  runDue: async ({ workspaceId }) => {
    if (workspaceId !== undefined) return 0
    const counts = [
      await addUpLeadCounts(database.query, BATCH),
      await addUpTaskCounts(database.query, BATCH),
    ]
    // The remaining changes can accumulate, because no caller waits for them.
    return counts.includes(BATCH) ? BATCH : 0
  },
})
