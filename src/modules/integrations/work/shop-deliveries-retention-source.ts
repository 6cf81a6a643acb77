import { DAY_MS, later } from '../../../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../../../core/retention.ts'
import { deleteOldDeliveries } from '../queries/deliveries.ts'

/** Shops repeat themselves for two days; what could not be applied is kept for whoever looks into it. */
const KEPT_DAYS = 7

/** Forgets what shops reported a week ago. */
export const shopDeliveriesRetentionSource = (deps: RetentionDeps) =>
  retentionSource(deps, {
    name: 'shop-deliveries-retention',
    max: 5_000,
    deleteOld: async (query, now, max) => [
      await deleteOldDeliveries(query, later(now, -KEPT_DAYS * DAY_MS), max),
    ],
  })
