import { useQuery } from '@tanstack/react-query'
import { formatDate, formatNumber } from '../../kit/chart.tsx'
import { answersQuery } from '../queries.ts'
import { t } from '../words.ts'
import { formatSeconds } from './duration.ts'
import { Panel, type PanelColumn } from './panel.tsx'

type Times = { answers: number; medianSeconds: number | null }

/** Columns for answers and how soon they came. */
const timesColumns = <Row extends Times>(): PanelColumn<Row>[] => [
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

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div className="min-w-32 flex-1 rounded-lg border px-4 py-3">
    <dt className="text-sm text-ink-2">{name}</dt>
    <dd className="text-xl font-semibold tabular-nums">{value}</dd>
  </div>
)

/** How soon customers were answered, and by whom. */
export function AnswersPanels({ days }: { days: number }) {
  const query = useQuery(answersQuery(days))
  const { data } = query
  const byDay = data?.byDay.filter(({ answers }) => answers > 0) ?? []
  const team = data?.team ?? []
  const nameOf = ({ memberId, name }: (typeof team)[number]): string =>
    name ?? t(memberId === null ? 'member.none' : 'member.left')
  return (
    <>
      <Panel
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
      </Panel>
      <Panel
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
