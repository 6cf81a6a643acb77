import { DAY_MS, later } from '../../../../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../../../../core/retention.ts'
import { REPEATED_DAYS } from '../../../messaging/contacts/operations/erase-contact.ts'
import { deleteOldHistoryImports, deleteOldWaitingImports } from '../queries.ts'

const KEPT_DAYS = 30
/** An erased customer in a waiting file must not come back: hashes of erased customers stay for a day longer. */
const WAITING_DAYS = REPEATED_DAYS - 1

/**
 * Deletes old imports of past messages with their reports and their files, and earlier those that wait for a person. The imported
 * messages stay.
 */
export const historyImportsRetentionSource = (deps: RetentionDeps) =>
  retentionSource(deps, {
    name: 'history-imports-retention',
    max: 10,
    deleteOld: async (query, now, max) => [
      (await deleteOldHistoryImports(query, later(now, -KEPT_DAYS * DAY_MS), max)).length,
      (await deleteOldWaitingImports(query, later(now, -WAITING_DAYS * DAY_MS), max)).length,
    ],
  })
