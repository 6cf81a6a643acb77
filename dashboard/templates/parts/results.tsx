/** Shows the results of a template in the last 30 days. */
import { useQuery } from '@tanstack/react-query'
import type { Template } from '../../../sdk/api.ts'
import { formatNumber } from '../../kit/chart.tsx'
import { Figure } from '../../kit/figure.tsx'
import { formatLocale } from '../../texts.ts'
import { campaignRepliesQuery } from '../queries.ts'
import { t } from '../texts.ts'

const percent = new Intl.NumberFormat(formatLocale, { style: 'percent', maximumFractionDigits: 1 })
const shareOf = (count: number, whole: number): string =>
  whole === 0 ? t('results.none') : percent.format(count / whole)

const wasUsed = ({ results }: Template): boolean => results.sent + results.failed > 0

/** Sums up the results in one line, for the list; null for a template without messages. */
export function resultLine(template: Template): string | null {
  if (!wasUsed(template)) return null
  const { sent, delivered, read, failed } = template.results
  const parts = [t('results.line.sent', { number: formatNumber(sent) })]
  if (sent > 0)
    parts.push(
      t('results.line.delivered', { share: shareOf(delivered, sent) }),
      t('results.line.read', { share: shareOf(read, sent) }),
    )
  if (failed > 0) parts.push(t('results.line.failed', { number: formatNumber(failed) }))
  return parts.join(' · ')
}

/** Shows the share of replies to campaigns; nothing without a campaign. */
function Replies({ templateId }: { templateId: string }) {
  const { data: campaigns = [] } = useQuery(campaignRepliesQuery(templateId))
  const sum = (name: 'sent' | 'replied') => campaigns.reduce((total, row) => total + row[name], 0)
  if (sum('sent') === 0) return null
  return (
    <p className="text-sm text-ink-2">
      {t('results.replies', {
        share: shareOf(sum('replied'), sum('sent')),
        count: campaigns.length,
      })}
    </p>
  )
}

export function TemplateResults({ template }: { template: Template }) {
  const { sent, delivered, read, failed, topFailure } = template.results
  return (
    <section aria-labelledby="template-results" className="flex flex-col gap-3">
      <h3 id="template-results" className="font-semibold">
        {t('results')}
      </h3>
      {wasUsed(template) ? (
        <>
          <dl className="flex flex-wrap gap-3">
            <Figure name={t('results.sent')} value={formatNumber(sent)} />
            <Figure name={t('results.delivered')} value={shareOf(delivered, sent)} />
            <Figure name={t('results.read')} value={shareOf(read, sent)} />
            <Figure name={t('results.failed')} value={formatNumber(failed)} />
          </dl>
          <Replies templateId={template.id} />
          {topFailure && (
            <p className="text-sm text-ink-2">
              {t('results.cause', {
                title: topFailure.title,
                number: formatNumber(topFailure.count),
                count: topFailure.count,
              })}
            </p>
          )}
          <p className="text-sm text-ink-3">{t('results.text')}</p>
        </>
      ) : (
        <p className="text-sm text-ink-3">{t('results.empty')}</p>
      )}
    </section>
  )
}
