/**
 * Reads campaigns. Their counts grow with every message and are not announced, so they are read at intervals
 * while a campaign runs.
 */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api, Broadcast, BroadcastRecipient } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import type { ListRule } from '../api/changes.ts'
import { newestFirst } from '../api/patch-rows.ts'
import { readAllRows } from '../api/read-all-rows.ts'
import { call } from '../api/request.ts'
import { stateOf } from './parts/state.tsx'

export type Preview = Api['POST /broadcasts/preview']['reply']
export type Plan = Api['POST /broadcasts/preview']['body']
export type CampaignFilter = { search: string; status: Broadcast['status'] | 'all' }
export type RecipientStatus = BroadcastRecipient['status']
export const RESPONSES = ['replied', 'tapped', 'opted_out', 'none'] as const
export type RecipientResponse = (typeof RESPONSES)[number]
/** The recipients of a campaign with a status, and with a response. */
export type RecipientFilter = {
  status?: RecipientStatus | undefined
  response?: RecipientResponse | undefined
}

/** Returns whether messages of the campaign leave now, so that its numbers change all the time. */
export const isMoving = (campaign: Broadcast): boolean => ['preparing', 'sending'].includes(stateOf(campaign))

const [PAGE, RUNNING_MS, IDLE_MS] = [50, 2_000, 20_000]
const [RESULTS_RUNNING_MS, RESULTS_IDLE_MS] = [10_000, 60_000]

const interval = (campaigns: readonly Broadcast[]): number =>
  campaigns.some((campaign) => isMoving(campaign)) ? RUNNING_MS : IDLE_MS

const narrowed = ({ search, status }: CampaignFilter) => ({
  search: search || undefined,
  status: status === 'all' ? undefined : status,
})

export const campaignsQuery = (filter: CampaignFilter) =>
  infiniteQueryOptions({
    queryKey: ['broadcast', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      call('GET /broadcasts', { query: { ...narrowed(filter), limit: PAGE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 ? interval(data.pages[0]!.broadcasts) : false,
  })

/** Reads the campaigns that start in a period, without those that were canceled before. */
export const calendarQuery = (range: { from: string; to: string }) =>
  queryOptions({
    queryKey: ['broadcast', 'list', 'calendar', range],
    queryFn: async ({ signal }) =>
      (
        await readAllRows('broadcasts', (page) =>
          call('GET /broadcasts', { query: { ...page, ...range }, signal }),
        )
      ).filter(({ status, startedAt }) => status !== 'cancelled' || startedAt !== null),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => interval(data ?? []),
  })

export const campaignRows: ListRule = {
  kind: 'broadcast',
  rows: 'broadcasts',
  isThing: true,
  source: ([, , filter]) => {
    if (typeof filter !== 'object') return undefined
    const query = narrowed(filter as CampaignFilter)
    return {
      name: JSON.stringify(query),
      read: async (ids) =>
        (await call('GET /broadcasts', { query: { ...query, ids: ids.join(','), limit: 100 } })).broadcasts,
      order: { compare: newestFirst },
    }
  },
}

export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: ['broadcast', 'one', id],
    queryFn: async () => (await call('GET /broadcasts/{id}', { params: { id } })).broadcast,
    refetchInterval: ({ state: { data } }) => interval(data ? [data] : []),
  })

export const recipientsQuery = (id: string, filter: RecipientFilter, isRunning: boolean) =>
  infiniteQueryOptions({
    queryKey: ['recipient', 'list', id, filter],
    queryFn: ({ pageParam, signal }) =>
      call('GET /broadcasts/{id}/recipients', {
        params: { id },
        query: { limit: PAGE, cursor: pageParam, ...filter },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 ? intervalOf(filter, isRunning) : false,
  })

/** Responses are counted for each read, like the results. */
function intervalOf({ response }: RecipientFilter, isRunning: boolean): number {
  if (response) return isRunning ? RESULTS_RUNNING_MS : RESULTS_IDLE_MS
  return isRunning ? RUNNING_MS : IDLE_MS
}

/** The most contacts in a list of ids. */
export const MAX_LISTED = 1_600
const IDS_PAGE = 100

/** Reads the contacts of recipients that match: all, or a page more than a list can have. */
export const recipientIdsQuery = (id: string, filter: RecipientFilter) =>
  queryOptions({
    queryKey: ['recipient', 'ids', id, filter],
    queryFn: async ({ signal }) => {
      const ids: string[] = []
      let cursor: string | undefined
      do {
        const page = await call('GET /broadcasts/{id}/recipients', {
          params: { id },
          query: { ...filter, limit: IDS_PAGE, cursor },
          signal,
        })
        ids.push(...page.recipients.map(({ contactId }) => contactId))
        cursor = page.nextCursor ?? undefined
      } while (cursor && ids.length <= MAX_LISTED)
      return ids
    },
  })

/**
 * Reads the results, which the server adds up for each read: less often than the counts, and not with every
 * change of a campaign.
 */
export const resultsQuery = (id: string, isRunning: boolean) =>
  queryOptions({
    queryKey: ['broadcastResults', id],
    queryFn: () => call('GET /broadcasts/{id}/results', { params: { id } }),
    staleTime: RESULTS_RUNNING_MS,
    refetchInterval: isRunning ? RESULTS_RUNNING_MS : RESULTS_IDLE_MS,
  })

/**
 * Reads recipients again when a campaign changed. When it ends, this includes those reached since the last
 * read.
 */
export const refreshRecipients = (): void =>
  void queryClient.invalidateQueries({ queryKey: ['recipient', 'list'] })

export const previewQuery = (plan: Plan) =>
  queryOptions({
    queryKey: ['broadcast', 'preview', plan],
    queryFn: ({ signal }) => call('POST /broadcasts/preview', { body: plan, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 60_000,
  })

export const segmentsQuery = queryOptions({
  queryKey: ['segment', 'list'],
  queryFn: () => readAllRows('segments', (query) => call('GET /segments', { query })),
})

/** Counts the contacts of conditions that need not be saved. */
export const segmentCountQuery = (segment: Api['POST /segments/count']['body']['segment']) =>
  queryOptions({
    queryKey: ['segment', 'count', segment],
    queryFn: ({ signal }) => call('POST /segments/count', { body: { segment }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    gcTime: 60_000,
  })
