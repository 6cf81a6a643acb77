/**
 * Reads the plan, the message costs, and the wallet of the workspace. The live stream does not announce them,
 * so they are read on every visit.
 */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Wallet } from '../../sdk/api.ts'
import { call, callDashboard } from '../api/request.ts'

const PAGE = 50

export const planQuery = queryOptions({
  queryKey: ['billing', 'one'],
  queryFn: () => call('GET /billing'),
  staleTime: 0,
})

export const modulesQuery = queryOptions({
  queryKey: ['workspace', 'one', 'modules'],
  queryFn: () => callDashboard('GET /modules'),
})

export const costsQuery = (days: number) =>
  queryOptions({
    queryKey: ['costs', 'list', days],
    queryFn: () => call('GET /costs', { query: { days } }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })

export const ratesQuery = queryOptions({
  queryKey: ['rates', 'list'],
  queryFn: () => call('GET /rates'),
  staleTime: 0,
})

export const walletQuery = infiniteQueryOptions({
  queryKey: ['wallet', 'list'],
  queryFn: ({ pageParam: cursor, signal }) => call('GET /wallet', { query: { limit: PAGE, cursor }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: Wallet) => page.nextCursor ?? undefined,
  staleTime: 0,
})
