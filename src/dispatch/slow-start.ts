/**
 * How many calls may be under way at one far side. A lane opens narrow, widens with each success and falls back to one after
 * trouble, so that whoever recovers meets no herd and whoever hangs holds little (docs/reliability.md 2, row 17).
 */

/** The width of a lane of which nothing is known yet. */
export const NARROW = 4
/** The width after trouble. */
export const NARROWEST = 1

/** The width after a success: twice as many, up to `wide`. */
export const widened = (limit: number, wide: number): number => Math.min(wide, limit * 2)
