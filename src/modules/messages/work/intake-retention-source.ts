/**
 * How long the intake keeps what it does not need: updates that were not acted on or could not be applied, edits and
 * deletions that came before their message (docs/decisions/operator-reports.md), and by what it knows people again who were
 * erased (docs/decisions/contact-erasure.md).
 */
import { type Clock, DAY_MS, later, MINUTE_MS } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'
import type { WorkSource } from '../../../core/work.ts'
import { REPEATED_DAYS } from '../../contacts/operations/erase-contact.ts'

const MAX_AT_ONCE = 2_000

/** Each table with the column that says since when; and how many days it is kept, where the settings do not say so. */
const TABLES = [
  ['unread_updates', 'received_at'],
  ['operator_updates', 'failed_at'],
  ['message_changes', 'created_at'],
  ['erased_ids', 'erased_at', REPEATED_DAYS],
] as const

/** Deletes what is older than `operatorDays`, in bounded lists. For a week the operator repeats what it could not deliver. */
export const intakeRetentionSource = (deps: {
  database: Pick<Database, 'query'>
  clock: Clock
  operatorDays: number
}): WorkSource => ({
  name: 'intake-retention',
  pollMs: MINUTE_MS,
  async runDue({ workspaceId }) {
    // Real time decides: a sandbox that moves its clock has nothing here that grows old by it.
    if (workspaceId !== undefined) return 0
    let max = 0
    for (const [table, column, days = deps.operatorDays] of TABLES) {
      const [row] = await deps.database.query<{ count: number }>(
        `with gone as (
           delete from ${table} where ctid = any (array(
             select ctid from ${table} where ${column} <= $1 order by ${column} limit ${MAX_AT_ONCE})) returning 1
         ) select count(*) as count from gone`,
        [later(deps.clock.now(), -days * DAY_MS)],
      )
      max = Math.max(max, row?.count ?? 0)
    }
    return max < MAX_AT_ONCE ? 0 : max
  },
})
