import { SECOND_MS } from '../../../core/clock.ts'
import { turns } from '../../../core/lock-queue.ts'

/**
 * Numbers of a workspace are assigned one after the other. A waiting request holds no database connection.
 */
export const documentTurns = turns({ atOnce: 3, maxWaiting: 1_000, maxWaitMs: 30 * SECOND_MS })
