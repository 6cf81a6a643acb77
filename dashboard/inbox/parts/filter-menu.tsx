/** Shows the filters and the order of the list of chats. */
import { useQuery } from '@tanstack/react-query'
import { ListFilter } from 'lucide-react'
import { tagsQuery } from '../../api/tags.ts'
import { IconButton } from '../../kit/button.tsx'
import { Menu, type MenuEntry } from '../../kit/menu.tsx'
import { numbersQuery, teamQuery, teamsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { CHANNELS, isNarrowed, PRIORITIES, type ViewSearch } from '../view.ts'

type Props = {
  view: ViewSearch
  onView: (patch: Partial<ViewSearch>) => void
  /** The workspace has the photo network. */
  isSocial: boolean
}

const STATES = ['open', 'pending', 'resolved', 'any'] as const
const WINDOWS = ['open', 'closed'] as const

/** Returns entries of which at most one is on. */
function choices(
  { view, onView }: Omit<Props, 'isSocial'>,
  field: 'assignee' | 'team' | 'priority' | 'window' | 'tag' | 'number' | 'channel',
  values: readonly { value: string; label: string }[],
): MenuEntry[] {
  return values.map(({ value, label }) => ({
    label,
    checked: view[field] === value,
    onSelect: () => onView({ [field]: view[field] === value ? '' : value }),
  }))
}

const withHeading = (heading: string, entries: readonly MenuEntry[]): MenuEntry[] =>
  entries.length > 0 ? [{ heading }, ...entries] : []

export function FilterMenu({ view, onView, isSocial }: Props) {
  const { data: team = [] } = useQuery(teamQuery)
  const { data: teams = [] } = useQuery(teamsQuery)
  const { data: tags = [] } = useQuery({ ...tagsQuery, staleTime: 5 * 60_000 })
  const { data: numbers = [] } = useQuery(numbersQuery)
  const props = { view, onView }
  const ofTeam = view.view === 'mine' || view.view === 'unassigned' ? [] : team
  const toggle = (label: string, field: 'unread' | 'waiting' | 'archived'): MenuEntry => ({
    label,
    checked: view[field],
    onSelect: () => onView({ [field]: !view[field] }),
  })
  const entries: MenuEntry[] = [
    { heading: t('filter.state') },
    ...STATES.map(
      (state): MenuEntry => ({
        label: t(`filter.${state}`),
        checked: view.state === state,
        onSelect: () => onView({ state }),
      }),
    ),
    'line',
    toggle(t('filter.unread'), 'unread'),
    toggle(t('filter.waiting'), 'waiting'),
    toggle(t('filter.archived'), 'archived'),
    ...withHeading(
      t('filter.window'),
      choices(
        props,
        'window',
        WINDOWS.map((value) => ({ value, label: t(`filter.window.${value}`) })),
      ),
    ),
    ...withHeading(
      t('side.priority'),
      choices(
        props,
        'priority',
        PRIORITIES.toReversed().map((value) => ({ value, label: t(`priority.${value}`) })),
      ),
    ),
    ...withHeading(
      t('side.assignee'),
      choices(
        props,
        'assignee',
        ofTeam.map(({ id, name }) => ({ value: id, label: name })),
      ),
    ),
    ...withHeading(
      t('side.team'),
      choices(
        props,
        'team',
        (teams.length > 0 ? [...teams, { id: 'none', name: t('team.none') }] : []).map(({ id, name }) => ({
          value: id,
          label: name,
        })),
      ),
    ),
    ...withHeading(
      t('filter.channel'),
      choices(
        props,
        'channel',
        isSocial ? CHANNELS.map((value) => ({ value, label: t(`filter.channel.${value}`) })) : [],
      ),
    ),
    ...withHeading(
      t('side.number'),
      choices(
        props,
        'number',
        numbers.length > 1
          ? numbers.map(({ id, displayName, number }) => ({ value: id, label: displayName || number }))
          : [],
      ),
    ),
    ...withHeading(
      t('side.tags'),
      choices(
        props,
        'tag',
        tags.map(({ name }) => ({ value: name, label: name })),
      ),
    ),
  ]
  return (
    <Menu
      align="end"
      entries={entries}
      trigger={
        <IconButton icon={ListFilter} label={t('filter.more')} pressed={isNarrowed(view) || undefined} />
      }
    />
  )
}
