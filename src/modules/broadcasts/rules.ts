/** The numbers that the specification hides (docs/decisions/campaign-gates.md). */
import { DAY_MS, HOUR_MS } from '../../core/clock.ts'

/** People who never wrote, a day and number: more would look like a stranger's mail to the operator. */
export const NEW_RECIPIENTS_A_DAY = 1_000
/** Whoever never wrote and did not answer a campaign is left alone for so long. */
export const COOL_OFF_MS = 7 * DAY_MS
/** A follow-up comes at least so long after the campaign that it follows. */
export const FOLLOW_UP_AFTER_MS = 24 * HOUR_MS
