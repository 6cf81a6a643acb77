import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Costs } from '../../../sdk/api.ts'
import { formatDate, formatNumber, LineChart, type Tone } from '../../kit/chart.tsx'
import { type DataColumn, DataPanel } from '../../kit/data-panel.tsx'
import { Figure } from '../../kit/figure.tsx'
import { Select } from '../../kit/select.tsx'
import { formatDate as formatDayOfYear } from '../../sales/parts/dates.ts'
import { typedMinor } from '../../sales/parts/money.ts'
import { costsQuery } from '../queries.ts'
import { t } from '../texts.ts'

const DAYS = ['30', '90'] as const
const VIEWS = ['chart', 'table'] as const
const COUNTS = ['free', 'charged', 'unpriced'] as const
const TONES: Record<(typeof COUNTS)[number], Tone> = { free: 'good', charged: 'accent', unpriced: 'warn' }

type Figures = Costs['total']

/** Returns the columns of message costs; in files, amounts are plain numbers, so that they can be added. */
const figureColumns = <Row extends Figures>(currency: string | null): DataColumn<Row>[] => [
  ...(['messages', ...COUNTS] as const).map(
    (name): DataColumn<Row> => ({
      id: name,
      title: t(name),
      end: true,
      cell: (row) => formatNumber(row[name]),
      value: (row) => row[name],
      ...(name === 'unpriced' || name === 'free' ? { hideBelow: 'sm' as const } : {}),
    }),
  ),
  {
    id: 'cost',
    title: currency === null ? t('cost') : t('cost.in', { currency }),
    end: true,
    cell: ({ cost }) => cost ?? t('none'),
    value: ({ costMinor }) =>
      costMinor === null || currency === null ? null : typedMinor(costMinor, currency),
  },
]

function Total({ costs }: { costs: Costs }) {
  const { total } = costs
  return (
    <dl className="flex flex-wrap gap-3">
      <Figure name={t('costs.total')} value={total.cost ?? t('costs.unknown')} />
      {(['messages', 'charged', 'free'] as const).map((name) => (
        <Figure key={name} name={t(name)} value={formatNumber(total[name])} />
      ))}
    </dl>
  )
}

const Card = ({ card }: { card: Costs['rateCard'] }) =>
  card ? (
    <p className="text-sm text-ink-2">{t('costs.card', { day: formatDayOfYear(card.validFrom) })}</p>
  ) : (
    <p className="text-sm text-ink-2">{t('costs.card.none')}</p>
  )

/** Shows message costs by day and by category; each as a table and a file. */
export function CostsPart() {
  const [days, setDays] = useState<(typeof DAYS)[number]>('30')
  const [view, setView] = useState<(typeof VIEWS)[number]>('chart')
  const query = useQuery(costsQuery(Number(days)))
  const { data: costs } = query
  const hasAny = (costs?.total.messages ?? 0) > 0
  const byDay = costs && hasAny ? costs.byDay : []
  const byCategory = costs?.byCategory ?? []
  const currency = costs?.currency ?? null
  return (
    <>
      <DataPanel
        id="costs-by-day"
        title={t('costs')}
        description={t('costs.text', { zone: costs?.timezone ?? t('none') })}
        query={query}
        rows={byDay}
        keyOf={({ date }) => date}
        empty={t('costs.none')}
        hideTable={view === 'chart'}
        columns={[
          { id: 'date', title: t('date'), cell: ({ date }) => formatDate(date), value: ({ date }) => date },
          ...figureColumns<(typeof byDay)[number]>(currency),
        ]}
        actions={
          <>
            <Select
              name={t('days')}
              quiet
              value={days}
              onChange={setDays}
              choices={DAYS.map((value) => ({ value, label: t(`days.${value}`) }))}
            />
            <Select
              name={t('view')}
              quiet
              value={view}
              onChange={setView}
              choices={VIEWS.map((value) => ({ value, label: t(`view.${value}`) }))}
            />
          </>
        }
      >
        {costs && <Total costs={costs} />}
        {view === 'chart' && (
          <LineChart
            label={t('costs')}
            dates={byDay.map(({ date }) => date)}
            series={COUNTS.map((name) => ({
              id: name,
              title: t(name),
              tone: TONES[name],
              values: byDay.map((row) => row[name]),
            }))}
          />
        )}
      </DataPanel>
      {costs && (
        <div className="-mt-5 mb-8">
          <Card card={costs.rateCard} />
        </div>
      )}
      {byCategory.length > 0 && (
        <DataPanel
          id="costs-by-category"
          title={t('categories')}
          description={t('categories.text')}
          query={query}
          rows={byCategory}
          keyOf={({ category }) => category}
          empty={t('costs.none')}
          columns={[
            {
              id: 'category',
              title: t('category'),
              cell: ({ category }) => category,
              value: ({ category }) => category,
            },
            ...figureColumns<(typeof byCategory)[number]>(currency),
          ]}
        />
      )}
    </>
  )
}
