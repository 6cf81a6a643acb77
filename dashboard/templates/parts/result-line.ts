/** Sums up the results of a template in the last 30 days. */
import type { Template } from '../../../sdk/api.ts'
import { formatLocale } from '../../texts.ts'
import { t } from '../texts.ts'

const count = new Intl.NumberFormat(formatLocale)
export const formatCount = (value: number): string => count.format(value)
const percent = new Intl.NumberFormat(formatLocale, { style: 'percent', maximumFractionDigits: 1 })
export const shareOf = (count: number, whole: number): string =>
  whole === 0 ? t('results.none') : percent.format(count / whole)

export const wasUsed = ({ results }: Template): boolean => results.sent + results.failed > 0

/** Sums up the results in one line, for the list; null for a template without messages. */
export function resultLine(template: Template): string | null {
  if (!wasUsed(template)) return null
  const { sent, delivered, read, failed } = template.results
  const parts = [t('results.line.sent', { number: formatCount(sent) })]
  if (sent > 0)
    parts.push(
      t('results.line.delivered', { share: shareOf(delivered, sent) }),
      t('results.line.read', { share: shareOf(read, sent) }),
    )
  if (failed > 0) parts.push(t('results.line.failed', { number: formatCount(failed) }))
  return parts.join(' · ')
}
