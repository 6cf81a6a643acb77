import { DAY_MS, later } from '../../../../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../../../../core/retention.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { deleteOldRuns } from '../queries/runs.ts'

const KEPT_DAYS = 30

/** Deletes old runs of automations. */
export const automationRetentionSource = (deps: RetentionDeps): WorkSource =>
  retentionSource(deps, {
    name: 'automation-retention',
    max: 5_000,
    deleteOld: async (query, now, max) => [await deleteOldRuns(query, later(now, -KEPT_DAYS * DAY_MS), max)],
  })
