import { formatLocale } from '../../texts.ts'

const [MINUTE_S, HOUR_S, DAY_S] = [60, 3_600, 86_400]
const unit = (name: string) =>
  new Intl.NumberFormat(formatLocale, { style: 'unit', unit: name, unitDisplay: 'narrow' })
const [days, hours, minutes, seconds] = [unit('day'), unit('hour'), unit('minute'), unit('second')]

/** Returns the time until `iso`, in its two largest units; zero once it has passed. */
export function remainingUntil(iso: string, now: number): string {
  const left = Math.max(0, Math.ceil((Date.parse(iso) - now) / 1_000))
  const [wholeDays, wholeHours] = [Math.floor(left / DAY_S), Math.floor(left / HOUR_S)]
  if (wholeDays > 0) return `${days.format(wholeDays)} ${hours.format(wholeHours % 24)}`
  if (wholeHours > 0)
    return `${hours.format(wholeHours)} ${minutes.format(Math.floor((left % HOUR_S) / MINUTE_S))}`
  const wholeMinutes = Math.floor(left / MINUTE_S)
  return wholeMinutes > 0
    ? `${minutes.format(wholeMinutes)} ${seconds.format(left % MINUTE_S)}`
    : seconds.format(left)
}
