/**
 * The model of lead lists (spec 4.5, src/modules/selling/crm/DECISIONS.md "Lists of leads"): views, filters,
 * and searches over the model's leads.
 */
import type { Lead, LeadsModel } from './leads-model.ts'

export const VIEWS = [
  'sys:all',
  'sys:open',
  'sys:unassigned',
  'sys:new_today',
  'sys:followups',
  'sys:won',
  'sys:lost',
] as const
export type View = (typeof VIEWS)[number]

/** All leads of a run were created today. */
const HOLDS: Record<View, (lead: Lead, endOfToday: string) => boolean> = {
  'sys:all': () => true,
  'sys:open': ({ stage }) => isOpen(stage.kind),
  'sys:unassigned': ({ owner }) => owner === null,
  'sys:new_today': () => true,
  'sys:followups': ({ stage, followUpAt }, endOfToday) =>
    isOpen(stage.kind) && followUpAt !== null && followUpAt < endOfToday,
  'sys:won': ({ stage }) => stage.kind === 'won',
  'sys:lost': ({ stage }) => stage.kind === 'lost',
}
const isOpen = (kind: string): boolean => kind === 'initial' || kind === 'active'

/** A condition as in the URL, and its meaning. */
export type Condition = { field: string; op: string; value?: unknown; matches: (lead: Lead) => boolean }

export const CONDITIONS: Condition[] = [
  { field: 'rating', op: 'gte', value: 3, matches: ({ rating }) => rating >= 3 },
  { field: 'rating', op: 'in', value: [0, 5], matches: ({ rating }) => rating === 0 || rating === 5 },
  {
    field: 'stage',
    op: 'in',
    value: ['qualified', 'Lost'],
    matches: ({ stage }) => /Qualified|Lost/.test(stage.name),
  },
  { field: 'stage', op: 'neq', value: 'New', matches: ({ stage }) => stage.name !== 'New' },
  { field: 'stageKind', op: 'eq', value: 'won', matches: ({ stage }) => stage.kind === 'won' },
  { field: 'lostReason', op: 'eq', value: 'price', matches: ({ reason }) => reason?.label === 'Price' },
  { field: 'lostReason', op: 'empty', matches: ({ reason }) => reason === null },
  {
    field: 'owner',
    op: 'eq',
    value: 'ravi@example.com',
    matches: ({ owner }) => owner?.name === 'Ravi Iyer',
  },
  { field: 'owner', op: 'nin', value: ['Ravi Iyer'], matches: ({ owner }) => owner?.name !== 'Ravi Iyer' },
  { field: 'owner', op: 'notEmpty', matches: ({ owner }) => owner !== null },
  { field: 'source', op: 'eq', value: 'FAIR', matches: ({ source }) => source?.toLowerCase() === 'fair' },
  { field: 'source', op: 'neq', value: 'fair', matches: ({ source }) => source?.toLowerCase() !== 'fair' },
  { field: 'source', op: 'empty', matches: ({ source }) => source === null },
  { field: 'tags', op: 'eq', value: 'vip', matches: ({ tags }) => tags.includes('vip') },
  {
    field: 'tags',
    op: 'nin',
    value: ['vip', 'pune'],
    matches: ({ tags }) => !tags.some((tag) => tag === 'vip' || tag === 'pune'),
  },
  { field: 'tags', op: 'empty', matches: ({ tags }) => tags.length === 0 },
  { field: 'dealValue', op: 'lt', value: 99.99, matches: ({ dealValue }) => dealValue < 99.99 },
  {
    field: 'dealValue',
    op: 'between',
    value: [10.5, 99.99],
    matches: ({ dealValue }) => dealValue >= 10.5 && dealValue <= 99.99,
  },
  { field: 'captureCount', op: 'gt', value: 1, matches: ({ captureCount }) => captureCount > 1 },
  {
    field: 'attributes.city',
    op: 'eq',
    value: 'Pune',
    matches: ({ attributes }) => attributes.city === 'Pune',
  },
  { field: 'attributes.city', op: 'empty', matches: ({ attributes }) => attributes.city === undefined },
  {
    field: 'nextFollowUpAt',
    op: 'lt',
    value: '2021-01-01',
    matches: ({ followUpAt }) => followUpAt !== null && followUpAt < '2021',
  },
  { field: 'nextFollowUpAt', op: 'empty', matches: ({ followUpAt }) => followUpAt === null },
  {
    field: 'name',
    op: 'contains',
    value: 'sha',
    matches: ({ name }) => name?.toLowerCase().includes('sha') ?? false,
  },
  {
    field: 'phone',
    op: 'starts',
    value: '98123',
    matches: ({ contact }) => contact.e164.startsWith('+9198123'),
  },
  { field: 'email', op: 'notEmpty', matches: ({ email }) => email !== null },
]

/**
 * Returns whether a search finds the lead: by name, email, notes, or the beginning of its number, with or
 * without the country code.
 */
export function finds(q: string, lead: Lead): boolean {
  const query = q.trim().toLowerCase()
  const digits = query.replace(/[\s()+.-]/g, '')
  const number = lead.contact.e164.slice(1)
  return (
    [lead.name, lead.email, ...lead.notes].some((text) => text?.toLowerCase().includes(query)) ||
    (/^\d{3,}$/.test(digits) && (number.startsWith(digits) || number.startsWith(`91${digits}`)))
  )
}

export type Asked = {
  view: View
  conditions: Condition[]
  match: 'all' | 'any'
  q: string | null
}

/** Returns the leads of a list, newest first. */
export const listed = (
  model: LeadsModel,
  { view, conditions, match, q }: Asked,
  endOfToday: string,
): Lead[] =>
  model.leads
    .filter((lead) => HOLDS[view](lead, endOfToday))
    .filter(
      (lead) =>
        conditions.length === 0 ||
        (match === 'all'
          ? conditions.every(({ matches }) => matches(lead))
          : conditions.some(({ matches }) => matches(lead))),
    )
    .filter((lead) => q === null || finds(q, lead))
    .toReversed()
