/** Shows how customers rated their chats. */
import { formatDate, formatNumber, LineChart } from '../../kit/chart.tsx'
import { type DataColumn, DataPanel } from '../../kit/data-panel.tsx'
import { t } from '../texts.ts'
import { BarChart } from './bar-chart.tsx'
import { Figures } from './figures.tsx'
import { memberName } from './member-name.ts'
import { type Shown, useReport } from './queries.ts'

type Score = { asked: number; rated: number; average: number | null }

const scoreColumns = <Row extends Score>(): DataColumn<Row>[] => [
  {
    id: 'asked',
    title: t('ratings.asked'),
    end: true,
    cell: ({ asked }) => formatNumber(asked),
    value: ({ asked }) => asked,
  },
  {
    id: 'rated',
    title: t('ratings.count'),
    end: true,
    cell: ({ rated }) => formatNumber(rated),
    value: ({ rated }) => rated,
  },
  {
    id: 'average',
    title: t('ratings.average'),
    end: true,
    cell: ({ average }) => (average === null ? t('none') : formatNumber(average)),
    value: ({ average }) => average,
  },
]

export function SatisfactionReport(shown: Shown) {
  const { query, data, before } = useReport('satisfaction', shown)
  const isEmpty = !data || data.asked === 0
  const scores = isEmpty ? [] : data.byScore.toReversed()
  const days = isEmpty ? [] : data.byDay
  const panel = { query, empty: t('ratings.none') }
  return (
    <>
      {data && (
        <Figures
          figures={[
            {
              name: t('ratings.average'),
              value: data.average,
              before: before?.average,
              format: formatNumber,
            },
            { name: t('ratings.count'), value: data.rated, before: before?.rated, format: formatNumber },
            { name: t('ratings.asked'), value: data.asked, before: before?.asked, format: formatNumber },
          ]}
        />
      )}
      {data?.isPartial && <p className="mb-4 text-sm text-warn">{t('partial')}</p>}
      <DataPanel
        {...panel}
        id="satisfaction-by-score"
        title={t('ratings')}
        description={t('ratings.text')}
        rows={scores}
        keyOf={({ score }) => String(score)}
        columns={[
          {
            id: 'score',
            title: t('score'),
            cell: ({ score }) => t('stars', { count: score }),
            value: ({ score }) => score,
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
        <BarChart
          label={t('ratings')}
          rows={scores.map(({ score, ratings }) => ({
            id: String(score),
            name: t('stars', { count: score }),
            value: ratings,
            text: formatNumber(ratings),
          }))}
        />
      </DataPanel>
      <DataPanel
        {...panel}
        id="satisfaction-by-member"
        title={t('byMember')}
        description={t('satisfaction.text')}
        rows={isEmpty ? [] : data.byMember}
        keyOf={({ memberId }) => memberId ?? ''}
        columns={[
          { id: 'member', title: t('member'), cell: memberName, value: memberName },
          ...scoreColumns(),
        ]}
      />
      <DataPanel
        {...panel}
        id="satisfaction-by-day"
        title={t('byDay')}
        description={t('satisfaction.text')}
        rows={days.filter(({ asked }) => asked > 0)}
        keyOf={({ date }) => date}
        columns={[
          { id: 'date', title: t('date'), cell: ({ date }) => formatDate(date), value: ({ date }) => date },
          ...scoreColumns(),
        ]}
      >
        <LineChart
          label={t('byDay')}
          isSummed={false}
          dates={days.map(({ date }) => date)}
          series={[
            {
              id: 'average',
              title: t('ratings.average'),
              tone: 'accent',
              values: days.map(({ average }) => average),
            },
          ]}
        />
      </DataPanel>
    </>
  )
}
