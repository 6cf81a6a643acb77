/** Statements on reviews. */
import type { Selectable } from 'kysely'
import type { Context } from '../../../../core/context.ts'
import type { CursorQuery } from '../../../../core/paging.ts'
import { type CountedRows, countedRows, ROW_COUNT } from '../../../../database/sql/counted-rows.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import type { About } from '../schema.ts'

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

/** Lists reviews newest first, with one row more than the page. */
export const listReviews = (
  ctx: Context,
  {
    limit,
    cursor,
    low,
    rating,
    about,
  }: CursorQuery & { low?: boolean | undefined; rating?: number | undefined; about?: string | undefined },
): Promise<ReviewRow[]> =>
  ctx.tx.sql<ReviewRow>(
    `select ${COLUMNS} from reviews
     where workspace_id = $1 and ($2::uuid is null or id < $2) and ($4::text is null or about = $4) and ($5::boolean is null or low = $5)
       and ($6::integer is null or rating = $6)
     order by workspace_id desc, id desc limit $3`,
    [ctx.workspace.id, cursor ?? null, limit + 1, about ?? null, low ?? null, rating ?? null],
  )

/** Counts the reviews of a workspace by rating. */
export const countByRating = (
  ctx: Context,
  about: About | undefined,
): Promise<(Pick<ReviewRow, 'rating'> & { count: number; lowCount: number })[]> =>
  ctx.tx.sql(
    `select rating, count(*)::integer as count, (count(*) filter (where low))::integer as low_count from reviews
     where workspace_id = $1 and ($2::text is null or about = $2) group by rating`,
    [ctx.workspace.id, about ?? null],
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
