import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate, formatNumber, LineChart, type Tone } from '../../kit/chart.tsx'
import { type DataColumn, DataPanel } from '../../kit/data-panel.tsx'
import { Figure } from '../../kit/figure.tsx'
import { Select } from '../../kit/select.tsx'
import { messagesQuery } from '../queries.ts'
import { formatRate, rateOf } from '../reports/rate.ts'
import { t } from '../texts.ts'

const COUNTS = ['received', 'sent', 'delivered', 'read', 'failed', 'skipped'] as const
const LINES: [(typeof COUNTS)[number], Tone][] = [
  ['received', 'good'],
  ['sent', 'accent'],
  ['delivered', 'quiet'],
  ['read', 'note'],
  ['failed', 'bad'],
]
const VIEWS = ['chart', 'table'] as const

/** Shows the outcomes of messages by day. */
export function MessagesPanel({ days, numberId }: { days: number; numberId: string | undefined }) {
  const query = useQuery(messagesQuery(days, numberId))
  const [view, setView] = useState<(typeof VIEWS)[number]>('chart')
  const byDay = query.data?.byDay ?? []
  type Row = (typeof byDay)[number]
  const total = (name: (typeof COUNTS)[number]): number =>
    byDay.reduce((sum, { messages }) => sum + messages[name], 0)
  const rateText = (name: 'delivered' | 'read'): string => {
    const rate = rateOf(total(name), total('sent'))
    return rate === null ? t('none') : formatRate(rate)
  }
  const columns: DataColumn<Row>[] = [
    { id: 'date', title: t('date'), cell: ({ date }) => formatDate(date), value: ({ date }) => date },
    ...COUNTS.map(
      (name): DataColumn<Row> => ({
        id: name,
        title: t(name),
        end: true,
        cell: ({ messages }) => formatNumber(messages[name]),
        value: ({ messages }) => messages[name],
      }),
    ),
    {
      id: 'opened',
      title: t('opened'),
      end: true,
      cell: ({ conversations }) => formatNumber(conversations.opened),
      value: ({ conversations }) => conversations.opened,
    },
  ]
  return (
    <DataPanel
      id="messages"
      title={t('messages')}
      description={t('messages.text')}
      query={query}
      columns={columns}
      rows={byDay}
      keyOf={({ date }) => date}
      empty={t('noActivity')}
      hideTable={view === 'chart'}
      actions={
        <Select
          name={t('view')}
          quiet
          value={view}
          onChange={setView}
          choices={VIEWS.map((value) => ({ value, label: t(`view.${value}`) }))}
        />
      }
    >
      <dl aria-label={t('totals')} className="flex flex-wrap gap-3">
        <Figure name={t('received')} value={formatNumber(total('received'))} />
        <Figure name={t('sent')} value={formatNumber(total('sent'))} />
        <Figure name={t('rate.delivered')} value={rateText('delivered')} />
        <Figure name={t('rate.read')} value={rateText('read')} />
      </dl>
      {view === 'chart' && (
        <LineChart
          label={t('messages')}
          dates={byDay.map(({ date }) => date)}
          series={LINES.map(([name, tone]) => ({
            id: name,
            title: t(name),
            tone,
            values: byDay.map(({ messages }) => messages[name]),
          }))}
        />
      )}
    </DataPanel>
  )
}
