/** SQL for recognizing repeated enquiries at the capture link. */
import type { Selectable } from 'kysely'
import { DAY_MS } from '../../../../core/clock.ts'
import type { Query, Tx } from '../../../../core/context.ts'
import { instants, uuids } from '../../../../database/sql/binary-arrays.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

type SubmissionRow = Selectable<Tables['leadSubmissions']>
/** The key of an enquiry: the person's E.164 number, and a hash of its content. */
export type SubmissionKey = Pick<SubmissionRow, 'workspaceId' | 'phone' | 'digest'>

/**
 * Stores submissions. Returns those that were not made within the retention time (each key is in `rows`
 * once).
 */
export const rememberSubmissions = (tx: Tx, rows: SubmissionRow[]): Promise<SubmissionKey[]> =>
  tx.sql(
    `insert into lead_submissions as s (workspace_id, phone, digest, submitted_at)
     select workspace_id, phone, digest, submitted_at
     from unnest($1::uuid[], $2::text[], $3::bytea[], $4::timestamptz[]) as u (workspace_id, phone, digest, submitted_at)
     order by workspace_id, phone, digest
     on conflict (workspace_id, phone, digest) do update set submitted_at = excluded.submitted_at
       where s.submitted_at <= after_ms(excluded.submitted_at, -${DAY_MS})
     returning workspace_id, phone, digest`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      rows.map((row) => row.phone),
      rows.map((row) => row.digest),
      instants(rows.map((row) => row.submittedAt)),
    ],
  )

/** Deletes submissions that created no lead. */
export const forgetSubmissions = (tx: Tx, rows: SubmissionKey[]): Promise<unknown> =>
  tx.sql(
    `delete from lead_submissions s using unnest($1::uuid[], $2::text[], $3::bytea[]) as u (workspace_id, phone, digest)
     where s.workspace_id = u.workspace_id and s.phone = u.phone and s.digest = u.digest`,
    [uuids(rows.map((row) => row.workspaceId)), rows.map((row) => row.phone), rows.map((row) => row.digest)],
  )

/** Deletes some rows older than `before` (real time; a moved sandbox clock only keeps more). */
export const deleteOldSubmissions = (query: Query, before: Date, max: number): Promise<unknown[]> =>
  query(
    `delete from lead_submissions where (workspace_id, phone, digest) in (
       select workspace_id, phone, digest from lead_submissions where submitted_at < $1 limit $2) returning 1`,
    [before, max],
  )
