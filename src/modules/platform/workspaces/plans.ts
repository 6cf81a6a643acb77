import type { Plan } from '../../../core/context.ts'

/**
 * The limits of the plans (spec 5.2, 8.1.4 leaves them open; src/modules/reporting/billing/DECISIONS.md).
 * `null`: no limit.
 */
export const PLANS: Record<
  Plan,
  {
    api: boolean
    contactLimit: number | null
    messageAllowance: number | null
    /** Sales documents that may be issued in a month. */
    documentAllowance: number | null
  }
> = {
  free: { api: false, contactLimit: 1_000, messageAllowance: 1_000, documentAllowance: 100 },
  pro: { api: true, contactLimit: 50_000, messageAllowance: 100_000, documentAllowance: 10_000 },
  enterprise: {
    api: true,
    contactLimit: 1_000_000,
    messageAllowance: 5_000_000,
    documentAllowance: 1_000_000,
  },
  unlimited: { api: true, contactLimit: null, messageAllowance: null, documentAllowance: null },
}
