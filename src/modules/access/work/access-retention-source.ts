import { type Clock, DAY_MS, HOUR_MS, later } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'
import type { WorkSource } from '../../../core/work.ts'
import { deleteOldFailures } from '../queries/failures.ts'
import { deleteExpiredInvitations } from '../queries/invitations.ts'
import { deleteOldSessions } from '../queries/sessions.ts'
import { deleteExpiredTokens } from '../queries/tokens.ts'

const MAX_AT_ONCE = 2_000
/** Longer than any session lives: a browser that comes back is told why its session ended. */
const SESSION_DAYS = 60
/** Longer than anybody waits after failures. */
const FAILURE_MS = DAY_MS

/** Forgets sessions that are long over, tokens and invitations that are good for nothing, and failed sign-ins. */
export const accessRetentionSource = (deps: {
  database: Pick<Database, 'query'>
  clock: Clock
}): WorkSource => ({
  name: 'access-retention',
  pollMs: HOUR_MS,
  async runDue({ workspaceId }) {
    if (workspaceId !== undefined) return 0
    const { query } = deps.database
    const now = deps.clock.now()
    const deleted = await Promise.all([
      deleteOldSessions(query, later(now, -SESSION_DAYS * DAY_MS), MAX_AT_ONCE),
      deleteExpiredTokens(query, now, MAX_AT_ONCE),
      deleteExpiredInvitations(query, now, MAX_AT_ONCE),
      deleteOldFailures(query, later(now, -FAILURE_MS), MAX_AT_ONCE),
    ])
    // What is left is deleted at the next look, unless there was more than one look takes.
    return deleted.some((count) => count === MAX_AT_ONCE) ? deleted.reduce((sum, count) => sum + count) : 0
  },
  nextDue: async () => undefined,
})
