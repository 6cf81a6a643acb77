import { type RetentionDeps, retentionSource } from '../../../../core/retention.ts'
import { dayOf } from '../../../../core/values/calendar.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { forgetOldCustomers } from '../queries/retention.ts'

/** Removes erased customers' data from documents whose retention time is over. */
export const salesRetentionSource = (deps: RetentionDeps): WorkSource =>
  retentionSource(deps, {
    name: 'sales-retention',
    max: 500,
    deleteOld: async (query, now, max) => [await forgetOldCustomers(query, dayOf(now, 'UTC'), max)],
  })
