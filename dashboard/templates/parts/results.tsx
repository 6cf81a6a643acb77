/** Shows the results of a template in the last 30 days. */
import { useQuery } from '@tanstack/react-query'
import type { Template } from '../../../sdk/api.ts'
import { Figure } from '../../kit/figure.tsx'
import { campaignRepliesQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { formatCount, shareOf, wasUsed } from './result-line.ts'

/** Shows the share of replies to campaigns. Replies to other messages are not counted. */
function Replies({ templateId }: { templateId: string }) {
  const { data: campaigns = [] } = useQuery(campaignRepliesQuery(templateId))
  const sum = (name: 'sent' | 'replied') => campaigns.reduce((total, row) => total + row[name], 0)
  return (
    <p className="text-sm text-ink-2">
      {sum('sent') > 0 &&
        `${t('results.replies', {
          share: shareOf(sum('replied'), sum('sent')),
          count: campaigns.length,
        })} `}
      {t('results.replies.only')}
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
          <dl className="grid grid-cols-2 gap-3">
            <Figure name={t('results.sent')} value={formatCount(sent)} />
            <Figure name={t('results.delivered')} value={shareOf(delivered, sent)} />
            <Figure name={t('results.read')} value={shareOf(read, sent)} />
            <Figure name={t('results.failed')} value={formatCount(failed)} />
          </dl>
          <Replies templateId={template.id} />
          {topFailure && (
            <p className="text-sm text-ink-2">
              {t('results.cause', {
                title: topFailure.title,
                number: formatCount(topFailure.count),
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
