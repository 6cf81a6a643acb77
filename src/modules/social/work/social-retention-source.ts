/** What the photo network's part keeps for so long only (docs/decisions/retention.md). */
import { type Clock, DAY_MS, HOUR_MS, later } from '../../../core/clock.ts'
import type { Query } from '../../../core/context.ts'
import type { WorkSource } from '../../../core/work.ts'
import { deleteFailedUpdates, deleteOldMessages, deleteWaitingChanges } from '../queries/retention.ts'

const MAX_AT_ONCE = 1_000

/** Deletes it in bounded lists. For days the network repeats what it could not deliver. */
export const socialRetentionSource = (deps: {
  database: { query: Query }
  clock: Clock
  operatorDays: number
}): WorkSource => ({
  name: 'social-retention',
  pollMs: HOUR_MS,
  async runDue({ workspaceId }) {
    // No sandbox has any of it.
    if (workspaceId !== undefined) return 0
    const { database, clock } = deps
    const before = later(clock.now(), -deps.operatorDays * DAY_MS)
    const counts = await Promise.all([
      deleteFailedUpdates(database.query, before, MAX_AT_ONCE),
      deleteWaitingChanges(database.query, before, MAX_AT_ONCE),
      deleteOldMessages(database.query, clock.now(), MAX_AT_ONCE),
    ])
    const max = Math.max(...counts)
    return max < MAX_AT_ONCE ? 0 : max
  },
})
