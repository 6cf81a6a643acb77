/** Shows the results of a campaign as a funnel with rates, failures by cause, and the cost. */
import { useQuery } from '@tanstack/react-query'
import type { Broadcast, BroadcastResults } from '../../../sdk/api.ts'
import { causeOf } from '../../api/failure-causes.ts'
import { Bar, formatNumber } from '../../kit/chart.tsx'
import { DataPanel } from '../../kit/data-panel.tsx'
import { isMoving, resultsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { formatRate, percentOf } from './rates.ts'

const STAGES = ['sent', 'delivered', 'read', 'replied', 'tapped', 'optedOut', 'failed'] as const

type Failure = BroadcastResults['failures'][number]
const explain = (failure: Failure): string => t(`cause.${causeOf(failure.category)}`)
const nextStep = (failure: Failure): string => t(`cause.${causeOf(failure.category)}.next`)

const Funnel = ({ query }: { query: ReturnType<typeof useResults> }) => {
  const results = query.data
  const rows = results ? STAGES.map((id) => ({ id, ...results[id] })) : []
  return (
    <DataPanel
      id={`campaign-results-${results?.broadcastId}`}
      title={t('results')}
      description={t('results.text')}
      query={query}
      rows={rows}
      keyOf={({ id }) => id}
      empty={t('results.empty')}
      columns={[
        {
          id: 'stage',
          title: t('column.result'),
          cell: ({ id }) => t(`result.${id}`),
          value: ({ id }) => t(`result.${id}`),
        },
        {
          id: 'share',
          title: t('column.share'),
          hideBelow: 'sm',
          className: 'w-56',
          cell: ({ count }) => <Bar value={count} max={results?.messages ?? 0} />,
        },
        {
          id: 'count',
          title: t('column.messages'),
          end: true,
          cell: ({ count }) => formatNumber(count),
          value: ({ count }) => count,
        },
        {
          id: 'rate',
          title: t('column.rate'),
          end: true,
          cell: ({ rate }) => formatRate(rate),
          value: ({ rate }) => percentOf(rate),
        },
      ]}
    >
      <Cost results={results} />
    </DataPanel>
  )
}

/** Shows the cost; nothing while the operator reported no prices. */
function Cost({ results }: { results: BroadcastResults | undefined }) {
  const cost = results?.cost
  if (!cost || cost.messages === 0) return null
  return (
    <p className="text-ink-2">
      {cost.cost === null
        ? t('cost.unknown', { count: cost.charged + cost.unpriced })
        : t('cost', { cost: cost.cost, count: cost.charged })}
      {cost.cost !== null && cost.unpriced > 0 && ` ${t('cost.partial', { count: cost.unpriced })}`}
    </p>
  )
}

const Failures = ({ query }: { query: ReturnType<typeof useResults> }) => (
  <DataPanel
    id={`campaign-failures-${query.data?.broadcastId}`}
    title={t('failures')}
    description={t('failures.text')}
    query={query}
    rows={query.data?.failures ?? []}
    keyOf={({ code }) => String(code)}
    empty={t('failures.none')}
    columns={[
      {
        id: 'cause',
        title: t('column.cause'),
        cell: (failure) => (
          <span className="flex flex-col py-1">
            <span>{explain(failure)}</span>
            <span className="text-sm text-ink-2">{nextStep(failure)}</span>
            {failure.title && (
              <span className="text-xs text-ink-3">
                {t('cause.said', { title: failure.title, code: String(failure.code ?? t('results.none')) })}
              </span>
            )}
          </span>
        ),
        value: explain,
      },
      { id: 'next', title: t('column.next'), className: 'hidden', cell: () => null, value: nextStep },
      {
        id: 'code',
        title: t('column.code'),
        end: true,
        hideBelow: 'md',
        cell: ({ code }) => code ?? t('results.none'),
        value: ({ code }) => code,
      },
      {
        id: 'count',
        title: t('column.messages'),
        end: true,
        cell: ({ count }) => formatNumber(count),
        value: ({ count }) => count,
      },
      {
        id: 'rate',
        title: t('column.rate'),
        end: true,
        hideBelow: 'sm',
        cell: ({ rate }) => formatRate(rate),
        value: ({ rate }) => percentOf(rate),
      },
    ]}
  />
)

/** From this number of messages on, the server needs longer to add up the results. */
const MANY_MESSAGES = 5_000

const useResults = (campaign: Broadcast) =>
  useQuery(resultsQuery(campaign.id, isMoving(campaign) && campaign.counts.queued < MANY_MESSAGES))

export function Results({ campaign }: { campaign: Broadcast }) {
  const query = useResults(campaign)
  return (
    <>
      <Funnel query={query} />
      {campaign.counts.failed > 0 && <Failures query={query} />}
    </>
  )
}
