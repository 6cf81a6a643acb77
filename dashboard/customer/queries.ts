/** Reads the newest records about a customer, and reads them again when one of them changes. */
import { queryOptions } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onChange, queryClient } from '../api/cache.ts'
import { call, type Reply } from '../api/request.ts'
import { throttle } from '../api/throttle.ts'

export type Overview = Reply<'GET /contacts/{id}/overview'>

export const overviewQuery = (contactId: string) =>
  queryOptions({
    queryKey: ['contact', 'of', contactId, 'overview'],
    queryFn: ({ signal }) => call('GET /contacts/{id}/overview', { params: { id: contactId }, signal }),
  })

/** The kinds of records in an overview, as the live stream names them. */
const KINDS = [
  'lead',
  'task',
  'conversation',
  'salesDocument',
  'booking',
  'paymentRequest',
  'review',
  'broadcast',
  'automation',
] as const
const KNOWN_MS = 1_500
/** A new record names no customer, so the overview is read again, but seldom. */
const UNKNOWN_MS = 10_000

/** Returns the ids of all records in an overview. */
function idsOf({ lead, tasks, conversations, invoices, bookings, payments, reviews }: Overview): Set<string> {
  const rows = [
    lead,
    bookings?.next,
    bookings?.last,
    ...(tasks?.items ?? []),
    ...(conversations?.items ?? []),
    ...(invoices?.items ?? []),
    ...(payments?.items ?? []),
    ...(reviews?.items ?? []),
  ]
  return new Set(rows.flatMap((row) => (row ? [row.id] : [])))
}

/** Keeps the overview of a customer up to date while it is shown. */
export function useLiveOverview(contactId: string): void {
  useEffect(() => {
    const { queryKey } = overviewQuery(contactId)
    const read = () => queryClient.invalidateQueries({ queryKey, exact: true })
    const readKnown = throttle(KNOWN_MS, read)
    const readUnknown = throttle(UNKNOWN_MS, read)
    const ends = KINDS.map((kind) =>
      onChange(kind, (ids) => {
        const overview = queryClient.getQueryData(queryKey)
        const known = overview ? idsOf(overview) : new Set<string>()
        const isKnown = ids === 'many' || ids.some((id) => known.has(id))
        if (isKnown) readKnown(ids)
        // Chats of other customers change all the time.
        else if (kind !== 'conversation') readUnknown(ids)
      }),
    )
    return () => {
      for (const end of ends) end()
    }
  }, [contactId])
}
