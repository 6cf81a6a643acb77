/** Shows how fast chats were assigned and resolved. */
import { formatNumber } from '../../kit/chart.tsx'
import { t } from '../texts.ts'
import { Figures } from './figures.tsx'
import { type Shown, useReport } from './queries.ts'
import { type Kind, type Spread, TimesPanels, timesFigures } from './times.tsx'

type Row = { queue: Spread; resolution: Spread }
const KINDS: readonly Kind<Row>[] = [
  {
    id: 'resolution',
    byMember: t('resolution.byMember'),
    byTeam: t('resolution.byTeam'),
    byDay: t('resolution.byDay'),
    count: t('resolution.count'),
    figures: [t('resolution.median'), t('resolution.p90'), t('resolution.business')],
    tone: 'accent',
    of: ({ resolution }) => resolution,
  },
  {
    id: 'queue',
    byMember: t('queue.byMember'),
    byTeam: t('queue.byTeam'),
    byDay: t('queue.byDay'),
    count: t('queue.count'),
    figures: [t('queue.median'), t('queue.p90'), t('queue.business')],
    tone: 'warn',
    of: ({ queue }) => queue,
  },
]

export function ResolutionTimesReport(shown: Shown) {
  const { query, data, before } = useReport('resolutionTimes', shown)
  return (
    <>
      {data && (
        <Figures
          figures={[
            ...timesFigures(KINDS, data, before),
            {
              name: t('resolution.count'),
              value: data.resolution.count,
              before: before?.resolution.count,
              format: formatNumber,
            },
            {
              name: t('queue.count'),
              value: data.queue.count,
              before: before?.queue.count,
              format: formatNumber,
            },
          ]}
        />
      )}
      {data?.isPartial && <p className="mb-4 text-sm text-warn">{t('partial')}</p>}
      {KINDS.map((kind) => (
        <TimesPanels
          key={kind.id}
          query={query}
          text={t('resolutionTimes.text')}
          empty={t('resolution.none')}
          days={data?.byDay ?? []}
          members={data?.byMember ?? []}
          teams={data?.byTeam ?? []}
          kind={kind}
        />
      ))}
    </>
  )
}
