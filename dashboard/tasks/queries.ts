/** Reads and writes tasks. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api, Task } from '../../sdk/api.ts'
import type { Attempt } from '../api/attempt.ts'
import { queryClient } from '../api/cache.ts'
import type { ListRule } from '../api/changes.ts'
import { call } from '../api/request.ts'

export type TaskFilter = Api['GET /tasks']['query']
export type TaskPatch = Api['PATCH /tasks/{id}']['body']
export type NewTask = Api['POST /tasks']['body']
export const TYPES = ['call', 'message', 'email', 'meeting', 'visit', 'other'] as const
export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const

export const tasksQuery = (filter: TaskFilter) =>
  queryOptions({
    queryKey: ['task', 'list', filter],
    queryFn: ({ signal }) => call('GET /tasks', { query: filter, signal }),
    placeholderData: keepPreviousData,
  })

export const taskRows: ListRule = {
  kind: 'task',
  rows: 'tasks',
  source: ([, , filter]) =>
    typeof filter === 'object'
      ? {
          name: JSON.stringify(filter),
          read: async (ids) => {
            const { page: _, ...filters } = filter as TaskFilter
            return (await call('GET /tasks', { query: { ...filters, ids: ids.join(','), pageSize: 100 } }))
              .tasks
          },
          // The pages contain the counts of the groups.
          order: { place: ({ status, dueAt }: Task) => `${status} ${dueAt}` },
        }
      : undefined,
}

export const teamQuery = queryOptions({
  queryKey: ['member', 'list'],
  queryFn: async () => (await call('GET /team')).members,
  staleTime: 5 * 60_000,
})

/** Finds leads for a search text. */
export const leadSearchQuery = (text: string) =>
  queryOptions({
    queryKey: ['lead', 'list', 'found', text],
    queryFn: ({ signal }) =>
      call('GET /leads', {
        query: { q: text || undefined, pageSize: 20, sort: 'updatedAt', dir: 'desc' },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** Reads the task's lead again: a task changes its next follow-up and its timeline. */
function readAgain(leadId: string): void {
  void queryClient.invalidateQueries({ queryKey: ['task', 'list'] })
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [kind, part, id] }) => kind === 'lead' && (part === 'list' || id === leadId),
  })
}

export async function changeTask(task: Task, body: TaskPatch): Promise<Task> {
  const response = await call('PATCH /tasks/{id}', { params: { id: task.id }, body })
  readAgain(task.lead.id)
  return response.task
}

export async function createTask(body: NewTask, attempt: Attempt): Promise<Task> {
  const { task } = await attempt(body, (idempotencyKey) => call('POST /tasks', { body, idempotencyKey }))
  readAgain(task.lead.id)
  return task
}
