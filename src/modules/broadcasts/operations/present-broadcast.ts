import type { z } from 'zod'
import type { BroadcastRow, Tally } from '../queries/broadcasts.ts'
import type { Broadcast, BroadcastAnswer } from '../schema.ts'

const NOTHING: Tally = { sent: 0, delivered: 0, read: 0, failed: 0, skipped: 0 }
const instant = (at: Date | null): string | null => at?.toISOString() ?? null

/** The counts of a campaign: what the fan-out came to, and what has become of its messages. */
export function countsOf(row: BroadcastRow, reported: Tally = NOTHING) {
  return {
    recipients: row.recipients,
    waiting: row.waiting,
    // Who was skipped after all, when their turn came, is counted there.
    queued: row.queued - reported.skipped,
    sent: reported.sent,
    delivered: reported.delivered,
    read: reported.read,
    failed: reported.failed,
    skipped: row.skipped + reported.skipped,
  }
}

/** Percent of the audience that is dealt with. The audience is known only when the walk has ended. */
function progressOf(row: BroadcastRow): number {
  if (row.status === 'completed') return 100
  const all = row.walked ? row.recipients : Math.max(row.matched, row.recipients)
  return all === 0 ? 0 : Math.floor((100 * (row.recipients - row.waiting)) / all)
}

const audienceOf = ({ matched, willSend, suppressed }: BroadcastRow) => ({ matched, willSend, suppressed })

/** A campaign as the API shows it. */
export const presentBroadcast = (
  row: BroadcastRow,
  reported: Tally | undefined,
): z.input<typeof Broadcast> => ({
  id: row.id,
  name: row.name,
  status: row.status,
  pausedReason: row.pausedReason,
  templateId: row.templateId,
  templateName: row.templateName,
  category: row.category,
  phoneNumberId: row.phoneNumberId,
  segment: row.segment,
  knownOnly: row.knownOnly,
  followUpOf: row.followUpOf,
  audience: audienceOf(row),
  newRecipients: row.newRecipients,
  counts: countsOf(row, reported),
  progress: progressOf(row),
  scheduledAt: instant(row.scheduledAt),
  startedAt: instant(row.startedAt),
  completedAt: instant(row.completedAt),
  cancelledAt: instant(row.cancelledAt),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** What creating and starting a campaign answers. */
export const answerOf = (row: BroadcastRow): z.input<typeof BroadcastAnswer> => ({
  id: row.id,
  status: row.status,
  audience: audienceOf(row),
  newRecipients: row.newRecipients,
})
