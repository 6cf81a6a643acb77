import { queryOptions } from '@tanstack/react-query'
import type { DashboardApi } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { callDashboard } from '../api/request.ts'

export type Member = DashboardApi['GET /members']['reply']['members'][number]
export type Role = Member['role']
export type Invitation = DashboardApi['POST /members']['reply']

export const membersQuery = queryOptions({
  queryKey: ['member', 'list', 'managed'],
  queryFn: async () => (await callDashboard('GET /members')).members,
})

export const refreshMembers = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['member'] })
