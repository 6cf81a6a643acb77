/** Lists the latest requests of a bot: when each was sent, its result, and its duration. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Badge } from '../../kit/badge.tsx'
import { LoadMore } from '../../kit/load-more.tsx'
import { LoadedRows } from '../../kit/loaded-rows.tsx'
import { Section } from '../../kit/page.tsx'
import { SkeletonRows } from '../../kit/states.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { type BotRequest, requestsQuery } from '../queries.ts'
import { t } from '../texts.ts'

const COLUMNS: Column<BotRequest>[] = [
  {
    id: 'request',
    title: t('requests.request'),
    cell: ({ method, origin, error }) => (
      <span className="flex flex-col py-1.5">
        <span className="font-mono text-sm break-all">
          {method} {origin}
        </span>
        {error !== null && <span className="text-sm text-bad">{error}</span>}
      </span>
    ),
  },
  {
    id: 'status',
    title: t('requests.status'),
    cell: ({ status, error }) => (
      <Badge tone={error === null ? 'good' : 'bad'}>
        {status === null ? t('request.test.none') : t('request.test.status', { status })}
      </Badge>
    ),
  },
  {
    id: 'duration',
    title: t('requests.duration'),
    end: true,
    hideBelow: 'sm',
    cell: ({ durationMs }) => t('request.test.time', { ms: durationMs }),
  },
  { id: 'at', title: t('requests.at'), end: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

export function Requests({ botId }: { botId: string }) {
  const query = useInfiniteQuery(requestsQuery(botId))
  const rows = query.data?.pages.flatMap((page) => page.requests) ?? []
  return (
    <Section title={t('requests')} description={t('requests.text')}>
      <LoadedRows
        query={query}
        rows={rows}
        outline={<SkeletonRows />}
        empty={<p className="text-sm text-ink-2">{t('requests.empty')}</p>}
      >
        <Table label={t('requests')} rows={rows} keyOf={({ id }) => id} columns={COLUMNS} />
        <LoadMore query={query}>{t('more')}</LoadMore>
      </LoadedRows>
    </Section>
  )
}
