import { type Clock, DAY_MS, HOUR_MS, later } from '../../../core/clock.ts'
import type { Database } from '../../../core/context.ts'
import type { WorkSource } from '../../../core/work.ts'
import { deleteOldPosts } from '../queries/gateway-posts.ts'

/** The gateway repeats itself for a day; what could not be applied is kept for whoever looks into it. */
const KEPT_DAYS = 7
const MAX_AT_ONCE = 5_000

/** Forgets what gateways reported a week ago. In a sandbox that runs ahead it lies longer, to no effect. */
export const gatewayPostsRetentionSource = (deps: {
  database: Pick<Database, 'query'>
  clock: Clock
}): WorkSource => ({
  name: 'gateway-posts-retention',
  pollMs: HOUR_MS,
  async runDue({ workspaceId }) {
    if (workspaceId !== undefined) return 0
    const gone = await deleteOldPosts(
      deps.database.query,
      later(deps.clock.now(), -KEPT_DAYS * DAY_MS),
      MAX_AT_ONCE,
    )
    return gone < MAX_AT_ONCE ? 0 : gone
  },
  nextDue: async () => undefined,
})
