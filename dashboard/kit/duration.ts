import { t } from './texts.ts'

const UNITS = [
  ['length.days', 24 * 60],
  ['length.hours', 60],
  ['length.minutes', 1],
] as const

/** Formats a duration: 1 hour 30 minutes. */
export function formatDuration(minutes: number): string {
  let rest = minutes
  const parts = UNITS.map(([unit, length]) => {
    const count = Math.floor(rest / length)
    rest -= count * length
    return count > 0 ? t(unit, { count }) : ''
  })
  return parts.filter(Boolean).join(' ') || t('length.minutes', { count: 0 })
}
