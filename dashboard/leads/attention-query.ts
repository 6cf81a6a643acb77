import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/request.ts'

/** Reads the number of submissions at the capture link that need attention. */
export const attentionQuery = queryOptions({
  queryKey: ['submission', 'list', 'open'],
  queryFn: async () => (await call('GET /lead-submissions', { query: { limit: 1 } })).open,
})
