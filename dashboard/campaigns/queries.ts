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

export type Preview = Api['POST /broadcasts/preview']['reply']
export type Plan = Api['POST /broadcasts/preview']['body']
export type RecipientStatus = BroadcastRecipient['status']

const [PAGE, RUNNING_MS, IDLE_MS] = [50, 2_000, 20_000]

const interval = (campaigns: readonly Broadcast[]): number =>
  campaigns.some(({ status }) => status === 'running') ? RUNNING_MS : IDLE_MS

export const campaignsQuery = infiniteQueryOptions({
  queryKey: ['broadcast', 'list'],
  queryFn: ({ pageParam, signal }) =>
    call('GET /broadcasts', { query: { limit: PAGE, cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
  refetchInterval: ({ state: { data } }) =>
    data?.pages.length === 1 ? interval(data.pages[0]!.broadcasts) : false,
})

export const campaignRows: ListRule = {
  kind: 'broadcast',
  rows: 'broadcasts',
  isThing: true,
  source: ({ length }) =>
    length === 2
      ? {
          name: 'all',
          read: async (ids) =>
            (await call('GET /broadcasts', { query: { ids: ids.join(','), limit: 100 } })).broadcasts,
          order: { compare: newestFirst },
        }
      : undefined,
}

export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: ['broadcast', 'one', id],
    queryFn: async () => (await call('GET /broadcasts/{id}', { params: { id } })).broadcast,
    refetchInterval: ({ state: { data } }) => interval(data ? [data] : []),
  })

export const recipientsQuery = (id: string, status: RecipientStatus | 'all', isRunning: boolean) =>
  infiniteQueryOptions({
    queryKey: ['recipient', 'list', id, status],
    queryFn: ({ pageParam, signal }) =>
      call('GET /broadcasts/{id}/recipients', {
        params: { id },
        query: { limit: PAGE, cursor: pageParam, status: status === 'all' ? undefined : status },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 ? (isRunning ? RUNNING_MS : IDLE_MS) : false,
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

export const tagsQuery = queryOptions({
  queryKey: ['tag', 'list'],
  queryFn: () => readAllRows('tags', (query) => call('GET /tags', { query })),
})
