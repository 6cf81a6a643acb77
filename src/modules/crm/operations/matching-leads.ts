import type { Context } from '../../../core/context.ts'
import type { LeadFilter } from '../filter-schema.ts'
import { ALL } from '../lead-condition.ts'
import { listLeadRows } from '../queries/lead-lists.ts'
import { readLeadWords } from './find-lead.ts'
import { understandFilter } from './understand-filter.ts'

/** Returns the ids of leads that match a filter and of their contacts, newest first, at most `max`. */
export async function matchLeads(
  ctx: Context,
  filter: LeadFilter | null,
  max: number,
): Promise<{ id: string; contactId: string }[]> {
  const condition = filter ? understandFilter(ctx, await readLeadWords(ctx), filter, 'filter').condition : ALL
  const rows = await listLeadRows(ctx, {
    condition,
    noted: [],
    sort: 'createdAt',
    descending: true,
    stretches: null,
    limit: max,
    offset: 0,
  })
  return rows.map(({ id, contactId }) => ({ id, contactId }))
}
