import { queryOptions } from '@tanstack/react-query'
import { callDashboard } from '../api/request.ts'

/** By what people may sign in here. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => callDashboard('GET /sign-in/options'),
})
