/** Statements on stored reports of the network that are not applied yet. */
import type { Selectable } from 'kysely'
import type { Query, Tx } from '../../../../../core/context.ts'
import { uuids } from '../../../../../database/sql/binary-arrays.ts'
import { isOfWorkspace, waitingWorkspaces } from '../../../../../database/sql/sql.ts'
import type { Tables } from '../../../../../database/sql/tables.ts'

type UpdateRow = Selectable<Tables['socialUpdates']>

/** A body as the network posted it. */
export type NewSocialUpdate = Pick<
  UpdateRow,
  'workspaceId' | 'id' | 'accountId' | 'raw' | 'runAt' | 'receivedAt'
>

/** Stores a body as received, without processing it. */
export const insertSocialUpdate = (query: Query, row: NewSocialUpdate): Promise<unknown> =>
  query(
    `insert into social_updates (workspace_id, id, account_id, raw, run_at, received_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [row.workspaceId, row.id, row.accountId, row.raw, row.runAt, row.receivedAt],
  )

/** Lists at most `limit` workspaces with due updates, with one index step for each. */
export const listDueWorkspaces = async (query: Query, now: Date, limit: number): Promise<string[]> =>
  (
    await query<Pick<UpdateRow, 'workspaceId'>>(
      `${waitingWorkspaces('social_updates')}
       select workspace_id from waiting where run_at <= $1 and ${isOfWorkspace('waiting')} order by run_at limit $2`,
      [now, limit],
    )
  ).map((row) => row.workspaceId)

/** A claimed update; it belongs to the claimer while it has this lease. */
export type ClaimedUpdate = Pick<
  UpdateRow,
  'workspaceId' | 'id' | 'accountId' | 'raw' | 'attempts' | 'receivedAt'
> & { leasedUntil: NonNullable<UpdateRow['leasedUntil']> }

export type Claim = { workspaceIds: string[]; now: Date; until: Date; limit: number; bytes: number }

/**
 * Leases the next updates of workspaces without leased ones, in order of arrival: at most `limit` updates of
 * about `bytes`. Skips workspaces that another process is just claiming.
 */
export const claimUpdates = async (tx: Tx, claim: Claim): Promise<ClaimedUpdate[]> => {
  const { workspaceIds, now, until, limit, bytes } = claim
  const freeRows = await tx.sql<{ id: string }>(
    `select id from unnest($1::text[]) as w (id) where pg_try_advisory_xact_lock(hashtextextended('social ' || id, 0))`,
    [workspaceIds],
  )
  if (freeRows.length === 0) return []
  const rows = await tx.sql<ClaimedUpdate>(
    `update social_updates u set leased_until = $3, attempts = attempts + 1
     where u.ctid = any (array(
       select sized.ctid from unnest($1::uuid[]) as mine (id) cross join lateral (
         select due.ctid, sum(due.size) over (order by due.run_at, due.id) - due.size as before from (
           select ctid, run_at, id, length(raw) as size from social_updates
           where workspace_id = mine.id and failed_at is null and run_at <= $2
           order by run_at, id limit $4 for update
         ) due
       ) sized
       where sized.before < $5 and not exists (
         select from social_updates held
         where held.workspace_id = mine.id and held.leased_until is not null and held.leased_until > $2)))
     returning u.workspace_id, u.id, u.account_id, u.raw, u.attempts, u.received_at, u.leased_until`,
    [uuids(freeRows.map((row) => row.id)), now, until, limit, bytes],
  )
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Removes updates that this transaction applies; returns false if another process has claimed one since. */
export const deleteClaimed = async (tx: Tx, rows: ClaimedUpdate[]): Promise<boolean> => {
  const deletedRows = await tx.sql(
    `delete from social_updates u using unnest($1::uuid[], $2::uuid[], $3::int4[]) as c (workspace_id, id, attempts)
     where u.workspace_id = c.workspace_id and u.id = c.id and u.attempts = c.attempts returning 1`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      uuids(rows.map((row) => row.id)),
      rows.map((row) => row.attempts),
    ],
  )
  return deletedRows.length === rows.length
}

/** Puts an update that could not be applied back, or sets it aside for good with its error. */
export const setBackUpdate = (
  query: Query,
  row: ClaimedUpdate,
  next: { error: string; runAt: Date; failedAt: Date | null },
): Promise<unknown> =>
  query(
    `update social_updates set leased_until = null, last_error = $4, run_at = $5, failed_at = $6
     where workspace_id = $1 and id = $2 and attempts = $3`,
    [row.workspaceId, row.id, row.attempts, next.error, next.runAt, next.failedAt],
  )

export const isReportWaiting = async (query: Query, workspaceId: string, id: string): Promise<boolean> =>
  (
    await query('select 1 from social_updates where workspace_id = $1 and id = $2 and failed_at is null', [
      workspaceId,
      id,
    ])
  ).length > 0

/** Returns when the workspace's next update is due, without those being processed. */
export const findNextUpdateDue = async (query: Query, workspaceId: string): Promise<Date | undefined> =>
  (
    await query<{ at: Date | null }>(
      `select min(run_at) as at from social_updates
       where workspace_id = $1 and failed_at is null and leased_until is null`,
      [workspaceId],
    )
  )[0]?.at ?? undefined

/** Returns how many updates of the workspace are being processed. */
export const countLeased = async (query: Query, workspaceId: string): Promise<number> =>
  (
    await query<{ count: number }>(
      'select count(*)::int as count from social_updates where workspace_id = $1 and leased_until is not null',
      [workspaceId],
    )
  )[0]?.count ?? 0
