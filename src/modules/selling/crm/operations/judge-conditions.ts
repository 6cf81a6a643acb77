/**
 * Evaluates single filter conditions for one lead, or for values in the form of a lead
 * (src/modules/automating/automations/DECISIONS.md).
 */
import type { Context } from '../../../../core/context.ts'
import type { Issue } from '../../../../core/errors.ts'
import type { FilterCondition, LeadFilter } from '../filter-schema.ts'
import { judgeRows, type LeadLike } from '../queries/judged-conditions.ts'
import { listLearnedNumbers } from './learned-numbers.ts'
import type { LeadWords } from './present-lead.ts'
import { understandFilter } from './understand-filter.ts'

export type { LeadLike } from '../queries/judged-conditions.ts'

/**
 * A condition and its subject: a lead by id, or values by the names of a lead's columns. Missing values are
 * empty.
 */
export type AskedCondition = { condition: FilterCondition; of: { leadId: string } | { values: LeadLike } }

/**
 * Returns whether each condition matches, by the same SQL as lists of leads. A condition that refers to
 * deleted names never matches; `issues` has the errors.
 */
export async function judgeConditions(
  ctx: Context,
  words: LeadWords,
  requested: AskedCondition[],
): Promise<{ held: boolean[]; issues: Issue[] }> {
  if (requested.length === 0) return { held: [], issues: [] }
  const filters = requested.map(({ condition }): LeadFilter => ({ match: 'all', conditions: [condition] }))
  const numbers = await listLearnedNumbers(ctx, filters)
  const understood = filters.map((filter, i) => {
    const { condition, issues } = understandFilter(ctx, words, filter, '', numbers)
    return { meant: condition, issues: issues.map((issue) => ({ ...issue, path: `conditions[${i}]` })) }
  })
  const held = await judgeRows(
    ctx,
    requested.map(({ of }, i) => ({ of, condition: understood[i]!.meant })),
  )
  return {
    held: held.map((isMatch, i) => isMatch && understood[i]!.issues.length === 0),
    issues: understood.flatMap(({ issues }) => issues),
  }
}
