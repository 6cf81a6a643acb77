/** SQL for lists of leads and for the counters of their totals. */
import type { Selectable } from 'kysely'
import type { Context, Query } from '../../../../core/context.ts'
import { uuids } from '../../../../database/sql/binary-arrays.ts'
import { MANY_ROWS } from '../../../../database/sql/costly-reads.ts'
import type { Tables } from '../../../../database/sql/tables.ts'
import { asParameters, type Condition } from '../lead-condition.ts'
import type { LeadRow } from './leads.ts'

export const SORTS = [
  'createdAt',
  'updatedAt',
  'name',
  'phone',
  'rating',
  'dealValue',
  'nextFollowUpAt',
  'stageChangedAt',
] as const
export type Sort = (typeof SORTS)[number]

/** Ids of stages or owners (null: no owner) that a condition is limited to. */
export type Stretches = { column: 'stage' | 'owner'; ids: (string | null)[] }

export type LeadListing = {
  condition: Condition
  /** The leads that `noted` in the condition means. */
  noted: string[]
  sort: Sort
  descending: boolean
  stretches: Stretches | null
  limit: number
  offset: number
}

/** Returns one page of the leads that match the condition, in order. */
export const listLeadRows = (ctx: Context, listing: LeadListing): Promise<LeadRow[]> => {
  const { tree, values } = asParameters(listing.condition)
  const { stretches } = listing
  return ctx.tx.sql<LeadRow>(
    `select l.* from list_leads($1, $2::jsonb, $3::jsonb, $4::uuid[], $5, $6, $7, $8::uuid[], $9, $10)
       with ordinality as found (id, place)
     cross join lateral (select * from leads where leads.workspace_id = $1 and leads.id = found.id limit 1) l
     order by found.place`,
    [
      ctx.workspace.id,
      tree,
      values,
      uuids(listing.noted),
      listing.sort,
      listing.descending,
      stretches?.column ?? null,
      stretches ? uuids(stretches.ids) : null,
      listing.limit,
      listing.offset,
    ],
  )
}

/** Returns whether the workspace has enough leads to limit walks through them. */
export const hasManyLeads = async (ctx: Context): Promise<boolean> =>
  (
    await ctx.tx.sql('select 1 as one from leads where workspace_id = $1 offset $2 limit 1', [
      ctx.workspace.id,
      MANY_ROWS,
    ])
  ).length > 0

/** Returns how many leads match the condition, counted one by one through its narrowest index. */
export const countLeadRows = async (
  ctx: Context,
  condition: Condition,
  notedIds: string[],
): Promise<number> => {
  const { tree, values } = asParameters(condition)
  const [row] = await ctx.tx.sql<{ count: number }>(
    'select count_leads($1, $2::jsonb, $3::jsonb, $4::uuid[]) as count',
    [ctx.workspace.id, tree, values, uuids(notedIds)],
  )
  return row!.count
}

/** Returns, per stage, the number of leads that match the condition and the sum of their deals. */
export const sumLeadsByStage = (
  ctx: Context,
  condition: Condition,
  notedIds: string[],
): Promise<{ stageId: string; count: number; dealValue: number }[]> => {
  const { tree, values } = asParameters(condition)
  return ctx.tx.sql(
    'select stage_id, count, deal_value from sum_leads_by_stage($1, $2::jsonb, $3::jsonb, $4::uuid[])',
    [ctx.workspace.id, tree, values, uuids(notedIds)],
  )
}

/** Returns the leads of at most `max` notes that match one of `patterns`, one id per note. */
export const listNotedLeads = async (ctx: Context, patterns: string[], max: number): Promise<string[]> =>
  (
    await ctx.tx.sql<{ leadId: string }>(
      'select noted_leads($1, pattern, $3) as lead_id from unnest($2::text[]) as pattern limit $3',
      [ctx.workspace.id, patterns, max],
    )
  ).map((row) => row.leadId)

export type LeadTopic = 'people' | 'source' | 'tag' | 'phone' | 'born' | 'due'
export type LeadCount = Pick<Selectable<Tables['leadCounts']>, 'value' | 'amount'>

/** The topics in which each change `c` counts. */
const TOPICS_OF_CHANGE = `lead_topics(
  c.stage_id, c.owner_id, c.rating, c.lost_reason_id, c.source, c.tags, c.phone_prefix, c.created_at, c.next_follow_up_at) t`

// Reads either a change or its sum, never both (ADD_UP).
const sumsOf = (condition: string, join = ''): string => `
  select value, sum(amount) as amount from (
    select value, amount from lead_counts ${join} where workspace_id = $1 and topic = $2 and ${condition}
    union all
    select value, amount from lead_changes c cross join lateral ${TOPICS_OF_CHANGE} ${join}
    where c.workspace_id = $1 and t.topic = $2 and ${condition}) counted
  group by value having sum(amount) <> 0`
const SUMS_OF_RANGE = sumsOf('value >= $3 and value < $4')
const SUMS_OF_VALUES = sumsOf('value = any($3::text[])')
// The stored value has a colon after the digits.
const SUMS_OF_PREFIXES = sumsOf(
  `value >= prefix and value < prefix || ':'`,
  'cross join unnest($3::text[]) as p (prefix)',
)

/** Returns counts of a topic with values from `from` up to, but not including, `upperBound`. */
export const listLeadCounts = (
  ctx: Context,
  topic: LeadTopic,
  from: string,
  upperBound: string,
): Promise<LeadCount[]> => ctx.tx.sql<LeadCount>(SUMS_OF_RANGE, [ctx.workspace.id, topic, from, upperBound])

/** Returns counts of a topic's values. */
export const listLeadCountsOf = (ctx: Context, topic: LeadTopic, values: string[]): Promise<LeadCount[]> =>
  ctx.tx.sql<LeadCount>(SUMS_OF_VALUES, [ctx.workspace.id, topic, values])

/**
 * Returns counts of a topic's values that begin with one of `prefixes`: digits, none of which is a prefix of
 * another.
 */
export const listLeadCountsBeginning = (
  ctx: Context,
  topic: LeadTopic,
  prefixes: string[],
): Promise<LeadCount[]> => ctx.tx.sql<LeadCount>(SUMS_OF_PREFIXES, [ctx.workspace.id, topic, prefixes])

/** Adds up to `max` changes to their sums and deletes sums of zero. Returns the number of changes. */
export const addUpLeadCounts = async (query: Query, max: number): Promise<number> =>
  (await query<{ taken: number }>('select add_up_lead_counts($1) as taken', [max]))[0]!.taken
