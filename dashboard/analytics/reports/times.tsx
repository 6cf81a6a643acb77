/** Shows durations by day, by teammate, and by team. */
import type { UseQueryResult } from '@tanstack/react-query'
import { formatDate, formatNumber, LineChart, type Tone } from '../../kit/chart.tsx'
import { type DataColumn, DataPanel } from '../../kit/data-panel.tsx'
import { formatSeconds } from '../parts/duration.ts'
import { t } from '../texts.ts'
import { BarChart } from './bar-chart.tsx'
import type { ReportFigure } from './figures.tsx'
import { memberName } from './member-name.ts'

export type Spread = {
  count: number
  medianSeconds: number | null
  p90Seconds: number | null
  businessMedianSeconds: number | null
}
/** A kind of duration, with its texts. */
export type Kind<Row> = {
  id: string
  byMember: string
  byTeam: string
  byDay: string
  count: string
  /** The names of its key figures: the median, 90 % within, and the median of business hours. */
  figures: readonly [string, string, string]
  tone: Tone
  of: (row: Row) => Spread
}

const inMinutes = (seconds: number | null): number | null =>
  seconds === null ? null : Math.round(seconds / 6) / 10

const FIELDS = [
  ['median', t('median'), 'medianSeconds'],
  ['p90', t('p90'), 'p90Seconds'],
  ['business', t('businessMedian'), 'businessMedianSeconds'],
] as const

/** Returns the columns of a kind. */
const columnsOf = <Row,>({ count, of }: Kind<Row>): DataColumn<Row>[] => [
  {
    id: 'count',
    title: count,
    end: true,
    cell: (row) => formatNumber(of(row).count),
    value: (row) => of(row).count,
  },
  ...FIELDS.map(
    ([id, title, field]): DataColumn<Row> => ({
      id,
      title,
      end: true,
      cell: (row) => formatSeconds(of(row)[field]),
      value: (row) => of(row)[field],
    }),
  ),
]

type Day = { date: string }
type Member = { memberId: string | null; name: string | null }
type Team = { teamId: string; name: string }
type Props<D, M, T> = {
  query: Pick<UseQueryResult, 'isPending' | 'isError' | 'error' | 'refetch'>
  text: string
  empty: string
  days: readonly D[]
  members: readonly M[]
  teams: readonly T[]
  kind: Kind<D> & Kind<M> & Kind<T>
}

/** Returns the key figures of all kinds; without a comparison, `before` is undefined. */
export const timesFigures = <Row,>(
  kinds: readonly Kind<Row>[],
  data: Row,
  before: Row | undefined,
): ReportFigure[] =>
  kinds.flatMap(({ of, figures }) =>
    (['medianSeconds', 'p90Seconds', 'businessMedianSeconds'] as const).map((field, n) => ({
      name: figures[n]!,
      value: of(data)[field],
      before: before && of(before)[field],
      format: formatSeconds,
    })),
  )

export function TimesPanels<D extends Day, M extends Member, T extends Team>({
  query,
  text,
  empty,
  days,
  members,
  teams,
  kind,
}: Props<D, M, T>) {
  const { id, byMember, byTeam, byDay, tone, of } = kind
  const teamRows = teams.filter((row) => of(row).count > 0).toSorted((a, b) => of(b).count - of(a).count)
  const memberRows = members.filter((row) => of(row).count > 0).toSorted((a, b) => of(b).count - of(a).count)
  return (
    <>
      <DataPanel
        id={`${id}-by-member`}
        title={byMember}
        description={text}
        query={query}
        rows={memberRows}
        keyOf={({ memberId }) => memberId ?? ''}
        empty={empty}
        columns={[
          { id: 'member', title: t('member'), cell: memberName, value: memberName },
          ...columnsOf<M>(kind),
        ]}
      >
        <BarChart
          label={byMember}
          rows={memberRows.map((row) => ({
            id: row.memberId ?? '',
            name: memberName(row),
            value: of(row).medianSeconds ?? 0,
            text: formatSeconds(of(row).medianSeconds),
          }))}
        />
      </DataPanel>
      {teamRows.length > 0 && (
        <DataPanel
          id={`${id}-by-team`}
          title={byTeam}
          description={text}
          query={query}
          rows={teamRows}
          keyOf={({ teamId }) => teamId}
          empty={empty}
          columns={[
            { id: 'team', title: t('team'), cell: ({ name }) => name, value: ({ name }) => name },
            ...columnsOf<T>(kind),
          ]}
        >
          <BarChart
            label={byTeam}
            rows={teamRows.map((row) => ({
              id: row.teamId,
              name: row.name,
              value: of(row).medianSeconds ?? 0,
              text: formatSeconds(of(row).medianSeconds),
            }))}
          />
        </DataPanel>
      )}
      <DataPanel
        id={`${id}-by-day`}
        title={byDay}
        description={text}
        query={query}
        rows={days.filter((row) => of(row).count > 0)}
        keyOf={({ date }) => date}
        empty={empty}
        columns={[
          { id: 'date', title: t('date'), cell: ({ date }) => formatDate(date), value: ({ date }) => date },
          ...columnsOf<D>(kind),
        ]}
      >
        <LineChart
          label={byDay}
          isSummed={false}
          format={(minutes) => formatSeconds(minutes * 60)}
          dates={days.map(({ date }) => date)}
          series={[
            {
              id,
              title: t('medianMinutes'),
              tone,
              values: days.map((day) => inMinutes(of(day).medianSeconds)),
            },
          ]}
        />
      </DataPanel>
    </>
  )
}
