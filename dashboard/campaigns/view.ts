import type { CampaignFilter } from './queries.ts'

/** The states of the API, in the order of a campaign's life. */
export const STATUSES = ['draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled'] as const

/** Reads and writes the view of campaigns, which is in the address. */
export const readView = ({ q, status }: Record<string, unknown>): CampaignFilter => ({
  search: typeof q === 'string' || typeof q === 'number' ? String(q) : '',
  status: STATUSES.find((candidate) => candidate === status) ?? 'all',
})

/** Returns the view for an address: without default values. */
export const searchOf = ({ search, status }: CampaignFilter) => ({
  ...(search && { q: search }),
  ...(status !== 'all' && { status }),
})
