/** ⌘K: lists available commands, pages, and search results. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import {
  ContactRound,
  Kanban,
  LayoutTemplate,
  ListChecks,
  type LucideIcon,
  Megaphone,
  MessageSquareText,
  Settings,
} from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { call, type Reply } from '../api/request.ts'
import { hasRole, useWorkspaceSession } from '../api/session.ts'
import { Finder, type FoundGroup } from '../kit/finder.tsx'
import { Time } from '../kit/time.tsx'
import { useDebounced } from '../kit/use-debounced.ts'
import { settingPath, settingsIndexQuery } from '../settings-search.ts'
import { useAvailabilityCommand } from './availability.ts'
import { type ActiveCommand, useActiveCommands } from './commands-store.ts'
import { t } from './texts.ts'

const SCOPES: [ActiveCommand['scope'], Parameters<typeof t>[0]][] = [
  ['page', 'palette.here'],
  ['go', 'palette.pages'],
  ['frame', 'palette.general'],
]

type Result = Reply<'GET /search'>['results'][number]
type Kind = {
  icon: LucideIcon
  title: Parameters<typeof t>[0]
  path: (found: Result) => string
  search?: (found: Result) => Record<string, string>
}

/** Kinds of results, in the order of the response, and the page that opens each. */
const KINDS: Record<Exclude<Result['kind'], 'direct_message'>, Kind> = {
  contact: { icon: ContactRound, title: 'palette.contacts', path: ({ id }) => `contacts/${id}` },
  message: {
    icon: MessageSquareText,
    title: 'palette.messages',
    path: ({ parentId }) => `inbox/${parentId}`,
    search: ({ id }) => ({ message: id }),
  },
  lead: { icon: Kanban, title: 'palette.leads', path: ({ id }) => `leads/${id}` },
  task: { icon: ListChecks, title: 'palette.tasks', path: ({ parentId }) => `leads/${parentId}` },
  template: { icon: LayoutTemplate, title: 'palette.templates', path: ({ id }) => `templates/${id}` },
  broadcast: { icon: Megaphone, title: 'palette.campaigns', path: ({ id }) => `campaigns/${id}` },
}

const TYPING_MS = 180
const MIN_CHARACTERS = 2

/** Returns the server's results for a text, by kind. */
function useResults(typed: string, workspace: string) {
  const navigate = useNavigate()
  const q = useDebounced(typed.trim(), TYPING_MS)
  const isLongEnough = Array.from(q).length >= MIN_CHARACTERS
  const { data, isFetching, isError } = useQuery({
    queryKey: ['search', 'list', q],
    queryFn: ({ signal }) => call('GET /search', { query: { q }, signal }),
    enabled: isLongEnough,
    placeholderData: keepPreviousData,
  })
  const groups = useMemo(() => {
    const results = isLongEnough ? (data?.results ?? []) : []
    return Object.entries(KINDS).flatMap(([kind, { icon, title, path, search }]): FoundGroup[] => {
      const items = results
        .filter((found) => found.kind === kind || found.kind === `direct_${kind}`)
        .map((found) => ({
          id: `${kind}-${found.id}`,
          title: found.title,
          detail: found.snippet ?? undefined,
          aside: kind === 'message' ? <Time at={found.at} /> : undefined,
          icon,
          always: true,
          run: () =>
            void navigate({
              to: `/w/${workspace}/${path(found)}`,
              search: search?.(found) ?? {},
            } as never),
        }))
      return items.length > 0 ? [{ value: t(title), items }] : []
    })
  }, [isLongEnough, data, workspace, navigate])
  return {
    groups,
    isSearching: typed.trim() !== q || (isLongEnough && isFetching),
    isFailed: isLongEnough && isError,
  }
}

const MAX_SETTINGS = 5

/** Returns the settings that match a text. */
function useSettings(typed: string, workspace: string): FoundGroup[] {
  const navigate = useNavigate()
  const { role } = useWorkspaceSession(workspace).member
  const isLongEnough = Array.from(typed.trim()).length >= MIN_CHARACTERS
  const { data: index } = useQuery({ ...settingsIndexQuery, enabled: isLongEnough })
  return useMemo(() => {
    const found = isLongEnough ? (index?.searchSettings(typed, (lowest) => hasRole(role, lowest)) ?? []) : []
    const items = found.slice(0, MAX_SETTINGS).map((entry) => {
      const { path, search } = settingPath(entry)
      return {
        id: `setting-${entry.id}`,
        title: t('palette.setting', { name: entry.title }),
        detail: entry.mark === undefined ? undefined : entry.sectionTitle,
        icon: Settings,
        always: true,
        run: () => void navigate({ to: `/w/${workspace}/${path}`, search } as never),
      }
    })
    return items.length > 0 ? [{ value: t('palette.settings'), items }] : []
  }, [isLongEnough, index, typed, role, workspace, navigate])
}

export default function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const commands = useActiveCommands()
  const [text, setText] = useState('')
  const { groups: found, isSearching, isFailed } = useResults(text, workspace)
  const settings = useSettings(text, workspace)
  const { role } = useWorkspaceSession(workspace).member
  const availability = useAvailabilityCommand({ enabled: open && hasRole(role, 'agent') })
  useEffect(() => {
    if (!open) setText('')
  }, [open])
  const groups = useMemo(
    () =>
      SCOPES.map(([scope, title]) => ({
        value: t(title),
        items: [
          ...(scope === 'frame' ? availability : []),
          ...commands.filter((command) => command.scope === scope && command.id !== 'palette'),
        ],
      })).filter(({ items }) => items.length > 0),
    [commands, availability],
  )
  return (
    <Finder
      open={open}
      onClose={onClose}
      title={t('palette.title')}
      placeholder={t('palette.placeholder')}
      empty={t(isSearching ? 'palette.searching' : isFailed ? 'palette.failed' : 'palette.empty')}
      groups={[...groups, ...settings, ...found]}
      text={text}
      onText={setText}
    />
  )
}
