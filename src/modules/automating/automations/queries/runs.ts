/** Every statement on runs of automations. */
import type { Selectable } from 'kysely'
import type { Context, Query } from '../../../../core/context.ts'
import type { DueMoment } from '../../../../core/due.ts'
import { newId } from '../../../../core/ids.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { alignRows, isDue } from '../../../../database/sql/due-statements.ts'
import { db, isFound, isOfWorkspace, plainList } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { Action } from '../action-schema.ts'
import type { RunStatus, StepStatus } from '../run-schema.ts'

export type Step = {
  action: string
  status: StepStatus
  reason: string | null
  result: Record<string, unknown> | null
  at: string
}

type StoredRun = Selectable<Tables['automationRuns']>
export type RunRow = Omit<StoredRun, 'workspaceId' | 'runOffsetMs' | 'status' | 'actions' | 'steps'> & {
  status: RunStatus
  /** The actions when the run started; null if it has not started. */
  actions: Action[] | null
  steps: Step[]
}

const COLUMNS = `id, automation_id, occasion, event_id, contact_id, lead_id, conversation_id, lane, causes, status, reason, actions, steps,
  run_at, faults, acted_at, created_at, finished_at`

export type Occasion = Pick<RunRow, 'occasion' | 'leadId' | 'conversationId'> & { contactId: string }

/**
 * Starts runs of one automation without an event. Ignores occasions that already have a run. Returns how many
 * it started.
 */
export const insertRunsOfOccasions = async (
  ctx: Context,
  automationId: string,
  occasions: Occasion[],
  runAt: Date,
): Promise<number> =>
  occasions.length === 0
    ? 0
    : (
        await ctx.tx.sql(
          `insert into automation_runs (workspace_id, id, automation_id, occasion, contact_id, lead_id, conversation_id, lane, causes,
                                        status, run_at, created_at)
           select $1, o.id, $2, o.occasion, o.contact_id, o.lead_id, o.conversation_id, o.contact_id, '{}', 'waiting', $8, $9
           from unnest($3::uuid[], $4::text[], $5::uuid[], $6::uuid[], $7::uuid[])
             as o (id, occasion, contact_id, lead_id, conversation_id)
           where ${isFound('from contacts c where c.workspace_id = $1 and c.id = o.contact_id')}
           on conflict (workspace_id, automation_id, occasion) do nothing returning id`,
          [
            ctx.workspace.id,
            automationId,
            uuids(occasions.map(() => newId())),
            occasions.map((occasion) => occasion.occasion),
            uuids(occasions.map((occasion) => occasion.contactId)),
            uuids(occasions.map((occasion) => occasion.leadId)),
            uuids(occasions.map((occasion) => occasion.conversationId)),
            runAt,
            ctx.now,
          ],
        )
      ).length

/**
 * True if no other run of the lane has started without ending. A started run stays first, even while it waits
 * for a call or a new attempt.
 */
const isFirst = (run: string): string =>
  `(${run}.status = 'running' or not ${isFound(
    `from automation_runs begun where begun.workspace_id = ${run}.workspace_id and begun.lane = ${run}.lane and begun.status = 'running'`,
  )})`

/**
 * Returns workspaces with due runs or with events that wait to start runs. Takes one index step for each
 * workspace.
 */
export const listWorkspacesWithRuns = async (query: Query, now: Date, limit: number): Promise<string[]> =>
  (
    await query<Pick<StoredRun, 'workspaceId'>>(
      `with recursive waiting as (
         select '00000000-0000-0000-0000-000000000000'::uuid as workspace_id, 'infinity'::timestamptz as run_at
         union all
         select next.workspace_id, next.run_at
         from waiting cross join lateral (
           select r.workspace_id, r.run_at from automation_runs r
           where r.run_at is not null and r.workspace_id > waiting.workspace_id order by r.workspace_id, r.run_at limit 1
         ) next
       ), starting as (
         select '00000000-0000-0000-0000-000000000000'::uuid as workspace_id, 'infinity'::timestamptz as run_at
         union all
         select next.workspace_id, next.run_at
         from starting cross join lateral (
           select s.workspace_id, s.run_at from automation_starts s
           where s.workspace_id > starting.workspace_id order by s.workspace_id, s.id limit 1
         ) next
       )
       select workspace_id from (
         select workspace_id, min(run_at) as run_at from (table waiting union all table starting) both_of group by workspace_id
       ) found
       where run_at <= $1 and ${isOfWorkspace('found')} order by run_at limit $2`,
      [now, limit],
    )
  ).map((row) => row.workspaceId)

/** Returns the workspace's lanes in which a run can continue, longest waiting first. */
export const listDueLanes = async (
  query: Query,
  workspaceId: string,
  due: DueMoment,
  { rows, lanes }: { rows: number; lanes: number },
): Promise<string[]> =>
  (
    await query<Pick<RunRow, 'lane'>>(
      `select lane from (
         select r.lane, r.run_at from automation_runs r
         where r.workspace_id = $1 and ${isDue('r.run_at', 'r.run_offset_ms', { now: '$3', by: '$2', offsetMs: '$4' })}
           and ${isFirst('r')}
         order by r.run_at limit $5
       ) due group by lane order by min(run_at) limit $6`,
      [workspaceId, due.by, due.now, due.offsetMs, rows, lanes],
    )
  ).map((row) => row.lane)

const TRY_LANE_LOCK = (workspaceId: string, lane: string): string =>
  `pg_try_advisory_xact_lock(hashtextextended('automations ' || ${workspaceId} || ' ' || ${lane}, 0))`

/** Locks the lane until the transaction ends. Returns false if another process has the lane. */
export const tryLane = async (ctx: Context, lane: string): Promise<boolean> =>
  (
    await ctx.tx.sql<{ taken: boolean }>(`select ${TRY_LANE_LOCK('$1::text', '$2::text')} as taken`, [
      ctx.workspace.id,
      lane,
    ])
  )[0]!.taken

/**
 * Ends runs that have not started and whose automation is off or deleted, among the `limit` longest due. One
 * statement handles a flood, which would otherwise take a turn for each customer. Skips lanes locked by
 * another process.
 */
export async function skipRunsOfOff(
  ctx: Context,
  due: DueMoment,
  reasons: { off: string; deleted: string },
  limit: number,
): Promise<Pick<RunRow, 'automationId'>[]> {
  const runs = await ctx.tx.sql<Pick<RunRow, 'id'> & { gone: boolean }>(
    `select r.id, a.id is null as gone from (
       select r.id, r.automation_id, r.lane from automation_runs r
       where r.workspace_id = $1 and ${isDue('r.run_at', 'r.run_offset_ms', { now: '$3', by: '$2', offsetMs: '$4' })}
         and r.status = 'waiting'
       order by r.run_at limit $5
     ) r left join automations a on a.workspace_id = $1 and a.id = r.automation_id
     where a.enabled is not true and ${TRY_LANE_LOCK('$1::text', 'r.lane::text')}`,
    [ctx.workspace.id, due.by, due.now, due.offsetMs, limit],
  )
  if (runs.length === 0) return []
  return ctx.tx.sql<Pick<RunRow, 'automationId'>>(
    `update automation_runs r set status = 'skipped', reason = case when off.gone then $5 else $4 end, run_at = null,
       run_offset_ms = null, finished_at = $6
     from unnest($2::uuid[], $3::boolean[]) as off (id, gone)
     where r.workspace_id = $1 and r.id = off.id and r.status = 'waiting' returning r.automation_id`,
    [
      ctx.workspace.id,
      uuids(runs.map((run) => run.id)),
      plainList(runs.map((run) => run.gone)),
      reasons.off,
      reasons.deleted,
      ctx.now,
    ],
  )
}

/** Returns the due runs of a lane, in order. A started run is alone until it ends or waits. */
export const listLaneRuns = (ctx: Context, lane: string, due: DueMoment, limit: number): Promise<RunRow[]> =>
  ctx.tx.sql(
    `select ${COLUMNS} from automation_runs r
     where r.workspace_id = $1 and r.lane = $5 and r.status in ('waiting', 'running')
       and ${isDue('r.run_at', 'r.run_offset_ms', { now: '$3', by: '$2', offsetMs: '$4' })} and ${isFirst('r')}
     order by r.id limit $6`,
    [ctx.workspace.id, due.by, due.now, due.offsetMs, lane, limit],
  )

export const findRunRow = async (ctx: Context, id: string): Promise<RunRow | undefined> =>
  (
    await ctx.tx.sql<RunRow>(`select ${COLUMNS} from automation_runs where workspace_id = $1 and id = $2`, [
      ctx.workspace.id,
      id,
    ])
  )[0]

export const findRunForUpdate = async (ctx: Context, id: string): Promise<RunRow | undefined> =>
  (
    await ctx.tx.sql<RunRow>(
      `select ${COLUMNS} from automation_runs where workspace_id = $1 and id = $2 for update`,
      [ctx.workspace.id, id],
    )
  )[0]

const RUN_COLUMNS = `status text, reason text, actions jsonb, steps jsonb, run_at timestamptz, run_offset_ms bigint, faults integer,
  acted_at timestamptz, finished_at timestamptz, lead_id uuid, conversation_id uuid, contact_id uuid`
const RUN_SET = RUN_COLUMNS.split(',')
  .map((column) => column.trim().split(' ')[0])
  .map((column) => `${column} = n.${column}`)
  .join(', ')

/** Stores runs in their current state. A run whose customer was erased meanwhile is not created again. */
export const updateRunRows = (ctx: Context, runs: RunRow[], runOffsetMs: number | null): Promise<unknown> =>
  ctx.tx.sql(
    `update automation_runs r set ${RUN_SET} from jsonb_to_recordset($2::jsonb) as n (id uuid, ${RUN_COLUMNS})
     where r.workspace_id = $1 and r.id = n.id`,
    [
      ctx.workspace.id,
      JSON.stringify(
        runs.map((run) => ({
          id: run.id,
          status: run.status,
          reason: run.reason,
          actions: run.actions,
          steps: run.steps,
          run_at: run.runAt,
          run_offset_ms: run.runAt === null ? null : runOffsetMs,
          faults: run.faults,
          acted_at: run.actedAt,
          finished_at: run.finishedAt,
          lead_id: run.leadId,
          conversation_id: run.conversationId,
          contact_id: run.contactId,
        })),
      ),
    ],
  )

export const hasRuns = async (ctx: Context, automationId: string): Promise<boolean> =>
  (
    await ctx.tx.sql(
      'select 1 as found from automation_runs where workspace_id = $1 and automation_id = $2 limit 1',
      [ctx.workspace.id, automationId],
    )
  ).length > 0

/** Returns runs, newest first: one row more than the page, to show whether there is a next page. */
export const listRunRows = (
  ctx: Context,
  automationId: string,
  {
    limit,
    cursor,
    status,
    contactId,
  }: CursorQuery & { status?: string | undefined; contactId?: string | undefined },
): Promise<RunRow[]> =>
  ctx.tx.sql(
    `select ${COLUMNS} from automation_runs
     where workspace_id = $1 and automation_id = $2 and ($3::uuid is null or id < $3) and ($5::text is null or status = $5)
       and ($6::uuid is null or contact_id = $6)
     order by id desc limit $4`,
    [ctx.workspace.id, automationId, cursor ?? null, limit + 1, status ?? null, contactId ?? null],
  )

/**
 * Returns whether the automation's runs for this contact, or all runs, have reached their limit since
 * `since`.
 */
export const hasActedTooOften = async (
  ctx: Context,
  { automationId, contactId }: Pick<RunRow, 'automationId' | 'contactId'>,
  since: Date,
  max: { ofContact: number; ofAll: number },
): Promise<{ ofContact: boolean; ofAll: boolean }> =>
  (
    await ctx.tx.sql<{ ofContact: boolean; ofAll: boolean }>(
      `select ${isFound(`from automation_runs
                where workspace_id = $1 and contact_id = $3 and automation_id = $2 and acted_at > $4 offset $5`)} as of_contact,
              ${isFound('from automation_runs where workspace_id = $1 and acted_at > $4 offset $6')} as of_all`,
      [ctx.workspace.id, automationId, contactId, since, max.ofContact - 1, max.ofAll - 1],
    )
  )[0]!

type EventRow = Pick<Selectable<Tables['events']>, 'id' | 'name' | 'createdAt' | 'contactId'> & {
  data: Record<string, unknown>
}

/** Returns the event that started a run, while the log still has it. */
export const findEvent = (ctx: Context, id: string): Promise<EventRow | undefined> =>
  ctx.tx.first(
    db
      .selectFrom('events')
      .select(['id', 'name', 'data', 'createdAt', 'contactId'])
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id),
  ) as Promise<EventRow | undefined>

export const findNextRun: NonNullable<WorkSource['nextDue']> = async (query, workspaceId) =>
  (
    await query<Pick<Selectable<Tables['automationStarts']>, 'runAt'>>(
      `select min(run_at) as run_at from (
         (select run_at from automation_starts where workspace_id = $1 order by id limit 1)
         union all
         (select r.run_at from automation_runs r where r.workspace_id = $1 and r.run_at is not null and ${isFirst('r')}
          order by r.run_at limit 1)
       ) next having count(*) > 0`,
      [workspaceId],
    )
  )[0]?.runAt

export const alignRuns: NonNullable<WorkSource['align']> = (query, workspaceId, to) =>
  alignRows(query, { table: 'automation_runs', waiting: 't.run_at is not null' }, workspaceId, to)

/** Deletes up to `max` runs that ended before `before`. Returns how many. */
export const deleteOldRuns = async (query: Query, before: Date, max: number): Promise<number> =>
  (
    await query(
      `delete from automation_runs r using (
         select workspace_id, id from automation_runs where finished_at < $1 order by finished_at limit $2
       ) old
       where r.workspace_id = old.workspace_id and r.id = old.id returning r.id`,
      [before, max],
    )
  ).length

export type ActiveRun = Pick<RunRow, 'id' | 'automationId' | 'status' | 'createdAt'> &
  Pick<Selectable<Tables['automations']>, 'name'>

/** Returns the unfinished runs about a contact, in their order. Runs of deleted automations are left out. */
export const listActiveRuns = (ctx: Context, contactId: string, limit: number): Promise<ActiveRun[]> =>
  ctx.tx.sql(
    `select r.id, r.automation_id, r.status, r.created_at, a.name
     from automation_runs r
     cross join lateral (
       select * from automations where automations.workspace_id = $1 and automations.id = r.automation_id limit 1
     ) a
     where r.workspace_id = $1 and r.lane = $2 and r.status in ('waiting', 'running')
     order by r.id limit $3`,
    [ctx.workspace.id, contactId, limit],
  )
