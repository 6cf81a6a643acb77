/** Reads in-chat forms and the answers to them. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { call, type Reply } from '../api/request.ts'

export type FlowDetails = Reply<'GET /flows/{id}'>['flow']
export type Flow = Reply<'GET /flows'>['flows'][number]
export type FlowAnswer = Reply<'GET /flows/{id}/answers'>['answers'][number]
export type NewFlow = Api['POST /flows']['body']

const PAGE = 50

export const formsQuery = queryOptions({
  queryKey: ['flow', 'list'],
  queryFn: async ({ signal }) => (await call('GET /flows', { signal })).flows,
})

export const formQuery = (id: string) =>
  queryOptions({
    queryKey: ['flow', 'one', id],
    queryFn: async () => (await call('GET /flows/{id}', { params: { id } })).flow,
  })

export const answersQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['flow', 'of', id, 'answers'],
    queryFn: ({ pageParam, signal }) =>
      call('GET /flows/{id}/answers', { params: { id }, query: { limit: PAGE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

/** Returns the ids of the customers who answered, each once. */
export const customersOf = (answers: readonly FlowAnswer[]): string[] => [
  ...new Set(answers.map(({ contactId }) => contactId)),
]

/** Reads the names of at most 100 customers, by their ids. */
export const namesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['contact', 'list', 'names', ...ids],
    queryFn: async ({ signal }) => {
      const { contacts } = await call('GET /contacts', { query: { ids: ids.join(), limit: 100 }, signal })
      return new Map(contacts.map(({ id, displayName, phone }) => [id, displayName ?? phone]))
    },
    enabled: ids.length > 0,
  })

/** Shows a changed form, and reads the list again. */
export function showForm(flow: FlowDetails): void {
  queryClient.setQueryData(formQuery(flow.id).queryKey, flow)
  void queryClient.invalidateQueries({ queryKey: formsQuery.queryKey })
}
