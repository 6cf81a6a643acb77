import type { Context } from '../../../../core/context.ts'
import type { LeadFilter } from '../filter-schema.ts'
import { ALL, type Condition } from '../lead-condition.ts'
import { listLeadRows } from '../queries/lead-lists.ts'
import { readLeadWords } from './find-lead.ts'
import { listLearnedNumbers } from './learned-numbers.ts'
import { understandFilter } from './understand-filter.ts'

async function conditionOf(ctx: Context, filter: LeadFilter): Promise<Condition> {
  const [words, numbers] = await Promise.all([readLeadWords(ctx), listLearnedNumbers(ctx, [filter])])
  return understandFilter(ctx, words, filter, 'filter', numbers).condition
}

/** Returns the ids of leads that match a filter and of their contacts, newest first, at most `max`. */
export async function matchLeads(
  ctx: Context,
  filter: LeadFilter | null,
  max: number,
): Promise<{ id: string; contactId: string }[]> {
  const condition = filter ? await conditionOf(ctx, filter) : ALL
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
