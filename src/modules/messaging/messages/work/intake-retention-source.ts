/**
 * Deletes old data of the intake: updates that were ignored or could not be applied, changes that arrived
 * before their message (src/modules/messaging/messages/intake/DECISIONS.md), and identifiers of erased people
 * (docs/decisions/retention.md).
 */
import { DAY_MS, later, MINUTE_MS } from '../../../../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../../../../core/retention.ts'
import { deletingOlder } from '../../../../database/sql/delete-older.ts'
import { REPEATED_DAYS } from '../../contacts/operations/erase-contact.ts'

/** Each table with its age column, and its days of retention if they are not in the settings. */
const TABLES = [
  ['unread_updates', 'received_at'],
  ['operator_updates', 'failed_at'],
  ['message_changes', 'created_at'],
  ['erased_ids', 'erased_at', REPEATED_DAYS],
] as const

/**
 * Deletes rows older than `operatorDays`, in bounded lists. The operator repeats undelivered reports for a
 * week.
 */
export const intakeRetentionSource = (deps: RetentionDeps & { operatorDays: number }) =>
  retentionSource(deps, {
    name: 'intake-retention',
    pollMs: MINUTE_MS,
    max: 2_000,
    async deleteOld(query, now, max) {
      const counts: number[] = []
      for (const [table, column, days = deps.operatorDays] of TABLES)
        counts.push(await deletingOlder(table, column)(query, later(now, -days * DAY_MS), max))
      return counts
    },
  })
