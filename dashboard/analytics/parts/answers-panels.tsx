import { useQuery } from '@tanstack/react-query'
import { formatDate, formatNumber } from '../../kit/chart.tsx'
import { type DataColumn, DataPanel } from '../../kit/data-panel.tsx'
import { Figure } from '../../kit/figure.tsx'
import { answersQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { formatSeconds } from './duration.ts'

type Times = { answers: number; medianSeconds: number | null }

/** Returns the columns for the number of answers and the response times. */
const timesColumns = <Row extends Times>(): DataColumn<Row>[] => [
  {
    id: 'answers',
    title: t('answered'),
    end: true,
    cell: ({ answers }) => formatNumber(answers),
    value: ({ answers }) => answers,
  },
  {
    id: 'median',
    title: t('median'),
    end: true,
    cell: ({ medianSeconds }) => formatSeconds(medianSeconds),
    value: ({ medianSeconds }) => medianSeconds,
  },
]

/** Shows how fast customers were answered, and by which members. */
export function AnswersPanels({ days }: { days: number }) {
  const query = useQuery(answersQuery(days))
  const { data } = query
  const byDay = data?.byDay.filter(({ answers }) => answers > 0) ?? []
  const team = data?.team ?? []
  const nameOf = ({ memberId, name }: (typeof team)[number]): string =>
    name ?? t(memberId === null ? 'member.none' : 'member.left')
  return (
    <>
      <DataPanel
        id="response-times"
        title={t('answers')}
        description={t('answers.text', { count: data?.chats ?? 0 })}
        query={query}
        rows={byDay}
        keyOf={({ date }) => date}
        empty={t('answers.none')}
        columns={[
          { id: 'date', title: t('date'), cell: ({ date }) => formatDate(date), value: ({ date }) => date },
          ...timesColumns<(typeof byDay)[number]>(),
        ]}
      >
        {data && (
          <dl className="flex flex-wrap gap-3">
            <Figure name={t('median')} value={formatSeconds(data.medianSeconds)} />
            <Figure name={t('p90')} value={formatSeconds(data.p90Seconds)} />
            <Figure name={t('answered')} value={formatNumber(data.answers)} />
          </dl>
        )}
      </DataPanel>
      <DataPanel
        id="team"
        title={t('team')}
        description={t('team.text')}
        query={query}
        rows={team}
        keyOf={({ memberId }) => memberId ?? ''}
        empty={t('team.none')}
        columns={[
          { id: 'member', title: t('member'), cell: nameOf, value: nameOf },
          {
            id: 'messages',
            title: t('count'),
            end: true,
            cell: ({ messages }) => formatNumber(messages),
            value: ({ messages }) => messages,
          },
          ...timesColumns<(typeof team)[number]>(),
        ]}
      />
    </>
  )
}
