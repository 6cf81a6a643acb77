import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { cutPage } from '../../../../core/paging.ts'
import { countRequests, listRequests } from '../queries/requests.ts'
import { countByRating, findReview, listReviewRowsOfContact, listReviews } from '../queries/reviews.ts'
import {
  MAX_RATING,
  type RequestFilter,
  type ReviewFilter,
  type ReviewSummary,
  type ReviewSummaryQuery,
} from '../schema.ts'
import { presentRequest, presentReview } from './present.ts'

export async function listReviewRequests(ctx: Context, filter: z.output<typeof RequestFilter>) {
  const { rows, nextCursor } = cutPage(await listRequests(ctx, filter), filter.limit, ({ id }) => id)
  return { reviewRequests: rows.map((row) => presentRequest(ctx, row)), nextCursor }
}

export async function listAllReviews(
  ctx: Context,
  { low, rating, ...filter }: z.output<typeof ReviewFilter>,
) {
  const isLow = low === undefined ? undefined : low === 'true'
  const rows = await listReviews(ctx, {
    ...filter,
    low: isLow,
    rating: rating === undefined ? undefined : Number(rating),
  })
  const page = cutPage(rows, filter.limit, ({ id }) => id)
  return { reviews: page.rows.map(presentReview), nextCursor: page.nextCursor }
}

const toHundredths = (value: number): number => Math.round(value * 100) / 100

/** Returns the reviews in numbers. */
export async function summarizeReviews(
  ctx: Context,
  { about }: z.output<typeof ReviewSummaryQuery>,
): Promise<z.output<typeof ReviewSummary>> {
  const counts = await countByRating(ctx, about)
  const { asked, answered } = await countRequests(ctx, about)
  const sumOf = (read: (row: (typeof counts)[number]) => number) =>
    counts.reduce((sum, row) => sum + read(row), 0)
  const total = sumOf(({ count }) => count)
  return {
    total,
    average: total === 0 ? null : toHundredths(sumOf(({ rating, count }) => rating * count) / total),
    low: sumOf(({ lowCount }) => lowCount),
    byRating: Array.from({ length: MAX_RATING }, (_, place) => {
      const rating = MAX_RATING - place
      return { rating, count: counts.find((row) => row.rating === rating)?.count ?? 0 }
    }),
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
