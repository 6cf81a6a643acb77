/** Reads analytics. The live stream does not announce these counts, so they are read again after a minute. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, callDashboard } from '../api/request.ts'

const FRESH = { staleTime: 60_000, refetchInterval: 60_000, placeholderData: keepPreviousData } as const
const CAMPAIGNS = 20

export const messagesQuery = (days: number, phoneNumberId: string | undefined) =>
  queryOptions({
    queryKey: ['analytics', 'list', 'messages', days, phoneNumberId],
    queryFn: () => call('GET /analytics', { query: { days, phoneNumberId } }),
    ...FRESH,
  })

export const failuresQuery = (days: number) =>
  queryOptions({
    queryKey: ['analytics', 'list', 'failures', days],
    queryFn: () => callDashboard('GET /analytics/failures', { query: { days } }),
    ...FRESH,
  })

export const answersQuery = (days: number) =>
  queryOptions({
    queryKey: ['analytics', 'list', 'answers', days],
    queryFn: () => callDashboard('GET /analytics/answers', { query: { days } }),
    ...FRESH,
  })

export const ratingsQuery = (days: number) =>
  queryOptions({
    queryKey: ['analytics', 'list', 'ratings', days],
    queryFn: () => call('GET /ratings', { query: { days } }),
    ...FRESH,
  })

export const campaignsQuery = queryOptions({
  queryKey: ['broadcast', 'list', 'analytics'],
  queryFn: async () => (await call('GET /broadcasts', { query: { limit: CAMPAIGNS } })).broadcasts,
  ...FRESH,
})

export const funnelQuery = queryOptions({
  queryKey: ['lead', 'list', 'funnel'],
  queryFn: async () => {
    const [{ stages }, sums] = await Promise.all([call('GET /pipeline'), call('GET /leads/summary')])
    const byStage = new Map(sums.map((sum) => [sum.stageId, sum]))
    return stages.map(({ id, name }) => ({
      id,
      name,
      count: byStage.get(id)?.count ?? 0,
      dealValue: byStage.get(id)?.dealValue ?? 0,
    }))
  },
  ...FRESH,
})

export const numbersQuery = queryOptions({
  queryKey: ['number', 'list'],
  queryFn: async () => (await call('GET /phone-numbers')).phoneNumbers,
  staleTime: 5 * 60_000,
})
