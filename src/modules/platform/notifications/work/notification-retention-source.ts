import { DAY_MS, later } from '../../../../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../../../../core/retention.ts'
import { deleteOldNotifications } from '../queries.ts'

const KEPT_DAYS = 90

/** Deletes notifications after a quarter of a year, read or unread. */
export const notificationRetentionSource = (deps: RetentionDeps) =>
  retentionSource(deps, {
    name: 'notification-retention',
    max: 5_000,
    deleteOld: async (query, now, max) => [
      await deleteOldNotifications(query, later(now, -KEPT_DAYS * DAY_MS), max),
    ],
  })
