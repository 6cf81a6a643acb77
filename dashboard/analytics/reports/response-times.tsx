/** Shows how fast customers were answered. */
import { formatNumber } from '../../kit/chart.tsx'
import { formatFull } from '../../kit/time.tsx'
import { t } from '../texts.ts'
import { Figures } from './figures.tsx'
import { type Shown, useReport } from './queries.ts'
import { type Kind, type Spread, TimesPanels, timesFigures } from './times.tsx'

type Row = { first: Spread; answers: Spread }
const KINDS: readonly Kind<Row>[] = [
  {
    id: 'first-reply',
    byMember: t('first.byMember'),
    byTeam: t('first.byTeam'),
    byDay: t('first.byDay'),
    count: t('first.count'),
    figures: [t('first.median'), t('first.p90'), t('first.business')],
    tone: 'accent',
    of: ({ first }) => first,
  },
  {
    id: 'every-reply',
    byMember: t('reply.byMember'),
    byTeam: t('reply.byTeam'),
    byDay: t('reply.byDay'),
    count: t('answered'),
    figures: [t('reply.median'), t('reply.p90'), t('reply.business')],
    tone: 'good',
    of: ({ answers }) => answers,
  },
]

export function ResponseTimesReport(shown: Shown) {
  const { query, data, before } = useReport('responseTimes', shown)
  return (
    <>
      {data && (
        <Figures
          figures={[
            ...timesFigures(KINDS, data, before),
            {
              name: t('answered'),
              value: data.answers.count,
              before: before?.answers.count,
              format: formatNumber,
            },
            {
              name: t('unanswered'),
              value: data.unanswered,
              before: before?.unanswered,
              format: formatNumber,
            },
          ]}
        />
      )}
      {data?.countedSince && (
        <p className="mb-4 text-sm text-warn">{t('countedSince', { time: formatFull(data.countedSince) })}</p>
      )}
      {KINDS.map((kind) => (
        <TimesPanels
          key={kind.id}
          query={query}
          text={t('responseTimes.text')}
          empty={t('answers.none')}
          days={data?.byDay ?? []}
          members={data?.byMember ?? []}
          teams={data?.byTeam ?? []}
          kind={kind}
        />
      ))}
    </>
  )
}
