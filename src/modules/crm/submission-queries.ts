/** Every statement on the memory of the capture link. */
import type { Query, Tx } from '../../core/context.ts'
import { instants, uuids } from '../../core/sql.ts'

export type Submission = { workspaceId: string; digest: Buffer; submittedAt: Date }

/** Remembers submissions; returns those that were not made within the memory's time (each digest once in `rows`). */
export const rememberSubmissions = (
  tx: Tx,
  rows: Submission[],
): Promise<{ workspaceId: string; digest: Buffer }[]> =>
  tx.sql(
    `insert into lead_submissions as s (workspace_id, digest, submitted_at)
     select workspace_id, digest, submitted_at
     from unnest($1::uuid[], $2::bytea[], $3::timestamptz[]) as u (workspace_id, digest, submitted_at)
     order by workspace_id, digest
     on conflict (workspace_id, digest) do update set submitted_at = excluded.submitted_at
       where s.submitted_at <= excluded.submitted_at - interval '24 hours'
     returning workspace_id, digest`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      rows.map((row) => row.digest),
      instants(rows.map((row) => row.submittedAt)),
    ],
  )

/** Forgets submissions that led to nothing. */
export const forgetSubmissions = (
  tx: Tx,
  rows: { workspaceId: string; digest: Buffer }[],
): Promise<unknown> =>
  tx.sql(
    `delete from lead_submissions s using unnest($1::uuid[], $2::bytea[]) as u (workspace_id, digest)
     where s.workspace_id = u.workspace_id and s.digest = u.digest`,
    [uuids(rows.map((row) => row.workspaceId)), rows.map((row) => row.digest)],
  )

/** Deletes some of what is older than `before` (real time; a moved sandbox clock only keeps more). */
export const deleteOldSubmissions = (query: Query, before: Date, most: number): Promise<unknown[]> =>
  query(
    `delete from lead_submissions where (workspace_id, digest) in (
       select workspace_id, digest from lead_submissions where submitted_at < $1 limit $2) returning 1`,
    [before, most],
  )
