import { t } from '../texts.ts'

const [MINUTE, HOUR] = [60, 3_600]

/** Formats a duration in its largest readable unit. */
export function formatSeconds(seconds: number | null): string {
  if (seconds === null) return t('none')
  if (seconds < MINUTE) return t('seconds', { count: seconds })
  if (seconds < 2 * HOUR) return t('minutes', { count: Math.round(seconds / MINUTE) })
  return t('hours', { count: Math.round((seconds / HOUR) * 10) / 10 })
}
