/** Shows what the campaigns of a period brought. */
import { formatNumber } from '../../kit/chart.tsx'
import { type DataColumn, DataPanel } from '../../kit/data-panel.tsx'
import { formatLocale } from '../../texts.ts'
import { t } from '../texts.ts'
import { BarChart } from './bar-chart.tsx'
import { Figures } from './figures.tsx'
import { type ReportData, type Shown, useReport } from './queries.ts'
import { formatRate, rateOf } from './rate.ts'

type Report = ReportData<'campaigns'>
type Campaign = Report['campaigns'][number]
const date = new Intl.DateTimeFormat(formatLocale, { dateStyle: 'medium' })
const COUNTS = ['sent', 'read', 'replied', 'tapped', 'optedOut'] as const
const TITLES = {
  sent: t('sent'),
  read: t('read'),
  replied: t('returns.replied'),
  tapped: t('returns.tapped'),
  optedOut: t('returns.optedOut'),
}

const sumOf = (data: Report, of: (campaign: Campaign) => number): number =>
  data.campaigns.reduce((sum, campaign) => sum + of(campaign), 0)
const paymentsOf = ({ payments }: Campaign): number =>
  (payments ?? []).reduce((sum, { count }) => sum + count, 0)
const paidText = ({ payments }: Campaign): string =>
  payments && payments.length > 0 ? payments.map(({ amount }) => amount).join(', ') : t('none')

const COLUMNS: readonly DataColumn<Campaign>[] = [
  { id: 'name', title: t('campaign'), cell: ({ name }) => name, value: ({ name }) => name },
  {
    id: 'started',
    title: t('returns.started'),
    hideBelow: 'sm',
    className: 'whitespace-nowrap',
    cell: ({ startedAt }) => date.format(Date.parse(startedAt)),
    value: ({ startedAt }) => startedAt,
  },
  ...COUNTS.map(
    (name): DataColumn<Campaign> => ({
      id: name,
      title: TITLES[name],
      end: true,
      cell: (campaign) => formatNumber(campaign[name]),
      value: (campaign) => campaign[name],
    }),
  ),
  {
    id: 'orders',
    title: t('returns.orders'),
    end: true,
    cell: ({ orders }) => (orders === null ? t('none') : formatNumber(orders)),
    value: ({ orders }) => orders,
  },
  {
    id: 'payments',
    title: t('returns.payments'),
    end: true,
    cell: (campaign) => formatNumber(paymentsOf(campaign)),
    value: paymentsOf,
  },
  { id: 'paid', title: t('returns.paid'), end: true, cell: paidText, value: paidText },
  {
    id: 'cost',
    title: t('returns.cost'),
    end: true,
    cell: ({ cost }) => cost?.cost ?? t('none'),
    value: ({ cost }) => cost?.cost ?? null,
  },
]

export function CampaignsReport(shown: Shown) {
  const { query, data, before } = useReport('campaigns', shown)
  const campaigns = data?.campaigns ?? []
  const figure = (name: string, of: (campaign: Campaign) => number) => ({
    name,
    value: sumOf(data!, of),
    before: before && sumOf(before, of),
    format: formatNumber,
  })
  return (
    <>
      {data && (
        <Figures
          figures={[
            figure(t('sent'), ({ sent }) => sent),
            figure(t('returns.replied'), ({ replied }) => replied),
            figure(t('returns.orders'), ({ orders }) => orders ?? 0),
            figure(t('returns.payments'), paymentsOf),
          ]}
        />
      )}
      {data?.isPartial && <p className="mb-4 text-sm text-warn">{t('partial')}</p>}
      <DataPanel
        id="campaign-returns"
        title={t('report.campaigns')}
        description={t('returns.text')}
        query={query}
        rows={campaigns}
        keyOf={({ broadcastId }) => broadcastId}
        empty={t('returns.none')}
        columns={COLUMNS}
      >
        <BarChart
          label={t('returns.chart')}
          rows={campaigns.slice(0, 12).map(({ broadcastId, name, replied, sent }) => ({
            id: broadcastId,
            name,
            value: rateOf(replied, sent) ?? 0,
            text: formatRate(rateOf(replied, sent) ?? 0),
          }))}
        />
      </DataPanel>
    </>
  )
}
