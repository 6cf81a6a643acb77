import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bot as BotIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ListedBot } from '../../../sdk/api.ts'
import { ValidityBadge } from '../../auto-replies/parts/validity.tsx'
import { Badge } from '../../kit/badge.tsx'
import { formatNumber } from '../../kit/chart.tsx'
import { LoadMore } from '../../kit/load-more.tsx'
import { LoadedRows } from '../../kit/loaded-rows.tsx'
import { SearchedRows } from '../../kit/searched-rows.tsx'
import { Empty, SkeletonRows } from '../../kit/states.tsx'
import { Switch } from '../../kit/switch.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { botsQuery, changeBot } from '../queries.ts'
import { t } from '../texts.ts'
import { formatStart } from './format.ts'

/** A switch that takes effect immediately. */
function OnSwitch({ bot: { id, name, enabled } }: { bot: ListedBot }) {
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (isOn: boolean) => changeBot(id, { enabled: isOn }),
    onSuccess: (_, isOn) => notify({ title: t(isOn ? 'switched.on' : 'switched.off'), kind: 'good' }),
    onError: notifyError,
  })
  return (
    <Switch
      label={<span className="sr-only">{t('switch.of', { name })}</span>}
      checked={isPending ? variables : enabled}
      onChange={mutate}
    />
  )
}

/** The list counts no more starts than this. */
const MAX_STARTS = 20_000

const columnsOf = (workspace: string, mayEdit: boolean): Column<ListedBot>[] => [
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
    cell: (bot) =>
      mayEdit ? (
        <span className="-ms-3 flex">
          <OnSwitch bot={bot} />
        </span>
      ) : (
        <Badge tone={bot.enabled ? 'good' : 'plain'}>{t(bot.enabled ? 'state.on' : 'state.off')}</Badge>
      ),
  },
  {
    id: 'starts',
    title: t('column.starts'),
    end: true,
    hideBelow: 'sm',
    cell: ({ starts }) =>
      starts < MAX_STARTS ? formatNumber(starts) : t('starts.more', { count: MAX_STARTS }),
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

const STATES = ['all', 'on', 'off'] as const

type Props = { workspace: string; mayEdit: boolean; action: ReactNode }

export function BotList({ workspace, mayEdit, action }: Props) {
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
      {/* One page has all bots of a workspace. */}
      <SearchedRows
        rows={bots}
        textOf={({ name, entry }) => `${name} ${formatStart(entry)}`}
        search={t('search')}
        filter={{
          name: t('filter'),
          choices: STATES.map((value) => ({
            value,
            label: t(`filter.${value}`),
            includes: ({ enabled }: ListedBot) => value === 'all' || enabled === (value === 'on'),
          })),
        }}
        none={{ icon: BotIcon, title: t('search.none'), text: t('search.none.text') }}
      >
        {(found) => (
          <Table
            label={t('title')}
            rows={found}
            keyOf={({ id }) => id}
            columns={columnsOf(workspace, mayEdit)}
          />
        )}
      </SearchedRows>
      <LoadMore query={query}>{t('more')}</LoadMore>
    </LoadedRows>
  )
}
