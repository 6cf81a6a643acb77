/** Links to every page: at the side, or at the bottom on a phone. */
import { Link, useMatches, useNavigate } from '@tanstack/react-router'
import { BookOpen, ChevronsUpDown, Ellipsis, LogOut, Search, Smartphone } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { siteBase } from '../api/address.ts'
import type { WorkspaceSession } from '../api/session.ts'
import { Avatar } from '../kit/avatar.tsx'
import { Badge } from '../kit/badge.tsx'
import { IconButton } from '../kit/button.tsx'
import { classes } from '../kit/classes.ts'
import { Keys } from '../kit/keys.tsx'
import { Menu, type MenuEntry } from '../kit/menu.tsx'
import { Tooltip } from '../kit/tooltip.tsx'
import { type PageValue, plainPath } from '../pages.ts'
import { Bell } from './bell.tsx'
import { type Preferences, setPreferences, usePreferences } from './preferences.ts'
import { t } from './texts.ts'

type Props = {
  session: WorkspaceSession
  pages: readonly PageValue[]
  onSearch: () => void
  onSignOut: () => void
  onPhone: (() => void) | undefined
}

const GROUPS = ['work', 'build', 'settings'] as const
const ITEM =
  'flex h-9 items-center gap-2.5 rounded-md px-2.5 font-medium text-ink-2 hover:bg-surface-4 hover:text-ink-1 data-[status=active]:bg-surface-1 data-[status=active]:text-ink-1 data-[status=active]:shadow-[0_0_0_1px_var(--color-line)]'

/** Returns menu entries for the values of a preference. */
function choices<Key extends keyof Preferences>(
  name: Key,
  current: Preferences[Key],
  options: [Preferences[Key], string][],
): MenuEntry[] {
  return options.map(([value, label]) => ({
    label,
    checked: current === value,
    onSelect: () => setPreferences({ [name]: value }),
  }))
}

function useAccountEntries(onSignOut: () => void): MenuEntry[] {
  const { theme, density, letters } = usePreferences()
  return [
    { heading: t('menu.theme') },
    ...choices('theme', theme, [
      ['system', t('menu.theme.system')],
      ['light', t('menu.theme.light')],
      ['dark', t('menu.theme.dark')],
    ]),
    { heading: t('menu.rows') },
    ...choices('density', density, [
      ['comfortable', t('menu.rows.comfortable')],
      ['compact', t('menu.rows.compact')],
    ]),
    'line',
    { label: t('menu.letters'), checked: letters, onSelect: () => setPreferences({ letters: !letters }) },
    'line',
    {
      label: t('menu.docs'),
      icon: BookOpen,
      onSelect: () => window.open(`${siteBase()}docs`, '_blank', 'noopener'),
    },
    { label: t('command.signOut'), icon: LogOut, onSelect: onSignOut },
  ]
}

function useWorkspaceEntries({ session }: Pick<Props, 'session'>): MenuEntry[] {
  const navigate = useNavigate()
  return [
    { heading: t('menu.workspaces') },
    ...session.workspaces.map(
      ({ id, name }): MenuEntry => ({
        label: name,
        checked: id === session.workspace.id,
        onSelect: () => void navigate({ to: `/w/${id}` }),
      }),
    ),
  ]
}

/** Scrolls the entry of the current page into view: on a low screen, it may be below the fold. */
function useCurrentEntry() {
  const pane = useRef<HTMLDivElement>(null)
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData.page })
  useEffect(() => {
    if (page) pane.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [page])
  return pane
}

export function SideMenu({ session, pages, onSearch, onSignOut, onPhone }: Props) {
  const account = useAccountEntries(onSignOut)
  const workspaces = useWorkspaceEntries({ session })
  const pane = useCurrentEntry()
  return (
    <nav
      aria-label={t('menu.label')}
      className="flex w-14 shrink-0 flex-col gap-1 border-e bg-surface-3 p-2 max-sm:hidden lg:w-56"
    >
      <Menu
        entries={workspaces}
        trigger={
          <button
            type="button"
            className="flex h-11 items-center gap-2.5 rounded-md px-1.5 text-start hover:bg-surface-4 max-lg:justify-center"
          >
            <span
              aria-hidden
              className="flex size-7 shrink-0 items-center justify-center rounded-md bg-accent text-sm font-bold text-on-accent"
            >
              {Array.from(session.workspace.name)[0]?.toUpperCase()}
            </span>
            <span className="sr-only">{t('menu.workspaces')}:</span>
            <span className="min-w-0 flex-1 truncate font-semibold max-lg:sr-only">
              {session.workspace.name}
            </span>
            <ChevronsUpDown aria-hidden size={14} className="text-ink-3 max-lg:hidden" />
          </button>
        }
      />
      <button
        type="button"
        onClick={onSearch}
        className={classes(ITEM, 'border border-line bg-surface-1 text-ink-3 max-lg:justify-center')}
      >
        <Search aria-hidden size={16} />
        <span className="flex-1 text-start font-normal max-lg:sr-only">{t('menu.search')}</span>
        <span className="max-lg:hidden">
          <Keys keys="$mod+k" />
        </span>
      </button>
      {pages.map(
        (page) =>
          page.bell && (
            <Bell
              key={page.id}
              page={page}
              workspace={session.workspace.id}
              className={classes(ITEM, 'max-lg:justify-center')}
            />
          ),
      )}
      <div ref={pane} className="pane mt-2 flex min-h-0 flex-1 flex-col gap-4">
        {GROUPS.map((group) => {
          const groupPages = pages.filter((page) => page.group === group && !page.bell)
          return (
            groupPages.length > 0 && (
              <div key={group} className="flex flex-col gap-0.5">
                <p className="px-2.5 pb-1 text-xs font-medium text-ink-3 max-lg:hidden">
                  {t(`group.${group}`)}
                </p>
                {groupPages.map((page) => (
                  <PageLink key={page.id} page={page} workspace={session.workspace.id} />
                ))}
              </div>
            )
          )
        })}
      </div>
      {onPhone && (
        <Tooltip label={t('command.phone')} keys="g p">
          <button type="button" onClick={onPhone} className={classes(ITEM, 'max-lg:justify-center')}>
            <Smartphone aria-hidden size={18} />
            <span className="flex-1 text-start max-lg:sr-only">{t('phone')}</span>
            <span className="max-lg:hidden">
              <Badge tone="note">{t('sandbox')}</Badge>
            </span>
          </button>
        </Tooltip>
      )}
      <Menu
        entries={account}
        trigger={
          <button
            type="button"
            className="flex h-11 items-center gap-2.5 rounded-md px-1.5 text-start hover:bg-surface-4 max-lg:justify-center"
          >
            <Avatar name={session.account.name} size="sm" />
            <span className="sr-only">{t('menu.account')}:</span>
            <span className="min-w-0 flex-1 max-lg:sr-only">
              <span className="block truncate font-medium">{session.account.name}</span>
              <span className="block truncate text-xs text-ink-3">
                {session.account.email ?? session.member.role}
              </span>
            </span>
          </button>
        }
      />
    </nav>
  )
}

function PageLink({ page, workspace }: { page: PageValue; workspace: string }) {
  const { icon: Icon } = page
  return (
    <Tooltip label={t(page.title)} keys={page.go && `g ${page.go}`}>
      <Link to={`/w/${workspace}/${plainPath(page)}`} className={classes(ITEM, 'max-lg:justify-center')}>
        <Icon aria-hidden size={18} />
        <span className="truncate max-lg:sr-only">{t(page.title)}</span>
      </Link>
    </Tooltip>
  )
}

const TABS = 4
const TAB =
  'flex min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-xs text-ink-2 focus-visible:-outline-offset-2 data-[status=active]:text-accent'

export function BottomTabs({ session, pages, onSearch, onSignOut, onPhone }: Props) {
  const navigate = useNavigate()
  const account = useAccountEntries(onSignOut)
  const listed = pages.filter((page) => !page.bell)
  const rest: MenuEntry[] = [
    { label: t('menu.search'), icon: Search, onSelect: onSearch },
    'line',
    ...listed.slice(TABS - 1).map(
      (page): MenuEntry => ({
        label: t(page.title),
        icon: page.icon,
        onSelect: () => void navigate({ to: `/w/${session.workspace.id}/${plainPath(page)}` }),
      }),
    ),
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
      {listed.slice(0, TABS - 1).map(({ id, icon: Icon, title, ...page }) => (
        <Link key={id} to={`/w/${session.workspace.id}/${plainPath(page as PageValue)}`} className={TAB}>
          <Icon aria-hidden size={20} />
          {t(title)}
        </Link>
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
