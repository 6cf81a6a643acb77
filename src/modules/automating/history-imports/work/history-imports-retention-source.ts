import { DAY_MS, later } from '../../../../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../../../../core/retention.ts'
import { deleteOldHistoryImports } from '../queries.ts'

const KEPT_DAYS = 30

/** Deletes old imports of past messages with their reports and their files. The imported messages stay. */
export const historyImportsRetentionSource = (deps: RetentionDeps) =>
  retentionSource(deps, {
    name: 'history-imports-retention',
    max: 10,
    deleteOld: async (query, now, max) => [
      (await deleteOldHistoryImports(query, later(now, -KEPT_DAYS * DAY_MS), max)).length,
    ],
  })
