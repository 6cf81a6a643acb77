import { queryOptions } from '@tanstack/react-query'
import { call } from './request.ts'

/** How many chats there are of each kind, as the inbox counts them. */
export const countsQuery = queryOptions({
  queryKey: ['conversation', 'list', 'counts'],
  queryFn: () => call('GET /conversations/counts'),
})
