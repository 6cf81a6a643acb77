/** Reads templates. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api, Template } from '../../sdk/api.ts'
import type { ListRule } from '../api/changes.ts'
import { newestFirst } from '../api/patch-rows.ts'
import { call, type Reply } from '../api/request.ts'

export type TemplateBody = Api['POST /templates']['body']
export type TemplateFilter = { search: string; status: Template['status'] | 'all' }

const [PAGE, MAX_LANGUAGES] = [50, 100]
/** The operator's decisions are announced; changes made on the operator's own pages are not. */
const PENDING_MS = 5_000

export const templatesQuery = ({ search, status }: TemplateFilter) =>
  infiniteQueryOptions({
    queryKey: ['template', 'list', { search, status }],
    queryFn: ({ pageParam, signal }) =>
      call('GET /templates', {
        query: {
          limit: PAGE,
          cursor: pageParam,
          search: search || undefined,
          status: status === 'all' ? undefined : status,
        },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 && data.pages[0]!.templates.some((template) => template.status === 'pending')
        ? PENDING_MS
        : false,
  })

export const templateRows: ListRule = {
  kind: 'template',
  rows: 'templates',
  isThing: true,
  source: ([, , filter]) => {
    if (typeof filter !== 'object') return undefined
    const { search, status } = filter as TemplateFilter
    const query = { search: search || undefined, status: status === 'all' ? undefined : status }
    return {
      name: JSON.stringify(query),
      read: async (ids) =>
        (await call('GET /templates', { query: { ...query, ids: ids.join(','), limit: MAX_LANGUAGES } }))
          .templates,
      order: { compare: newestFirst },
    }
  },
}

export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: ['template', 'one', id],
    queryFn: async () => (await call('GET /templates/{id}', { params: { id } })).template,
    refetchInterval: ({ state: { data } }) => (data?.status === 'pending' ? PENDING_MS : false),
  })

/** Reads the languages of a template name. */
export const languagesQuery = (name: string) =>
  queryOptions({
    queryKey: ['template', 'list', 'languages', name],
    queryFn: async () => (await call('GET /templates', { query: { name, limit: MAX_LANGUAGES } })).templates,
  })

export type LintResult = Reply<'POST /templates/lint'>

/** Returns the findings of the server and the operator's likely objections for a draft. */
export const lintQuery = (body: TemplateBody) =>
  queryOptions({
    queryKey: ['template', 'lint', body],
    queryFn: ({ signal }) => call('POST /templates/lint', { body, signal }),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  })

const REPLIES_FRESH_MS = 5 * 60_000

/** Reads the replies to campaigns of the last 30 days with this template. */
export const campaignRepliesQuery = (templateId: string) =>
  queryOptions({
    queryKey: ['template', 'replies', templateId],
    queryFn: async ({ signal }) =>
      (await call('GET /reports/campaigns', { query: { templateId }, signal })).campaigns,
    staleTime: REPLIES_FRESH_MS,
  })
