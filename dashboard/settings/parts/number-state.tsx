import type { PhoneNumber } from '../../../sdk/api.ts'
import { useServerText } from '../../api/server-text.tsx'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { formatFull } from '../../kit/time.tsx'
import { t } from '../texts.ts'

const TONES: Record<PhoneNumber['state'], Tone> = {
  active: 'good',
  number_banned: 'bad',
  sending_blocked: 'bad',
  disconnected: 'warn',
}

function qualityOf(quality: string): string {
  const rating = quality.toLowerCase()
  return isRating(rating) ? t(`numbers.quality.${rating}`) : t('numbers.quality.unknown')
}
const RATINGS = ['green', 'yellow', 'red'] as const
const isRating = (rating: string): rating is (typeof RATINGS)[number] =>
  RATINGS.some((known) => known === rating)

/** Describes the operator's limit, such as `TIER_2K`, or a limit that this version doesn't know as it is. */
function limitOf(limit: string): string {
  if (limit === 'TIER_UNLIMITED') return t('numbers.limit.none')
  const [, digits, thousands] = /^TIER_(\d+)(K?)$/.exec(limit) ?? []
  return digits ? t('numbers.limit', { count: Number(digits) * (thousands ? 1_000 : 1) }) : limit
}

/** Returns all reasons why the number can't send, each as a sentence. */
function problemsOf(number: PhoneNumber, translate: (reason: string) => string): string[] {
  const { state, stateReason, restrictions, pausedUntil, pauseReason } = number
  return [
    ...(state !== 'active' && stateReason ? [translate(stateReason)] : []),
    ...restrictions.map(({ messages, until }) =>
      until
        ? t(`numbers.restricted.${messages}.until`, { time: formatFull(until) })
        : t(`numbers.restricted.${messages}`),
    ),
    ...(pausedUntil
      ? [t('numbers.paused', { time: formatFull(pausedUntil), reason: translate(pauseReason ?? '') })]
      : []),
  ]
}

/** Returns how much of the phone app's history has arrived; undefined if none was requested. */
function historyOf({ historySync: history }: PhoneNumber): string | undefined {
  if (!history) return undefined
  if (history.state === 'declined') return t('numbers.history.declined')
  const values = { count: history.stored, percent: history.progress ?? 0 }
  return [
    t(`numbers.history.${history.state}`, values),
    ...(history.leftOut > 0 ? [t('numbers.history.leftOut', { count: history.leftOut })] : []),
  ].join(' ')
}

/** Shows a number with its state, the reason, and the operator's limits. */
export const NumberState = ({ number }: { number: PhoneNumber }) => (
  <div className="min-w-48 flex-1">
    <p className="flex flex-wrap items-center gap-2">
      <span dir="ltr" className="font-semibold tabular-nums">
        {number.number}
      </span>
      {number.displayName !== number.number && <span>{number.displayName}</span>}
      <Badge tone={TONES[number.state]}>{t(`numbers.state.${number.state}`)}</Badge>
      {number.simulated && <Badge tone="note">{t('numbers.simulated')}</Badge>}
    </p>
    {problemsOf(number, useServerText()).map((trouble) => (
      <p key={trouble} className="mt-1 text-bad">
        {trouble}
      </p>
    ))}
    <p className="mt-1 text-sm text-ink-2">
      {[
        t('numbers.throughput', { count: number.throughput }),
        qualityOf(number.quality),
        ...(number.messagingLimit ? [limitOf(number.messagingLimit)] : []),
      ].join(' · ')}
    </p>
    {number.historySync && <p className="mt-1 text-sm text-ink-2">{historyOf(number)}</p>}
  </div>
)
