/**
 * Caches the member's notifications under their own ID, because the live stream names the member whose
 * notifications changed.
 */
import { queryOptions } from '@tanstack/react-query'
import { callDashboard } from './request.ts'

/** Reads the number of unread notifications; counted up to 100. */
export const unreadQuery = (memberId: string) =>
  queryOptions({
    queryKey: ['notification', 'of', memberId, 'unread'],
    queryFn: async () => (await callDashboard('GET /notifications', { query: { limit: 1 } })).unread,
  })
