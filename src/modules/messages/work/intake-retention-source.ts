/**
 * How long the intake keeps what it does not need: updates that were not acted on or could not be applied, edits and
 * deletions that came before their message (docs/decisions/operator-reports.md), and by what it knows people again who were
 * erased (docs/decisions/contact-erasure.md).
 */
import { DAY_MS, later, MINUTE_MS } from '../../../core/clock.ts'
import { deletingOlder, type RetentionDeps, retentionSource } from '../../../core/retention.ts'
import { REPEATED_DAYS } from '../../contacts/operations/erase-contact.ts'

/** Each table with the column that says since when; and how many days it is kept, where the settings do not say so. */
const TABLES = [
  ['unread_updates', 'received_at'],
  ['operator_updates', 'failed_at'],
  ['message_changes', 'created_at'],
  ['erased_ids', 'erased_at', REPEATED_DAYS],
] as const

/** Deletes what is older than `operatorDays`, in bounded lists. For a week the operator repeats what it could not deliver. */
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
