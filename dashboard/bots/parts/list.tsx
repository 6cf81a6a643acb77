import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bot as BotIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ListedBot } from '../../../sdk/api.ts'
import { ValidityBadge } from '../../auto-replies/parts/validity.tsx'
import { Badge } from '../../kit/badge.tsx'
import { formatNumber } from '../../kit/chart.tsx'
import { ListFilters } from '../../kit/list-filters.tsx'
import { LoadMore } from '../../kit/load-more.tsx'
import { LoadedRows } from '../../kit/loaded-rows.tsx'
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
type State = (typeof STATES)[number]

/** Below this number, all bots are in view. */
const FEW = 6

type TableProps = { bots: readonly ListedBot[]; workspace: string; mayEdit: boolean }

/** Shows the bots that match a search and a state. One page has all bots of a workspace, so it searches itself. */
function SearchTable({ bots, workspace, mayEdit }: TableProps) {
  const [text, setText] = useState('')
  const [state, setState] = useState<State>('all')
  const words = text.trim().toLocaleLowerCase()
  const found = bots.filter(
    ({ name, entry, enabled }) =>
      (state === 'all' || enabled === (state === 'on')) &&
      `${name} ${formatStart(entry)}`.toLocaleLowerCase().includes(words),
  )
  return (
    <>
      {bots.length >= FEW && (
        <div className="mb-3 max-w-xl">
          <ListFilters
            search={{ label: t('search'), value: text, onChange: setText, pauseMs: 0 }}
            filter={{
              name: t('filter'),
              value: state,
              onChange: setState,
              choices: STATES.map((value) => ({ value, label: t(`filter.${value}`) })),
            }}
          />
        </div>
      )}
      {found.length > 0 ? (
        <Table
          label={t('title')}
          rows={found}
          keyOf={({ id }) => id}
          columns={columnsOf(workspace, mayEdit)}
        />
      ) : (
        <Empty icon={BotIcon} title={t('search.none')}>
          {t('search.none.text')}
        </Empty>
      )}
    </>
  )
}

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
      <SearchTable bots={bots} workspace={workspace} mayEdit={mayEdit} />
      <LoadMore query={query}>{t('more')}</LoadMore>
    </LoadedRows>
  )
}
