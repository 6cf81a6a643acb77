/** Reads and writes auto-replies. */
import { queryOptions } from '@tanstack/react-query'
import type { Api, AutoReply } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { call } from '../api/request.ts'

export type Kind = AutoReply['kind']
export type Match = AutoReply['match']
export type NewAutoReply = Api['POST /auto-replies']['body']
export type AutoReplyPatch = Api['PATCH /auto-replies/{id}']['body']

/** In the order in which they are tried. */
export const KINDS = ['keyword', 'welcome', 'away'] as const
/** The maximum number in a workspace. */
const ALL = 100
const COUNTS_MS = 60_000

const byOrder = (a: AutoReply, b: AutoReply): number =>
  a.position - b.position || a.createdAt.localeCompare(b.createdAt)

export const autoRepliesQuery = queryOptions({
  queryKey: ['autoReply', 'list'],
  queryFn: async ({ signal }) =>
    (await call('GET /auto-replies', { query: { limit: ALL }, signal })).autoReplies.toSorted(byOrder),
})

/** How often each auto-reply answered in the last 30 days. */
export const countsQuery = queryOptions({
  queryKey: ['autoReply', 'counts'],
  queryFn: async ({ signal }) => {
    const { counts } = await call('GET /auto-replies/counts', { signal })
    return new Map(counts.map((count) => [count.autoReplyId, count]))
  },
  // Answers to customers change no auto-reply, so no live update names them.
  refetchInterval: COUNTS_MS,
})
export type AnswerCount = Api['GET /auto-replies/counts']['reply']['counts'][number]
export type Preview = Api['POST /auto-replies/preview']['reply']

export const refreshList = () => queryClient.invalidateQueries({ queryKey: autoRepliesQuery.queryKey })

export async function saveAutoReply(id: string | undefined, body: NewAutoReply): Promise<void> {
  if (id === undefined) await call('POST /auto-replies', { body })
  else {
    const { kind: _, ...patch } = body
    await changeAutoReply(id, patch)
  }
}

export async function changeAutoReply(id: string, body: AutoReplyPatch): Promise<void> {
  await call('PATCH /auto-replies/{id}', { params: { id }, body })
  await refreshList()
}

/** Saves this order; auto-replies already in their place are not changed. */
export async function orderAutoReplies(rows: readonly AutoReply[]): Promise<void> {
  for (const [position, row] of rows.entries())
    if (row.position !== position)
      await call('PATCH /auto-replies/{id}', { params: { id: row.id }, body: { position } })
  await refreshList()
}

export async function removeAutoReply(id: string): Promise<void> {
  await call('DELETE /auto-replies/{id}', { params: { id } })
  await refreshList()
}
