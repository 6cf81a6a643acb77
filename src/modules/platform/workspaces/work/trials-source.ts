import { type Clock, SECOND_MS } from '../../../../core/clock.ts'
import type { Database } from '../../../../core/context.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { endTrials } from '../queries/trials.ts'

const MAX_WORKSPACES = 100

/** Ends trials of plans in real time, because sandboxes have none. */
export const trialsSource = ({
  database,
  clock,
}: {
  database: Pick<Database, 'query'>
  clock: Clock
}): WorkSource => ({
  name: 'trials',
  pollMs: 5 * SECOND_MS,
  runDue: async ({ workspaceId }) =>
    workspaceId === undefined ? endTrials(database.query, clock.now(), MAX_WORKSPACES) : 0,
})
