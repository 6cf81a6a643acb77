/** Every statement on the counters of tasks (`task_counts` and `task_changes` in migrations/0012_tasks.sql). */
import type { Context, Query } from '../../../core/context.ts'
import type { TaskRow } from './tasks.ts'

export type StatusCount = {
  status: TaskRow['status']
  /** Of the workspace. */
  amount: number
  /** Of the person who is asked for. */
  theirs: number
}

/** How many tasks there are of each status; of those that occur. `assigneeId` null: nobody is asked for. */
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

// One statement: whoever reads sees a change or its sum. Counts are taken in one order, so that two who add up do not deadlock.
const ADD_UP = `
  with oldest as materialized (
    select workspace_id, id from task_changes order by workspace_id, id limit $1 for update skip locked
  ), taken as (
    delete from task_changes c using oldest o where c.workspace_id = o.workspace_id and c.id = o.id returning c.*
  ), added as (
    insert into task_counts (workspace_id, status, assignee, amount)
    select workspace_id, status, assignee, sum(amount) from taken
    group by workspace_id, status, assignee having sum(amount) <> 0
    order by workspace_id, status, assignee
    on conflict (workspace_id, status, assignee) do update set amount = task_counts.amount + excluded.amount
  )
  select count(*)::int4 as taken from taken`

/** Adds up to `limit` changes to their sums and returns how many changes it were. */
export async function addUpTaskCounts(query: Query, limit: number): Promise<number> {
  const [row] = await query<{ taken: number }>(ADD_UP, [limit])
  return row!.taken
}
