/** SQL for tasks. */
import type { Selectable } from 'kysely'
import type { Context, Query, Tx } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { MANY_ROWS } from '../../../../database/sql/costly-reads.ts'
import { type CountedRows, countedRows, ROW_COUNT } from '../../../../database/sql/counted-rows.ts'
import { db } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { TASK_PRIORITIES, TASK_STATUSES, TASK_TYPES, TaskGroup } from '../task-schema.ts'

export type TaskRow = Omit<Selectable<Tables['tasks']>, 'type' | 'priority' | 'status'> & {
  type: (typeof TASK_TYPES)[number]
  priority: (typeof TASK_PRIORITIES)[number]
  status: (typeof TASK_STATUSES)[number]
}

export const insertTaskRow = (ctx: Context, row: TaskRow): Promise<number> =>
  ctx.tx.run(db.insertInto('tasks').values(row))

export const findTaskRow = (ctx: Context, id: string): Promise<TaskRow | undefined> =>
  ctx.tx.first(
    db.selectFrom('tasks').selectAll().where('workspaceId', '=', ctx.workspace.id).where('id', '=', id),
  ) as Promise<TaskRow | undefined>

export const updateTaskRow = (
  ctx: Context,
  id: string,
  patch: Partial<Omit<TaskRow, 'workspaceId' | 'id'>>,
): Promise<number> =>
  ctx.tx.run(
    db.updateTable('tasks').set(patch).where('workspaceId', '=', ctx.workspace.id).where('id', '=', id),
  )

/** Returns when the earliest pending task of a lead is due. */
export const findEarliestDue = async (ctx: Context, leadId: string): Promise<Date | null> =>
  (
    await ctx.tx.sql<Pick<TaskRow, 'dueAt'>>(
      `select due_at from tasks where workspace_id = $1 and lead_id = $2 and status = 'pending' order by due_at limit 1`,
      [ctx.workspace.id, leadId],
    )
  )[0]?.dueAt ?? null

/** The times that separate groups of open tasks: now, and the next midnight of the workspace. */
export type Borders = { now: Date; midnight: Date }

type Group = { where: string; order: string }

// $2 is now, $3 the next midnight.
const OPEN = "status = 'pending'"
const GROUPS: Record<TaskGroup | 'open' | 'all', Group> = {
  overdue: { where: `${OPEN} and due_at < $2`, order: 'due_at, id' },
  today: { where: `${OPEN} and due_at >= $2 and due_at < $3`, order: 'due_at, id' },
  upcoming: { where: `${OPEN} and due_at >= $3`, order: 'due_at, id' },
  open: { where: OPEN, order: 'due_at, id' },
  done: { where: "status = 'done'", order: 'updated_at desc, id desc' },
  cancelled: { where: "status = 'cancelled'", order: 'updated_at desc, id desc' },
  all: { where: 'true', order: 'due_at desc, id desc' },
}

export type TaskListing = {
  group: keyof typeof GROUPS
  borders: Borders
  leadId: string | null
  assigneeId: string | null
  /** Null: any task. */
  ids: string[] | null
  limit: number
  offset: number
}

// Every statement has all parameters, so that each group has one prepared statement.
const narrowingSql = ({ leadId, assigneeId, ids }: Pick<TaskListing, 'leadId' | 'assigneeId' | 'ids'>) =>
  [
    leadId === null ? 'and $4::uuid is null' : 'and lead_id = $4',
    assigneeId === null ? 'and $5::uuid is null' : 'and assignee_id = $5',
    ids === null ? 'and $6::uuid[] is null' : 'and id = any($6::uuid[])',
  ].join(' ')

const parameters = (ctx: Context, listing: Omit<TaskListing, 'group' | 'limit' | 'offset'>) => [
  ctx.workspace.id,
  listing.borders.now,
  listing.borders.midnight,
  listing.leadId,
  listing.assigneeId,
  listing.ids === null ? null : uuids(listing.ids),
]

const BORDERS = '$2::timestamptz is not null and $3::timestamptz is not null'

export const listTaskRows = (ctx: Context, listing: TaskListing): Promise<TaskRow[]> => {
  const { where, order } = GROUPS[listing.group]
  return ctx.tx.sql<TaskRow>(
    `select * from tasks where workspace_id = $1 and ${where} ${narrowingSql(listing)} and ${BORDERS}
     order by ${order} limit $7 offset $8`,
    [...parameters(ctx, listing), listing.limit, listing.offset],
  )
}

/**
 * Returns the open tasks of a lead, earliest due first. The tasks of the lead are read first, so that
 * PostgreSQL doesn't walk the open tasks of all leads.
 */
export const listOpenTaskRows = async (
  ctx: Context,
  leadId: string,
  limit: number,
): Promise<CountedRows<TaskRow>> =>
  countedRows<TaskRow>(
    await ctx.tx.sql(
      `select *, ${ROW_COUNT}
       from (select * from tasks where workspace_id = $1 and lead_id = $2 offset 0) of_lead
       where status = 'pending' order by due_at, id limit $3`,
      [ctx.workspace.id, leadId, limit],
    ),
  )

/** Returns the newest tasks whose title matches one of `patterns`, in any state. */
export const searchTaskRows = (ctx: Context, patterns: string[], limit: number): Promise<TaskRow[]> =>
  ctx.tx.sql(
    `select t.* from (
       select distinct search_tasks($1, pattern, $3) as id from unnest($2::text[]) as pattern
     ) found cross join lateral (
       select * from tasks where tasks.workspace_id = $1 and tasks.id = found.id limit 1) t
     order by t.id desc limit $3`,
    [ctx.workspace.id, patterns, limit],
  )

/** Returns whether the workspace has enough tasks to limit walks through them. */
export const hasManyTasks = async (ctx: Context): Promise<boolean> =>
  (
    await ctx.tx.sql('select 1 from tasks where workspace_id = $1 order by id offset $2 limit 1', [
      ctx.workspace.id,
      MANY_ROWS,
    ])
  ).length > 0

/** Returns how many tasks each of `groups` has, counted one by one. */
export const countTaskGroups = async <Group extends TaskGroup>(
  ctx: Context,
  listing: Omit<TaskListing, 'group' | 'limit' | 'offset'>,
  groups: readonly Group[],
): Promise<Record<Group, number>> => {
  const counts = groups.map(
    (group) =>
      `(select count(*) from tasks where workspace_id = $1 and ${GROUPS[group].where} ${narrowingSql(listing)}) as ${group}`,
  )
  const [row] = await ctx.tx.sql<Record<Group, number>>(
    `select ${counts.join(', ')} where ${BORDERS}`,
    parameters(ctx, listing),
  )
  return row!
}

/** Returns workspaces with due open tasks whose assignees haven't been notified. */
export const listWorkspacesToRemind = async (
  query: Query,
  { now, workspaceId, limit }: { now: Date; workspaceId: string | undefined; limit: number },
): Promise<string[]> =>
  (
    await query<Pick<Selectable<Tables['workspaces']>, 'id'>>(
      `select w.id from workspaces w cross join lateral (
         select 1 from tasks t
         where t.workspace_id = w.id and t.status = 'pending' and t.assignee_id is not null
           and t.reminded_for is distinct from t.due_at
           and t.due_at <= $1::timestamptz + w.clock_offset_ms * interval '1 millisecond'
         order by t.due_at limit 1) due
       where w.paused_at is null and ($2::uuid is null or w.id = $2) limit $3`,
      [now, workspaceId ?? null, limit],
    )
  ).map(({ id }) => id)

/**
 * Takes such tasks of one workspace, earliest due first, so that no other process notifies their assignees.
 */
export const takeDueTasks = (
  tx: Tx,
  { workspaceId, now, limit }: { workspaceId: string; now: Date; limit: number },
): Promise<TaskRow[]> =>
  tx.sql<TaskRow>(
    `update tasks t set reminded_for = t.due_at
     from (select workspace_id, id from tasks
           where workspace_id = $1 and status = 'pending' and assignee_id is not null
             and reminded_for is distinct from due_at and due_at <= $2
           order by due_at limit $3 for no key update skip locked) due
     where t.workspace_id = due.workspace_id and t.id = due.id
     returning t.*`,
    [workspaceId, now, limit],
  )
