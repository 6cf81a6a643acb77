/** When an auto-reply goes out, as its list says it. */
import type { AutoReply } from '../../../sdk/api.ts'
import { t } from '../words.ts'

const HOUR = 60

function when({ kind, match, keywords, daysSilent, schedule }: AutoReply): string {
  if (kind === 'keyword')
    return t(`when.${match}`, { keywords: keywords.map((one) => `“${one}”`).join(t('when.or')) })
  if (kind === 'welcome')
    return daysSilent === null ? t('when.first') : t('when.silent', { days: daysSilent })
  return t(schedule === 'always' ? 'when.any' : 'when.closed')
}

const timeOf = (minutes: number): string =>
  minutes % HOUR === 0 ? t('hours.count', { count: minutes / HOUR }) : t('minutes', { count: minutes })

/** First when it goes out, then what else holds. */
export function inWords(reply: AutoReply): { when: string; besides: string[] } {
  const { kind, schedule, cooldownMinutes, phoneNumberIds } = reply
  const isOpenOnly = kind !== 'away' && schedule === 'business_hours'
  return {
    when: isOpenOnly ? `${when(reply)}, ${t('when.opened')}` : when(reply),
    besides: [
      ...(cooldownMinutes > 0 ? [t('again', { time: timeOf(cooldownMinutes) })] : []),
      ...(phoneNumberIds ? [t('numbers.some', { count: phoneNumberIds.length })] : []),
    ],
  }
}
