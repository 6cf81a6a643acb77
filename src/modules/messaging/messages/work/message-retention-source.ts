/** Deletes messages past the days that their workspace keeps them (docs/decisions/retention.md). */
import { type Clock, HOUR_MS } from '../../../../core/clock.ts'
import type { Database } from '../../../../core/context.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { deleteOldMessages } from '../intake/queries/message-retention.ts'

const MAX_AT_ONCE = 1_000

/** Deletes them in bounded lists, with their files, by the workspace's time. */
export const messageRetentionSource = (deps: {
  database: Pick<Database, 'query'>
  clock: Clock
}): WorkSource => ({
  name: 'message-retention',
  pollMs: HOUR_MS,
  runDue: ({ workspaceId }) =>
    deleteOldMessages(deps.database.query, {
      now: deps.clock.now(),
      workspaceId,
      max: MAX_AT_ONCE,
    }),
})
