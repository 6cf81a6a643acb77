import { type Clock, MINUTE_MS } from '../../../../core/clock.ts'
import type { Query } from '../../../../core/context.ts'
import { checkPayment } from '../jobs.ts'
import { advanceChecks } from '../queries/requests.ts'

const EACH_MS = 50
const MAX_SPREAD_MS = 5 * MINUTE_MS

/** Checks all open payments soon after a start, because reports that were missed may not be repeated. */
export const checkOpenPaymentsSoon = (query: Query, clock: Clock): Promise<unknown> =>
  advanceChecks(query, checkPayment.name, {
    now: clock.now(),
    eachMs: EACH_MS,
    maxMs: MAX_SPREAD_MS,
  })
