/**
 * Numbers that the operator spells otherwise than we do (docs/formats.md section 1): mobile numbers of Brazil, Mexico and
 * Argentina have a digit more than they had, and their customers write from either (docs/decisions/operator-reports.md).
 */
import type { Unit } from '../../../core/context.ts'
import { saveSpellings } from '../queries/aliases.ts'

/** A contact's number, and the operator's spelling of it. */
export type Respelled = { phone: string; spelling: string }

/** Whether two numbers in E.164 differ in no more than a digit that one of them has besides: an operator that answers anything else is not believed. */
export function isSpellingOf(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (long.length !== short.length + 1 || !short.startsWith('+')) return false
  let same = 0
  while (same < short.length && short[same] === long[same]) same++
  return short.slice(same) === long.slice(same + 1)
}

/** Remembers under which numbers contacts write, where nobody else is stored under them. */
export const noteSpellings = (
  unit: Unit,
  respelled: (Respelled & { workspaceId: string })[],
  now: Date,
): Promise<unknown> =>
  saveSpellings(
    unit.tx,
    respelled.map((one) => ({ ...one, createdAt: now })),
  )
