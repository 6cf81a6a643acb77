/**
 * Reads the photo network's data. Receipts and settled sends are not announced, so visible data is read at
 * intervals.
 */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api, SocialPost } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { ApiError, isPassing } from '../api/errors.ts'
import { call } from '../api/request.ts'
import { rangeOfDays, weeksOf } from '../kit/month-days.ts'

export type CommentFilter = NonNullable<Api['GET /social/comments']['query']['filter']>
export type PostFilter = SocialPost['status'] | 'all'
export type NewPost = Api['POST /social/posts']['body']
export type ChangedPost = Api['PATCH /social/posts/{id}']['body']
export const DAYS = ['7', '28', '90'] as const
export type Days = (typeof DAYS)[number]

const [PAGE, OFTEN_MS, SELDOM_MS] = [50, 5_000, 30_000]
const cursorStart = undefined as string | undefined
const nextOf = ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined

export const commentsQuery = (filter: CommentFilter) =>
  infiniteQueryOptions({
    queryKey: ['socialComment', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      call('GET /social/comments', { query: { limit: PAGE, cursor: pageParam, filter }, signal }),
    initialPageParam: cursorStart,
    getNextPageParam: nextOf,
    placeholderData: keepPreviousData,
    refetchInterval: SELDOM_MS,
  })

/** Posts being published, or due soon, are read more often. */
const postsInterval = (posts: readonly SocialPost[]): number =>
  posts.some(({ status, scheduledAt, publishing }) => publishing || (status === 'scheduled' && !scheduledAt))
    ? OFTEN_MS
    : SELDOM_MS

export const postsQuery = (status: PostFilter) =>
  infiniteQueryOptions({
    queryKey: ['socialPost', 'list', status],
    queryFn: ({ pageParam, signal }) =>
      call('GET /social/posts', {
        query: { limit: PAGE, cursor: pageParam, status: status === 'all' ? undefined : status },
        signal,
      }),
    initialPageParam: cursorStart,
    getNextPageParam: nextOf,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 ? postsInterval(data.pages[0]!.posts) : false,
  })

const CALENDAR_PAGE = 100

/** Reads the published and scheduled posts in the weeks of a month, by the clocks of a zone. */
export const calendarQuery = (month: string, zone: string) =>
  queryOptions({
    queryKey: ['socialPost', 'list', 'calendar', month, zone],
    queryFn: async ({ signal }) => {
      const found: SocialPost[] = []
      let cursor: string | undefined
      do {
        const query = { ...rangeOfDays(zone, weeksOf(month).flat()), limit: CALENDAR_PAGE, cursor }
        const page = await call('GET /social/posts', { query, signal })
        found.push(...page.posts)
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      return found.filter(({ status }) => status !== 'draft' && status !== 'cancelled')
    },
    placeholderData: keepPreviousData,
    refetchInterval: SELDOM_MS,
  })

/** Options of queries to the network itself: without a connected account, a retry changes nothing. */
const live = {
  retry: (count: number, error: Error) => isPassing(error) && !isGate(error) && count < 2,
} as const

export const recentQuery = queryOptions({
  ...live,
  queryKey: ['socialPost', 'list', 'recent'],
  queryFn: ({ signal }) => call('GET /social/posts/recent', { query: { limit: 12 }, signal }),
})

/** Reads the connected account, which posts are shown with. */
export const accountQuery = queryOptions({ ...recentQuery, select: ({ account }) => account })

export const insightsQuery = (days: Days) =>
  queryOptions({
    ...live,
    queryKey: ['socialInsights', 'list', days],
    queryFn: ({ signal }) =>
      call('GET /social/insights', { query: { days: Number(days) as 7 | 28 | 90 }, signal }),
    placeholderData: keepPreviousData,
  })

const GATES = ['social_addon_required', 'social_disabled', 'not_connected', 'reconnect_required'] as const
export type GateCode = (typeof GATES)[number]

/** Returns the missing requirement, if it caused the error. */
export const gateOf = (error: unknown): GateCode | undefined =>
  error instanceof ApiError ? GATES.find((code) => code === error.code) : undefined
const isGate = (error: unknown): boolean => gateOf(error) !== undefined

export const refreshSocial = (kind: 'socialComment' | 'socialPost') =>
  queryClient.invalidateQueries({ queryKey: [kind] })
