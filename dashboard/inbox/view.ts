/** What the list shows: it stands in the address, so that a view can be sent to somebody. */
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
}

const DEFAULT: ViewSearch = {
  view: 'all',
  state: 'open',
  unread: false,
  waiting: false,
  archived: false,
  search: '',
}

const oneOf = <Value extends string>(value: unknown, values: readonly Value[], otherwise: Value): Value =>
  values.includes(value as Value) ? (value as Value) : otherwise

/** Reads the view out of an address; what is not understood is as if it were not there. */
export const readView = (search: Record<string, unknown>): ViewSearch => ({
  view: oneOf(search.view, VIEWS, DEFAULT.view),
  state: oneOf(search.state, ['open', 'pending', 'resolved', 'any'], DEFAULT.state),
  unread: search.unread === true,
  waiting: search.waiting === true,
  archived: search.archived === true,
  search: typeof search.search === 'string' || typeof search.search === 'number' ? String(search.search) : '',
})

/** The view as an address holds it: without what is as usual. */
export const writtenView = (view: ViewSearch): Partial<ViewSearch> =>
  Object.fromEntries(
    Object.entries(view).filter(([name, value]) => value !== DEFAULT[name as keyof ViewSearch]),
  )

/** Whether something beside the tab narrows the list. */
export const isFiltered = ({ state, unread, archived, search }: ViewSearch): boolean =>
  state !== DEFAULT.state || unread || archived || search !== ''

/** What the server is asked for; mentions are looked up besides (`mentionsQuery`). */
export const listFilter = ({ view, state, unread, waiting, archived, search }: ViewSearch): ListFilter => ({
  ...(view === 'mine' ? { assignee: 'me' } : view === 'unassigned' ? { assignee: 'none' } : {}),
  ...(state === 'any' ? {} : { state: state === 'open' ? 'open,pending' : state }),
  ...(unread ? { unread: 'true' } : {}),
  archived: archived ? 'true' : 'false',
  ...(search.trim() ? { search: search.trim() } : {}),
  ...(waiting ? { sort: 'waiting' } : {}),
})

/** The address of another chat: the message that was looked for belongs to the one before. */
export const withoutHit = ({ message: _, ...search }: Record<string, unknown>): Record<string, unknown> =>
  search
