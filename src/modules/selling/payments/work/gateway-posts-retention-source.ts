import { DAY_MS, later } from '../../../../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../../../../core/retention.ts'
import { deleteOldEarlyRefunds } from '../queries/early-refunds.ts'
import { deleteOldPosts } from '../queries/gateway-posts.ts'

/** The gateway repeats reports for a day; failed ones are kept for analysis. */
const KEPT_DAYS = 7
/** Refunds of unknown payments: from sales outside Parley through the same account. */
const EARLY_REFUNDS_KEPT_DAYS = 30

/** Deletes gateways' reports after a week. */
export const gatewayPostsRetentionSource = (deps: RetentionDeps) =>
  retentionSource(deps, {
    name: 'gateway-posts-retention',
    max: 5_000,
    deleteOld: async (query, now, max) => [
      await deleteOldPosts(query, later(now, -KEPT_DAYS * DAY_MS), max),
      await deleteOldEarlyRefunds(query, later(now, -EARLY_REFUNDS_KEPT_DAYS * DAY_MS), max),
    ],
  })
