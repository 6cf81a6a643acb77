/** Statements on gateways' reports: stored as received, applied later, recognized again for a week. */
import type { Selectable } from 'kysely'
import type { Query, Tx } from '../../../../core/context.ts'
import type { DueMoment } from '../../../../core/due.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { deletingOlder } from '../../../../database/sql/delete-older.ts'
import { alignRows, isDue } from '../../../../database/sql/due-statements.ts'
import { db, isOfWorkspace } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

type PostRow = Selectable<Tables['gatewayPosts']>
/** A report that is not applied yet, so it has its bytes. */
type WaitingPost = Omit<PostRow, 'raw'> & { raw: Buffer }
export type NewGatewayPost = Pick<
  WaitingPost,
  'workspaceId' | 'id' | 'eventId' | 'raw' | 'runAt' | 'receivedAt'
>
export type DuePost = Pick<WaitingPost, 'workspaceId' | 'id' | 'raw' | 'attempts'>

/** Stores a report; returns false if it was already stored. */
export const insertGatewayPost = async (tx: Tx, post: NewGatewayPost): Promise<boolean> =>
  (await tx.run(
    db
      .insertInto('gatewayPosts')
      .values(post)
      .onConflict((conflict) => conflict.columns(['workspaceId', 'eventId']).doNothing()),
  )) > 0

const MOMENT = { now: '$4', by: '$1', offsetMs: '$5' }
const DUE = `raw is not null and failed_at is null and ${isDue('run_at', 'run_offset_ms', MOMENT)}
  and ($2::uuid is null or workspace_id = $2)`

type DuePosts<Of> = { due: DueMoment; workspaceId: Of; limit: number }

/** Lists workspaces with due reports. */
export const listWorkspacesWithPosts = async (
  query: Query,
  { due, workspaceId, limit }: DuePosts<string | undefined>,
): Promise<string[]> =>
  (
    await query<Pick<PostRow, 'workspaceId'>>(
      `select distinct workspace_id from (
         select workspace_id from gateway_posts p where ${DUE} and ${isOfWorkspace('p')} order by run_at limit $3) waiting`,
      [due.by, workspaceId ?? null, limit, due.now, due.offsetMs],
    )
  ).map((row) => row.workspaceId)

/**
 * Locks due reports of a workspace that no other process has locked, oldest first, until the transaction
 * ends.
 */
export const takeDuePosts = (tx: Tx, { due, workspaceId, limit }: DuePosts<string>): Promise<DuePost[]> =>
  tx.sql<DuePost>(
    `select workspace_id, id, raw, attempts from gateway_posts where ${DUE}
     order by run_at, id limit $3 for update skip locked`,
    [due.by, workspaceId, limit, due.now, due.offsetMs],
  )

/** Marks reports as applied: deletes their bytes, and keeps their ids. */
export const markApplied = (tx: Tx, posts: DuePost[]): Promise<unknown> =>
  tx.sql(
    `update gateway_posts p set raw = null from unnest($1::uuid[], $2::uuid[]) as u (workspace_id, id)
     where p.workspace_id = u.workspace_id and p.id = u.id`,
    [uuids(posts.map((post) => post.workspaceId)), uuids(posts.map((post) => post.id))],
  )

/** Puts a report back for its next attempt, or sets it aside with its error. */
export const setBackPost = (
  query: Query,
  post: DuePost,
  next: { error: string; runAt: Date; runOffsetMs: number | null; failedAt: Date | null },
): Promise<unknown> =>
  query(
    `update gateway_posts set attempts = attempts + 1, last_error = $3, run_at = $4, run_offset_ms = $7, failed_at = $5
     where workspace_id = $1 and id = $2 and attempts = $6`,
    [post.workspaceId, post.id, next.error, next.runAt, next.failedAt, post.attempts, next.runOffsetMs],
  )

export const findNextPostDue = async (query: Query, workspaceId: string): Promise<Date | undefined> =>
  (
    await query<{ at: Date | null }>(
      'select min(run_at) as at from gateway_posts where workspace_id = $1 and raw is not null and failed_at is null',
      [workspaceId],
    )
  )[0]?.at ?? undefined

export const alignPosts: NonNullable<WorkSource['align']> = (query, workspaceId, to) =>
  alignRows(
    query,
    { table: 'gateway_posts', waiting: 't.raw is not null and t.failed_at is null' },
    workspaceId,
    to,
  )

/** Deletes reports by their time of arrival. */
export const deleteOldPosts = deletingOlder('gateway_posts', 'received_at')
