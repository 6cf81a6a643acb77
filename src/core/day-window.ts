import { wholeNumber } from './paging.ts'

/** Maximum number of days in daily figures (spec 8.2). */
const DAYS_MAX = 90
const DAYS_DEFAULT = 30

/** The query parameter `?days=`: how many days the figures cover, today included. */
export const windowDays = wholeNumber(1, DAYS_MAX)
  .default(DAYS_DEFAULT)
  .meta({
    description: `Number of days, including today: 1 to ${DAYS_MAX}. Default: ${DAYS_DEFAULT}.`,
    type: 'integer',
    minimum: 1,
    maximum: DAYS_MAX,
  })
