import { STATUSES } from './parts/status.tsx'
import type { TemplateFilter } from './queries.ts'

/** Reads and writes the view of templates, which is in the address. */
export const readView = ({ q, status }: Record<string, unknown>): TemplateFilter => ({
  search: typeof q === 'string' || typeof q === 'number' ? String(q) : '',
  status: STATUSES.find((candidate) => candidate === status) ?? 'all',
})

/** Returns the view for an address: without default values. */
export const searchOf = ({ search, status }: TemplateFilter) => ({
  ...(search && { q: search }),
  ...(status !== 'all' && { status }),
})
