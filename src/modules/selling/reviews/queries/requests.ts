/** Statements on review requests. */
import { type NotNull, type Selectable, sql } from 'kysely'
import type { Context, Query } from '../../../../core/context.ts'
import type { DueMoment } from '../../../../core/due.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { dueRowsIn } from '../../../../database/sql/due-rows.ts'
import { isDue } from '../../../../database/sql/due-statements.ts'
import { db, isOneOf } from '../../../../database/sql/sql.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { About } from '../schema.ts'
import type { Bounds } from './reviews.ts'

type StoredRequest = Selectable<Tables['reviewRequests']>
export type RequestRow = Omit<StoredRequest, 'workspaceId' | 'runOffsetMs' | 'about' | 'via' | 'status'> & {
  about: About
  via: 'chat' | 'link'
  status: 'queued' | 'sent' | 'answered' | 'failed'
}

const COLUMNS = `id, about, subject_id, subject_label, contact_id, customer_name, via, status, failure, message_id, public_token,
  run_at, sent_at, expires_at, answered_at, created_at`

/** Stores a request; returns undefined if the subject already has one. */
export const insertRequest = async (
  ctx: Context,
  row: Omit<RequestRow, 'failure' | 'answeredAt' | 'createdAt'> & Pick<StoredRequest, 'runOffsetMs'>,
): Promise<RequestRow | undefined> =>
  (
    await ctx.tx.sql<RequestRow>(
      `insert into review_requests (workspace_id, id, about, subject_id, subject_label, contact_id, customer_name, via, status,
                                    message_id, public_token, run_at, run_offset_ms, sent_at, expires_at, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
       on conflict (workspace_id, about, subject_id) do nothing returning ${COLUMNS}`,
      [
        ctx.workspace.id,
        row.id,
        row.about,
        row.subjectId,
        row.subjectLabel,
        row.contactId,
        row.customerName,
        row.via,
        row.status,
        row.messageId,
        row.publicToken,
        row.runAt,
        row.runOffsetMs,
        row.sentAt,
        row.expiresAt,
        ctx.now,
      ],
    )
  )[0]

export const findRequestOf = async (
  ctx: Context,
  about: About,
  subjectId: string,
): Promise<RequestRow | undefined> =>
  (
    await ctx.tx.sql<RequestRow>(
      `select ${COLUMNS} from review_requests where workspace_id = $1 and about = $2 and subject_id = $3`,
      [ctx.workspace.id, about, subjectId],
    )
  )[0]

const find =
  (lock: string) =>
  async (ctx: Context, id: string): Promise<RequestRow | undefined> =>
    (
      await ctx.tx.sql<RequestRow>(
        `select ${COLUMNS} from review_requests where workspace_id = $1 and id = $2 ${lock}`,
        [ctx.workspace.id, id],
      )
    )[0]
export const findRequest = find('')
export const findRequestForUpdate = find('for update')

type RequestKey = Pick<StoredRequest, 'workspaceId' | 'id'>

/** Finds the request of a page's token. */
export const findRequestByToken = async (query: Query, token: string): Promise<RequestKey | undefined> =>
  (
    await query<RequestKey>('select workspace_id, id from review_requests where public_token = $1', [token])
  )[0]

/**
 * Lists requests newest first, with one row more than the page. `now`: decides which sent requests have
 * expired.
 */
export const listRequests = (
  ctx: Context,
  { limit, cursor, status, about }: CursorQuery & { status?: string | undefined; about?: string | undefined },
): Promise<RequestRow[]> =>
  ctx.tx.sql<RequestRow>(
    `select ${COLUMNS} from review_requests
     where workspace_id = $1 and ($2::uuid is null or id < $2) and ($4::text is null or about = $4)
       and ($5::text is null or case when status = 'sent' and expires_at <= $6 then 'expired' else status end = $5)
     order by workspace_id desc, id desc limit $3`,
    [ctx.workspace.id, cursor ?? null, limit + 1, about ?? null, status ?? null, ctx.now],
  )

/** Counts the requests that reached a customer in a span, and those of them that were answered. */
export const countRequests = async (
  ctx: Context,
  about: About | undefined,
  { start, end }: Bounds,
): Promise<{ asked: number; answered: number }> =>
  (
    await ctx.tx.sql<{ asked: number; answered: number }>(
      `select count(*)::integer as asked, (count(*) filter (where status = 'answered'))::integer as answered from review_requests
       where workspace_id = $1 and status in ('sent', 'answered') and ($2::text is null or about = $2)
         and coalesce(sent_at, created_at) >= coalesce($3::timestamptz, '-infinity')
         and coalesce(sent_at, created_at) < coalesce($4::timestamptz, 'infinity')`,
      [ctx.workspace.id, about ?? null, start ?? null, end ?? null],
    )
  )[0]!

/** Writes the result of a due request. */
export const updateSent = (
  ctx: Context,
  rows: { id: string; messageId: string; expiresAt: Date }[],
): Promise<unknown> =>
  ctx.tx.sql(
    `update review_requests r set status = 'sent', run_at = null, run_offset_ms = null, message_id = s.message_id, sent_at = $4, expires_at = $5
     from unnest($2::uuid[], $3::uuid[]) as s (id, message_id)
     where r.workspace_id = $1 and r.id = s.id and r.status = 'queued'`,
    [
      ctx.workspace.id,
      uuids(rows.map((row) => row.id)),
      uuids(rows.map((row) => row.messageId)),
      ctx.now,
      rows[0]?.expiresAt ?? null,
    ],
  )

export const updateFailed = (ctx: Context, rows: { id: string; failure: string }[]): Promise<unknown> =>
  ctx.tx.sql(
    `update review_requests r set status = 'failed', run_at = null, run_offset_ms = null, failure = f.failure
     from unnest($2::uuid[], $3::text[]) as f (id, failure)
     where r.workspace_id = $1 and r.id = f.id and r.status = 'queued'`,
    [ctx.workspace.id, uuids(rows.map((row) => row.id)), rows.map((row) => row.failure)],
  )

export const updateAnswered = (ctx: Context, id: string): Promise<unknown> =>
  ctx.tx.run(
    db
      .updateTable('reviewRequests')
      .set({ status: 'answered', answeredAt: ctx.now })
      .where('workspaceId', '=', ctx.workspace.id)
      .where('id', '=', id),
  )

/** Replaces the token of a page. */
export const updateToken = async (ctx: Context, id: string, token: string): Promise<RequestRow> =>
  (
    await ctx.tx.sql<RequestRow>(
      `update review_requests set public_token = $3 where workspace_id = $1 and id = $2 returning ${COLUMNS}`,
      [ctx.workspace.id, id, token],
    )
  )[0]!

const deleteWaiting = (ctx: Context) =>
  db.deleteFrom('reviewRequests').where('workspaceId', '=', ctx.workspace.id).where('status', '=', 'queued')

export const deleteQueued = (ctx: Context, ids: string[]): Promise<unknown> =>
  ctx.tx.run(deleteWaiting(ctx).where(isOneOf(ids)))

/** Deletes waiting requests about a subject that was reversed. */
export const deleteQueuedOf = (ctx: Context, about: About, subjectId: string): Promise<unknown> =>
  ctx.tx.run(deleteWaiting(ctx).where('about', '=', about).where('subjectId', '=', subjectId))

/** Lists due requests of known customers, the longest due first. */
export const listDue = (
  ctx: Context,
  due: DueMoment,
  limit: number,
): Promise<(RequestRow & { contactId: string; publicToken: string })[]> =>
  ctx.tx.sql(
    `select ${COLUMNS} from review_requests
     where workspace_id = $1 and contact_id is not null
       and ${isDue('run_at', 'run_offset_ms', { now: '$3', by: '$2', offsetMs: '$4' })}
     order by run_at limit $5`,
    [ctx.workspace.id, due.by, due.now, due.offsetMs, limit],
  )

/** Returns which of these contacts were asked since `since`. */
export const listAskedSince = async (ctx: Context, contactIds: string[], since: Date): Promise<Set<string>> =>
  new Set(
    (
      await ctx.tx.all(
        db
          .selectFrom('reviewRequests')
          .select('contactId')
          .distinct()
          .where('workspaceId', '=', ctx.workspace.id)
          .where('contactId', '=', sql<string>`any(${uuids(contactIds)}::uuid[])`)
          .where('sentAt', '>', since)
          .$narrowType<{ contactId: NotNull }>(),
      )
    ).map((row) => row.contactId),
  )

/** Requests that wait to be sent. */
export const dueRequests = dueRowsIn('review_requests')
