/**
 * Statements on due updates of the operator: which workspace is next, which updates are next, and their
 * removal or return.
 */
import type { Selectable } from 'kysely'
import type { Query, Tx } from '../../../../../core/context.ts'
import type { DueMoment } from '../../../../../core/due.ts'
import type { WorkSource } from '../../../../../core/work.ts'
import { alignRows, isDue } from '../../../../../database/sql/due-statements.ts'
import {
  db,
  isFound,
  isOfWorkspace,
  queryInOrder,
  waitingWorkspaces,
} from '../../../../../database/sql/sql.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'
import { INTAKE_TURN } from '../../../../../database/sql/workspace-lock.ts'
import type { UpdateBody } from './updates.ts'

type UpdateRow = Selectable<Tables['operatorUpdates']>
type Due = Pick<UpdateRow, 'workspaceId' | 'id' | 'sender' | 'attempts' | 'runAt' | 'receivedAt'>
export type DueUpdate = Due &
  Pick<UpdateRow, 'phoneNumberId' | 'body' | 'raw' | 'reference' | 'runOffsetMs'> & {
    phoneNumberId: string
    body: UpdateBody
    raw: null
  }
/** A body as the operator posted it. */
export type DuePost = Due & Pick<UpdateRow, 'raw' | 'signers'> & { raw: Buffer; signers: string[] }

/**
 * Lists at most `limit` workspaces with due updates, the longest wait first, with one index step for each.
 * Without `simulated`, only workspaces with a real number.
 */
export const listDueWorkspaces = async (
  query: Query,
  { now, limit, simulated }: { now: Date; limit: number; simulated: boolean },
): Promise<string[]> =>
  (
    await query<Pick<UpdateRow, 'workspaceId'>>(
      `${waitingWorkspaces('operator_updates')}
       select workspace_id from waiting where run_at <= $1 and ${isOfWorkspace('waiting')}
         and ($3 or ${isFound(`from phone_numbers n where n.workspace_id = waiting.workspace_id and n.operator <> 'simulator'`)})
       order by run_at limit $2`,
      [now, limit, simulated],
    )
  ).map((row) => row.workspaceId)

export const isUpdateDue = async (query: Query, workspaceId: string, due: DueMoment): Promise<boolean> =>
  (
    await query(
      `select 1 from operator_updates where workspace_id = $1 and failed_at is null
         and ${isDue('run_at', 'run_offset_ms', { now: '$3', by: '$2', offsetMs: '$4' })} limit 1`,
      [workspaceId, due.by, due.now, due.offsetMs],
    )
  ).length > 0

/**
 * Takes the turns of those workspaces that no other process has, until the transaction ends. Only the holder
 * of a workspace's turn applies its reports. A separate statement, so that the next statements see all
 * changes of the previous turn. They find the workspaces in a setting, so that they can follow in the same
 * round trip.
 */
export const claimTurns = (tx: Tx, workspaceIds: string[]): Promise<unknown> =>
  tx.sql(
    `select set_config('parley.turns', coalesce(string_agg(id, ','), ''), true)
     from unnest($1::text[]) as w (id) where pg_try_advisory_xact_lock(hashtextextended('${INTAKE_TURN} ' || id, 0))`,
    [workspaceIds],
  )

/** The workspaces whose turns the transaction took, as a list in SQL. */
const TURNS = `string_to_array(current_setting('parley.turns'), ',')::uuid[]`

/** Lists workspaces of its turns with erasures so recent that the operator may repeat its reports. */
export const listErasing = async (tx: Tx): Promise<Set<string>> =>
  new Set(
    (
      await tx.sql<{ id: string }>(
        `select id from unnest(${TURNS}) as w (id)
         cross join lateral (select from erased_ids where workspace_id = w.id limit 1) erased`,
      )
    ).map((row) => row.id),
  )

/** Bytes of stored updates in one batch: about 600 updates. A bigger update is processed alone. */
const LIST_BYTES = 96 * 1024
/** What PostgreSQL adds to a value at most. */
const HEADER_BYTES = 4

const IS_DUE = isDue('run_at', 'run_offset_ms', { now: '$3', by: '$1', offsetMs: '$4' })

/**
 * Selects the due updates of the turns, in order and with a share for each workspace, as `listed`. $1, $3 and
 * $4: due times; $2: maximum. With `lock`, it waits for rows that a sandbox's clock is just moving.
 */
const listed = (lock: '' | 'for update'): string => `due as materialized (
    select u.*, row_number() over (partition by u.workspace_id order by u.run_at, u.id) as place
    from unnest(${TURNS}) as mine (id) cross join lateral (
      select ctid, workspace_id, id, run_at, coalesce(pg_column_size(raw), pg_column_size(body)) as size
      from operator_updates where workspace_id = mine.id and failed_at is null and ${IS_DUE}
      order by run_at, id limit greatest(1, $2 / nullif(cardinality(${TURNS}), 0)) ${lock}
    ) u
  ), listed as materialized (
    select * from (select *, sum(size) over (order by place, run_at, id) as total from due) sized
    where total - size < ${LIST_BYTES}
  )`
const COLUMNS = `u.workspace_id, u.id, u.phone_number_id, u.sender, u.body, u.raw, u.signers, u.attempts, u.run_at, u.received_at,
  u.reference, u.run_offset_ms`

type List = { due: DueMoment; limit: number }

const byTime = (rows: (DueUpdate | DuePost)[]): (DueUpdate | DuePost)[] =>
  rows.sort((a, b) => a.runAt.getTime() - b.runAt.getTime() || (a.id < b.id ? -1 : 1))

const askFor = async (tx: Tx, text: string, { due, limit }: List) =>
  byTime(await queryInOrder<DueUpdate | DuePost>(tx, text, [due.by, limit, due.now, due.offsetMs]))

/**
 * Returns whether a list has all due updates of its workspaces, as far as its size shows: neither `limit` nor
 * the bytes cut it short.
 */
export const isWholeList = (
  rows: (DueUpdate | DuePost)[],
  { workspaces, limit }: { workspaces: number; limit: number },
): boolean =>
  rows.length < Math.floor(limit / workspaces) &&
  rows.every(({ raw }) => raw !== null) &&
  rows.reduce((bytes, { raw }) => bytes + raw!.length + HEADER_BYTES, 0) < LIST_BYTES

/**
 * Removes and returns the due updates of the workspaces whose turn this transaction has, in order of arrival.
 */
export const claimDueUpdates = (tx: Tx, list: List): Promise<(DueUpdate | DuePost)[]> =>
  askFor(
    tx,
    // Joined by physical place: a plan by key, made while the table was empty, would read an entire backlog.
    `with ${listed('for update')}
     delete from operator_updates u where u.ctid = any (array(select ctid from listed)) returning ${COLUMNS}`,
    list,
  )

/** Lists the same updates without removing them. */
export const listDueUpdates = (tx: Tx, list: List): Promise<(DueUpdate | DuePost)[]> =>
  askFor(
    tx,
    `with ${listed('')}
     select ${COLUMNS} from listed cross join lateral (
       select * from operator_updates where workspace_id = listed.workspace_id and id = listed.id limit 1
     ) u`,
    list,
  )

/** Removes an update; returns false if it no longer exists. */
export const deleteUpdate = async (tx: Tx, { workspaceId, id }: Due): Promise<boolean> =>
  (await tx.run(
    db.deleteFrom('operatorUpdates').where('workspaceId', '=', workspaceId).where('id', '=', id),
  )) > 0

/** The first update of a sender that holds back the sender's later updates. */
export type Holder = Pick<UpdateRow, 'workspaceId' | 'sender' | 'id' | 'runAt'> & { sender: string }

export const listHolders = (tx: Tx): Promise<Holder[]> =>
  tx.sql<Holder>(
    `select distinct on (workspace_id, sender) workspace_id, sender, id, run_at from operator_updates
     where holds and workspace_id = any(${TURNS}) order by workspace_id, sender, id`,
  )

/** The people that a waiting update names, and the messages in it, so that an erasure finds it. */
export type Named = { identifiers: string[]; messageIds: string[] }

/** Puts an update that could not be applied back, or sets it aside for good with its error. */
export const setBackUpdate = (
  tx: Tx,
  row: Due,
  next: {
    error: string
    runAt: Date
    runOffsetMs: number | null
    sender: string | null
    holds: boolean
    failedAt: Date | null
  } & Named,
) =>
  tx.run(
    db
      .updateTable('operatorUpdates')
      .set((column) => ({
        attempts: column('attempts', '+', 1),
        lastError: next.error,
        runAt: next.runAt,
        sender: next.sender,
        holds: next.holds,
        failedAt: next.failedAt,
        identifiers: next.identifiers,
        messageIds: next.messageIds,
        runOffsetMs: next.runOffsetMs,
      }))
      .where('workspaceId', '=', row.workspaceId)
      .where('id', '=', row.id),
  )

/** Lets an update wait for an earlier one of its sender. */
export const holdUpdate = (tx: Tx, row: Due, holder: Holder, { identifiers, messageIds }: Named) =>
  tx.sql(
    `update operator_updates u set run_at = h.run_at, run_offset_ms = h.run_offset_ms, sender = $4, holds = true,
       identifiers = $5, message_ids = $6
     from operator_updates h
     where u.workspace_id = $1 and u.id = $2 and h.workspace_id = $1 and h.id = $3`,
    [row.workspaceId, row.id, holder.id, holder.sender, identifiers, messageIds],
  )

/** Returns when the next update is due. */
export const findNextUpdateDue = async (query: Query, workspaceId: string): Promise<Date | undefined> =>
  (
    await query<{ at: Date | null }>(
      'select min(run_at) as at from operator_updates where workspace_id = $1 and failed_at is null',
      [workspaceId],
    )
  )[0]?.at ?? undefined

/** Returns whether the update waits to be applied. An update that was set aside with its error does not. */
export const isUpdateWaiting = async (query: Query, workspaceId: string, id: string): Promise<boolean> =>
  (
    await query('select 1 from operator_updates where workspace_id = $1 and id = $2 and failed_at is null', [
      workspaceId,
      id,
    ])
  ).length > 0

export const alignUpdates: NonNullable<WorkSource['align']> = (query, workspaceId, to) =>
  alignRows(query, { table: 'operator_updates', waiting: 't.failed_at is null' }, workspaceId, to)
