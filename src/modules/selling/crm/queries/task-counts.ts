/** SQL for the counters of tasks (`task_counts` and `task_changes` in migrations/0012_tasks.sql). */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import { addingUp } from '../../../../database/sql/summed-deltas.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { TaskRow } from './tasks.ts'

type CountRow = Selectable<Tables['taskCounts']>
export type StatusCount = {
  status: TaskRow['status']
  /** In the workspace. */
  amount: CountRow['amount']
  /** Of the requested assignee. */
  theirs: CountRow['amount']
}

/**
 * Returns the number of tasks per status, for statuses that occur. `assigneeId` null: no assignee requested.
 */
export const listStatusCounts = (ctx: Context, assigneeId: string | null): Promise<StatusCount[]> =>
  ctx.tx.sql<StatusCount>(
    `select status, sum(amount)::int8 as amount, coalesce(sum(amount) filter (where assignee = $2), 0)::int8 as theirs
     from (
       select status, assignee, amount from task_counts where workspace_id = $1
       union all
       select status, assignee, amount from task_changes where workspace_id = $1) counted
     group by status`,
    [ctx.workspace.id, assigneeId],
  )

/** Adds changes to their sums. */
export const addUpTaskCounts = addingUp({
  deltas: 'task_changes',
  sums: 'task_counts',
  keys: ['status', 'assignee'],
  counts: ['amount'],
  having: 'sum(amount) <> 0',
})
