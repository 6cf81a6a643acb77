/** Every statement on the state of automations: counters, limits, and due times. */
import type { Selectable } from 'kysely'
import type { Context, Query } from '../../../../core/context.ts'
import type { DueMoment } from '../../../../core/due.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { instants, uuids } from '../../../../database/sql/binary-arrays.ts'
import { alignRows, isDue } from '../../../../database/sql/due-statements.ts'
import { db, isOfWorkspace } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

type StateRow = Selectable<Tables['automationStates']>
export type Ended = Pick<StateRow, 'automationId'> & { status: 'done' | 'skipped' | 'failed' }

/** Counts ended runs. Locks the rows in one order, so that concurrent counts don't deadlock. */
export const countEnded = (ctx: Context, ended: Ended[]): Promise<unknown> =>
  ctx.tx.sql(
    `with counted as (
       select automation_id, count(*) filter (where status = 'done') as done,
         count(*) filter (where status = 'skipped') as skipped, count(*) filter (where status = 'failed') as failed
       from unnest($2::uuid[], $3::text[]) as e (automation_id, status) group by automation_id
     ), held as (
       select s.automation_id from automation_states s
       where s.workspace_id = $1 and s.automation_id = any ($2::uuid[]) order by s.automation_id for update
     )
     update automation_states s set done = s.done + c.done, skipped = s.skipped + c.skipped, failed = s.failed + c.failed,
       last_run_at = greatest(s.last_run_at, $4)
     from held join counted c using (automation_id)
     where s.workspace_id = $1 and s.automation_id = held.automation_id`,
    [ctx.workspace.id, uuids(ended.map((run) => run.automationId)), ended.map((run) => run.status), ctx.now],
  )

/**
 * Records that a run was skipped because of the limit. Returns since when, without a pause of at least
 * `pauseMs` between two skipped runs.
 */
export const recordLimited = async (ctx: Context, automationId: string, pauseMs: number): Promise<Date> =>
  (
    await ctx.tx.sql<Pick<StateRow, 'limitedSince'>>(
      `update automation_states set limited_at = $3,
         limited_since = case when limited_at > after_ms($3, -$4::float8) then limited_since else $3 end
       where workspace_id = $1 and automation_id = $2 returning limited_since`,
      [ctx.workspace.id, automationId, ctx.now, pauseMs],
    )
  )[0]?.limitedSince ?? ctx.now

/** Sets the next time of a schedule, in real time, and the time from which idle chats count. */
export const updateTimes = (
  ctx: Context,
  automationId: string,
  { runAt, runOffsetMs, lookedAt }: Pick<StateRow, 'runAt' | 'runOffsetMs' | 'lookedAt'>,
): Promise<unknown> =>
  ctx.tx.run(
    db
      .updateTable('automationStates')
      .set({ runAt, runOffsetMs, lookedAt, limitedSince: null, limitedAt: null })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('automationId', '=', automationId),
  )

export type DueSchedule = Pick<StateRow, 'automationId' | 'runOffsetMs'> & {
  runAt: NonNullable<StateRow['runAt']>
}

/** Returns due schedules of the workspace, locked until the transaction ends. */
export const listDueSchedules = (ctx: Context, due: DueMoment, limit: number): Promise<DueSchedule[]> =>
  ctx.tx.sql(
    `select automation_id, run_at, run_offset_ms from automation_states
     where workspace_id = $1 and ${isDue('run_at', 'run_offset_ms', { now: '$3', by: '$2', offsetMs: '$4' })}
     order by run_at limit $5 for update skip locked`,
    [ctx.workspace.id, due.by, due.now, due.offsetMs, limit],
  )

/** Sets when a schedule runs next. */
export const updateNextRun = (
  ctx: Context,
  automationId: string,
  runAt: Date,
  runOffsetMs: number | null,
): Promise<unknown> =>
  ctx.tx.run(
    db
      .updateTable('automationStates')
      .set({ runAt, runOffsetMs })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('automationId', '=', automationId),
  )

export const listWorkspacesWithSchedules = async (
  query: Query,
  now: Date,
  limit: number,
): Promise<string[]> =>
  (
    await query<Pick<StateRow, 'workspaceId'>>(
      `select distinct workspace_id from (
         select workspace_id from automation_states s where run_at <= $1 and ${isOfWorkspace('s')} order by run_at limit $2
       ) due`,
      [now, limit],
    )
  ).map((row) => row.workspaceId)

export const findNextSchedule: NonNullable<WorkSource['nextDue']> = async (query, workspaceId) =>
  (
    await query<Pick<StateRow, 'runAt'>>(
      'select run_at from automation_states where workspace_id = $1 and run_at is not null order by run_at limit 1',
      [workspaceId],
    )
  )[0]?.runAt ?? undefined

export const alignSchedules: NonNullable<WorkSource['align']> = (query, workspaceId, to) =>
  alignRows(query, { table: 'automation_states', waiting: 't.run_at is not null' }, workspaceId, to)

type AutomationRow = Selectable<Tables['automations']>
export type IdleAutomation = Pick<StateRow, 'automationId'> &
  Pick<AutomationRow, 'idleSide'> & {
    idleSide: 'team' | 'customer'
    idleMinutes: NonNullable<AutomationRow['idleMinutes']>
    lookedAt: NonNullable<StateRow['lookedAt']>
  }

const IDLE = `from automations a join automation_states s on s.workspace_id = a.workspace_id and s.automation_id = a.id
  where a.workspace_id = $1 and a.enabled and a.idle_side is not null and s.looked_at is not null`
const IDLE_COLUMNS = 'a.id as automation_id, a.idle_side, a.idle_minutes, s.looked_at'

/** Returns the workspace's automations that wait for idle chats. */
export const listIdleAutomations = (query: Query, workspaceId: string): Promise<IdleAutomation[]> =>
  query(`select ${IDLE_COLUMNS} ${IDLE} order by a.id`, [workspaceId])

/**
 * Returns automations that wait for idle chats, locked until the transaction ends. Skips those locked by
 * another transaction.
 */
export const listIdleForUpdate = (ctx: Context): Promise<IdleAutomation[]> =>
  ctx.tx.sql(`select ${IDLE_COLUMNS} ${IDLE} order by a.id for update of s skip locked`, [ctx.workspace.id])

export const updateLookedAt = (
  ctx: Context,
  checks: { automationId: string; lookedAt: Date }[],
): Promise<unknown> =>
  ctx.tx.sql(
    `update automation_states s set looked_at = l.looked_at from unnest($2::uuid[], $3::timestamptz[]) as l (automation_id, looked_at)
     where s.workspace_id = $1 and s.automation_id = l.automation_id`,
    [
      ctx.workspace.id,
      uuids(checks.map((check) => check.automationId)),
      instants(checks.map((check) => check.lookedAt)),
    ],
  )

/** Returns the workspaces that have automations for idle chats. */
export const listIdleWorkspaces = async (query: Query): Promise<string[]> =>
  (
    await query<Pick<StateRow, 'workspaceId'>>(
      `select distinct workspace_id from automations a where enabled and idle_side is not null and ${isOfWorkspace('a')}`,
    )
  ).map((row) => row.workspaceId)
