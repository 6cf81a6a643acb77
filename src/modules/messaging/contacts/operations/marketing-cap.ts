/** Limits marketing messages per person (src/modules/messaging/broadcasts/DECISIONS.md "Gates"). */
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Unit } from '../../../../core/context.ts'
import {
  claimMarketingMarks,
  deleteMarketingMarks,
  insertMarketingMarks,
  type MarketingMark,
} from '../queries/marketing.ts'

/** Returns the time after which sent marketing templates count at `now`. */
export const marketingSince = (now: Date): Date => later(now, -DAY_MS)

/**
 * Records marketing templates to be sent, in the transaction that queues them, as its last write. `at` is in
 * the workspace's time.
 */
export async function recordMarketing(unit: Pick<Unit, 'tx'>, sent: MarketingMark[]): Promise<void> {
  if (sent.length > 0) await insertMarketingMarks(unit.tx, sent)
}

/** Removes the marks of marketing templates that were not sent, as the last write of a transaction. */
export async function forgetMarketing(unit: Pick<Unit, 'tx'>, unsent: MarketingMark[]): Promise<void> {
  if (unsent.length > 0) await deleteMarketingMarks(unit.tx, unsent)
}

/**
 * Records a marketing template for each contact (each once in the list) that had fewer than `max`. Returns
 * the other contacts, to be skipped as `marketing_cap`. Concurrent campaigns can't both take the last place.
 *
 * Call it after the transaction locked the conversations' activity, as sends do, and before it writes the
 * messages.
 */
export async function claimMarketing(
  unit: Pick<Unit, 'tx'>,
  claim: { workspaceId: string; contactIds: string[]; at: Date; max: number },
): Promise<string[]> {
  if (claim.contactIds.length === 0) return []
  const noted = await claimMarketingMarks(unit.tx, { ...claim, since: marketingSince(claim.at) })
  if (noted === 'all') return []
  const claimed = new Set(noted)
  return claim.contactIds.filter((id) => !claimed.has(id))
}
