import { queryOptions } from '@tanstack/react-query'
import { call } from './request.ts'

/** Reads the number of chats of each kind, as the inbox counts them. */
export const countsQuery = queryOptions({
  queryKey: ['conversation', 'list', 'counts'],
  queryFn: () => call('GET /conversations/counts', { query: { channel: 'all' } }),
})
