import type { Broadcast, BroadcastRecipient } from '../../../sdk/api.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { t } from '../texts.ts'

const STATES: Record<Broadcast['status'], Tone> = {
  draft: 'plain',
  scheduled: 'accent',
  running: 'warn',
  paused: 'note',
  completed: 'good',
  cancelled: 'plain',
}
export const StateBadge = ({ status }: Pick<Broadcast, 'status'>) => (
  <Badge tone={STATES[status]}>{t(`state.${status}`)}</Badge>
)

const RECIPIENTS: Record<BroadcastRecipient['status'], Tone> = {
  waiting: 'note',
  queued: 'plain',
  sent: 'plain',
  delivered: 'accent',
  read: 'good',
  failed: 'bad',
  skipped: 'warn',
}
export const RECIPIENT_STATUSES = Object.keys(RECIPIENTS) as BroadcastRecipient['status'][]
export const RecipientBadge = ({ status }: Pick<BroadcastRecipient, 'status'>) => (
  <Badge tone={RECIPIENTS[status]}>{t(`recipient.${status}`)}</Badge>
)

const REASONS = [
  'opted_out',
  'blocked',
  'marketing_cap',
  'no_number',
  'duplicate',
  'known_only',
  'cool_off',
  'cancelled',
] as const

/** Returns the text of a reason for skipping a recipient; the operator's texts stay unchanged. */
export function reasonOf(reason: string): string {
  const knownReason = REASONS.find((candidate) => candidate === reason)
  return knownReason ? t(`reason.${knownReason}`) : reason
}

/** Shows the progress of a campaign. */
export const Progress = ({ campaign }: { campaign: Broadcast }) => (
  <span
    role="progressbar"
    aria-label={t('progress', { name: campaign.name })}
    aria-valuenow={campaign.progress}
    aria-valuemin={0}
    aria-valuemax={100}
    className="block h-1.5 overflow-hidden rounded-full bg-surface-4"
  >
    <svg aria-hidden="true" className="block size-full" preserveAspectRatio="none" viewBox="0 0 100 1">
      <rect width={campaign.progress} height="1" className="fill-accent" />
    </svg>
  </span>
)
