/** Reads and writes reviews and ratings. The live stream names new reviews. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api, RatingSettings, Review, ReviewRequest, ReviewSettings } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { call } from '../api/request.ts'
import { workspaceNow } from '../kit/time.tsx'
import type { Period } from './parts/periods.ts'

export const VIEWS = ['reviews', 'requests'] as const
export type View = (typeof VIEWS)[number]
export type About = Review['about']
export type RequestStatus = ReviewRequest['status']
export type NewRequest = Api['POST /review-requests']['body']
/** A subject of a review request. */
export type Subject = { about: About; id: string; label: string; customer: string | null }

const PAGE = 50
/** Requests are also sent automatically, and the live stream does not announce them. */
const REQUESTS_AGAIN_MS = 60_000

export const RATINGS = ['5', '4', '3', '2', '1'] as const
export type Rating = (typeof RATINGS)[number]

export type ReviewSummary = Api['GET /reviews/summary']['reply']['reviewSummary']

export const reviewsQuery = (filter: { low?: 'true'; rating?: Rating; about?: About; from?: string }) =>
  infiniteQueryOptions({
    queryKey: ['review', 'list', filter],
    queryFn: ({ pageParam: cursor, signal }) =>
      call('GET /reviews', { query: { ...filter, limit: PAGE, cursor }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })

/** Changes with every review, so it is read again with the lists. */
export const summaryQuery = (filter: { about?: About; from?: string; by?: Period }) =>
  queryOptions({
    queryKey: ['review', 'list', 'summary', filter],
    queryFn: async ({ signal }) =>
      (await call('GET /reviews/summary', { query: filter, signal })).reviewSummary,
    placeholderData: keepPreviousData,
  })

export const requestsQuery = (filter: { status?: RequestStatus; about?: About }) =>
  infiniteQueryOptions({
    queryKey: ['review', 'list', 'requests', filter],
    queryFn: ({ pageParam: cursor, signal }) =>
      call('GET /review-requests', { query: { ...filter, limit: PAGE, cursor }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: REQUESTS_AGAIN_MS,
  })

/** Finds paid invoices by text. */
export const paidInvoicesQuery = (text: string) =>
  queryOptions({
    queryKey: ['reviewSubject', 'list', 'invoice', text],
    queryFn: async (): Promise<Subject[]> => {
      const query = { status: 'paid', kind: 'invoice', limit: 20, ...(text && { q: text }) } as const
      const { invoices } = await call('GET /sales-invoices', { query })
      return invoices.map(({ id, number, customer }) => ({
        about: 'invoice',
        id,
        label: number ?? id,
        customer: customer.name,
      }))
    },
    staleTime: 0,
    placeholderData: keepPreviousData,
  })

const VISIT_DAYS = 14
const DAY_MS = 86_400_000
const VISITS_PAGE = 100
const MAX_VISIT_PAGES = 5

/** Reads completed visits of the last two weeks, latest first. */
export const completedBookingsQuery = queryOptions({
  queryKey: ['reviewSubject', 'list', 'booking'],
  queryFn: async (): Promise<Subject[]> => {
    const from = new Date(workspaceNow() - VISIT_DAYS * DAY_MS).toISOString()
    const found: Subject[] = []
    let cursor: string | undefined
    for (let page = 0; page < MAX_VISIT_PAGES; page++) {
      const query = { status: 'completed', from, limit: VISITS_PAGE, cursor } as const
      const { bookings, nextCursor } = await call('GET /bookings', { query })
      for (const { id, summary, customer } of bookings)
        found.unshift({ about: 'booking', id, label: summary, customer: customer.name })
      if (nextCursor === null) break
      cursor = nextCursor
    }
    return found
  },
  staleTime: 0,
})

export async function requestReview(body: NewRequest, idempotencyKey: string): Promise<ReviewRequest> {
  const { reviewRequest } = await call('POST /review-requests', { body, idempotencyKey })
  void queryClient.invalidateQueries({ queryKey: ['review', 'list', 'requests'] })
  return reviewRequest
}

/** Creates a new link to the customer's page; the previous link stops working. */
export async function renewLink(id: string): Promise<void> {
  await call('POST /review-requests/{id}/link', { params: { id } })
  await queryClient.invalidateQueries({ queryKey: ['review', 'list', 'requests'] })
}

export const ratingSettingsQuery = queryOptions({
  queryKey: ['ratingSettings', 'one'],
  queryFn: async () => (await call('GET /rating-settings')).ratingSettings,
})

export async function saveRatingSettings(body: Api['PUT /rating-settings']['body']): Promise<RatingSettings> {
  const { ratingSettings } = await call('PUT /rating-settings', { body })
  queryClient.setQueryData(ratingSettingsQuery.queryKey, ratingSettings)
  return ratingSettings
}

export const reviewSettingsQuery = queryOptions({
  queryKey: ['reviewSettings', 'one'],
  queryFn: async () => (await call('GET /review-settings')).reviewSettings,
})

export async function saveReviewSettings(body: Api['PUT /review-settings']['body']): Promise<ReviewSettings> {
  const { reviewSettings } = await call('PUT /review-settings', { body })
  queryClient.setQueryData(reviewSettingsQuery.queryKey, reviewSettings)
  return reviewSettings
}
