import { refuse } from '../../../../core/errors.ts'

/** Returns whether a day is in locked books. */
export const isLocked = (day: string | null, booksLockedUntil: string | null): boolean =>
  day !== null && booksLockedUntil !== null && day <= booksLockedUntil

/** Refuses changes in locked books. */
export function refuseLocked(day: string | null, booksLockedUntil: string | null): void {
  if (isLocked(day, booksLockedUntil))
    refuse('conflict', `The books are locked until ${booksLockedUntil}. Records of ${day} can't be changed.`)
}
