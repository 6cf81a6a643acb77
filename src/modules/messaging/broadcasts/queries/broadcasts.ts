/** Statements on campaigns. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Context, Query, Tx, Workspace } from '../../../../core/context.ts'
import { type DueMoment, runOffsetOf } from '../../../../core/due.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { alignRows, isDue } from '../../../../database/sql/due-statements.ts'
import { db, isFound, isOfWorkspace, isOneOf } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { PersonalContent } from '../../templates/operations/personal-values.ts'
import type { BroadcastStatus } from '../schema.ts'
import type { AudienceSegment } from '../segment-schema.ts'

/** Counts of the results of a campaign's messages. */
export type Tally = Pick<
  Selectable<Tables['broadcastCounts']>,
  'sent' | 'delivered' | 'read' | 'failed' | 'skipped'
>

/** A stored campaign. */
export type BroadcastRow = Omit<
  Selectable<Tables['broadcasts']>,
  'status' | 'segment' | 'variables' | 'content' | 'category' | 'personal'
> & {
  status: BroadcastStatus
  category: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION'
  segment: AudienceSegment
  variables: { components?: Record<string, unknown>[] } | null
  content: Record<string, unknown>
  personal: PersonalContent | null
}

/** Adds the clock offset of the workspace to a row with a due time. */
const withOffset = <Row extends { runAt?: unknown }>(ctx: Context, row: Row): Row =>
  row.runAt ? { ...row, runOffsetMs: runOffsetOf(ctx.workspace) } : row

export const insertBroadcastRow = (ctx: Context, row: Insertable<Tables['broadcasts']>): Promise<number> =>
  ctx.tx.run(db.insertInto('broadcasts').values(withOffset(ctx, row)))

const byId = (workspaceId: string, id: string) =>
  db.selectFrom('broadcasts').selectAll().where('workspaceId', '=', workspaceId).where('id', '=', id)

export const findBroadcastRow = (ctx: Context, id: string): Promise<BroadcastRow | undefined> =>
  ctx.tx.first(byId(ctx.workspace.id, id)) as Promise<BroadcastRow | undefined>

/** Returns the campaign, locked. Its row is locked before the rows that belong to it. */
export const findBroadcastRowForUpdate = (ctx: Context, id: string): Promise<BroadcastRow | undefined> =>
  ctx.tx.first(byId(ctx.workspace.id, id).forUpdate()) as Promise<BroadcastRow | undefined>

/** Locks and returns the campaign, unless it is not due or another process works on it. */
export const claimDueBroadcastRow = async (
  tx: Tx,
  key: { workspaceId: string; id: string },
  due: DueMoment,
): Promise<BroadcastRow | undefined> =>
  (
    await tx.sql<BroadcastRow>(
      `select * from broadcasts where workspace_id = $1 and id = $2
         and ${isDue('run_at', 'run_offset_ms', { now: '$3', by: '$4', offsetMs: '$5' })} for update skip locked`,
      [key.workspaceId, key.id, due.now, due.by, due.offsetMs],
    )
  )[0]

/** When a campaign started, or will start. */
const START = sql<Date>`coalesce(started_at, scheduled_at)`

/** Returns campaigns, newest first, one row more than `limit`. */
export const listBroadcastRows = (
  ctx: Context,
  {
    limit,
    cursor,
    ids,
    status,
    from,
    to,
    patterns,
  }: CursorQuery & {
    ids?: string[] | undefined
    status?: string | undefined
    /** The time of the start, or the planned one. */
    from?: Date | undefined
    to?: Date | undefined
    /** LIKE patterns; the name in lower case must match one of them. */
    patterns?: string[] | undefined
  },
): Promise<BroadcastRow[]> =>
  ctx.tx.all(
    db
      .selectFrom('broadcasts')
      .selectAll()
      .where('workspaceId', '=', ctx.workspace.id)
      .$if(cursor !== undefined, (query) => query.where('id', '<', cursor!))
      .$if(ids !== undefined, (query) => query.where(isOneOf(ids!)))
      .$if(status !== undefined, (query) => query.where('status', '=', status!))
      .$if(from !== undefined, (query) => query.where(START, '>=', from!))
      .$if(to !== undefined, (query) => query.where(START, '<', to!))
      .$if(patterns !== undefined, (query) =>
        query.where(sql<boolean>`lower(name) like any(${patterns}::text[])`),
      )
      .orderBy('id', 'desc')
      .limit(limit + 1),
  ) as Promise<BroadcastRow[]>

export const updateBroadcastRow = (
  ctx: Context,
  id: string,
  patch: Updateable<Tables['broadcasts']>,
): Promise<number> =>
  ctx.tx.run(
    db
      .updateTable('broadcasts')
      .set(withOffset(ctx, patch))
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id),
  )

/** Adds the counts of a step to the campaign, beside concurrent steps. */
export const addToBroadcastRow = (
  ctx: Context,
  id: string,
  { waiting, queued, skipped }: { waiting: number; queued: number; skipped: number },
) =>
  ctx.tx.sql(
    `update broadcasts set recipients = recipients + $3 + $4 + $5, waiting = waiting + $3, queued = queued + $4,
                           skipped = skipped + $5, updated_at = greatest(updated_at, $6)
     where workspace_id = $1 and id = $2`,
    [ctx.workspace.id, id, waiting, queued, skipped, ctx.now],
  )

/** The reason of an automatic pause, and when (real time) to check it again; null: never. */
export type Pause = { why: string; lookAgainAt: Date | null }

/** Returns the columns of a pause. null: a manual pause, which needs a manual resume. */
export const paused = (pause: Pause | null) =>
  ({
    status: 'paused',
    sending: false,
    pausedReason: pause?.why ?? null,
    runAt: pause?.lookAgainAt ?? null,
  }) as const

/** Pauses a running campaign with a reason. */
export const pauseBroadcastRow = (ctx: Context, id: string, pause: Pause): Promise<number> =>
  ctx.tx.run(
    db
      .updateTable('broadcasts')
      .set(withOffset(ctx, { ...paused(pause), updatedAt: ctx.now }))
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id)
      .where('status', '=', 'running'),
  )

/** A due campaign. `laidOut`: it runs, and stretches of its audience are left. */
export type DueBroadcast = Pick<BroadcastRow, 'workspaceId' | 'id'> & { laidOut: boolean }

const DUE = `workspace_id, id, status = 'running' and ${isFound(
  'from broadcast_stretches s where s.workspace_id = b.workspace_id and s.broadcast_id = b.id',
)} as laid_out
  from broadcasts b`

/** Returns due campaigns of one workspace or of all, longest due first. */
export const listDueBroadcasts = (
  query: Query,
  due: DueMoment,
  max: number,
  workspaceId?: string,
): Promise<DueBroadcast[]> =>
  workspaceId === undefined
    ? query(`select ${DUE} where run_at <= $1 and ${isOfWorkspace('b')} order by run_at limit $2`, [
        due.now,
        max,
      ])
    : query(
        `select ${DUE} where workspace_id = $3
           and ${isDue('run_at', 'run_offset_ms', { now: '$4', by: '$1', offsetMs: '$5' })} order by run_at limit $2`,
        [due.by, max, workspaceId, due.now, due.offsetMs],
      )

/** Delays a campaign whose step failed, so that the others can continue. */
export const putBroadcastOff = (query: Query, workspace: Workspace, id: string, runAt: Date) =>
  query(
    `update broadcasts set run_at = $3, run_offset_ms = $4 where workspace_id = $1 and id = $2 and run_at is not null`,
    [workspace.id, id, runAt, runOffsetOf(workspace)],
  )

/**
 * Returns when the next campaign is due, without automatic pauses: moving a sandbox's clock does not stop for
 * their checks.
 */
export const findNextDueBroadcast = async (query: Query, workspaceId: string): Promise<Date | undefined> =>
  (
    await query<Pick<BroadcastRow, 'runAt'>>(
      `select run_at from broadcasts where workspace_id = $1 and run_at is not null and status <> 'paused'
       order by run_at limit 1`,
      [workspaceId],
    )
  )[0]?.runAt ?? undefined

export const alignBroadcasts: NonNullable<WorkSource['align']> = (query, workspaceId, to) =>
  alignRows(query, { table: 'broadcasts', waiting: 't.run_at is not null' }, workspaceId, to)

/**
 * Returns how many more new recipients the number may message on a day, and locks this allowance until the
 * transaction ends.
 */
export const lockNewRecipientRoom = async (
  ctx: Context,
  phoneNumberId: string,
  day: string,
): Promise<number> => {
  await ctx.tx.run(
    db
      .insertInto('newRecipientDays')
      .values({ workspaceId: ctx.workspace.id, phoneNumberId, day, used: 0 })
      .onConflict((conflict) => conflict.doNothing()),
  )
  const [row] = await ctx.tx.sql<{ room: number }>(
    `select greatest(0, n.daily_new_recipients - d.used) as room from new_recipient_days d
     join phone_numbers n on n.workspace_id = d.workspace_id and n.id = d.phone_number_id
     where d.workspace_id = $1 and d.phone_number_id = $2 and d.day = $3 for update of d`,
    [ctx.workspace.id, phoneNumberId, day],
  )
  return row?.room ?? 0
}

export const raiseNewRecipientDay = (ctx: Context, phoneNumberId: string, day: string, by: number) =>
  ctx.tx.run(
    db
      .updateTable('newRecipientDays')
      .set((column) => ({ used: column('used', '+', by) }))
      .where('workspaceId', '=', ctx.workspace.id)
      .where('phoneNumberId', '=', phoneNumberId)
      .where('day', '=', day),
  )
