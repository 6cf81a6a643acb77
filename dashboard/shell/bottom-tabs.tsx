/** The menu at the bottom of a phone: the first pages, and More for the rest. */
import { Link, useNavigate } from '@tanstack/react-router'
import { Ellipsis, Search, Smartphone } from 'lucide-react'
import { IconButton } from '../kit/button.tsx'
import { Menu, type MenuEntry } from '../kit/menu.tsx'
import { MENU_GROUPS, type PageValue, plainPath } from '../pages.ts'
import { Bell } from './bell.tsx'
import { type FrameMenuProps, useAccountEntries } from './menu.tsx'
import { pinnedAmong, useMenuLayout } from './menu-layout.ts'
import { useUnreadOf } from './menu-pages.tsx'
import { t } from './texts.ts'

const TABS = 4
const TAB =
  'flex min-w-0 flex-auto flex-col items-center justify-center gap-0.5 text-xs whitespace-nowrap text-ink-2 focus-visible:-outline-offset-2 data-[status=active]:text-accent'

function TabLink({ page, workspace }: { page: PageValue; workspace: string }) {
  const { icon: Icon, title } = page
  const unread = useUnreadOf(page)
  return (
    <Link
      to={`/w/${workspace}/${plainPath(page)}`}
      aria-description={unread > 0 ? t('menu.unread', { count: unread }) : undefined}
      className={TAB}
    >
      <span className="relative">
        <Icon aria-hidden size={20} />
        {unread > 0 && (
          <span
            aria-hidden
            className="absolute -end-1.5 -top-1.5 size-2.5 rounded-full border-2 border-surface-2 bg-accent"
          />
        )}
      </span>
      {t(title)}
    </Link>
  )
}

export function BottomTabs({ session, pages, onSearch, onSignOut, onPhone }: FrameMenuProps) {
  const navigate = useNavigate()
  const account = useAccountEntries(onSignOut)
  const pinned = pinnedAmong(pages, useMenuLayout(session.workspace.id))
  const grouped = MENU_GROUPS.map(({ id }) => ({
    id,
    pages: pages.filter((page) => page.group === id && !page.bell && !pinned.includes(page)),
  }))
  const listed = [...pinned, ...grouped.flatMap((group) => group.pages)]
  const tabs = listed.slice(0, TABS - 1)
  const entryOf = (page: PageValue): MenuEntry => ({
    label: t(page.title),
    icon: page.icon,
    onSelect: () => void navigate({ to: `/w/${session.workspace.id}/${plainPath(page)}` }),
  })
  const morePinned = pinned.slice(TABS - 1)
  const rest: MenuEntry[] = [
    { label: t('menu.search'), icon: Search, onSelect: onSearch },
    ...(morePinned.length > 0 ? [{ heading: t('group.pinned') }, ...morePinned.map(entryOf)] : []),
    ...grouped.flatMap((group): MenuEntry[] => {
      const rest = group.pages.filter((page) => !tabs.includes(page))
      return rest.length > 0 ? [{ heading: t(`group.${group.id}`) }, ...rest.map(entryOf)] : []
    }),
    'line',
    ...(onPhone
      ? [{ label: t('command.phone'), icon: Smartphone, onSelect: onPhone } satisfies MenuEntry]
      : []),
    'line',
    ...account,
  ]
  return (
    <nav
      aria-label={t('menu.label')}
      className="flex h-14 shrink-0 items-stretch border-t bg-surface-2 pb-[env(safe-area-inset-bottom)] sm:hidden"
    >
      {tabs.map((page) => (
        <TabLink key={page.id} page={page} workspace={session.workspace.id} />
      ))}
      {pages.map(
        (page) =>
          page.bell && (
            <Bell key={page.id} page={page} workspace={session.workspace.id} className={TAB} inTabs />
          ),
      )}
      <Menu
        align="end"
        entries={rest}
        trigger={
          <IconButton icon={Ellipsis} label={t('menu.more')} className="h-full! flex-1 rounded-none" />
        }
      />
    </nav>
  )
}
