import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bot as BotIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ListedBot } from '../../../sdk/api.ts'
import { ValidityBadge } from '../../auto-replies/parts/validity.tsx'
import { Badge } from '../../kit/badge.tsx'
import { LoadMore } from '../../kit/load-more.tsx'
import { LoadedRows } from '../../kit/loaded-rows.tsx'
import { Empty, SkeletonRows } from '../../kit/states.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { botsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { formatStart } from './format.ts'

const columnsOf = (workspace: string): Column<ListedBot>[] => [
  {
    id: 'name',
    title: t('column.name'),
    cell: ({ id, name, entry }) => (
      <span className="flex flex-col py-1.5">
        <Link
          to={`/w/${workspace}/bots/${id}` as string}
          data-part
          dir="auto"
          className="font-medium text-accent hover:underline"
        >
          {name}
        </Link>
        <span className="text-sm text-ink-2">
          {formatStart(entry)} <ValidityBadge {...entry} />
        </span>
      </span>
    ),
  },
  {
    id: 'state',
    title: t('column.state'),
    cell: ({ enabled }) => (
      <Badge tone={enabled ? 'good' : 'plain'}>{t(enabled ? 'state.on' : 'state.off')}</Badge>
    ),
  },
  { id: 'running', title: t('column.running'), end: true, cell: ({ running }) => running },
  {
    id: 'version',
    title: t('column.version'),
    end: true,
    hideBelow: 'sm',
    cell: ({ version }) => version,
  },
]

export function BotList({ workspace, action }: { workspace: string; action: ReactNode }) {
  const query = useInfiniteQuery(botsQuery)
  const bots = query.data?.pages.flatMap((page) => page.bots) ?? []
  return (
    <LoadedRows
      query={query}
      rows={bots}
      outline={<SkeletonRows tall />}
      empty={
        <Empty icon={BotIcon} title={t('empty')} action={action}>
          {t('empty.text')}
        </Empty>
      }
    >
      <Table label={t('title')} rows={bots} keyOf={({ id }) => id} columns={columnsOf(workspace)} />
      <LoadMore query={query}>{t('more')}</LoadMore>
    </LoadedRows>
  )
}
