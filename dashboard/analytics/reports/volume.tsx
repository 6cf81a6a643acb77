/** Shows when customers write. */
import { formatDate, formatNumber, LineChart } from '../../kit/chart.tsx'
import { DataPanel } from '../../kit/data-panel.tsx'
import { formatFull } from '../../kit/time.tsx'
import { t } from '../texts.ts'
import { Figures } from './figures.tsx'
import { HeatMap } from './heat-map.tsx'
import { type ReportData, type Shown, useReport } from './queries.ts'
import { formatHour, formatWeekday, WEEKDAYS } from './week-hours.ts'

type Volume = ReportData<'volume'>

/** Returns the hour of the week with the most messages from customers. */
function busiestOf({ byHour }: Volume): string {
  const busiest = byHour.reduce((best, hour) => (hour.received > best.received ? hour : best))
  return busiest.received === 0
    ? t('none')
    : t('weekdayHour', { weekday: formatWeekday(busiest.weekday, 'short'), hour: formatHour(busiest.hour) })
}

export function VolumeReport(shown: Shown) {
  const { query, data, before } = useReport('volume', shown)
  const days = data && data.received + data.sent > 0 ? data.byDay : []
  const cells = WEEKDAYS.flatMap((weekday) =>
    (data?.byHour ?? [])
      .filter((cell) => cell.weekday === weekday)
      .map((cell) => ({ ...cell, value: cell.received })),
  )
  const hours = days.length === 0 ? [] : Array.from({ length: 24 }, (_, hour) => hour)
  const receivedAt = (weekday: number, hour: number): number =>
    cells.find((cell) => cell.weekday === weekday && cell.hour === hour)?.received ?? 0
  return (
    <>
      {data && (
        <Figures
          figures={[
            { name: t('received'), value: data.received, before: before?.received, format: formatNumber },
            { name: t('sent'), value: data.sent, before: before?.sent, format: formatNumber },
            { name: t('volume.busiest'), value: 0, format: () => busiestOf(data) },
          ]}
        />
      )}
      {data?.countedSince && (
        <p className="mb-4 text-sm text-warn">{t('countedSince', { time: formatFull(data.countedSince) })}</p>
      )}
      <DataPanel
        id="messages-by-hour"
        title={t('volume.hours')}
        description={t('volume.hours.text')}
        query={query}
        rows={hours}
        keyOf={String}
        empty={t('noActivity')}
        fold={{ show: t('table.show'), hide: t('table.hide') }}
        columns={[
          { id: 'hour', title: t('volume.hour'), cell: formatHour, value: formatHour },
          ...WEEKDAYS.map((weekday) => ({
            id: String(weekday),
            title: formatWeekday(weekday, 'short'),
            end: true,
            cell: (hour: number) => formatNumber(receivedAt(weekday, hour)),
            value: (hour: number) => receivedAt(weekday, hour),
          })),
        ]}
      >
        <HeatMap label={t('volume.hours')} cells={cells} />
      </DataPanel>
      <DataPanel
        id="messages-by-day"
        title={t('volume.days')}
        description={t('volume.days.text')}
        query={query}
        rows={days}
        keyOf={({ date }) => date}
        empty={t('noActivity')}
        columns={[
          { id: 'date', title: t('date'), cell: ({ date }) => formatDate(date), value: ({ date }) => date },
          ...(['received', 'sent'] as const).map((name) => ({
            id: name,
            title: t(name),
            end: true,
            cell: (row: (typeof days)[number]) => formatNumber(row[name]),
            value: (row: (typeof days)[number]) => row[name],
          })),
        ]}
      >
        <LineChart
          label={t('volume.days')}
          dates={days.map(({ date }) => date)}
          series={[
            {
              id: 'received',
              title: t('received'),
              tone: 'good',
              values: days.map(({ received }) => received),
            },
            { id: 'sent', title: t('sent'), tone: 'accent', values: days.map(({ sent }) => sent) },
          ]}
        />
      </DataPanel>
    </>
  )
}
