/**
 * Reads and writes automations. Their changes are announced by the live stream; runs are not, so they are
 * read at intervals.
 */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api, AutomationRun } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { readContactNames } from '../api/contact-names.ts'
import { call, type Reply } from '../api/request.ts'
import { withConfirmation } from '../shell/confirm.ts'

export type NewAutomation = Api['POST /automations']['body']
export type AutomationPatch = Api['PATCH /automations/{id}']['body']
export type Trigger = NewAutomation['trigger']
export type Condition = NonNullable<NewAutomation['conditions']>['conditions'][number]
export type Action = NewAutomation['actions'][number]
export type ActionType = Action['type']
export type RunStatus = AutomationRun['status']
/** A run, with its customer. */
export type ListedRun = AutomationRun & { customer: string | undefined }
export type TestInput = Api['POST /automations/test']['body']

const RUNS_AGAIN_MS = 5_000
const STATS_AGAIN_MS = 15_000
const RESULTS_AGAIN_MS = 60_000
const RUNS_PAGE = 30
const EVENTS_PAGE = 20

export const automationsQuery = queryOptions({
  queryKey: ['automation', 'list'],
  queryFn: async () => (await call('GET /automations')).automations,
  refetchInterval: STATS_AGAIN_MS,
})

export const automationQuery = (id: string) =>
  queryOptions({
    queryKey: ['automation', 'one', id],
    queryFn: async () => (await call('GET /automations/{id}', { params: { id } })).automation,
  })

/** Reads the results of the last 30 days, by step. */
export const resultsQuery = (id: string) =>
  queryOptions({
    queryKey: ['automation', 'results', id],
    queryFn: async ({ signal }) =>
      (await call('GET /automations/{id}/results', { params: { id }, signal })).results,
    refetchInterval: RESULTS_AGAIN_MS,
  })

export const runsQuery = (id: string, filter: { status?: RunStatus; contactId?: string }) =>
  infiniteQueryOptions({
    queryKey: ['automation', 'of', id, filter],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const { runs, nextCursor } = await call('GET /automations/{id}/runs', {
        params: { id },
        query: { ...filter, limit: RUNS_PAGE, cursor },
        signal,
      })
      const names = await readContactNames(runs.map(({ subject }) => subject.contactId))
      return {
        runs: runs.map((run): ListedRun => ({ ...run, customer: names.get(run.subject.contactId ?? '') })),
        nextCursor,
      }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    // Reading stops when a member has loaded older pages, so that the list does not move.
    refetchInterval: ({ state: { data } }) => (data && data.pages.length > 1 ? false : RUNS_AGAIN_MS),
  })

/** Reads the latest real events of a kind. */
export const recentEventsQuery = (event: string) =>
  queryOptions({
    queryKey: ['event', 'list', 'automation', event],
    queryFn: async () => (await call('GET /events', { query: { events: event, limit: EVENTS_PAGE } })).events,
    staleTime: 0,
  })

/** Reads recent contacts, for triggers whose event names no customer. */
export const latestContactsQuery = queryOptions({
  queryKey: ['contact', 'list', 'automation'],
  queryFn: async () => (await call('GET /contacts', { query: { limit: EVENTS_PAGE } })).contacts,
})

/** Reads all bots to choose from: one page contains a workspace's maximum. */
export const allBotsQuery = queryOptions({
  queryKey: ['bot', 'list', 'automation'],
  queryFn: async () => (await call('GET /bots', { query: { limit: 100 } })).bots,
})

/** Reads the rule that assigns new leads. */
export const assignmentQuery = queryOptions({
  queryKey: ['pipeline', 'assignment'],
  queryFn: () => call('GET /pipeline/assignment'),
})

export async function assignInTurn(members: string[]): Promise<void> {
  const body = { mode: 'round_robin', members } as const
  queryClient.setQueryData(assignmentQuery.queryKey, await call('PATCH /pipeline/assignment', { body }))
}

type Saved = Reply<'POST /automations'>
function cacheAutomation(saved: Saved): Saved {
  queryClient.setQueryData(automationQuery(saved.automation.id).queryKey, saved.automation)
  void queryClient.invalidateQueries({ queryKey: automationsQuery.queryKey })
  return saved
}

/** Creates an automation; the same key creates only one, even if the request is repeated. */
export const createAutomation = async (body: NewAutomation, idempotencyKey: string): Promise<Saved> =>
  cacheAutomation(await withConfirmation(() => call('POST /automations', { body, idempotencyKey })))

export const changeAutomation = async (id: string, body: AutomationPatch): Promise<Saved> =>
  cacheAutomation(await withConfirmation(() => call('PATCH /automations/{id}', { params: { id }, body })))

export async function deleteAutomation(id: string): Promise<void> {
  await call('DELETE /automations/{id}', { params: { id } })
  queryClient.removeQueries({ queryKey: automationQuery(id).queryKey })
  await queryClient.invalidateQueries({ queryKey: automationsQuery.queryKey })
}

export const testAutomation = (body: TestInput) => call('POST /automations/test', { body })
