/** Shows the list of chats: views, filters, and rows that don't move while the pointer is over them. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowUp, ListFilter as FilterIcon, HandGrab, Inbox, Lock } from 'lucide-react'
import {
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { ListedConversation } from '../../../sdk/api.ts'
import { countsQuery } from '../../api/counts.ts'
import { hasRole, useWorkspaceSession } from '../../api/session.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { lazyComponent } from '../../kit/lazy.tsx'
import { SearchField } from '../../kit/search-field.tsx'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { foundMessagesQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { useHeadings } from '../use-headings.ts'
import { useParts } from '../use-parts.ts'
import { useSteadyRows } from '../use-steady-rows.ts'
import {
  isFiltered,
  isNarrowed,
  partFilters,
  searchText,
  unfiltered,
  VIEWS,
  type ViewSearch,
} from '../view.ts'
import { GroupHeading } from './group-heading.tsx'
import { ConversationRow } from './row.tsx'
import { useTabKeys, useTabs, ViewsMenu } from './views-menu.tsx'

const FilterMenu = lazyComponent(() => import('./filter-menu.tsx').then((module) => module.FilterMenu))
const FoundMessages = lazyComponent(() =>
  import('./found-messages.tsx').then((module) => module.FoundMessages),
)

type Props = {
  workspace: string
  view: ViewSearch
  onView: (patch: Partial<ViewSearch>) => void
  openId: string | undefined
  currentId: string | undefined
  selected: ReadonlySet<string>
  onSelect: ((id: string, isRange?: boolean) => void) | undefined
  onTakeNext: (() => void) | undefined
  searchField: RefObject<HTMLInputElement | null>
  /** `list` names the list of the rows; empty while those of the previous list are shown. */
  onRows: (shown: { rows: readonly ListedConversation[]; list: string }) => void
}

/** How far the list was scrolled, also while another page is open. */
const place = { list: '', top: 0 }

const OVERSCAN = 8
/** More rows are loaded when this many are left. */
const AHEAD = 10

function Header({ workspace, view, onView, onTakeNext, searchField }: Omit<Props, 'onRows'>) {
  const { data: counts } = useQuery(countsQuery)
  const session = useWorkspaceSession(workspace)
  const { saved, viewAt } = useTabs()
  useTabKeys({ view, onView })
  const count = {
    mine: counts?.mine,
    unassigned: counts?.unassigned,
    all: counts?.open,
    mentions: undefined,
    snoozed: counts?.snoozed,
  }
  return (
    <header className="shrink-0">
      <div className="flex items-center gap-1 p-2 pb-0">
        <SearchField
          label={t('filter.search')}
          value={view.search}
          onChange={(search) => onView({ search })}
          field={searchField}
          className="flex-1"
        />
        {onTakeNext && <IconButton icon={HandGrab} label={t('action.takeNext')} onClick={onTakeNext} />}
        <FilterMenu
          around={<IconButton icon={FilterIcon} label={t('filter.more')} disabled />}
          view={view}
          onView={onView}
          isSocial={session.workspace.socialAddon && session.workspace.socialEnabled}
        />
        <ViewsMenu view={view} onView={onView} mayWrite={hasRole(session.member.role, 'agent')} />
      </div>
      <Tabs<string>
        label={t('list.label')}
        value={saved.some(({ id }) => id === view.saved) ? view.saved : view.view}
        onChange={(tab) => onView(viewAt(tab, view))}
        tabs={[
          ...VIEWS.map((value) => ({
            value: value as string,
            label: t(`tab.${value}`),
            count: count[value],
          })),
          ...saved.map(({ id, name, shared }) => ({
            value: id,
            label: (
              <span className="flex max-w-40 items-center gap-1.5">
                {!shared && <Lock aria-label={t('view.own')} size={12} className="shrink-0 text-ink-3" />}
                <span className="truncate">{name}</span>
              </span>
            ),
          })),
        ]}
      />
    </header>
  )
}

function EmptyList({ view, onView }: Pick<Props, 'view' | 'onView'>) {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const session = useWorkspaceSession(workspace)
  const search = searchText(view)
  if (search !== '')
    return (
      <Empty
        icon={FilterIcon}
        title={t('list.empty.search', { search })}
        action={
          isNarrowed(view) ? (
            <Button onClick={() => onView({ ...unfiltered(view), search })}>
              {t('list.empty.search.widen')}
            </Button>
          ) : (
            <Button onClick={() => onView({ search: '' })}>{t('list.empty.search.action')}</Button>
          )
        }
      />
    )
  if (isFiltered(view))
    return (
      <Empty
        icon={FilterIcon}
        title={t('list.empty.filtered')}
        action={<Button onClick={() => onView(unfiltered(view))}>{t('list.empty.filtered.action')}</Button>}
      />
    )
  return (
    <Empty
      icon={Inbox}
      title={t(`list.empty.${view.view}`)}
      action={
        view.view !== 'snoozed' &&
        hasRole(session.member.role, 'admin') && (
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

/**
 * Returns whether the rows must keep their places, because the pointer is over them or the list is scrolled.
 */
function useHold() {
  const [isPointed, setPointed] = useState(false)
  const [isScrolled, setScrolled] = useState(false)
  return {
    isHeld: isPointed || isScrolled,
    pointing: {
      onPointerEnter: (event: PointerEvent) => event.pointerType === 'mouse' && setPointed(true),
      onPointerLeave: () => setPointed(false),
    },
    onScroll: (top: number) => setScrolled(top > 0),
  }
}

/** Scrolls once to the row selected by keyboard, and moves the focus if it is in the list. */
function useCurrentInSight(
  pane: RefObject<HTMLElement | null>,
  { id, index }: { id: string | undefined; index: number },
  scrollTo: (index: number) => void,
): void {
  const shownId = useRef<string>(undefined)
  useEffect(() => {
    if (id === undefined || index < 0 || shownId.current === id) return
    shownId.current = id
    scrollTo(index)
    if (!document.activeElement?.matches('[data-conversation]')) return
    requestAnimationFrame(() =>
      pane.current?.querySelector<HTMLElement>(`[data-conversation="${id}"]`)?.focus({ preventScroll: true }),
    )
  })
}

export function ConversationList(props: Props) {
  const { workspace, view, onView, openId, currentId, selected, onSelect, onRows } = props
  const filters = partFilters(view)
  const { query, fresh, isPlaceholderData, isPending, readMore } = useParts(view, filters)
  const pane = useRef<HTMLElement>(null)
  const { isHeld, pointing, onScroll } = useHold()
  /** Counts how often a member released the rows by hand. */
  const [released, setReleased] = useState(0)
  const list = isPlaceholderData ? '' : `${view.view} ${JSON.stringify(filters)}`
  const { rows, newer, goneIds } = useSteadyRows(`${list} ${released}`, fresh, isHeld)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => pane.current,
    estimateSize: () => 68,
    getItemKey: useCallback((index: number) => rows[index]!.id, [rows]),
    overscan: OVERSCAN,
  })
  // Before the rows are visible, because the keys use them.
  useLayoutEffect(() => onRows({ rows, list }), [rows, list, onRows])
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => readMore(rows[last + AHEAD]?.id))
  const headings = useHeadings(rows, searchText(view) !== '', isHeld)
  const messages = useQuery(foundMessagesQuery(searchText(view))).data
  const found = searchText(view) === '' ? undefined : messages
  const isHidden = openId !== undefined
  // Another list begins at its top. The same one comes back in its place: on a phone, a chat hides it.
  useEffect(() => {
    if (list === '') return
    const top = place.list === list ? place.top : 0
    place.list = list
    const restore = () => virtual.scrollToOffset(top)
    restore()
    if (isHidden) return
    // A list that was hidden measures its rows first.
    const frame = requestAnimationFrame(() => requestAnimationFrame(restore))
    return () => cancelAnimationFrame(frame)
  }, [list, virtual, isHidden])
  const current = { id: currentId, index: rows.findIndex(({ id }) => id === currentId) }
  useCurrentInSight(pane, current, (index) => virtual.scrollToIndex(index, { align: 'auto' }))

  return (
    <>
      <Header {...props} />
      <div {...pointing} className="relative flex min-h-0 flex-1 flex-col">
        <nav
          ref={pane}
          aria-label={t('list.label')}
          onScroll={({ currentTarget: { scrollTop, clientHeight } }) => {
            if (clientHeight > 0) place.top = scrollTop
            onScroll(scrollTop)
          }}
          className="pane flex min-h-0 flex-1 flex-col"
        >
          {isPending ? (
            <SkeletonRows rows={8} tall />
          ) : query.isError && rows.length === 0 ? (
            <Failed error={query.error} onRetry={() => void query.refetch()} />
          ) : rows.length === 0 ? (
            !found?.length && <EmptyList view={view} onView={onView} />
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
                    {headings.has(conversation.id) && <GroupHeading group={headings.get(conversation.id)!} />}
                    <ConversationRow
                      conversation={conversation}
                      workspace={workspace}
                      current={conversation.id === currentId}
                      open={conversation.id === openId}
                      isGone={goneIds.has(conversation.id)}
                      selected={selected.has(conversation.id)}
                      selecting={selected.size > 0}
                      onSelect={onSelect}
                    />
                  </li>
                )
              })}
            </ul>
          )}
          {!isPending && found && found.length > 0 && (
            <FoundMessages found={found} workspace={workspace} view={view} />
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
