/** Shows how the average rating and the number of reviews change by week or month: as charts, and as a table. */
import type { UseQueryResult } from '@tanstack/react-query'
import { formatDate, formatNumber, LineChart } from '../../kit/chart.tsx'
import { DataPanel } from '../../kit/data-panel.tsx'
import { Select } from '../../kit/select.tsx'
import { formatLocale } from '../../texts.ts'
import type { ReviewSummary } from '../queries.ts'
import { t } from '../texts.ts'
import { PERIODS, type Period, periodsBetween } from './periods.ts'

const oneDigit = new Intl.NumberFormat(formatLocale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const month = new Intl.DateTimeFormat(formatLocale, { month: 'short', year: 'numeric', timeZone: 'UTC' })
const FORMATS: Record<Period, (day: string) => string> = {
  week: formatDate,
  month: (day) => month.format(Date.parse(day)),
}
const RATING_RANGE = [1, 5] as const
const CHART_HEIGHT = 150

type Props = {
  query: UseQueryResult<ReviewSummary>
  /** The first day of the span; undefined for all time. */
  from: string | undefined
  today: string
  period: Period
  onPeriod: (period: Period) => void
}

export function Trend({ query, from, today, period, onPeriod }: Props) {
  const { byPeriod = [] } = query.data ?? {}
  const first = from ?? byPeriod[0]?.from ?? today
  const found = new Map(byPeriod.map((row) => [row.from, row]))
  const rows = periodsBetween(period, first, today).map(
    (day) => found.get(day) ?? { from: day, count: 0, average: null },
  )
  const format = FORMATS[period]
  const chart = {
    dates: rows.map((row) => row.from),
    formatDay: format,
    height: CHART_HEIGHT,
    isSummed: false,
  }
  return (
    <DataPanel
      id="review-trend"
      title={t('trend')}
      description={t(`trend.text.${period}`)}
      query={query}
      rows={rows}
      keyOf={(row) => row.from}
      empty={t('empty')}
      fold={{ show: t('trend.show'), hide: t('trend.hide') }}
      actions={
        <Select
          name={t('trend.by')}
          quiet
          value={period}
          onChange={onPeriod}
          choices={PERIODS.map((value) => ({ value, label: t(`trend.by.${value}`) }))}
        />
      }
      columns={[
        {
          id: 'period',
          title: t(`trend.${period}`),
          cell: (row) => format(row.from),
          value: (row) => row.from,
        },
        {
          id: 'count',
          title: t('trend.count'),
          end: true,
          cell: ({ count }) => formatNumber(count),
          value: ({ count }) => count,
        },
        {
          id: 'average',
          title: t('trend.average'),
          end: true,
          cell: ({ average }) => (average === null ? '–' : oneDigit.format(average)),
          value: ({ average }) => average,
        },
      ]}
    >
      <div className="@container">
        <div className="grid gap-3 @2xl:grid-cols-2">
          <LineChart
            {...chart}
            label={t('trend.average')}
            range={RATING_RANGE}
            format={oneDigit.format}
            series={[
              {
                id: 'average',
                title: t('trend.average'),
                tone: 'accent',
                values: rows.map(({ average }) => average),
              },
            ]}
          />
          <LineChart
            {...chart}
            label={t('trend.count')}
            series={[
              { id: 'count', title: t('trend.count'), tone: 'note', values: rows.map(({ count }) => count) },
            ]}
          />
        </div>
      </div>
    </DataPanel>
  )
}
