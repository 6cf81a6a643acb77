import { DAY_MS, later } from '../../../../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../../../../core/retention.ts'
import { deleteOldCaptures } from '../queries/capture-submissions.ts'
import { deleteOldSubmissions } from '../queries/submissions.ts'

/** Days for which submissions at the capture link are kept. */
const KEPT_DAYS = 30

/** Deletes enquiries that are too old to be recognized as repeats, and submissions past their retention. */
export const submissionRetentionSource = (deps: RetentionDeps) =>
  retentionSource(deps, {
    name: 'submission-retention',
    max: 5_000,
    deleteOld: async (query, now, max) => [
      (await deleteOldSubmissions(query, later(now, -DAY_MS), max)).length,
      (await deleteOldCaptures(query, later(now, -KEPT_DAYS * DAY_MS), max)).length,
    ],
  })
