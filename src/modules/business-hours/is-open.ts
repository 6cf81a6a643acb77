/** Checks whether a business is open. Pure. */
import { type Hours, openHours } from '../../core/open-hours.ts'

/**
 * Uses the rules of booking hours: a night that started the day before counts, regardless of other rules for
 * either day.
 */
export const isOpenAt = (hours: Hours, at: Date): boolean =>
  openHours(hours, at, at).stretches.some(({ from, to }) => from <= at.getTime() && at.getTime() < to)
