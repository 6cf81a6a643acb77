/** Statements on reviews. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import { zoneInSql } from '../../../../core/values/calendar.ts'
import { type CountedRows, countedRows, ROW_COUNT } from '../../../../database/sql/counted-rows.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { About, PeriodKind } from '../schema.ts'

export type ReviewRow = Omit<Selectable<Tables['reviews']>, 'workspaceId' | 'about'> & { about: About }

const COLUMNS =
  'id, request_id, rating, comment, low, about, subject_id, subject_label, contact_id, customer_name, answered_at'

export const insertReview = (ctx: Context, row: ReviewRow): Promise<unknown> =>
  ctx.tx.sql(
    `insert into reviews (workspace_id, id, request_id, rating, comment, low, about, subject_id, subject_label, contact_id,
                          customer_name, answered_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      ctx.workspace.id,
      row.id,
      row.requestId,
      row.rating,
      row.comment,
      row.low,
      row.about,
      row.subjectId,
      row.subjectLabel,
      row.contactId,
      row.customerName,
      row.answeredAt,
    ],
  )

export const findReview = async (ctx: Context, id: string): Promise<ReviewRow | undefined> =>
  (
    await ctx.tx.sql<ReviewRow>(`select ${COLUMNS} from reviews where workspace_id = $1 and id = $2`, [
      ctx.workspace.id,
      id,
    ])
  )[0]

/** The moments of a span of reviews; `end` is exclusive. Undefined for no limit. */
export type Bounds = { start: Date | undefined; end: Date | undefined }

type ListFilter = CursorQuery & {
  low?: boolean | undefined
  rating?: number | undefined
  about?: string | undefined
}

/** Lists reviews newest first, with one row more than the page. */
export const listReviews = (
  ctx: Context,
  { limit, cursor, low, rating, about }: ListFilter,
  { start, end }: Bounds,
): Promise<ReviewRow[]> =>
  ctx.tx.sql<ReviewRow>(
    `select ${COLUMNS} from reviews
     where workspace_id = $1 and ($2::uuid is null or id < $2) and ($4::text is null or about = $4) and ($5::boolean is null or low = $5)
       and ($6::integer is null or rating = $6)
       and answered_at >= coalesce($7::timestamptz, '-infinity') and answered_at < coalesce($8::timestamptz, 'infinity')
     order by workspace_id desc, id desc limit $3`,
    [
      ctx.workspace.id,
      cursor ?? null,
      limit + 1,
      about ?? null,
      low ?? null,
      rating ?? null,
      start ?? null,
      end ?? null,
    ],
  )

export type RatingCount = Pick<ReviewRow, 'rating'> & {
  /** The first day of the week or month; null if they are not counted by it. */
  period: string | null
  count: number
  lowCount: number
}

/** Counts the reviews of a span by rating, and by week or month in the workspace's time zone if wanted. */
export const countByRating = (
  ctx: Context,
  { about, by }: { about: About | undefined; by: PeriodKind | undefined },
  { start, end }: Bounds,
): Promise<RatingCount[]> =>
  ctx.tx.sql(
    `select rating, to_char(date_trunc($5::text, answered_at at time zone $6), 'YYYY-MM-DD') as period,
            count(*)::integer as count, (count(*) filter (where low))::integer as low_count from reviews
     where workspace_id = $1 and ($2::text is null or about = $2)
       and answered_at >= coalesce($3::timestamptz, '-infinity') and answered_at < coalesce($4::timestamptz, 'infinity')
     group by 1, 2`,
    [
      ctx.workspace.id,
      about ?? null,
      start ?? null,
      end ?? null,
      by ?? null,
      zoneInSql(ctx.workspace.timezone),
    ],
  )

/** Returns the newest reviews of a contact. */
export const listReviewRowsOfContact = async (
  ctx: Context,
  contactId: string,
  limit: number,
): Promise<CountedRows<ReviewRow>> =>
  countedRows<ReviewRow>(
    await ctx.tx.sql(
      `select ${COLUMNS}, ${ROW_COUNT}
       from (select * from reviews where workspace_id = $1 and contact_id = $2 offset 0) of_contact
       order by id desc limit $3`,
      [ctx.workspace.id, contactId, limit],
    ),
  )
