/** Reads the history of a message. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/request.ts'

/** A history is read each time that its panel opens, because deliveries change without an event. */
export const traceQuery = (id: string) =>
  queryOptions({
    queryKey: ['message', 'of', id, 'trace'],
    queryFn: async () => (await call('GET /messages/{id}/trace', { params: { id } })).trace,
    staleTime: 0,
  })
