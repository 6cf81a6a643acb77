import { useQuery } from '@tanstack/react-query'
import { Bar, formatNumber } from '../../kit/chart.tsx'
import { DataPanel } from '../../kit/data-panel.tsx'
import { failuresQuery } from '../queries.ts'
import { t } from '../texts.ts'

/** Shows why messages failed. */
export function FailuresPanel({ days }: { days: number }) {
  const query = useQuery(failuresQuery(days))
  const rows = query.data?.failures ?? []
  const max = Math.max(0, ...rows.map(({ count }) => count))
  const causeOf = ({ title }: (typeof rows)[number]): string => title ?? t('cause.unknown')
  return (
    <DataPanel
      id="failures"
      title={t('failures')}
      description={t('failures.text')}
      query={query}
      rows={rows}
      keyOf={({ code }) => String(code)}
      empty={t('failures.none')}
      columns={[
        { id: 'cause', title: t('cause'), cell: causeOf, value: causeOf },
        {
          id: 'code',
          title: t('code'),
          end: true,
          cell: ({ code }) => code ?? t('none'),
          value: ({ code }) => code,
        },
        {
          id: 'share',
          title: t('view.chart'),
          hideTitle: true,
          hideBelow: 'sm',
          className: 'w-40',
          cell: ({ count }) => <Bar value={count} max={max} />,
        },
        {
          id: 'count',
          title: t('count'),
          end: true,
          cell: ({ count }) => formatNumber(count),
          value: ({ count }) => count,
        },
      ]}
    >
      {query.data?.isPartial && <p className="text-sm text-warn">{t('failures.partial')}</p>}
    </DataPanel>
  )
}
