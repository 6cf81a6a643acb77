import { DAY_MS, later } from '../../../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../../../core/retention.ts'
import { deleteOldSubmissions } from '../queries/submissions.ts'

/** Forgets enquiries that are too old to be recognised. */
export const submissionRetentionSource = (deps: RetentionDeps) =>
  retentionSource(deps, {
    name: 'submission-retention',
    max: 5_000,
    deleteOld: async (query, now, max) => [
      (await deleteOldSubmissions(query, later(now, -DAY_MS), max)).length,
    ],
  })
