/**
 * Limits how many calls may be in flight to one far side. A lane starts narrow, doubles with each success,
 * and falls back to one after trouble. So a recovering far side gets no flood, and a hanging one blocks few
 * calls (docs/reliability.md 2, row 17).
 */

/** The width of a lane without any result yet. */
export const NARROW = 4
/** The width after trouble. */
export const NARROWEST = 1

/** Returns the width after a success: twice as many, up to `wide`. */
export const widened = (limit: number, wide: number): number => Math.min(wide, limit * 2)
