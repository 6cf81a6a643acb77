/**
 * Returns the number of tasks per group (docs/decisions/rate-limits.md). Tasks of one lead, and named tasks,
 * are few and counted directly. For a workspace or a person, closed tasks come from counters, and open tasks
 * are counted through the due-time index.
 */
import type { Context } from '../../../../core/context.ts'
import { MANY_ROWS, NEAR_ROWS, requireCostlyRead } from '../../../../database/sql/costly-reads.ts'
import { listStatusCounts, type StatusCount } from '../queries/task-counts.ts'
import { countTaskGroups, type TaskListing } from '../queries/tasks.ts'
import { TASK_GROUPS, type TaskGroup } from '../task-schema.ts'

const OPEN_GROUPS = ['overdue', 'today', 'upcoming'] as const

/** A list of tasks, and the start of its page. */
type TaskQuery = Pick<TaskListing, 'borders' | 'leadId' | 'assigneeId' | 'ids' | 'group' | 'offset'>

/** The list's counters; undefined for a lead's tasks or named tasks. */
export type StoredCounts = StatusCount[] | undefined

/**
 * Reads the counters. Refuses with `rate_limited` if the list needs a long walk and too many others are
 * running.
 */
export async function beforeTasks(ctx: Context, taskQuery: TaskQuery): Promise<StoredCounts> {
  if (taskQuery.leadId !== null || taskQuery.ids !== null) return undefined
  const storedCounts = await listStatusCounts(ctx, taskQuery.assigneeId)
  if (walksFar(taskQuery, storedCounts)) await requireCostlyRead(ctx)
  return storedCounts
}

function walksFar({ group, assigneeId, offset }: TaskQuery, storedCounts: StatusCount[]): boolean {
  const count = (...statuses: StatusCount['status'][]) =>
    storedCounts.reduce((sum, row) => (statuses.includes(row.status) ? sum + row.amount : sum), 0)
  const total = count('pending', 'done', 'cancelled')
  if (offset > NEAR_ROWS && total > MANY_ROWS) return true
  if (assigneeId === null) return count('pending') > MANY_ROWS
  // Open tasks have an index by person. Closed tasks of a person are found among all closed tasks.
  const passed = group === 'all' ? total : group === 'done' || group === 'cancelled' ? count(group) : 0
  return amountOf(storedCounts, 'pending', 'theirs') > MANY_ROWS || passed > MANY_ROWS
}

const amountOf = (
  storedCounts: StatusCount[],
  status: StatusCount['status'],
  column: 'amount' | 'theirs',
): number => storedCounts.find((row) => row.status === status)?.[column] ?? 0

/** Returns the number of tasks per group, from the counters of `beforeTasks`. */
export async function countTasks(
  ctx: Context,
  taskQuery: TaskQuery,
  storedCounts: StoredCounts,
): Promise<Record<TaskGroup, number>> {
  if (!storedCounts) return countTaskGroups(ctx, taskQuery, TASK_GROUPS)
  const column = taskQuery.assigneeId === null ? 'amount' : 'theirs'
  return {
    ...(await countTaskGroups(ctx, taskQuery, OPEN_GROUPS)),
    done: amountOf(storedCounts, 'done', column),
    cancelled: amountOf(storedCounts, 'cancelled', column),
  }
}
