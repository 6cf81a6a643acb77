import { DAY_MS, later } from '../../../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../../../core/retention.ts'
import { deleteOldCaptures } from '../queries/capture-submissions.ts'
import { deleteOldSubmissions } from '../queries/submissions.ts'

/** How long what arrived at the capture link is kept as it arrived. */
const KEPT_DAYS = 30

/** Forgets enquiries that are too old to be recognized, and what arrived too long ago. */
export const submissionRetentionSource = (deps: RetentionDeps) =>
  retentionSource(deps, {
    name: 'submission-retention',
    max: 5_000,
    deleteOld: async (query, now, max) => [
      (await deleteOldSubmissions(query, later(now, -DAY_MS), max)).length,
      (await deleteOldCaptures(query, later(now, -KEPT_DAYS * DAY_MS), max)).length,
    ],
  })
