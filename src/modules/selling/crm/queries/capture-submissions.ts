/** SQL for submissions at the capture link, and for people's mappings. */
import type { Selectable } from 'kysely'
import type { Context, Query, Tx } from '../../../../core/context.ts'
import { byteStrings, instants, jsonTexts, texts, uuids } from '../../../../database/sql/binary-arrays.ts'
import { db, plainList } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'

export type SubmissionState = 'captured' | 'needs_attention' | 'dismissed'
export type SubmissionRow = Omit<
  Selectable<Tables['captureSubmissions']>,
  'state' | 'content' | 'headers'
> & {
  state: SubmissionState
  content: Record<string, unknown> | null
  headers: Record<string, string>
}
export type NewSubmissionRow = Omit<SubmissionRow, 'lastReceivedAt'>

/**
 * Stores submissions. A repeated submission is counted, and becomes captured if it now is. Each digest is in
 * `rows` once. Returns the new rows. Runs last: no lock is taken after its rows.
 */
export const storeSubmissions = (tx: Tx, rows: NewSubmissionRow[]): Promise<Pick<SubmissionRow, 'id'>[]> =>
  tx.sql<Pick<SubmissionRow, 'id'>>(
    `with stored as (
       insert into capture_submissions as s (workspace_id, digest, id, state, reason, message, body, content_type, headers, content, shape,
         form, sender, times, received_at, last_received_at, contact_id, lead_id, phones)
       select workspace_id, digest, id, state, reason, message, body, content_type, headers, content, shape, form, sender, times, at, at,
         contact_id, lead_id, string_to_array(phones, ' ')
       from unnest($1::uuid[], $2::bytea[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::text[], $9::json[], $10::json[],
         $11::bytea[], $12::text[], $13::bytea[], $14::int4[], $15::timestamptz[], $16::uuid[], $17::uuid[], $18::text[])
         as u (workspace_id, digest, id, state, reason, message, body, content_type, headers, content, shape, form, sender, times, at,
           contact_id, lead_id, phones)
       order by workspace_id, digest
       on conflict (workspace_id, digest) do update set
         times = s.times + excluded.times, last_received_at = excluded.last_received_at,
         state = case when excluded.state = 'captured' then 'captured' else s.state end,
         reason = case when excluded.state = 'captured' then null else s.reason end,
         message = case when excluded.state = 'captured' then null else s.message end,
         content = case when excluded.state = 'captured' then null else s.content end,
         contact_id = coalesce(excluded.contact_id, s.contact_id), lead_id = coalesce(excluded.lead_id, s.lead_id),
         phones = case when excluded.contact_id is null then s.phones end
       returning id)
     select id from stored where id = any($3::uuid[])`,
    [
      uuids(rows.map((row) => row.workspaceId)),
      byteStrings(rows.map((row) => row.digest)),
      uuids(rows.map((row) => row.id)),
      texts(rows.map((row) => row.state)),
      texts(rows.map((row) => row.reason)),
      texts(rows.map((row) => row.message)),
      byteStrings(rows.map((row) => row.body)),
      texts(rows.map((row) => row.contentType)),
      jsonTexts(rows.map((row) => JSON.stringify(row.headers))),
      jsonTexts(rows.map((row) => (row.content === null ? null : JSON.stringify(row.content)))),
      byteStrings(rows.map((row) => row.shape)),
      texts(rows.map((row) => row.form)),
      byteStrings(rows.map((row) => row.sender)),
      plainList(rows.map((row) => row.times)),
      instants(rows.map((row) => row.receivedAt)),
      uuids(rows.map((row) => row.contactId)),
      uuids(rows.map((row) => row.leadId)),
      texts(
        rows.map((row) => (row.phones === null || row.phones.length === 0 ? null : row.phones.join(' '))),
      ),
    ],
  )

/** Deletes the oldest submissions without a lead of a sender or a workspace that exceeds its maximum. */
export const dropOverflow = (
  tx: Tx,
  senders: { workspaceId: string; sender: Buffer }[],
  max: { ofSender: number; ofWorkspace: number },
): Promise<unknown> =>
  tx.sql(
    `delete from capture_submissions where (workspace_id, digest) in (
       select s.workspace_id, s.digest from capture_submissions s join (
         select o.workspace_id, o.digest from unnest($1::uuid[], $2::bytea[]) as u (workspace_id, sender) cross join lateral (
           select workspace_id, digest from capture_submissions one
           where one.workspace_id = u.workspace_id and one.sender = u.sender and one.state <> 'captured' order by id desc offset $3) o
         union
         select o.workspace_id, o.digest from (select distinct workspace_id from unnest($1::uuid[]) as w (workspace_id)) w
         cross join unnest(array['needs_attention', 'dismissed']) as k (state) cross join lateral (
           select workspace_id, digest from capture_submissions one
           where one.workspace_id = w.workspace_id and one.state = k.state order by id desc offset $4) o
       ) over using (workspace_id, digest) for update of s skip locked)`,
    [
      uuids(senders.map((sender) => sender.workspaceId)),
      byteStrings(senders.map((sender) => sender.sender)),
      max.ofSender,
      max.ofWorkspace,
    ],
  )

/** Returns a page of submissions in a state, newest first, at most `limit` + 1 rows. */
export const listSubmissionRows = (
  { tx, workspace }: Context,
  { state, limit, cursor }: { state: SubmissionState; limit: number; cursor?: string | undefined },
): Promise<SubmissionRow[]> =>
  tx.all(
    db
      .selectFrom('captureSubmissions')
      .selectAll()
      .where('workspaceId', '=', workspace.id)
      .where('state', '=', state)
      .$if(cursor !== undefined, (query) => query.where('id', '<', cursor!))
      .orderBy('id', 'desc')
      .limit(limit + 1),
  ) as Promise<SubmissionRow[]>

/** Counts submissions in a state, up to `max`. */
export const countSubmissionRows = async (
  { tx, workspace }: Context,
  state: SubmissionState,
  max: number,
): Promise<number> =>
  (
    await tx.sql<{ count: number }>(
      `select count(*)::int4 as count from (
         select 1 from capture_submissions where workspace_id = $1 and state = $2 limit $3) counted`,
      [workspace.id, state, max],
    )
  )[0]!.count

export const findSubmissionRow = async (
  { tx, workspace }: Context,
  id: string,
): Promise<SubmissionRow | undefined> =>
  (
    await tx.sql<SubmissionRow>(
      `select * from capture_submissions
       where workspace_id = $1 and state = any(array['captured', 'needs_attention', 'dismissed']) and id = $2`,
      [workspace.id, id],
    )
  )[0]

/** Sets the state of a submission without a lead. Returns false if it is a lead by now, or gone. */
export const settleSubmissionRow = async (
  { tx, workspace }: Context,
  row: Pick<SubmissionRow, 'digest' | 'state' | 'contactId' | 'leadId'>,
): Promise<boolean> =>
  (
    await tx.sql(
      `update capture_submissions set state = $3, contact_id = $4, lead_id = $5,
         phones = case when $4::uuid is null then phones end,
         reason = case when $3 = 'captured' then null else reason end, message = case when $3 = 'captured' then null else message end
       where workspace_id = $1 and digest = $2 and state <> 'captured' returning 1`,
      [workspace.id, row.digest, row.state, row.contactId, row.leadId],
    )
  ).length > 0

/** Deletes some submissions received before `before` (real time; a moved sandbox clock only keeps more). */
export const deleteOldCaptures = (query: Query, before: Date, max: number): Promise<unknown[]> =>
  query(
    `delete from capture_submissions where (workspace_id, digest) in (
       select workspace_id, digest from capture_submissions where received_at < $1 limit $2) returning 1`,
    [before, max],
  )

export type MappingRow = Omit<Selectable<Tables['captureMappings']>, 'fields' | 'updatedAt'> & {
  fields: Record<string, string>
}

/**
 * Returns the mappings for submissions of these shapes, or the newest mapping of a form with this name. One
 * row per shape that has one.
 */
export const listMappings = (
  tx: Tx,
  lookups: { workspaceId: string; shape: Buffer; form: string | null }[],
): Promise<(MappingRow & { place: number })[]> =>
  tx.sql(
    `select w.place::int4 as place, m.* from unnest($1::uuid[], $2::bytea[], $3::text[]) with ordinality
       as w (workspace_id, shape, form, place)
     cross join lateral (
       select * from (
         (select workspace_id, shape, form, fields, 0 as rank from capture_mappings c
          where c.workspace_id = w.workspace_id and c.shape = w.shape)
         union all
         (select workspace_id, shape, form, fields, 1 from capture_mappings c
          where c.workspace_id = w.workspace_id and c.form = w.form order by updated_at desc limit 1)) found
       order by rank limit 1) m`,
    [
      uuids(lookups.map((lookup) => lookup.workspaceId)),
      byteStrings(lookups.map((lookup) => lookup.shape)),
      texts(lookups.map((lookup) => lookup.form)),
    ],
  )

/** Stores a mapping. If the workspace has more than `max`, deletes the oldest. */
export const saveMapping = (
  { tx, workspace, now }: Context,
  { shape, form, fields }: Omit<MappingRow, 'workspaceId'>,
  max: number,
): Promise<unknown> =>
  Promise.all([
    tx.sql(
      `insert into capture_mappings (workspace_id, shape, form, fields, updated_at) values ($1, $2, $3, $4, $5)
       on conflict (workspace_id, shape) do update set fields = excluded.fields, form = excluded.form, updated_at = excluded.updated_at`,
      [workspace.id, shape, form, JSON.stringify(fields), now],
    ),
    tx.sql(
      `delete from capture_mappings where (workspace_id, shape) in (
         select workspace_id, shape from capture_mappings where workspace_id = $1 and shape <> $2 order by updated_at desc offset $3)`,
      [workspace.id, shape, max - 1],
    ),
  ])
