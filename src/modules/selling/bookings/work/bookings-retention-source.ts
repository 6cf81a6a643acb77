import { DAY_MS, later } from '../../../../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../../../../core/retention.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { deleteOldReminders, forgetOldHolds } from '../queries/reminders.ts'

/** Days after the booking's start. */
const KEPT_DAYS = 90

/** Deletes sent reminders, and the customers of expired holds without a booking. */
export const bookingsRetentionSource = (deps: RetentionDeps): WorkSource =>
  retentionSource(deps, {
    name: 'bookings-retention',
    max: 1_000,
    deleteOld: async (query, now, max) => {
      const before = later(now, -KEPT_DAYS * DAY_MS)
      return [await deleteOldReminders(query, before, max), await forgetOldHolds(query, before, max)]
    },
  })
