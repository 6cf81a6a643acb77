/** Deletes old data of the photo network (docs/decisions/retention.md). */
import { DAY_MS, later } from '../../../../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../../../../core/retention.ts'
import { sweepingPastRetention } from '../../../../database/sql/past-retention.ts'
import {
  deleteFailedUpdates,
  deleteOldMessages,
  deleteWaitingChanges,
  deleteWaitingReplies,
} from '../queries/retention.ts'

/** Deletes it in bounded lists. The network repeats undelivered reports for days. */
export function socialRetentionSource(deps: RetentionDeps & { operatorDays: number }) {
  const sweepMessages = sweepingPastRetention(deleteOldMessages)
  return retentionSource(deps, {
    name: 'social-retention',
    max: 1_000,
    deleteOld: (query, now, max) => {
      const before = later(now, -deps.operatorDays * DAY_MS)
      return Promise.all([
        deleteFailedUpdates(query, before, max),
        deleteWaitingChanges(query, before, max),
        deleteWaitingReplies(query, before, max),
        sweepMessages(query, now, max),
      ])
    },
  })
}
