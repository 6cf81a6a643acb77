/** The menu at the side: workspaces, search, pages, and the account. */

import { useNavigate } from '@tanstack/react-router'
import { BookOpen, ChevronsUpDown, LogOut, Search, Smartphone } from 'lucide-react'
import { siteBase } from '../api/address.ts'
import type { WorkspaceSession } from '../api/session.ts'
import { Avatar } from '../kit/avatar.tsx'
import { Badge } from '../kit/badge.tsx'
import { classes } from '../kit/classes.ts'
import { Keys } from '../kit/keys.tsx'
import { Menu, type MenuEntry } from '../kit/menu.tsx'
import { Tooltip } from '../kit/tooltip.tsx'
import type { PageValue } from '../pages.ts'
import { Bell } from './bell.tsx'
import { MENU_ITEM as ITEM, MenuPages } from './menu-pages.tsx'
import { type Preferences, setPreferences, usePreferences } from './preferences.ts'
import { t } from './texts.ts'

export type FrameMenuProps = {
  session: WorkspaceSession
  pages: readonly PageValue[]
  onSearch: () => void
  onSignOut: () => void
  onPhone: (() => void) | undefined
}

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

export function useAccountEntries(onSignOut: () => void): MenuEntry[] {
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

function useWorkspaceEntries({ session }: Pick<FrameMenuProps, 'session'>): MenuEntry[] {
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

export function SideMenu({ session, pages, onSearch, onSignOut, onPhone }: FrameMenuProps) {
  const account = useAccountEntries(onSignOut)
  const workspaces = useWorkspaceEntries({ session })
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
      <MenuPages session={session} pages={pages} />
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
