import { useQuery } from '@tanstack/react-query'
import { Bar, formatNumber } from '../../kit/chart.tsx'
import { DataPanel } from '../../kit/data-panel.tsx'
import { Figure } from '../../kit/figure.tsx'
import { ratingsQuery } from '../queries.ts'
import { t } from '../texts.ts'

/** Shows how customers rated their chats. */
export function RatingsPanel({ days }: { days: number }) {
  const query = useQuery(ratingsQuery(days))
  const { data } = query
  const byScore = data && data.asked > 0 ? data.byScore.toReversed() : []
  const max = Math.max(0, ...byScore.map(({ ratings }) => ratings))
  return (
    <DataPanel
      id="ratings"
      title={t('ratings')}
      description={t('ratings.text')}
      query={query}
      rows={byScore}
      keyOf={({ score }) => String(score)}
      empty={t('ratings.none')}
      columns={[
        {
          id: 'score',
          title: t('score'),
          cell: ({ score }) => t('stars', { count: score }),
          value: ({ score }) => score,
        },
        {
          id: 'share',
          title: t('view.chart'),
          hideTitle: true,
          className: 'w-40 sm:w-56',
          cell: ({ ratings }) => <Bar value={ratings} max={max} />,
        },
        {
          id: 'ratings',
          title: t('ratings.count'),
          end: true,
          cell: ({ ratings }) => formatNumber(ratings),
          value: ({ ratings }) => ratings,
        },
      ]}
    >
      {data && (
        <dl className="flex flex-wrap gap-3">
          <Figure
            name={t('ratings.average')}
            value={data.average === null ? t('none') : formatNumber(data.average)}
          />
          <Figure name={t('ratings.asked')} value={formatNumber(data.asked)} />
          <Figure name={t('ratings.count')} value={formatNumber(data.rated)} />
        </dl>
      )}
    </DataPanel>
  )
}
