import { STATUSES } from './parts/status.tsx'
import type { TemplateFilter } from './queries.ts'

/** Which templates are shown: it stands in the address. */
export const readView = ({ q, status }: Record<string, unknown>): TemplateFilter => ({
  search: typeof q === 'string' || typeof q === 'number' ? String(q) : '',
  status: STATUSES.find((one) => one === status) ?? 'all',
})

/** The view as an address holds it: without what is as usual. */
export const writtenView = ({ search, status }: TemplateFilter) => ({
  ...(search && { q: search }),
  ...(status !== 'all' && { status }),
})
