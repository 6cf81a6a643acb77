import { DAY_MS, later } from '../../../../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../../../../core/retention.ts'
import { deleteOldActivity } from '../queries/activity.ts'

/** Deletes log entries older than `activityDays`. */
export const activityRetentionSource = (deps: RetentionDeps & { activityDays: number }) =>
  retentionSource(deps, {
    name: 'activity-retention',
    max: 2_000,
    deleteOld: async (query, now, max) => [
      await deleteOldActivity(query, later(now, -deps.activityDays * DAY_MS), max),
    ],
  })
