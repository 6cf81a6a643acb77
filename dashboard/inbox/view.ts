/** What the list shows: it stands in the address, so that a view can be sent to somebody. */
import type { ChatView, SavedView } from '../../sdk/api.ts'
import type { ListFilter } from './queries.ts'

export const VIEWS = ['mine', 'unassigned', 'all', 'mentions'] as const
export type View = (typeof VIEWS)[number]
export type ViewSearch = {
  view: View
  state: 'open' | 'pending' | 'resolved' | 'any'
  unread: boolean
  waiting: boolean
  archived: boolean
  search: string
  /** A member whose chats are meant; empty: everybody's. */
  assignee: string
  priority: '' | Priority
  /** Only those to whom anything may be sent, or only the others. */
  window: '' | 'open' | 'closed'
  tag: string
  /** One of our numbers. */
  number: string
  /** The saved view that was chosen; what it asks for stands in the rest. */
  saved: string
}
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
  priority: '',
  window: '',
  tag: '',
  number: '',
  saved: '',
}
const STATES = ['open', 'pending', 'resolved', 'any'] as const

const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
const oneOf = <Value extends string>(value: unknown, values: readonly Value[], otherwise: Value): Value =>
  values.includes(value as Value) ? (value as Value) : otherwise

/** Reads the view out of an address; what is not understood is as if it were not there. */
export const readView = (search: Record<string, unknown>): ViewSearch => ({
  view: oneOf(search.view, VIEWS, DEFAULT.view),
  state: oneOf(search.state, STATES, DEFAULT.state),
  unread: search.unread === true,
  waiting: search.waiting === true,
  archived: search.archived === true,
  search: textIn(search.search),
  assignee: textIn(search.assignee),
  priority: oneOf(search.priority, ['', ...PRIORITIES], DEFAULT.priority),
  window: oneOf(search.window, ['', 'open', 'closed'], DEFAULT.window),
  tag: textIn(search.tag),
  number: textIn(search.number),
  saved: textIn(search.saved),
})

/** The view as an address holds it: without what is as usual. */
export const writtenView = (view: ViewSearch): Partial<ViewSearch> =>
  Object.fromEntries(
    Object.entries(view).filter(([name, value]) => value !== DEFAULT[name as keyof ViewSearch]),
  )

/** The tab without anything that narrows it; the order stays. */
export const unfiltered = ({ view, waiting }: ViewSearch): ViewSearch => ({ ...DEFAULT, view, waiting })

/** Whether two show the same, whichever of them is saved. */
export const showsSame = (one: ViewSearch, other: ViewSearch): boolean =>
  Object.keys(DEFAULT).every(
    (name) => name === 'saved' || one[name as keyof ViewSearch] === other[name as keyof ViewSearch],
  )

/** Whether something beside the tab narrows the list. */
export const isFiltered = (view: ViewSearch): boolean => !showsSame(view, unfiltered(view))

/** What the server is asked for; mentions are looked up besides (`mentionsQuery`). */
export function listFilter(view: ViewSearch): ListFilter {
  const { sort, state, unread, archived = false, mentions: _, ...rest } = chatsOf(view)
  return {
    ...rest,
    ...(state && { state: state.join(',') }),
    ...(unread && { unread: 'true' }),
    archived: archived ? 'true' : 'false',
    ...(view.search.trim() && { search: view.search.trim() }),
    ...(sort && { sort }),
  }
}

/** The view by the server's names, apart from the search. */
const chatsOf = (view: ViewSearch): ChatView => ({
  ...(view.view === 'mine'
    ? { assignee: 'me' }
    : view.view === 'unassigned'
      ? { assignee: 'none' }
      : view.assignee && { assignee: view.assignee }),
  ...(view.view === 'mentions' && { mentions: true }),
  ...(view.state !== 'any' && { state: view.state === 'open' ? ['open', 'pending'] : [view.state] }),
  ...(view.unread && { unread: true }),
  archived: view.archived,
  ...(view.priority && { priority: view.priority }),
  ...(view.window && { window: view.window }),
  ...(view.tag && { tag: view.tag }),
  ...(view.number && { phoneNumberId: view.number }),
  ...(view.waiting && { sort: 'waiting' }),
})

/** What the view asks for, as it is saved. */
export const questionOf = (view: ViewSearch) => ({ chats: chatsOf(view), q: view.search.trim() || null })

/** What a saved view shows. */
export function viewOf({ id, chats, q }: Pick<SavedView, 'id' | 'chats' | 'q'>): ViewSearch {
  const { assignee = '', state = [], ...rest } = chats ?? {}
  return {
    view: rest.mentions
      ? 'mentions'
      : assignee === 'me'
        ? 'mine'
        : assignee === 'none'
          ? 'unassigned'
          : 'all',
    assignee: assignee === 'me' || assignee === 'none' ? '' : assignee,
    state: state.length === 0 ? 'any' : state.includes('open') ? 'open' : state[0]!,
    unread: rest.unread ?? false,
    waiting: rest.sort === 'waiting',
    archived: rest.archived ?? false,
    search: q ?? '',
    priority: rest.priority ?? '',
    window: rest.window ?? '',
    tag: rest.tag ?? '',
    number: rest.phoneNumberId ?? '',
    saved: id,
  }
}

/** The address of another chat: the message that was looked for belongs to the one before. */
export function withoutHit(search: Record<string, unknown>): Record<string, unknown> {
  const { message: _, ...rest } = search
  return rest
}
