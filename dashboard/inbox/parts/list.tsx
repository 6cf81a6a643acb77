/** The chats: views, filters, and rows that do not move while somebody points at them. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowUp, ListFilter as FilterIcon, Inbox, Search } from 'lucide-react'
import { type PointerEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ListedConversation } from '../../../sdk/api.ts'
import { countsQuery } from '../../api/counts.ts'
import { reaches, useHere } from '../../api/session.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Menu, type MenuEntry } from '../../kit/menu.tsx'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { conversationsQuery, mentionsQuery } from '../queries.ts'
import { useSteadyRows } from '../use-steady-rows.ts'
import { isFiltered, listFilter, VIEWS, type ViewSearch } from '../view.ts'
import { t } from '../words.ts'
import { ConversationRow } from './row.tsx'

type Props = {
  workspace: string
  view: ViewSearch
  onView: (patch: Partial<ViewSearch>) => void
  openId: string | undefined
  currentId: string | undefined
  selected: ReadonlySet<string>
  onSelect: ((id: string, isRange?: boolean) => void) | undefined
  searchField: RefObject<HTMLInputElement | null>
  onRows: (rows: readonly ListedConversation[]) => void
}

const STATES = [
  ['open', 'filter.open'],
  ['pending', 'filter.pending'],
  ['resolved', 'filter.resolved'],
  ['any', 'filter.any'],
] as const
const OVERSCAN = 8
/** How near to the end of what is loaded more is asked for. */
const AHEAD = 10

function filterEntries(view: ViewSearch, onView: Props['onView']): MenuEntry[] {
  return [
    { heading: t('filter.state') },
    ...STATES.map(
      ([state, label]): MenuEntry => ({
        label: t(label),
        checked: view.state === state,
        onSelect: () => onView({ state }),
      }),
    ),
    'line',
    { label: t('filter.unread'), checked: view.unread, onSelect: () => onView({ unread: !view.unread }) },
    { label: t('filter.waiting'), checked: view.waiting, onSelect: () => onView({ waiting: !view.waiting }) },
    {
      label: t('filter.archived'),
      checked: view.archived,
      onSelect: () => onView({ archived: !view.archived }),
    },
  ]
}

function Header({ view, onView, searchField }: Pick<Props, 'view' | 'onView' | 'searchField'>) {
  const { data: counts } = useQuery(countsQuery)
  const count = { mine: counts?.mine, unassigned: counts?.unassigned, all: counts?.open, mentions: undefined }
  return (
    <header className="shrink-0">
      <div className="flex items-center gap-1 p-2 pb-0">
        <div className="relative flex-1">
          <Search aria-hidden size={15} className="absolute start-2.5 top-1/2 -translate-y-1/2 text-ink-3" />
          <input
            ref={searchField}
            type="search"
            value={view.search}
            onChange={(event) => onView({ search: event.target.value })}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              // It leaves the field and keeps what is looked for.
              event.preventDefault()
              event.currentTarget.blur()
            }}
            aria-label={t('filter.search')}
            placeholder={t('filter.search')}
            className="h-9 w-full rounded-md border border-line bg-surface-2 ps-8 pe-2 pointer-coarse:h-11"
          />
        </div>
        <Menu
          align="end"
          entries={filterEntries(view, onView)}
          trigger={
            <IconButton icon={FilterIcon} label={t('filter.more')} pressed={isFiltered(view) || undefined} />
          }
        />
      </div>
      <Tabs
        label={t('list.label')}
        value={view.view}
        onChange={(next) => onView({ view: next })}
        tabs={VIEWS.map((value) => ({ value, label: t(`tab.${value}`), count: count[value] }))}
      />
    </header>
  )
}

function Nothing({ view, onView }: Pick<Props, 'view' | 'onView'>) {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const here = useHere(workspace)
  if (isFiltered(view))
    return (
      <Empty
        icon={FilterIcon}
        title={t('list.empty.filtered')}
        action={
          <Button
            onClick={() =>
              onView({ state: 'open', unread: false, waiting: false, archived: false, search: '' })
            }
          >
            {t('list.empty.filtered.action')}
          </Button>
        }
      />
    )
  return (
    <Empty
      icon={Inbox}
      title={t(`list.empty.${view.view}`)}
      action={
        reaches(here.member.role, 'admin') && (
          <Link to={`/w/${workspace}/settings/start` as never} className="font-medium text-accent underline">
            {t('list.empty.start')}
          </Link>
        )
      }
    >
      {t(`list.empty.${view.view}.text`)}
    </Empty>
  )
}

/** Whether somebody points at the rows or has scrolled away from the first: then they stay where they are. */
function useHold(pane: RefObject<HTMLElement | null>) {
  const [isPointed, setPointed] = useState(false)
  const [isScrolled, setScrolled] = useState(false)
  return {
    isHeld: isPointed || isScrolled,
    pointing: {
      onPointerEnter: (event: PointerEvent) => event.pointerType === 'mouse' && setPointed(true),
      onPointerLeave: () => setPointed(false),
    },
    onScroll: () => setScrolled((pane.current?.scrollTop ?? 0) > 0),
  }
}

/** Brings the row that the keys are at into sight, once; the focus goes along where it is among the rows. */
function useCurrentInSight(
  pane: RefObject<HTMLElement | null>,
  { id, at }: { id: string | undefined; at: number },
  scrollTo: (at: number) => void,
): void {
  const shown = useRef<string>(undefined)
  useEffect(() => {
    if (id === undefined || at < 0 || shown.current === id) return
    shown.current = id
    scrollTo(at)
    if (!document.activeElement?.matches('[data-conversation]')) return
    requestAnimationFrame(() =>
      pane.current?.querySelector<HTMLElement>(`[data-conversation="${id}"]`)?.focus({ preventScroll: true }),
    )
  })
}

export function ConversationList(props: Props) {
  const { workspace, view, onView, openId, currentId, selected, onSelect, onRows } = props
  const filter = listFilter(view)
  const isMentions = view.view === 'mentions'
  const query = useInfiniteQuery(isMentions ? mentionsQuery(filter) : conversationsQuery(filter))
  const fresh = useMemo(() => query.data?.pages.flatMap((page) => page.conversations) ?? [], [query.data])
  const pane = useRef<HTMLElement>(null)
  const { isHeld, pointing, onScroll } = useHold(pane)
  /** Counts how often the rows were let go by hand. */
  const [released, setReleased] = useState(0)
  const list = query.isPlaceholderData ? '' : `${view.view} ${JSON.stringify(filter)}`
  const { rows, newer, gone } = useSteadyRows(`${list} ${released}`, fresh, isHeld)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => pane.current,
    estimateSize: () => 68,
    getItemKey: useCallback((at: number) => rows[at]!.id, [rows]),
    overscan: OVERSCAN,
  })
  useEffect(() => onRows(rows), [rows, onRows])
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  useEffect(() => {
    if (last >= rows.length - AHEAD && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [last, rows.length, hasNextPage, isFetchingNextPage, fetchNextPage])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its top
  useEffect(() => virtual.scrollToOffset(0), [list, virtual])
  const current = { id: currentId, at: rows.findIndex(({ id }) => id === currentId) }
  useCurrentInSight(pane, current, (at) => virtual.scrollToIndex(at, { align: 'auto' }))

  return (
    <>
      <Header {...props} />
      <div {...pointing} className="relative flex min-h-0 flex-1 flex-col">
        <nav
          ref={pane}
          aria-label={t('list.label')}
          onScroll={onScroll}
          className="pane flex min-h-0 flex-1 flex-col"
        >
          {query.isPending ? (
            <SkeletonRows rows={8} tall />
          ) : query.isError && rows.length === 0 ? (
            <Failed error={query.error} onRetry={() => void query.refetch()} />
          ) : rows.length === 0 ? (
            <Nothing view={view} onView={onView} />
          ) : (
            <ul className="relative w-full shrink-0" style={{ height: virtual.getTotalSize() }}>
              {items.map((item) => {
                const conversation = rows[item.index]!
                return (
                  <li
                    key={item.key}
                    data-index={item.index}
                    ref={virtual.measureElement}
                    className="absolute inset-x-0 top-0"
                    style={{ transform: `translateY(${item.start}px)` }}
                  >
                    <ConversationRow
                      conversation={conversation}
                      workspace={workspace}
                      current={conversation.id === currentId}
                      open={conversation.id === openId}
                      gone={gone.has(conversation.id)}
                      selected={selected.has(conversation.id)}
                      selecting={selected.size > 0}
                      onSelect={onSelect}
                    />
                  </li>
                )
              })}
            </ul>
          )}
        </nav>
        {newer > 0 && (
          <div className="pointer-events-none absolute inset-x-0 top-2 flex justify-center">
            <Button
              icon={ArrowUp}
              size="sm"
              className="pointer-events-auto rounded-full shadow-pop"
              onClick={() => {
                virtual.scrollToOffset(0)
                setReleased((times) => times + 1)
              }}
            >
              {t('list.new', { count: newer })}
            </Button>
          </div>
        )}
      </div>
    </>
  )
}
