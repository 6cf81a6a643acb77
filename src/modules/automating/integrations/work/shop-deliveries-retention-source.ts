import { DAY_MS, later } from '../../../../core/clock.ts'
import { type RetentionDeps, retentionSource } from '../../../../core/retention.ts'
import { deleteOldDeliveries } from '../queries/deliveries.ts'

/** Shops repeat reports for two days. Failed reports are kept for analysis. */
const KEPT_DAYS = 7

/** Deletes shops' reports after a week. */
export const shopDeliveriesRetentionSource = (deps: RetentionDeps) =>
  retentionSource(deps, {
    name: 'shop-deliveries-retention',
    max: 5_000,
    deleteOld: async (query, now, max) => [
      await deleteOldDeliveries(query, later(now, -KEPT_DAYS * DAY_MS), max),
    ],
  })
