/** Reads and writes the view of the list, which is in the address so that members can share a view. */
import type { ChatView, SavedView } from '../../sdk/api.ts'
import type { ListFilter } from './queries.ts'

export const VIEWS = ['mine', 'unassigned', 'all', 'mentions', 'snoozed'] as const
export type View = (typeof VIEWS)[number]
export type ViewSearch = {
  view: View
  state: 'open' | 'pending' | 'resolved' | 'any'
  unread: boolean
  waiting: boolean
  archived: boolean
  search: string
  /** Only chats of this member; empty: all chats. */
  assignee: string
  /** Only chats of this team; empty: all chats. */
  team: string
  priority: '' | Priority
  /** Only customers with an open window, or only the others. */
  window: '' | 'open' | 'closed'
  tag: string
  /** One of our numbers. */
  number: string
  /** Only chats of one network; empty: of both. */
  channel: '' | Channel
  /** The chosen saved view; the other fields contain its filters. */
  saved: string
}
export const CHANNELS = ['chat', 'social'] as const
type Channel = (typeof CHANNELS)[number]
export const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
export type Priority = (typeof PRIORITIES)[number]

export const DEFAULT: ViewSearch = {
  view: 'all',
  state: 'open',
  unread: false,
  waiting: false,
  archived: false,
  search: '',
  assignee: '',
  team: '',
  priority: '',
  window: '',
  tag: '',
  number: '',
  channel: '',
  saved: '',
}
const STATES = ['open', 'pending', 'resolved', 'any'] as const

const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
const oneOf = <Value extends string>(value: unknown, values: readonly Value[], fallback: Value): Value =>
  values.includes(value as Value) ? (value as Value) : fallback

/** Reads the view from an address, and ignores values it does not know. */
export const readView = (search: Record<string, unknown>): ViewSearch => ({
  view: oneOf(search.view, VIEWS, DEFAULT.view),
  state: oneOf(search.state, STATES, DEFAULT.state),
  unread: search.unread === true,
  waiting: search.waiting === true,
  archived: search.archived === true,
  search: textIn(search.search),
  assignee: textIn(search.assignee),
  team: textIn(search.team),
  priority: oneOf(search.priority, ['', ...PRIORITIES], DEFAULT.priority),
  window: oneOf(search.window, ['', 'open', 'closed'], DEFAULT.window),
  tag: textIn(search.tag),
  number: textIn(search.number),
  channel: oneOf(search.channel, ['', ...CHANNELS], DEFAULT.channel),
  saved: textIn(search.saved),
})

/** Returns the view for an address: without default values. */
export const searchOf = (view: ViewSearch): Partial<ViewSearch> =>
  Object.fromEntries(
    Object.entries(view).filter(([name, value]) => value !== DEFAULT[name as keyof ViewSearch]),
  )

/** Returns the tab without filters; the order stays. */
export const unfiltered = ({ view, waiting }: ViewSearch): ViewSearch => ({ ...DEFAULT, view, waiting })

/** Returns whether two views show the same list, even if they are different saved views. */
export const isSameList = (a: ViewSearch, b: ViewSearch): boolean =>
  Object.keys(DEFAULT).every(
    (name) => name === 'saved' || a[name as keyof ViewSearch] === b[name as keyof ViewSearch],
  )

/** Returns whether the list is filtered further than by its tab. */
export const isFiltered = (view: ViewSearch): boolean => !isSameList(view, unfiltered(view))

/** Returns the filter for the server; mentions are read separately (`mentionsQuery`). */
export function listFilter(view: ViewSearch): ListFilter {
  const { sort, state, unread, archived = false, snoozed = false, mentions, channel, ...rest } = chatsOf(view)
  return {
    ...rest,
    channel: channel ?? 'all',
    // Mentions also name chats that are snoozed.
    ...(!mentions && { snoozed: snoozed ? 'true' : 'false' }),
    ...(state && { state: state.join(',') }),
    ...(unread && { unread: 'true' }),
    archived: archived ? 'true' : 'false',
    ...(view.search.trim() && { search: view.search.trim() }),
    ...(sort && { sort }),
  }
}

/** Returns the text to search for; empty: no search. */
export const searchText = (view: ViewSearch): string => view.search.trim()

/**
 * Returns the filters of the list's parts, in order. A search spans every state, archived and snoozed chats, and
 * chats that do not wait: first the open chats, then the resolved ones. A chosen state limits it.
 */
export function partFilters(view: ViewSearch): [ListFilter, ListFilter?] {
  if (searchText(view) === '') return [listFilter(view)]
  const { archived, snoozed, state: _, sort: __, ...rest } = listFilter(view)
  const found = {
    ...rest,
    ...(archived === 'true' && { archived }),
    ...(snoozed === 'true' && { snoozed }),
  }
  if (view.state === 'pending' || view.state === 'resolved') return [{ ...found, state: view.state }]
  return [
    { ...found, state: 'open,pending' },
    { ...found, state: 'resolved' },
  ]
}

/** Returns whether the list has filters beside its tab and the search. */
export const isNarrowed = (view: ViewSearch): boolean => isFiltered({ ...view, search: '' })

/** Returns the view with the server's names, without the search. */
const chatsOf = (view: ViewSearch): ChatView => ({
  ...(view.view === 'mine'
    ? { assignee: 'me' }
    : view.view === 'unassigned'
      ? { assignee: 'none' }
      : view.assignee && { assignee: view.assignee }),
  ...(view.team && { teamId: view.team }),
  ...(view.view === 'mentions' && { mentions: true }),
  ...(view.view === 'snoozed' && { snoozed: true }),
  ...(view.state !== 'any' && { state: view.state === 'open' ? ['open', 'pending'] : [view.state] }),
  ...(view.unread && { unread: true }),
  archived: view.archived,
  ...(view.priority && { priority: view.priority }),
  ...(view.window && { window: view.window }),
  ...(view.tag && { tag: view.tag }),
  ...(view.number && { phoneNumberId: view.number }),
  ...(view.channel && { channel: view.channel }),
  ...(view.waiting && { sort: 'waiting' }),
})

/** Returns the filters of the view in the form in which it is saved. */
export const savedFilterOf = (view: ViewSearch) => ({ chats: chatsOf(view), q: view.search.trim() || null })

/** Returns the view of a saved view. */
export function viewOf({ id, chats, q }: Pick<SavedView, 'id' | 'chats' | 'q'>): ViewSearch {
  const { assignee = '', state = [], ...rest } = chats ?? {}
  return {
    view: rest.mentions
      ? 'mentions'
      : rest.snoozed
        ? 'snoozed'
        : assignee === 'me'
          ? 'mine'
          : assignee === 'none'
            ? 'unassigned'
            : 'all',
    assignee: assignee === 'me' || assignee === 'none' ? '' : assignee,
    state: state.length === 0 ? 'any' : state.includes('open') ? 'open' : state[0]!,
    team: rest.teamId ?? '',
    unread: rest.unread ?? false,
    waiting: rest.sort === 'waiting',
    archived: rest.archived ?? false,
    search: q ?? '',
    priority: rest.priority ?? '',
    window: rest.window ?? '',
    tag: rest.tag ?? '',
    number: rest.phoneNumberId ?? '',
    channel: rest.channel ?? '',
    saved: id,
  }
}

/** Returns the address of another chat, without the search hit of the previous chat. */
export function withoutHit(search: Record<string, unknown>): Record<string, unknown> {
  const { message: _, ...rest } = search
  return rest
}
