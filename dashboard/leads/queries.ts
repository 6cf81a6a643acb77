/** Reads and writes leads. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
} from '@tanstack/react-query'
import type { Api, Lead, PipelineStage } from '../../sdk/api.ts'
import type { Attempt } from '../api/attempt.ts'
import { queryClient } from '../api/cache.ts'
import type { ListRule } from '../api/changes.ts'
import { call, type Reply } from '../api/request.ts'
import { workspaceNow } from '../kit/time.tsx'
import { type CardOrder, columnOrder, insertCard, SORT_OF } from './order.ts'
import type { LeadSelection, LeadsView } from './view.ts'
import { selectionOf } from './view.ts'

export type LeadPatch = Api['PATCH /leads/{id}']['body']
export type NewLead = Api['POST /leads']['body']
type LeadPage = Reply<'GET /leads'>
type Summary = Reply<'GET /leads/summary'>
export const PAGE_SIZE = 50
const COLUMN_SIZE = 30

export const pipelineQuery = queryOptions({
  queryKey: ['pipeline', 'list'],
  queryFn: () => call('GET /pipeline'),
  staleTime: 5 * 60_000,
})

export const viewsQuery = queryOptions({
  queryKey: ['view', 'list', 'leads'],
  queryFn: async () => (await call('GET /views')).views,
})

export const summaryQuery = (selection: LeadSelection) =>
  queryOptions({
    queryKey: ['lead', 'list', 'summary', selection],
    queryFn: ({ signal }) => call('GET /leads/summary', { query: selection, signal }),
    placeholderData: keepPreviousData,
  })

/** Reads the leads of one stage, in the order of the board. */
export const columnQuery = (view: LeadsView, stageId: string) => {
  const selection = selectionOf(view, [{ field: 'stage', op: 'eq', value: stageId }])
  return infiniteQueryOptions({
    queryKey: ['lead', 'list', 'column', stageId, selection, selectionOf(view), view.order],
    queryFn: ({ pageParam, signal }) =>
      call('GET /leads', {
        query: { ...selection, ...SORT_OF[view.order], page: pageParam, pageSize: COLUMN_SIZE },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pageSize, total }: LeadPage) =>
      page * pageSize < total ? page + 1 : undefined,
    placeholderData: keepPreviousData,
  })
}

export const tableQuery = (view: LeadsView) =>
  queryOptions({
    queryKey: ['lead', 'list', 'table', selectionOf(view), view.sort, view.dir, view.page],
    queryFn: ({ signal }) =>
      call('GET /leads', {
        query: {
          ...selectionOf(view),
          sort: view.sort,
          dir: view.sort && view.dir,
          page: view.page,
          pageSize: PAGE_SIZE,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

const readRows = (selection: LeadSelection) => async (ids: readonly string[]) =>
  (await call('GET /leads', { query: { ...selection, ids: ids.join(','), pageSize: 100 } })).leads

/**
 * The columns of a board are read together. In the table, a row keeps its place while the sorted value stays
 * the same.
 */
export const leadRows: ListRule = {
  kind: 'lead',
  rows: 'leads',
  isThing: true,
  source: ([, , part, ...rest]) => {
    if (part === 'column') {
      const [stageId, , columnSelection, order] = rest as [string, LeadSelection, LeadSelection, CardOrder]
      return {
        name: JSON.stringify(columnSelection),
        read: readRows(columnSelection),
        holds: ({ stage }: Lead) => stage.id === stageId,
        order: columnOrder(order),
      }
    }
    if (part !== 'table') return undefined
    const [selection, sort] = rest as [LeadSelection, LeadsView['sort']]
    return {
      name: JSON.stringify(selection),
      read: readRows(selection),
      order: { place: (lead: Lead) => (sort ? lead[sort] : lead.createdAt) },
    }
  },
}

export const leadQuery = (id: string) =>
  queryOptions({
    queryKey: ['lead', 'one', id],
    queryFn: async () => (await call('GET /leads/{id}', { params: { id } })).lead,
  })

export const timelineQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['lead', 'of', id],
    queryFn: ({ pageParam }) =>
      call('GET /leads/{id}/timeline', { params: { id }, query: { limit: 30, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Reply<'GET /leads/{id}/timeline'>) => page.nextCursor ?? undefined,
  })

/** Returns whether the lead matches `selection`. */
export const matchesSelection = async (id: string, selection: LeadSelection): Promise<boolean> =>
  (await call('GET /leads', { query: { ...selection, ids: id, pageSize: 1 } })).total > 0

/** Returns the pages of a column with the lead at its place: in the first page that has it before another lead. */
function withCard(pages: LeadPage[], lead: Lead, order: CardOrder): LeadPage[] {
  const last = pages.length - 1
  const place = pages.findIndex(
    ({ leads }, index) => index === last || insertCard(leads, lead, order).at(-1) !== lead,
  )
  return pages.map((page, index) =>
    index === place ? { ...page, leads: insertCard(page.leads, lead, order) } : page,
  )
}

/** Moves a lead to the column of another stage, in every cached board. */
function moveOnBoards(lead: Lead, stage: Omit<PipelineStage, 'position'>): void {
  const now = new Date(workspaceNow()).toISOString()
  const movedLead = { ...lead, stage, stageChangedAt: now, updatedAt: now }
  const columns = queryClient.getQueriesData<InfiniteData<LeadPage>>({
    queryKey: ['lead', 'list', 'column'],
  })
  for (const [queryKey, data] of columns) {
    if (!data) continue
    const others = data.pages.map((page) => ({
      ...page,
      leads: page.leads.filter(({ id }) => id !== lead.id),
    }))
    const pages = queryKey[3] === stage.id ? withCard(others, movedLead, queryKey[6] as CardOrder) : others
    queryClient.setQueryData(queryKey, { ...data, pages })
  }
  queryClient.setQueriesData<Summary>({ queryKey: ['lead', 'list', 'summary'] }, (sums) =>
    sums?.map((sum) => {
      const by = sum.stageId === stage.id ? 1 : sum.stageId === lead.stage.id ? -1 : 0
      return { ...sum, count: sum.count + by, dealValue: sum.dealValue + by * lead.dealValue }
    }),
  )
}

/** Reads the queries that show the lead again. */
export function refreshLead(id: string): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [kind, part, keyId] }) => kind === 'lead' && (part === 'list' || keyId === id),
  })
}

/** Changes a lead; a move is shown immediately, and undone if the server rejects it. */
export async function changeLead(lead: Lead, body: LeadPatch): Promise<Lead> {
  const { stages } = queryClient.getQueryData(pipelineQuery.queryKey) ?? { stages: [] }
  const stage = stages.find(({ id }) => id === body.stage)
  if (stage && stage.id !== lead.stage.id) {
    await queryClient.cancelQueries({ queryKey: ['lead', 'list'] })
    moveOnBoards(lead, stage)
  }
  try {
    const response = await call('PATCH /leads/{id}', { params: { id: lead.id }, body })
    queryClient.setQueryData(leadQuery(lead.id).queryKey, response.lead)
    return response.lead
  } catch (error) {
    refreshLead(lead.id)
    throw error
  }
}

export async function createLead(body: NewLead, attempt: Attempt): Promise<Reply<'POST /leads'>> {
  const response = await attempt(body, (idempotencyKey) => call('POST /leads', { body, idempotencyKey }))
  refreshLead(response.lead.id)
  return response
}
