import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { invalid, refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { cutPage } from '../../../../core/paging.ts'
import { endOfDay, startOfDay } from '../../../../core/values/calendar.ts'
import { countRequests, listRequests } from '../queries/requests.ts'
import {
  type Bounds,
  countByRating,
  findReview,
  listReviewRowsOfContact,
  listReviews,
  type RatingCount,
} from '../queries/reviews.ts'
import {
  MAX_RATING,
  type RequestFilter,
  type ReviewFilter,
  type ReviewSpan,
  type ReviewSummary,
  type ReviewSummaryQuery,
} from '../schema.ts'
import { presentRequest, presentReview } from './present.ts'

export async function listReviewRequests(ctx: Context, filter: z.output<typeof RequestFilter>) {
  const { rows, nextCursor } = cutPage(await listRequests(ctx, filter), filter.limit, ({ id }) => id)
  return { reviewRequests: rows.map((row) => presentRequest(ctx, row)), nextCursor }
}

/** Returns the moments of a span of days in the workspace's time zone. Refuses (`invalid`) an end before the start. */
function boundsOf({ workspace }: Pick<Context, 'workspace'>, { from, to }: ReviewSpan): Bounds {
  if (from !== undefined && to !== undefined && from > to)
    throw invalid([{ path: 'to', message: 'Must not be before `from`.' }])
  const { timezone } = workspace
  return {
    start: from === undefined ? undefined : startOfDay(from, timezone),
    end: to === undefined ? undefined : endOfDay(to, timezone),
  }
}

export async function listAllReviews(
  ctx: Context,
  { low, rating, from, to, ...filter }: z.output<typeof ReviewFilter>,
) {
  const isLow = low === undefined ? undefined : low === 'true'
  const rows = await listReviews(
    ctx,
    { ...filter, low: isLow, rating: rating === undefined ? undefined : Number(rating) },
    boundsOf(ctx, { from, to }),
  )
  const page = cutPage(rows, filter.limit, ({ id }) => id)
  return { reviews: page.rows.map(presentReview), nextCursor: page.nextCursor }
}

const toHundredths = (value: number): number => Math.round(value * 100) / 100

/** Returns the number and the average of counted ratings; null without any. */
function scoreOf(counts: readonly RatingCount[]): { count: number; average: number | null } {
  const count = counts.reduce((sum, row) => sum + row.count, 0)
  const points = counts.reduce((sum, row) => sum + row.rating * row.count, 0)
  return { count, average: count === 0 ? null : toHundredths(points / count) }
}

/** Returns the numbers of each week or month, the oldest first. */
const scoresByPeriod = (counts: readonly RatingCount[]) =>
  [...Map.groupBy(counts, ({ period }) => period)]
    .flatMap(([from, rows]) => {
      const { count, average } = scoreOf(rows)
      return from === null || average === null ? [] : [{ from, count, average }]
    })
    .sort((a, b) => (a.from < b.from ? -1 : 1))

/** Returns the reviews in numbers. */
export async function summarizeReviews(
  ctx: Context,
  { about, by, from, to }: z.output<typeof ReviewSummaryQuery>,
): Promise<z.output<typeof ReviewSummary>> {
  const bounds = boundsOf(ctx, { from, to })
  const counts = await countByRating(ctx, { about, by }, bounds)
  const { asked, answered } = await countRequests(ctx, about, bounds)
  const { count: total, average } = scoreOf(counts)
  return {
    total,
    average,
    low: counts.reduce((sum, { lowCount }) => sum + lowCount, 0),
    byRating: Array.from({ length: MAX_RATING }, (_, place) => {
      const rating = MAX_RATING - place
      return { rating, count: scoreOf(counts.filter((row) => row.rating === rating)).count }
    }),
    byPeriod: scoresByPeriod(counts),
    asked,
    answered,
  }
}

export async function getReview(ctx: Context, id: string) {
  const row = isUuid(id) ? await findReview(ctx, id.toLowerCase()) : undefined
  return row ? presentReview(row) : refuse('not_found', 'Review not found. See GET /reviews.')
}

/** Returns the newest reviews of a contact, and how many there are. */
export async function listReviewsOfContact(ctx: Context, contactId: string, max: number) {
  const { rows, count: total } = await listReviewRowsOfContact(ctx, contactId, max)
  return { items: rows.map(presentReview), total }
}
