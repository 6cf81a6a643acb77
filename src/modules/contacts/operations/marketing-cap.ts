/** How much marketing one person is sent (docs/decisions/campaign-gates.md). */
import { DAY_MS, later } from '../../../core/clock.ts'
import type { Unit } from '../../../core/context.ts'
import {
  claimMarketingMarks,
  deleteMarketingMarks,
  insertMarketingMarks,
  type MarketingMark,
} from '../queries/marketing.ts'

/** Marketing templates sent after this moment count at `at`. */
export const marketingSince = (at: Date): Date => later(at, -DAY_MS)

/**
 * Notes marketing templates that are on their way to people, in the transaction that queues them and as its last
 * write. `at` is in the workspace's time.
 */
export async function noteMarketing(unit: Pick<Unit, 'tx'>, sent: MarketingMark[]): Promise<void> {
  if (sent.length > 0) await insertMarketingMarks(unit.tx, sent)
}

/** Takes back what was noted of marketing templates that were not sent after all, as the last write of a transaction. */
export async function forgetMarketing(unit: Pick<Unit, 'tx'>, unsent: MarketingMark[]): Promise<void> {
  if (unsent.length > 0) await deleteMarketingMarks(unit.tx, unsent)
}

/**
 * Notes a marketing template to each of the contacts (each once in the list) that had fewer than `max`, and returns the
 * others: they are to be skipped as `marketing_cap`. Two campaigns that reach for one person at once cannot both
 * take the last place. To be called when the transaction holds the conversations' activity, as sends do: between that and
 * the messages themselves.
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
