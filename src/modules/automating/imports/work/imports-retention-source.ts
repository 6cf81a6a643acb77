import { DAY_MS, later } from '../../../../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../../../../core/retention.ts'
import { deleteOldImports } from '../queries.ts'

const KEPT_DAYS = 7

/**
 * Deletes old imported files with their refused rows, and files that were never started. Each may have fifty
 * thousand rows.
 */
export const importsRetentionSource = (deps: RetentionDeps) =>
  retentionSource(deps, {
    name: 'imports-retention',
    max: 10,
    deleteOld: async (query, now, max) => [
      (await deleteOldImports(query, later(now, -KEPT_DAYS * DAY_MS), max)).length,
    ],
  })
