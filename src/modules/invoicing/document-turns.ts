import { SECOND_MS } from '../../core/clock.ts'
import { turns } from '../../core/turns.ts'

/** The numbers of a workspace are given one after the other: who waits for that keeps no connection from others. */
export const documentTurns = turns({ atOnce: 3, maxWaiting: 1_000, maxWaitMs: 30 * SECOND_MS })
