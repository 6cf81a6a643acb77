/** Reads and writes notifications. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { DashboardApi, Notification } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { callDashboard } from '../api/request.ts'
import { notify } from '../kit/toasts.tsx'
import { notifyError } from '../shell/notify-error.ts'
import { t } from './texts.ts'

type Page = DashboardApi['GET /notifications']['reply']
const PAGE = 50

const keyOf = (memberId: string) => ['notification', 'of', memberId]

export const notificationsQuery = (memberId: string, unread: boolean) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(memberId), 'list', unread],
    queryFn: ({ pageParam, signal }) =>
      callDashboard('GET /notifications', {
        query: { limit: PAGE, cursor: pageParam, ...(unread && { unread: 'true' as const }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Page) => page.nextCursor ?? undefined,
  })

/** Marks notifications as read, immediately on the screen. */
export async function markRead(
  memberId: string,
  selection: { ids: string[] } | { upTo: string },
): Promise<void> {
  try {
    await callDashboard('POST /notifications/read', { body: selection })
  } catch (error) {
    notifyError(error)
  } finally {
    void queryClient.invalidateQueries({ queryKey: keyOf(memberId) })
  }
}

export type NotificationSettings = Partial<Record<Notification['kind'], boolean>>

/** Reads which kinds the member has turned off (false). */
export const notificationSettingsQuery = queryOptions({
  queryKey: ['preferences', 'one', 'notifications'],
  queryFn: async () => {
    const { preferences } = await callDashboard('GET /preferences')
    return (preferences.notifications ?? {}) as NotificationSettings
  },
})

export async function saveNotificationSettings(settings: NotificationSettings): Promise<void> {
  const before = queryClient.getQueryData(notificationSettingsQuery.queryKey)
  queryClient.setQueryData(notificationSettingsQuery.queryKey, settings)
  try {
    await callDashboard('PATCH /preferences', { body: { notifications: settings } })
  } catch {
    queryClient.setQueryData(notificationSettingsQuery.queryKey, before)
    notify({ title: t('settings.failed'), kind: 'bad' })
  }
}
