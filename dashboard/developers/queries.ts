import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../api/request.ts'

export const ALL = 'all'
const PAGE = 50

/** Reads the log of events, newest first: all events or one kind. */
export const eventsQuery = (kind: string) =>
  infiniteQueryOptions({
    queryKey: ['event', 'list', kind],
    queryFn: ({ pageParam }) =>
      call('GET /events', {
        query: { limit: PAGE, cursor: pageParam, events: kind === ALL ? undefined : kind },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
