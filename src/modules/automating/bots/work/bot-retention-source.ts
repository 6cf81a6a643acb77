import { DAY_MS, later } from '../../../../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../../../../core/retention.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { deleteOldVisits } from '../queries/visits.ts'
import { RESULT_DAYS } from '../result-schema.ts'

/** Deletes old visits of bots. */
export const botRetentionSource = (deps: RetentionDeps): WorkSource =>
  retentionSource(deps, {
    name: 'bot-retention',
    max: 5_000,
    deleteOld: async (query, now, max) => [
      await deleteOldVisits(query, later(now, -RESULT_DAYS * DAY_MS), max),
    ],
  })
