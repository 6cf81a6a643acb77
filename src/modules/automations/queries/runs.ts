/** Every statement on runs of automations. */
import type { Context, Query, Unit } from '../../../core/context.ts'
import { alignRows, type DueMoment, isDue } from '../../../core/due.ts'
import { newId } from '../../../core/ids.ts'
import type { CursorQuery } from '../../../core/paging.ts'
import { isFound, isOfWorkspace, uuids } from '../../../core/sql.ts'
import type { WorkSource } from '../../../core/work.ts'
import type { Action, RunStatus, StepStatus } from '../schema.ts'

export type Step = {
  action: string
  status: StepStatus
  reason: string | null
  result: Record<string, unknown> | null
  at: string
}

export type RunRow = {
  id: string
  automationId: string
  occasion: string
  eventId: string | null
  contactId: string | null
  leadId: string | null
  conversationId: string | null
  lane: string
  causes: string[]
  status: RunStatus
  reason: string | null
  /** The actions as they were when it began to act; null: it has not begun. */
  actions: Action[] | null
  steps: Step[]
  runAt: Date | null
  faults: number
  actedAt: Date | null
  createdAt: Date
  finishedAt: Date | null
}

const COLUMNS = `id, automation_id, occasion, event_id, contact_id, lead_id, conversation_id, lane, causes, status, reason, actions, steps,
  run_at, faults, acted_at, created_at, finished_at`

/** Deepest chain of automations that cause one another. */
const MAX_DEPTH = 5
export const OWN_CHAIN = 'It is one of the automations that led to this event.'
export const TOO_DEEP = `${MAX_DEPTH} automations led to this event, one after another.`

export type HeardEvent = {
  workspaceId: string
  id: string
  name: string
  contactId: string | null
  imported: boolean
  causes: readonly string[] | null
  /** Of an event about a message, which says what led to it. */
  messageId: string | null
  createdAt: Date
}

// One statement on the path of whatever announces: its id takes the event's own time and sequence, and then the place of the
// automation, so that ids order runs as they are to run. What its own chain led to is kept as skipped, so that the log shows it.
const START = `
with incoming as materialized (
  select * from jsonb_to_recordset($1::jsonb) as e (
    workspace_id uuid, id uuid, name text, contact_id uuid, imported boolean, causes uuid[], message_id uuid, created_at timestamptz)
), heard as materialized (
  select e.*, a.id as automation_id, row_number() over (partition by e.id order by a.id) as place,
    coalesce(e.causes, (
      select array(select jsonb_array_elements_text(m.origin -> 'chain'))::uuid[] from messages m
      where m.workspace_id = e.workspace_id and m.id = e.message_id and m.origin is not null
    ), '{}') as chain
  from incoming e
  join automations a on a.workspace_id = e.workspace_id and a.event = e.name and a.enabled
  where a.include_imports or not e.imported
), judged as (
  select *, case when automation_id = any (chain) then '${OWN_CHAIN}' when cardinality(chain) >= ${MAX_DEPTH} then '${TOO_DEEP}' end as refusal
  from heard
), made as (
  insert into automation_runs (workspace_id, id, automation_id, occasion, event_id, contact_id, lane, causes, status, reason, run_at,
                               created_at, finished_at)
  select workspace_id, (left(id::text, 26) || lpad(to_hex(place), 2, '0') || right(gen_random_uuid()::text, 8))::uuid, automation_id,
    id::text, id, contact_id, coalesce(contact_id, id), chain, case when refusal is null then 'waiting' else 'skipped' end, refusal,
    case when refusal is null then $2::timestamptz end, created_at, case when refusal is not null then created_at end
  from judged
  on conflict (workspace_id, automation_id, occasion) do nothing
  returning status
)
select count(*) > 0 as made from made where status = 'waiting'`

/** Starts a run of each automation that listens to one of these events; whether there is any to run. `now` is real time. */
export const insertRunsOfEvents = async (
  { tx }: Pick<Unit, 'tx'>,
  events: HeardEvent[],
  now: Date,
): Promise<boolean> =>
  (
    await tx.sql<{ made: boolean }>(START, [
      JSON.stringify(
        events.map((event) => ({
          workspace_id: event.workspaceId,
          id: event.id,
          name: event.name,
          contact_id: event.contactId,
          imported: event.imported,
          causes: event.causes,
          message_id: event.messageId,
          created_at: event.createdAt,
        })),
      ),
      now,
    ])
  )[0]?.made ?? false

export type Occasion = {
  occasion: string
  contactId: string
  leadId: string | null
  conversationId: string | null
}

/** Starts runs of one automation that no event started; occasions that it had are left alone. How many it started. */
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
            occasions.map((one) => one.occasion),
            uuids(occasions.map((one) => one.contactId)),
            uuids(occasions.map((one) => one.leadId)),
            uuids(occasions.map((one) => one.conversationId)),
            runAt,
            ctx.now,
          ],
        )
      ).length

/** No other run of the lane has begun and is not over: it goes first, also while it waits for a call or to be tried again. */
const isFirst = (run: string): string =>
  `(${run}.status = 'running' or not ${isFound(
    `from automation_runs begun where begun.workspace_id = ${run}.workspace_id and begun.lane = ${run}.lane and begun.status = 'running'`,
  )})`

/** Workspaces in which runs are due: a step along the index for each. */
export const listWorkspacesWithRuns = async (query: Query, now: Date, limit: number): Promise<string[]> =>
  (
    await query<{ workspaceId: string }>(
      `with recursive waiting as (
         select '00000000-0000-0000-0000-000000000000'::uuid as workspace_id, 'infinity'::timestamptz as run_at
         union all
         select next.workspace_id, next.run_at
         from waiting cross join lateral (
           select r.workspace_id, r.run_at from automation_runs r
           where r.run_at is not null and r.workspace_id > waiting.workspace_id order by r.workspace_id, r.run_at limit 1
         ) next
       )
       select workspace_id from waiting where run_at <= $1 and ${isOfWorkspace('waiting')} order by run_at limit $2`,
      [now, limit],
    )
  ).map((row) => row.workspaceId)

/** Lanes of the workspace in which a run may go on, those that have waited for longest first. */
export const listDueLanes = async (
  query: Query,
  workspaceId: string,
  due: DueMoment,
  { rows, lanes }: { rows: number; lanes: number },
): Promise<string[]> =>
  (
    await query<{ lane: string }>(
      `select lane from (
         select r.lane, r.run_at from automation_runs r
         where r.workspace_id = $1 and ${isDue('r.run_at', 'r.run_offset_ms', { now: '$3', by: '$2', offsetMs: '$4' })}
           and ${isFirst('r')}
         order by r.run_at limit $5
       ) due group by lane order by min(run_at) limit $6`,
      [workspaceId, due.by, due.now, due.offsetMs, rows, lanes],
    )
  ).map((row) => row.lane)

/** Takes the lane until the transaction ends; false where somebody else has it. */
export const tryLane = async (ctx: Context, lane: string): Promise<boolean> =>
  (
    await ctx.tx.sql<{ taken: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended('automations ' || $1::text || ' ' || $2::text, 0)) as taken`,
      [ctx.workspace.id, lane],
    )
  )[0]!.taken

/** The runs of a lane that may go on, in order: one that has begun is alone until it is over, or waits. */
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

/** Writes runs as they stand now. One whose customer was erased meanwhile is gone, and stays so. */
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

/** One row more than the page holds, newest first. */
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

/** Whether so many runs of the automation about this contact, or of all, began to act since `since`. */
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

/** The event that started a run, while it is in the log. */
export const findEvent = async (
  ctx: Context,
  id: string,
): Promise<
  | { id: string; name: string; data: Record<string, unknown>; createdAt: Date; contactId: string | null }
  | undefined
> =>
  (
    await ctx.tx.sql<{
      id: string
      name: string
      data: Record<string, unknown>
      createdAt: Date
      contactId: string | null
    }>('select id, name, data, created_at, contact_id from events where workspace_id = $1 and id = $2', [
      ctx.workspace.id,
      id,
    ])
  )[0]

export const findNextRun: NonNullable<WorkSource['nextDue']> = async (query, workspaceId) =>
  (
    await query<{ runAt: Date }>(
      `select r.run_at from automation_runs r where r.workspace_id = $1 and r.run_at is not null and ${isFirst('r')}
       order by r.run_at limit 1`,
      [workspaceId],
    )
  )[0]?.runAt

export const alignRuns: NonNullable<WorkSource['align']> = (query, workspaceId, to) =>
  alignRows(query, { table: 'automation_runs', waiting: 't.run_at is not null' }, workspaceId, to)

/** Deletes runs that ended before `before`. */
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
