import type { z } from 'zod'
import type { BroadcastRow, Tally } from '../queries/broadcasts.ts'
import type { VariantSummary } from '../queries/variants.ts'
import type { Broadcast, BroadcastAnswer } from '../schema.ts'
import { presentTest } from './variants.ts'

const NOTHING: Tally = { sent: 0, delivered: 0, read: 0, failed: 0, skipped: 0 }
const instant = (time: Date | null): string | null => time?.toISOString() ?? null

/** Returns the counts of a campaign: the results of the fan-out, and of its messages. */
export function countsOf(row: BroadcastRow, reported: Tally = NOTHING) {
  return {
    recipients: row.recipients,
    waiting: row.waiting,
    // Queued messages that were skipped at their turn count as skipped.
    queued: row.queued - reported.skipped,
    sent: reported.sent,
    delivered: reported.delivered,
    read: reported.read,
    failed: reported.failed,
    skipped: row.skipped + reported.skipped,
  }
}

/**
 * Returns how many percent of the audience are sent, failed, or skipped. The size of the audience is known only after the
 * last step of the walk; `walked` is set before the walkers have passed the last stretches.
 */
function progressOf(row: BroadcastRow, { sent, failed, skipped }: Tally = NOTHING): number {
  // No message waits for submission.
  if (row.status === 'completed' && !row.sending) return 100
  // A canceled campaign reaches no more contacts, and its sample is not followed by the rest.
  const isReached = row.completedAt !== null || (row.status === 'cancelled' && row.walked)
  const total = isReached ? row.recipients : Math.max(row.matched, row.recipients)
  const unsent = Math.max(0, row.queued - sent - failed - skipped)
  return total === 0 ? 0 : Math.floor((100 * (row.recipients - row.waiting - unsent)) / total)
}

const audienceOf = ({ matched, willSend, suppressed }: BroadcastRow) => ({ matched, willSend, suppressed })

/** Returns a campaign as in replies. */
export const presentBroadcast = (
  row: BroadcastRow,
  tally: Tally | undefined,
  variants: readonly VariantSummary[],
): z.input<typeof Broadcast> => ({
  id: row.id,
  name: row.name,
  status: row.status,
  pausedReason: row.pausedReason,
  templateId: row.templateId,
  templateName: row.templateName,
  category: row.category,
  phoneNumberId: row.phoneNumberId,
  variables: row.variables,
  segment: row.segment,
  knownOnly: row.knownOnly,
  followUpOf: row.followUpOf,
  audience: audienceOf(row),
  newRecipients: row.newRecipients,
  counts: countsOf(row, tally),
  progress: progressOf(row, tally),
  test: presentTest(row, variants),
  scheduledAt: instant(row.scheduledAt),
  startedAt: instant(row.startedAt),
  completedAt: instant(row.completedAt),
  cancelledAt: instant(row.cancelledAt),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** Returns the reply of creating and starting a campaign. */
export const answerOf = (row: BroadcastRow): z.input<typeof BroadcastAnswer> => ({
  id: row.id,
  status: row.status,
  audience: audienceOf(row),
  newRecipients: row.newRecipients,
})
