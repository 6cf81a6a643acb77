/** Checks whether a business is open. Pure. */
import { type Hours, openHours } from '../../../core/values/open-hours.ts'

/**
 * Uses the rules of booking hours: a night that started the day before counts, regardless of other rules for
 * either day.
 */
export const isOpenAt = (hours: Hours, time: Date): boolean =>
  openHours(hours, time, time).stretches.some(({ from, to }) => from <= time.getTime() && time.getTime() < to)
