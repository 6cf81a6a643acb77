import { useQuery } from '@tanstack/react-query'
import type { Broadcast } from '../../../sdk/api.ts'
import { Bar, formatNumber } from '../../kit/chart.tsx'
import { type DataColumn, DataPanel } from '../../kit/data-panel.tsx'
import { formatMoney } from '../../kit/money.ts'
import { campaignsQuery, funnelQuery } from '../queries.ts'
import { formatRate, rateOf } from '../reports/rate.ts'
import { t } from '../texts.ts'

const COUNTS = ['recipients', 'sent', 'delivered', 'read', 'failed', 'skipped'] as const
const HIDDEN_ON_PHONES: readonly string[] = ['sent', 'failed', 'skipped']

const readRate = ({ counts }: Broadcast): number | null => rateOf(counts.read, counts.sent)

/** Shows the results of campaigns. */
export function CampaignsPanel() {
  const query = useQuery(campaignsQuery)
  const columns: DataColumn<Broadcast>[] = [
    { id: 'name', title: t('campaign'), cell: ({ name }) => name, value: ({ name }) => name },
    ...COUNTS.map(
      (name): DataColumn<Broadcast> => ({
        id: name,
        title: t(name),
        end: true,
        ...(HIDDEN_ON_PHONES.includes(name) && { hideBelow: 'sm' }),
        cell: ({ counts }) => formatNumber(counts[name]),
        value: ({ counts }) => counts[name],
      }),
    ),
    {
      id: 'rate',
      title: t('rate.read'),
      end: true,
      cell: (campaign) => {
        const rate = readRate(campaign)
        return rate === null ? t('none') : formatRate(rate)
      },
      value: readRate,
    },
  ]
  return (
    <DataPanel
      id="campaigns"
      title={t('campaigns')}
      description={t('campaigns.text')}
      query={query}
      rows={query.data ?? []}
      keyOf={({ id }) => id}
      empty={t('campaigns.none')}
      columns={columns}
    />
  )
}

/** Shows the number of leads in each stage. */
export function FunnelPanel() {
  const query = useQuery(funnelQuery)
  const stages = query.data ?? []
  const max = Math.max(0, ...stages.map(({ count }) => count))
  return (
    <DataPanel
      id="funnel"
      title={t('funnel')}
      description={t('funnel.text')}
      query={query}
      rows={max > 0 ? stages : []}
      keyOf={({ id }) => id}
      empty={t('funnel.none')}
      columns={[
        { id: 'stage', title: t('stage'), cell: ({ name }) => name, value: ({ name }) => name },
        {
          id: 'share',
          title: t('view.chart'),
          hideTitle: true,
          hideBelow: 'sm',
          className: 'w-56',
          cell: ({ count }) => <Bar value={count} max={max} />,
        },
        {
          id: 'leads',
          title: t('leads'),
          end: true,
          cell: ({ count }) => formatNumber(count),
          value: ({ count }) => count,
        },
        {
          id: 'value',
          title: t('value'),
          end: true,
          cell: ({ dealValue }) => formatMoney(dealValue),
          value: ({ dealValue }) => dealValue,
        },
      ]}
    />
  )
}
