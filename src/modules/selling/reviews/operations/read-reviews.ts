import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { cutPage } from '../../../../core/paging.ts'
import { listRequests } from '../queries/requests.ts'
import { findReview, listReviewRowsOfContact, listReviews } from '../queries/reviews.ts'
import type { RequestFilter, ReviewFilter } from '../schema.ts'
import { presentRequest, presentReview } from './present.ts'

export async function listReviewRequests(ctx: Context, filter: z.output<typeof RequestFilter>) {
  const { rows, nextCursor } = cutPage(await listRequests(ctx, filter), filter.limit, ({ id }) => id)
  return { reviewRequests: rows.map((row) => presentRequest(ctx, row)), nextCursor }
}

export async function listAllReviews(ctx: Context, { low, ...filter }: z.output<typeof ReviewFilter>) {
  const isLow = low === undefined ? undefined : low === 'true'
  const rows = await listReviews(ctx, { ...filter, low: isLow })
  const page = cutPage(rows, filter.limit, ({ id }) => id)
  return { reviews: page.rows.map(presentReview), nextCursor: page.nextCursor }
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
