import type { Broadcast, BroadcastRecipient } from '../../../sdk/api.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { t } from '../texts.ts'

type Counted = Pick<Broadcast, 'status' | 'counts'> &
  Partial<Pick<Broadcast, 'test' | 'audience' | 'completedAt'>>

/** Messages that are created but not submitted yet: they wait for their number's rate. */
const unsentOf = ({ counts: { queued, sent, failed } }: Pick<Broadcast, 'counts'>): number =>
  Math.max(0, queued - sent - failed)

const TONES = {
  draft: 'plain',
  scheduled: 'accent',
  preparing: 'warn',
  sending: 'warn',
  comparing: 'accent',
  paused: 'note',
  sent: 'good',
  notSent: 'bad',
  cancelled: 'plain',
} as const satisfies Record<string, Tone>
export type ShownState = keyof typeof TONES

/**
 * Returns the state for people. The API's `completed` means that every message is created; it is sent only
 * when the last message left.
 */
export function stateOf(campaign: Counted): ShownState {
  const { status, counts, test } = campaign
  if (status === 'running' && test?.state === 'measuring') return 'comparing'
  if (status === 'running') return counts.queued + counts.skipped === 0 ? 'preparing' : 'sending'
  if (status !== 'completed') return status
  if (unsentOf(campaign) > 0) return 'sending'
  return counts.sent === 0 ? 'notSent' : 'sent'
}

export type CampaignAction = 'start' | 'pause' | 'resume' | 'cancel'

const ACTIONS: Record<ShownState, readonly CampaignAction[]> = {
  draft: ['start', 'cancel'],
  scheduled: ['start', 'cancel'],
  preparing: ['pause', 'cancel'],
  sending: ['pause', 'cancel'],
  comparing: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  sent: [],
  notSent: [],
  cancelled: [],
}

/** Returns the actions that are possible now. Until the last message is submitted, a campaign can be stopped. */
export const actionsOf = (campaign: Counted): readonly CampaignAction[] => ACTIONS[stateOf(campaign)]

/** Returns the recipients whom the campaign has not reached yet. */
function restOf({ status, counts, audience, completedAt }: Counted): number {
  if (!audience || completedAt || (status !== 'running' && status !== 'paused')) return 0
  const notReached = audience.matched - counts.recipients
  return Math.max(0, Math.min(notReached, audience.willSend - counts.queued - counts.waiting))
}

/** Returns the recipients whose message is still to be sent. */
export const toSendOf = (campaign: Counted): number =>
  campaign.counts.waiting + unsentOf(campaign) + restOf(campaign)

export function StateBadge({ campaign }: { campaign: Counted }) {
  const state = stateOf(campaign)
  return <Badge tone={TONES[state]}>{t(`state.${state}`)}</Badge>
}

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
  'missing_value',
  'cool_off',
  'cancelled',
] as const

/** Returns the text of a reason for skipping a recipient; the operator's texts stay unchanged. */
export function reasonOf(reason: string): string {
  const knownReason = REASONS.find((candidate) => candidate === reason)
  return knownReason ? t(`reason.${knownReason}`) : reason
}

/** Shows the progress of a campaign. */
export const Progress = ({ campaign: { name, progress } }: { campaign: Broadcast }) => (
  <span
    role="progressbar"
    aria-label={t('progress', { name })}
    aria-valuenow={progress}
    aria-valuemin={0}
    aria-valuemax={100}
    className="block h-1.5 overflow-hidden rounded-full bg-surface-4"
  >
    <svg aria-hidden="true" className="block size-full" preserveAspectRatio="none" viewBox="0 0 100 1">
      <rect width={progress} height="1" className="fill-accent" />
    </svg>
  </span>
)
