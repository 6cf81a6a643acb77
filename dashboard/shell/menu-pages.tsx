/** The pages in the menu at the side: pinned pages first, then groups that fold. */
import { useQuery } from '@tanstack/react-query'
import { Link, useMatches } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  useEffect,
  useRef,
  useState,
} from 'react'
import { siteBase } from '../api/address.ts'
import { countsQuery } from '../api/counts.ts'
import type { WorkspaceSession } from '../api/session.ts'
import { classes } from '../kit/classes.ts'
import { Keys } from '../kit/keys.tsx'
import { ContextMenu, type MenuEntry } from '../kit/menu.tsx'
import { Tooltip } from '../kit/tooltip.tsx'
import { useIsRoomy } from '../kit/width.ts'
import { MENU_GROUPS, type MenuGroup, type PageValue, plainPath } from '../pages.ts'
import { pinBefore, pinnedAmong, resetMenu, toggleGroup, togglePin, useMenuLayout } from './menu-layout.ts'
import { t } from './texts.ts'

export const MENU_ITEM =
  'group/item flex h-9 shrink-0 items-center gap-2.5 rounded-md px-2.5 font-medium text-ink-2 hover:bg-surface-4 hover:text-ink-1 data-[status=active]:bg-surface-1 data-[status=active]:text-ink-1 data-[status=active]:shadow-[0_0_0_1px_var(--color-line)] pointer-coarse:min-h-11'

/** Returns the number of unread chats for the link to the inbox; 0 for other pages. */
export function useUnreadOf({ id }: Pick<PageValue, 'id'>): number {
  const { data: counts } = useQuery({ ...countsQuery, enabled: id === 'inbox' })
  return id === 'inbox' ? (counts?.unread ?? 0) : 0
}

const MAX_SHOWN = 99

/** Scrolls the entry of the current page into view: on a low screen, it may be below the fold. */
function useCurrentEntry(current: string | undefined) {
  const pane = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (current) pane.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return pane
}

type NameProps = { label: string; keys?: string | undefined; children: ReactElement<Record<string, unknown>> }

/** Shows the name of an entry whose menu has only room for its icon. */
const NameTip = ({ children, ...name }: NameProps) =>
  useIsRoomy() ? children : <Tooltip {...name}>{children}</Tooltip>

type LinkProps = {
  page: PageValue
  workspace: string
  /** In a group that is open, below its title. */
  isInner?: boolean
  onOptions: (page: PageValue, anchor: HTMLElement) => void
  onMove?: (page: PageValue, by: 1 | -1) => void
  onDropped?: (page: string, before: PageValue) => void
}

/** The type of the dragged data. Only the menu reads it. */
const DRAGGED = 'application/x-parley-page'

function PageLink({ page, workspace, isInner, onOptions, onMove, onDropped }: LinkProps) {
  const { icon: Icon } = page
  const unread = useUnreadOf(page)
  const [isTarget, setTarget] = useState(false)
  const drop = onDropped && {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(DRAGGED)) return
      event.preventDefault()
      setTarget(true)
    },
    onDragLeave: () => setTarget(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setTarget(false)
      onDropped(event.dataTransfer.getData(DRAGGED), page)
    },
  }
  return (
    <NameTip label={t(page.title)} keys={page.go && `g ${page.go}`}>
      <Link
        to={`/w/${workspace}/${plainPath(page)}`}
        data-page={page.id}
        aria-description={unread > 0 ? t('menu.unread', { count: unread }) : undefined}
        onContextMenu={(event: MouseEvent<HTMLElement>) => {
          event.preventDefault()
          onOptions(page, event.currentTarget)
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if (!onMove || !event.altKey || !/^Arrow(Up|Down)$/.test(event.key)) return
          event.preventDefault()
          onMove(page, event.key === 'ArrowUp' ? -1 : 1)
        }}
        onDragStart={(event: DragEvent) => event.dataTransfer.setData(DRAGGED, page.id)}
        {...drop}
        className={classes(
          MENU_ITEM,
          'max-lg:justify-center',
          isInner && 'lg:ps-6',
          isTarget && 'shadow-[0_-2px_0_var(--color-accent)]',
        )}
      >
        <span className="relative">
          <Icon aria-hidden size={18} />
          {unread > 0 && (
            <span
              aria-hidden
              className="absolute -end-1.5 -top-1.5 size-2.5 rounded-full border-2 border-surface-3 bg-accent lg:hidden"
            />
          )}
        </span>
        <span className="flex-1 truncate max-lg:sr-only">{t(page.title)}</span>
        {unread > 0 && (
          <span
            aria-hidden
            data-unread
            className="rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent tabular-nums max-lg:hidden"
          >
            {unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}
          </span>
        )}
        {page.go && (
          <span aria-hidden className="hidden lg:group-hover/item:block lg:group-focus/item:block">
            <Keys keys={`g ${page.go}`} />
          </span>
        )}
      </Link>
    </NameTip>
  )
}

type GroupProps = {
  group: MenuGroup
  icon: PageValue['icon']
  isOpen: boolean
  pages: readonly PageValue[]
  /** The page that is shown while the group is folded. */
  current: string | undefined
  link: Omit<LinkProps, 'page'>
}

function Group({ group, icon: Icon, isOpen, pages, current, link }: GroupProps) {
  const shown = isOpen ? pages : pages.filter(({ id }) => id === current)
  return (
    <div className="flex flex-col gap-0.5">
      <NameTip label={t(`group.${group}`)}>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => toggleGroup(link.workspace, group)}
          className={classes(MENU_ITEM, 'text-start max-lg:justify-center')}
        >
          <Icon aria-hidden size={18} className="text-ink-3" />
          <span className="flex-1 truncate max-lg:sr-only">{t(`group.${group}`)}</span>
          <ChevronRight
            aria-hidden
            size={14}
            className={classes(
              'text-ink-3 transition-transform max-lg:hidden',
              isOpen ? 'rotate-90' : 'rtl:rotate-180',
            )}
          />
        </button>
      </NameTip>
      {shown.length > 0 && (
        <div className="flex flex-col gap-0.5 rounded-md max-lg:bg-surface-2">
          {shown.map((page) => (
            <PageLink key={page.id} page={page} isInner {...link} />
          ))}
        </div>
      )}
    </div>
  )
}

type Options = { page: PageValue; anchor: HTMLElement }

export function MenuPages({ session, pages }: { session: WorkspaceSession; pages: readonly PageValue[] }) {
  const workspace = session.workspace.id
  const layout = useMenuLayout(workspace)
  const pinned = pinnedAmong(pages, layout)
  const current = useMatches({ select: (matches) => matches.at(-1)?.staticData.page })
  const pane = useCurrentEntry(current)
  const [options, setOptions] = useState<Options>()
  const [change, setChange] = useState('')
  /** The page whose entry gets the focus again after it moved. */
  const moved = useRef<string>(undefined)
  useEffect(() => {
    if (moved.current === undefined) return
    pane.current?.querySelector<HTMLElement>(`[data-page="${moved.current}"]`)?.focus()
    moved.current = undefined
  })

  const place = (page: PageValue, to: number) => {
    const others = pinned.filter((other) => other !== page)
    pinBefore(workspace, page.id, others[to]?.id)
    moved.current = page.id
    setChange(t('menu.place', { page: t(page.title), place: to + 1, count: others.length + 1 }))
  }
  const move = (page: PageValue, by: 1 | -1) => {
    const to = pinned.indexOf(page) + by
    if (to >= 0 && to < pinned.length) place(page, to)
  }
  const pin = (page: PageValue) => {
    togglePin(workspace, page.id)
    moved.current = page.id
    setChange(t(pinned.includes(page) ? 'menu.unpinned' : 'menu.pinned', { page: t(page.title) }))
  }
  const link = {
    workspace,
    onOptions: (page: PageValue, anchor: HTMLElement) => setOptions({ page, anchor }),
  }
  return (
    <div ref={pane} className="pane -m-1 mt-1 flex min-h-0 flex-1 flex-col gap-0.5 p-1">
      {pinned.map((page) => (
        <PageLink
          key={page.id}
          page={page}
          {...link}
          onMove={move}
          onDropped={(id, before) => pinBefore(workspace, id, before.id)}
        />
      ))}
      {MENU_GROUPS.map(({ id, icon }) => {
        const groupPages = pages.filter((page) => page.group === id && !page.bell && !pinned.includes(page))
        if (groupPages.length === 0) return null
        return groupPages.length === 1 ? (
          <PageLink key={id} page={groupPages[0]!} {...link} />
        ) : (
          <Group
            key={id}
            group={id}
            icon={icon}
            isOpen={layout.open.includes(id)}
            pages={groupPages}
            current={current}
            link={link}
          />
        )
      })}
      <p role="status" className="sr-only">
        {change}
      </p>
      {options && (
        <ContextMenu
          key={options.page.id}
          anchor={options.anchor}
          label={t('menu.options', { page: t(options.page.title) })}
          entries={entriesOf(options.page, { workspace, pinned, onMove: move, onPin: pin })}
          onClose={() => setOptions(undefined)}
        />
      )}
    </div>
  )
}

type Actions = {
  workspace: string
  pinned: readonly PageValue[]
  onMove: (page: PageValue, by: 1 | -1) => void
  onPin: (page: PageValue) => void
}

function entriesOf(page: PageValue, { workspace, pinned, onMove, onPin }: Actions): MenuEntry[] {
  const index = pinned.indexOf(page)
  const isPinned = index >= 0
  return [
    {
      label: t(isPinned ? 'menu.unpin' : 'menu.pin'),
      onSelect: () => onPin(page),
    },
    ...(isPinned
      ? [
          {
            label: t('menu.up'),
            keys: 'Alt+ArrowUp',
            disabled: index === 0,
            onSelect: () => onMove(page, -1),
          } as const,
          {
            label: t('menu.down'),
            keys: 'Alt+ArrowDown',
            disabled: index === pinned.length - 1,
            onSelect: () => onMove(page, 1),
          } as const,
        ]
      : []),
    {
      label: t('menu.newTab'),
      onSelect: () => window.open(`${siteBase()}w/${workspace}/${plainPath(page)}`, '_blank', 'noopener'),
    },
    'line',
    { label: t('menu.reset'), onSelect: () => resetMenu(workspace) },
  ]
}
