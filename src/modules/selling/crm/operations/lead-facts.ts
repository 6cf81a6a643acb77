/** Evaluates conditions of leads for the facts that counters distinguish, as the database does for rows. */
import type { Comparison, Condition } from '../lead-condition.ts'

/** The fields of leads that a counter distinguishes. */
export type Facts = {
  stage: string
  owner?: string | null
  rating?: number
  lostReason?: string | null
  source?: string | null
}

/** Returns the facts in the value of a `people` counter. */
export function peopleOf(value: string): Facts {
  const [stage, owner, rating, lostReason] = value.split('|')
  return { stage: stage!, owner: owner || null, rating: Number(rating), lostReason: lostReason || null }
}

/** Returns whether a condition uses only `columns`. */
export function asksOnly(condition: Condition, columns: Set<string>): boolean {
  if ('all' in condition) return condition.all.every((part) => asksOnly(part, columns))
  if ('any' in condition) return condition.any.every((part) => asksOnly(part, columns))
  if ('not' in condition) return asksOnly(condition.not, columns)
  return 'of' in condition && typeof condition.of === 'string' && columns.has(condition.of)
}

/** Returns whether leads with these facts match a condition that uses only these facts. */
export function matches(condition: Condition, facts: Facts): boolean {
  if ('all' in condition) return condition.all.every((part) => matches(part, facts))
  if ('any' in condition) return condition.any.some((part) => matches(part, facts))
  if ('not' in condition) return !matches(condition.not, facts)
  const fact = 'of' in condition ? (facts[condition.of as keyof Facts] ?? null) : null
  if (condition.is === 'null') return fact === null
  if (condition.is === 'in') return condition.values.includes(fact as string)
  if (condition.is === 'like') return fact !== null && isLike(fact as string, condition.pattern)
  return 'value' in condition && compares(fact as number, condition.is, condition.value as number)
}

/** Matches like LIKE with the patterns of `likePatterns`. */
function isLike(text: string, pattern: string): boolean {
  const around = pattern.startsWith('%')
  const needle = pattern.slice(around ? 1 : 0, -1).replace(/\\([\\%_])/g, '$1')
  return around ? text.includes(needle) : text.startsWith(needle)
}

function compares(fact: number, comparison: Comparison, value: number): boolean {
  switch (comparison) {
    case 'eq':
      return fact === value
    case 'gt':
      return fact > value
    case 'gte':
      return fact >= value
    case 'lt':
      return fact < value
    case 'lte':
      return fact <= value
  }
}
