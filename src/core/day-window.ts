import { wholeNumber } from './paging.ts'

/** Longest window of figures by day (spec 8.2). */
const DAYS_MAX = 90
const DAYS_DEFAULT = 30

/** How many days figures take in, today included: `?days=`. */
export const windowDays = wholeNumber(1, DAYS_MAX)
  .default(DAYS_DEFAULT)
  .meta({
    description: `Number of days, including today: 1 to ${DAYS_MAX}. Default: ${DAYS_DEFAULT}.`,
    type: 'integer',
    minimum: 1,
    maximum: DAYS_MAX,
  })
