/** Describes the conditions of an auto-reply for the list, and finds keywords that never reach it. */
import type { AutoReply } from '../../../sdk/api.ts'
import { formatDuration } from '../../kit/duration.ts'
import { t } from '../texts.ts'

function whenText({ kind, match, keywords, daysSilent, schedule }: AutoReply): string {
  if (kind === 'keyword')
    return t(`when.${match}`, { keywords: keywords.map((keyword) => `“${keyword}”`).join(t('when.or')) })
  if (kind === 'welcome')
    return daysSilent === null ? t('when.first') : t('when.silent', { days: daysSilent })
  return t(schedule === 'always' ? 'when.any' : 'when.closed')
}

/** Returns the main condition, and the additional conditions. */
export function formatConditions(reply: AutoReply): { when: string; besides: string[] } {
  const { kind, schedule, cooldownMinutes, phoneNumberIds } = reply
  const isOpenOnly = kind !== 'away' && schedule === 'business_hours'
  return {
    when: isOpenOnly ? `${whenText(reply)}, ${t('when.opened')}` : whenText(reply),
    besides: [
      ...(cooldownMinutes > 0 ? [t('again', { time: formatDuration(cooldownMinutes) })] : []),
      ...(phoneNumberIds ? [t('numbers.some', { count: phoneNumberIds.length })] : []),
    ],
  }
}

/** Returns whether an auto-reply always answers its keywords: on every number, at any time, and repeatedly. */
const isUnconditional = ({
  enabled,
  schedule,
  cooldownMinutes,
  phoneNumberIds,
  validFrom,
  validUntil,
}: AutoReply): boolean =>
  enabled &&
  schedule === 'always' &&
  cooldownMinutes === 0 &&
  phoneNumberIds === null &&
  !validFrom &&
  !validUntil

/** Returns the keywords of an auto-reply that another one above it answers. */
export const coveredKeywords = (reply: AutoReply, above: readonly AutoReply[]): string[] =>
  reply.keywords.filter((keyword) =>
    above.some(
      (other) =>
        isUnconditional(other) &&
        other.match === reply.match &&
        other.keywords.some((known) => known.toLowerCase() === keyword.toLowerCase()),
    ),
  )
