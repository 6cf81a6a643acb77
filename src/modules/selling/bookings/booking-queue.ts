import { SECOND_MS } from '../../../core/clock.ts'
import { turns } from '../../../core/lock-queue.ts'

/**
 * Bookings of a workspace take turns. A waiting booking does not use a database connection that others need.
 */
export const bookingTurns = turns({ atOnce: 3, maxWaiting: 1_000, maxWaitMs: 30 * SECOND_MS })
