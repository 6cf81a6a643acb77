/**
 * How many tasks each group has (docs/decisions/rate-limits.md). Those of one lead, and named ones, are few and counted as they are. Of a workspace's
 * or a person's, what is over is known from counters, and what is open is counted through the index by which it is due.
 */
import type { Context } from '../../../core/context.ts'
import { MANY_ROWS, NEAR_ROWS, requireCostlyRead } from '../../../core/costly-reads.ts'
import { listStatusCounts, type StatusCount } from '../queries/task-counts.ts'
import { countTaskGroups, type TaskListing } from '../queries/tasks.ts'
import { TASK_GROUPS, type TaskGroup } from '../task-schema.ts'

const OPEN_GROUPS = ['overdue', 'today', 'upcoming'] as const

/** A list of tasks, and where its page begins. */
type Asked = Pick<TaskListing, 'borders' | 'leadId' | 'assigneeId' | 'ids' | 'group' | 'offset'>

/** What counters know of the list; undefined for one of a lead or of named tasks. */
export type StoredCounts = StatusCount[] | undefined

/** Reads the counters; refuses with `rate_limited` when the list walks far and too many others do already. */
export async function beforeTasks(ctx: Context, asked: Asked): Promise<StoredCounts> {
  if (asked.leadId !== null || asked.ids !== null) return undefined
  const stored = await listStatusCounts(ctx, asked.assigneeId)
  if (walksFar(asked, stored)) await requireCostlyRead(ctx)
  return stored
}

function walksFar({ group, assigneeId, offset }: Asked, stored: StatusCount[]): boolean {
  const count = (...statuses: StatusCount['status'][]) =>
    stored.reduce((sum, row) => (statuses.includes(row.status) ? sum + row.amount : sum), 0)
  const all = count('pending', 'done', 'cancelled')
  if (offset > NEAR_ROWS && all > MANY_ROWS) return true
  if (assigneeId === null) return count('pending') > MANY_ROWS
  // What is open has an index by person; what is over is met among everybody's.
  const passed = group === 'all' ? all : group === 'done' || group === 'cancelled' ? count(group) : 0
  return amountOf(stored, 'pending', 'theirs') > MANY_ROWS || passed > MANY_ROWS
}

const amountOf = (stored: StatusCount[], status: StatusCount['status'], of: 'amount' | 'theirs'): number =>
  stored.find((row) => row.status === status)?.[of] ?? 0

/** How many tasks each group has, by what `beforeTasks` read. */
export async function countTasks(
  ctx: Context,
  asked: Asked,
  stored: StoredCounts,
): Promise<Record<TaskGroup, number>> {
  if (!stored) return countTaskGroups(ctx, asked, TASK_GROUPS)
  const of = asked.assigneeId === null ? 'amount' : 'theirs'
  return {
    ...(await countTaskGroups(ctx, asked, OPEN_GROUPS)),
    done: amountOf(stored, 'done', of),
    cancelled: amountOf(stored, 'cancelled', of),
  }
}
