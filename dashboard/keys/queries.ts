import { queryOptions } from '@tanstack/react-query'
import type { DashboardApi } from '../../sdk/api.ts'
import { callDashboard } from '../api/request.ts'

export type Key = DashboardApi['GET /keys']['reply']['keys'][number]
export type CreatedKey = DashboardApi['POST /keys']['reply']

export const keysQuery = queryOptions({
  queryKey: ['key', 'list'],
  queryFn: async () => (await callDashboard('GET /keys')).keys,
})
