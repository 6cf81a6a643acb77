/** Whether a business is open at a moment. Pure. */
import { type Hours, openHours } from '../../core/open-hours.ts'

/** By the same rules as booking hours: a night that began the day before counts, whatever that day or this one says otherwise. */
export const isOpenAt = (hours: Hours, at: Date): boolean =>
  openHours(hours, at, at).stretches.some(({ from, to }) => from <= at.getTime() && at.getTime() < to)
