import { queryOptions } from '@tanstack/react-query'
import { callDashboard } from '../api/request.ts'

/** Reads the sign-in methods of this installation. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => callDashboard('GET /sign-in/options'),
})
