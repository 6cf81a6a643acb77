/** Reads and writes submissions at the capture link. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../../sdk/api.ts'
import type { Attempt } from '../../../api/attempt.ts'
import { queryClient } from '../../../api/cache.ts'
import { call, type Reply } from '../../../api/request.ts'
import { refreshLead as readLeadAgain } from '../../queries.ts'

export type Summary = Reply<'GET /lead-submissions'>['submissions'][number]
export type Submission = Reply<'GET /lead-submissions/{id}'>['submission']
export type State = Summary['state']
export type Mapping = Api['POST /lead-submissions/{id}/lead']['body']

export const STATES: readonly State[] = ['needs_attention', 'captured', 'dismissed']

export const submissionsQuery = (state: State) =>
  infiniteQueryOptions({
    queryKey: ['submission', 'list', state],
    queryFn: ({ pageParam }) =>
      call('GET /lead-submissions', { query: { state, limit: 30, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Reply<'GET /lead-submissions'>) => page.nextCursor ?? undefined,
  })

export const submissionQuery = (id: string) =>
  queryOptions({
    queryKey: ['submission', 'one', id],
    queryFn: async () => (await call('GET /lead-submissions/{id}', { params: { id } })).submission,
  })

const readAgain = (): void => void queryClient.invalidateQueries({ queryKey: ['submission'] })

export async function createLead(id: string, body: Mapping, attempt: Attempt) {
  const response = await attempt(body, (idempotencyKey) =>
    call('POST /lead-submissions/{id}/lead', { params: { id }, body, idempotencyKey }),
  )
  readAgain()
  readLeadAgain(response.lead.id)
  return response
}

export async function changeState(id: string, state: 'needs_attention' | 'dismissed'): Promise<void> {
  await call('PATCH /lead-submissions/{id}', { params: { id }, body: { state } })
  readAgain()
}
