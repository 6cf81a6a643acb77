/** What the member is to know of: kept under their own id, by which the live stream names whose changed. */
import { queryOptions } from '@tanstack/react-query'
import { callDashboard } from './request.ts'

/** How many are unread; counted up to 100. */
export const unreadQuery = (memberId: string) =>
  queryOptions({
    queryKey: ['notification', 'of', memberId, 'unread'],
    queryFn: async () => (await callDashboard('GET /notifications', { query: { limit: 1 } })).unread,
  })
