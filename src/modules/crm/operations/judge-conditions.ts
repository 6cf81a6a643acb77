/** Single conditions of the language of filters, asked of one lead or of values that look like one (docs/decisions/automations.md). */
import type { Context } from '../../../core/context.ts'
import type { Issue } from '../../../core/errors.ts'
import type { FilterCondition } from '../filter-schema.ts'
import { judgeRows, type LeadLike } from '../queries/judged-conditions.ts'
import type { LeadWords } from './present-lead.ts'
import { understandFilter } from './understand-filter.ts'

export type { LeadLike } from '../queries/judged-conditions.ts'

/** A condition, and whom it is asked of: a lead by its id, or values under the names of a lead's columns; what is left out is empty. */
export type AskedCondition = { condition: FilterCondition; of: { leadId: string } | { values: LeadLike } }

/**
 * Whether each condition holds, by the SQL that lists of leads are made with. One that cannot be understood, because what it
 * names is gone, holds for nobody; `issues` says why.
 */
export async function judgeConditions(
  ctx: Context,
  words: LeadWords,
  asked: AskedCondition[],
): Promise<{ held: boolean[]; issues: Issue[] }> {
  if (asked.length === 0) return { held: [], issues: [] }
  const understood = asked.map(({ condition }, i) => {
    const { condition: meant, issues } = understandFilter(
      ctx,
      words,
      { match: 'all', conditions: [condition] },
      '',
    )
    return { meant, issues: issues.map((issue) => ({ ...issue, path: `conditions[${i}]` })) }
  })
  const held = await judgeRows(
    ctx,
    asked.map(({ of }, i) => ({ of, condition: understood[i]!.meant })),
  )
  return {
    held: held.map((one, i) => one && understood[i]!.issues.length === 0),
    issues: understood.flatMap(({ issues }) => issues),
  }
}

/** What cannot be understood of a condition. */
export const issuesOfCondition = (ctx: Context, words: LeadWords, condition: FilterCondition): Issue[] =>
  understandFilter(ctx, words, { match: 'all', conditions: [condition] }, '').issues
