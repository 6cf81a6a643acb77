import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bot as BotIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ListedBot } from '../../../sdk/api.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { botsQuery } from '../queries.ts'
import { t } from '../words.ts'
import { beginsWords } from './in-words.ts'

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
        <span className="text-sm text-ink-2">{beginsWords(entry)}</span>
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
  if (query.isPending) return <SkeletonRows tall />
  if (query.isError && bots.length === 0)
    return <Failed error={query.error} onRetry={() => void query.refetch()} />
  if (bots.length === 0)
    return (
      <Empty icon={BotIcon} title={t('empty')} action={action}>
        {t('empty.text')}
      </Empty>
    )
  return (
    <>
      <Table label={t('title')} rows={bots} keyOf={({ id }) => id} columns={columnsOf(workspace)} />
      {query.hasNextPage && (
        <Button
          variant="ghost"
          className="mt-3"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('more')}
        </Button>
      )}
    </>
  )
}
