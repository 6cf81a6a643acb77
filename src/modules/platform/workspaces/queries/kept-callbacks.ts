/** Statements on callbacks and submissions that arrived while their workspace moved. */
import type { Insertable, Selectable } from 'kysely'
import type { Query } from '../../../../core/context.ts'
import type { Destination } from '../../../../core/moving.ts'
import { isCellName } from '../../../../core/values/cell.ts'
import { deletingOlder } from '../../../../database/sql/delete-older.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

type KeptRow = Selectable<Tables['keptCallbacks']>
export type NewKeptCallback = Required<
  Pick<
    Insertable<Tables['keptCallbacks']>,
    'workspaceId' | 'id' | 'method' | 'path' | 'body' | 'sender' | 'runAt' | 'receivedAt'
  >
> & { headers: Record<string, string> }

export type DueCallback = Omit<KeptRow, 'headers'> &
  Pick<Selectable<Tables['workspaces']>, 'movedTo'> & {
    headers: Record<string, string>
    movedTo: Destination | null
  }

const COLUMNS = 'workspace_id, id, method, path, headers, body, sender, run_at, received_at'

export const insertKeptCallback = (query: Query, row: NewKeptCallback): Promise<unknown> =>
  query(`insert into kept_callbacks (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, [
    row.workspaceId,
    row.id,
    row.method,
    row.path,
    JSON.stringify(row.headers),
    row.body,
    row.sender,
    row.runAt,
    row.receivedAt,
  ])

/**
 * Leases due callbacks until `until`, in the order of their arrival: those of workspaces that moved, and those of workspaces
 * that are here and no longer fenced.
 */
export const claimKeptCallbacks = (
  query: Query,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<DueCallback[]> =>
  query<DueCallback>(
    `with due as materialized (
       select k.ctid as row_at, w.moved_to
       from kept_callbacks k join workspaces w on w.id = k.workspace_id
       where k.run_at <= $1 and k.failed_at is null and (not w.fenced or w.moved_to is not null)
       order by k.run_at, k.id limit $3 for update of k skip locked
     ), claimed as (
       update kept_callbacks k set run_at = $2 from due where k.ctid = due.row_at returning k.*, due.moved_to
     )
     select * from claimed order by id`,
    [now, until, limit],
  )

type Key = Pick<KeptRow, 'workspaceId' | 'id'>

export const deleteKeptCallback = (query: Query, { workspaceId, id }: Key): Promise<unknown> =>
  query('delete from kept_callbacks where workspace_id = $1 and id = $2', [workspaceId, id])

/** Moves a callback to a cell of the same database, which applies it. */
export async function handOnKeptCallback(
  query: Query,
  { workspaceId, id }: Key,
  cell: string,
): Promise<void> {
  // Only then it needs no quotes.
  if (!isCellName(cell)) throw new Error(`${cell} isn't the name of a cell`)
  await query(
    `with gone as (delete from kept_callbacks where workspace_id = $1 and id = $2 returning *)
     insert into ${cell}.kept_callbacks (${COLUMNS})
     select workspace_id, id, method, path, headers, body, sender, received_at, received_at from gone`,
    [workspaceId, id],
  )
}

/** Puts a callback back for its next attempt, or sets it aside. */
export const setBackKeptCallback = (
  query: Query,
  { workspaceId, id }: Key,
  next: { error: string; runAt: Date; failedAt: Date | null },
): Promise<unknown> =>
  query(
    `update kept_callbacks set attempts = attempts + 1, last_error = $3, run_at = $4, failed_at = $5
     where workspace_id = $1 and id = $2`,
    [workspaceId, id, next.error, next.runAt, next.failedAt],
  )

export const deleteFailedCallbacks = deletingOlder('kept_callbacks', 'failed_at')
