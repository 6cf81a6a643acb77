import { type Condition, partsOf } from '../lead-condition.ts'

type Prefix = Extract<Condition, { is: 'prefix' }>
const isPrefix = (part: Condition): part is Prefix => 'is' in part && part.is === 'prefix'

type PrefixSearch = { separate: string[]; prefixes: Prefix[]; others: Condition[] }

/**
 * Returns the number prefixes in a condition, and its other alternatives; undefined if it has other parts.
 */
export function prefixSearchOf(condition: Condition): PrefixSearch | undefined {
  const [onlyPart, ...more] = partsOf(condition)
  if (!onlyPart || more.length > 0) return undefined
  const alternatives = 'any' in onlyPart ? onlyPart.any : [onlyPart]
  const prefixes = alternatives.filter(isPrefix)
  const digits = prefixes.map((prefix) => prefix.digits)
  // A prefix inside another counts once.
  const separate = digits.filter(
    (digit, i) => !digits.some((other, j) => digit.startsWith(other) && (digit !== other || j < i)),
  )
  return digits.length === 0
    ? undefined
    : { separate, prefixes, others: alternatives.filter((part) => !isPrefix(part)) }
}
