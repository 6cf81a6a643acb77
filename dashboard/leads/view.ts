/** Reads and writes the view of leads, which is in the address so that members can share it. */
import type { Api } from '../../sdk/api.ts'
import type { LeadsLayout } from './layout.ts'
import { CARD_ORDERS } from './order.ts'

export type LeadSelection = Pick<Api['GET /leads']['query'], 'view' | 'filter' | 'q'>
export type Sort = NonNullable<Api['GET /leads']['query']['sort']>
export type Condition = {
  field: string
  op: string
  value: string | number | (string | number)[] | { last: number }
}

/** The fields of filters, each with its meaning. */
export const FIELDS = {
  owner: (value: string): Condition => ({ field: 'owner', op: 'eq', value }),
  rating: (value: string): Condition => ({ field: 'rating', op: 'gte', value: Number(value) }),
  dealValue: (value: string): Condition => ({ field: 'dealValue', op: 'gte', value: Number(value) }),
  tag: (value: string): Condition => ({ field: 'tags', op: 'in', value: [value] }),
  source: (value: string): Condition => ({ field: 'source', op: 'contains', value }),
  days: (value: string): Condition => ({ field: 'createdAt', op: 'within', value: { last: Number(value) } }),
} as const
export type FilterField = keyof typeof FIELDS
export type Filters = Partial<Record<FilterField, string>>
export const FILTER_FIELDS = Object.keys(FIELDS) as FilterField[]

export const SYSTEM_VIEWS = [
  'sys:all',
  'sys:open',
  'sys:unassigned',
  'sys:new_today',
  'sys:followups',
  'sys:won',
  'sys:lost',
] as const
const SORTS: readonly Sort[] = [
  'createdAt',
  'updatedAt',
  'name',
  'phone',
  'rating',
  'dealValue',
  'nextFollowUpAt',
  'stageChangedAt',
]

export type LeadsView = LeadsLayout & {
  view: string
  q: string
  filters: Filters
  sort: Sort | undefined
  dir: 'asc' | 'desc'
  page: number
}

const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

function readFilters(value: unknown): Filters {
  const input = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  return Object.fromEntries(
    FILTER_FIELDS.flatMap((field) => (toText(input[field]) ? [[field, toText(input[field])]] : [])),
  )
}

/** Reads the view from an address and the member's layout, and ignores values it does not know. */
export const readView = (search: Record<string, unknown>, usual: LeadsLayout): LeadsView => ({
  layout: search.layout === 'table' ? 'table' : usual.layout,
  order: CARD_ORDERS.find((order) => order === usual.order) ?? 'changed',
  view: toText(search.view) || 'sys:all',
  q: toText(search.q),
  filters: readFilters(search.filters),
  sort: SORTS.find((sort) => sort === search.sort),
  dir: search.dir === 'asc' ? 'asc' : 'desc',
  page: Number.isInteger(search.page) && Number(search.page) > 1 ? Number(search.page) : 1,
})

/** Returns the view for an address: without default values. */
export const searchOf = ({ layout, view, q, filters, sort, dir, page }: Omit<LeadsView, 'order'>) => ({
  ...(layout === 'table' && { layout }),
  ...(view !== 'sys:all' && { view }),
  ...(q && { q }),
  ...(Object.keys(filters).length > 0 && { filters }),
  ...(sort && { sort }),
  ...(dir === 'asc' && { dir }),
  ...(page > 1 && { page }),
})

export const conditionsOf = (filters: Filters): Condition[] =>
  FILTER_FIELDS.flatMap((field) => (filters[field] ? [FIELDS[field](filters[field])] : []))

/** Returns an API filter that requires all conditions; undefined if there are none. */
const filterText = (conditions: readonly Condition[]): string | undefined =>
  conditions.length > 0 ? JSON.stringify({ match: 'all', conditions }) : undefined

/** Returns the parameters that select leads. */
export const selectionOf = (
  { view, q, filters }: LeadsView,
  extra: readonly Condition[] = [],
): LeadSelection => ({
  view,
  filter: filterText([...conditionsOf(filters), ...extra]),
  q: q.trim() || undefined,
})

/** Returns whether the view excludes some leads of the workspace. */
export const isNarrowed = ({ view, q, filters }: LeadsView): boolean =>
  view !== 'sys:all' || q.trim() !== '' || Object.keys(filters).length > 0
