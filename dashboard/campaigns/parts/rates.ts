/** Formats shares of the messages sent. */
import { formatLocale } from '../../texts.ts'
import { t } from '../texts.ts'

const percent = new Intl.NumberFormat(formatLocale, { style: 'percent', maximumFractionDigits: 1 })
export const formatRate = (rate: number | null): string =>
  rate === null ? t('results.none') : percent.format(rate)

/** Returns a rate for a spreadsheet, in percent. */
export const percentOf = (rate: number | null): number | null =>
  rate === null ? null : Math.round(rate * 10_000) / 100
