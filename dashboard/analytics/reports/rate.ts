import { formatLocale } from '../../texts.ts'

const percent = new Intl.NumberFormat(formatLocale, { style: 'percent', maximumFractionDigits: 1 })

/** Returns a share from 0 to 1, with three decimals; null without a whole. */
export const rateOf = (count: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((count / whole) * 1_000) / 1_000

export const formatRate = (rate: number): string => percent.format(rate)
