/** Reads in-chat forms and the answers to them. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { call, type Reply } from '../api/request.ts'
import { workspaceNow } from '../kit/time.tsx'

export type FlowDetails = Reply<'GET /flows/{id}'>['flow']
export type Flow = Reply<'GET /flows'>['flows'][number]
export type FlowAnswer = Reply<'GET /flows/{id}/answers'>['answers'][number]
export type FlowSummary = Reply<'GET /flows/{id}/answers/summary'>['summary']
export type QuestionSummary = FlowSummary['fields'][number]
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

/** The periods in days, up to now. */
export const PERIODS = ['7', '30', '90'] as const
export type Period = (typeof PERIODS)[number]

/** The shown answers: those of a period, and of one option of a question. */
export type AnswerFilter = {
  period?: Period | undefined
  field?: string | undefined
  value?: string | undefined
}

/** Returns the beginning of a period of whole days, today included. */
function startOf(period: Period | undefined): string | undefined {
  if (period === undefined) return undefined
  const day = new Date(workspaceNow())
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - Number(period) + 1)
  return day.toISOString()
}

/** Returns the filter in the API's format. */
export const filterQueryOf = ({ period, field, value }: AnswerFilter) => ({
  from: startOf(period),
  ...(field !== undefined && value !== undefined && { field, value }),
})

export const answersQuery = (id: string, filter: AnswerFilter) =>
  infiniteQueryOptions({
    queryKey: ['flow', 'of', id, 'answers', filter],
    queryFn: ({ pageParam, signal }) =>
      call('GET /flows/{id}/answers', {
        params: { id },
        query: { limit: PAGE, cursor: pageParam, ...filterQueryOf(filter) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })

export const summaryQuery = (id: string, period: Period | undefined) =>
  queryOptions({
    queryKey: ['flow', 'of', id, 'summary', period],
    queryFn: async ({ signal }) =>
      (
        await call('GET /flows/{id}/answers/summary', {
          params: { id },
          query: { from: startOf(period) },
          signal,
        })
      ).summary,
    placeholderData: keepPreviousData,
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
