/** Shows notifications, with unread ones highlighted; each opens the item it is about. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { BellOff, CheckCheck, SlidersHorizontal } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { Notification } from '../../sdk/api.ts'
import { unreadQuery } from '../api/notifications.ts'
import { useWorkspaceSession } from '../api/session.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { LoadMore } from '../kit/load-more.tsx'
import { LoadedRows } from '../kit/loaded-rows.tsx'
import { Menu } from '../kit/menu.tsx'
import { Empty, SkeletonRows } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { useCommands } from '../shell/commands-store.ts'
import { NOTIFICATIONS_COMMANDS } from './commands.ts'
import { KIND_NAMES, KINDS } from './parts/kinds.ts'
import { NotificationRow } from './parts/row.tsx'
import {
  markRead,
  notificationSettingsQuery,
  notificationsQuery,
  saveNotificationSettings,
} from './queries.ts'
import { t } from './texts.ts'

const TABS = ['all', 'unread'] as const

/** Turns kinds of notifications on or off. */
function SettingsMenu() {
  const { data: settings } = useQuery(notificationSettingsQuery)
  return (
    <Menu
      align="end"
      trigger={<IconButton icon={SlidersHorizontal} label={t('settings')} />}
      entries={[
        { heading: t('settings') },
        ...KIND_NAMES.map((kind) => ({
          label: t(`settings.${kind}`),
          checked: settings?.[kind] !== false,
          disabled: settings === undefined,
          onSelect: () => void saveNotificationSettings({ ...settings, [kind]: settings?.[kind] === false }),
        })),
      ]}
    />
  )
}

export default function NotificationsPage() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const { tab } = useSearch({ strict: false }) as { tab?: unknown }
  const { member } = useWorkspaceSession(workspace)
  const navigate = useNavigate()
  const shown = tab === 'unread' ? 'unread' : 'all'
  const query = useInfiniteQuery(notificationsQuery(member.id, shown === 'unread'))
  const { data: unread = 0 } = useQuery(unreadQuery(member.id))
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.notifications) ?? [], [query.data])
  const [index, setIndex] = useState(0)
  const current = rows[Math.min(index, rows.length - 1)]
  useEffect(() => {
    if (current)
      document.querySelector(`[data-notification="${current.id}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const read = (notification: Notification) => {
    if (notification.readAt === null) void markRead(member.id, { ids: [notification.id] })
  }
  useCommands(
    NOTIFICATIONS_COMMANDS,
    {
      notification: current,
      move: (by) => setIndex((before) => Math.max(0, Math.min(rows.length - 1, before + by))),
      open: () => {
        if (!current) return
        read(current)
        void navigate({ to: `/w/${workspace}/${KINDS[current.kind].path(current)}` } as never)
      },
      markRead: () => current && read(current),
    },
    { title: t },
  )
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex flex-wrap items-center gap-2 px-4 pt-4 sm:px-6">
        <h1 className="flex-1 text-lg font-semibold">{t('title')}</h1>
        {unread > 0 && rows[0] && (
          <Button icon={CheckCheck} onClick={() => void markRead(member.id, { upTo: rows[0]!.id })}>
            {t('readAll')}
          </Button>
        )}
        <SettingsMenu />
      </header>
      <Tabs
        className="mt-2 px-2 sm:px-4"
        label={t('list')}
        value={shown}
        onChange={(next) =>
          void navigate({ to: '.', search: next === 'unread' ? { tab: next } : {} } as never)
        }
        tabs={TABS.map((value) => ({
          value,
          label: t(`tab.${value}`),
          count: value === 'unread' ? unread : undefined,
        }))}
      />
      <div className="pane flex min-h-0 flex-1 flex-col">
        <LoadedRows
          query={query}
          rows={rows}
          outline={<SkeletonRows tall />}
          empty={
            <Empty icon={BellOff} title={t(`empty.${shown}`)}>
              {t('empty.text')}
            </Empty>
          }
        >
          <ul aria-label={t('list')}>
            {rows.map((notification) => (
              <NotificationRow
                key={notification.id}
                notification={notification}
                workspace={workspace}
                current={notification.id === current?.id}
                onOpen={() => read(notification)}
                onRead={() => read(notification)}
              />
            ))}
          </ul>
          <LoadMore query={query} className="mx-auto my-4 flex">
            {t('more')}
          </LoadMore>
        </LoadedRows>
      </div>
    </div>
  )
}
