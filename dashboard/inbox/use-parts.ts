/** Reads the list of chats: one list, or the open and the resolved chats of a search, one after the other. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { conversationsQuery, type ListFilter, mentionsQuery } from './queries.ts'
import type { ViewSearch } from './view.ts'

export function useParts(view: ViewSearch, [first, second]: [ListFilter, ListFilter?]) {
  const queryOf = view.view === 'mentions' ? mentionsQuery : conversationsQuery
  const query = useInfiniteQuery(queryOf(first))
  const isDivided = second !== undefined
  const further = useInfiniteQuery({ ...queryOf(second ?? first), enabled: isDivided })
  const open = useMemo(() => query.data?.pages.flatMap((page) => page.conversations) ?? [], [query.data])
  const resolved = useMemo(
    () => (isDivided ? (further.data?.pages.flatMap((page) => page.conversations) ?? []) : []),
    [isDivided, further.data],
  )
  const fresh = useMemo(() => {
    // Between two reads, a chat that was just resolved may be in both.
    const openIds = new Set(open.map(({ id }) => id))
    return [...open, ...resolved.filter(({ id }) => !openIds.has(id))]
  }, [open, resolved])
  return {
    query: further.isError && isDivided ? further : query,
    fresh,
    isPlaceholderData: query.isPlaceholderData || (isDivided && further.isPlaceholderData),
    isPending: query.isPending || (isDivided && further.isPending),
    /** Reads the next page of the part that ends before the row `id`; undefined: the end of the list is near. */
    readMore: (id: string | undefined): void => {
      const isBeyondOpen = id === undefined || !open.some((row) => row.id === id)
      if (isBeyondOpen && query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
      if (isDivided && id === undefined && further.hasNextPage && !further.isFetchingNextPage)
        void further.fetchNextPage()
    },
  }
}
