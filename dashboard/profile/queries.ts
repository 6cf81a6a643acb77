import { queryOptions } from '@tanstack/react-query'
import type { DashboardApi } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { callDashboard } from '../api/request.ts'

export type OwnSession = DashboardApi['GET /sessions']['reply']['sessions'][number]

export const sessionsQuery = queryOptions({
  queryKey: ['ownSession', 'list'],
  queryFn: async () => (await callDashboard('GET /sessions')).sessions,
})

/** Reads the account, in all places that show it, and its sessions again. */
export async function refreshAccount(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['session'] }),
    queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  ])
}
