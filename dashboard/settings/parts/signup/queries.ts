import { queryOptions } from '@tanstack/react-query'
import type { DashboardApi } from '../../../../sdk/api.ts'
import { callDashboard } from '../../../api/request.ts'

export type NumberSignup = DashboardApi['GET /number-signups/{id}']['reply']['signup']

/** Reads whether the operator's signup is set up, and the signups of the last day. */
export const signupsQuery = queryOptions({
  queryKey: ['numberSignup', 'list'],
  queryFn: () => callDashboard('GET /number-signups'),
})

const POLL_MS = 2_000

/** Reads a signup; again every two seconds while a request of another tab works on it. */
export const signupQuery = (id: string) =>
  queryOptions({
    queryKey: ['numberSignup', 'one', id],
    queryFn: async () => (await callDashboard('GET /number-signups/{id}', { params: { id } })).signup,
    refetchInterval: ({ state }) => (state.data?.state === 'working' ? POLL_MS : false),
    staleTime: 0,
    retry: false,
  })
