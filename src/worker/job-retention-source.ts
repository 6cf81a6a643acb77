import { DAY_MS, later } from '../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../core/retention.ts'
import { deleteFailedJobs } from './job-rows.ts'

/**
 * The number of days for which a permanently failed job is kept with its error; `parley doctor` shows it
 * meanwhile.
 */
const FAILED_DAYS = 30

/** Deletes jobs that failed permanently long ago. */
export const jobRetentionSource = (deps: RetentionDeps) =>
  retentionSource(deps, {
    name: 'job-retention',
    max: 2_000,
    deleteOld: async (query, now, max) => [
      await deleteFailedJobs(query, later(now, -FAILED_DAYS * DAY_MS), max),
    ],
  })
