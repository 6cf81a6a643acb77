import type { Notification } from '../../sdk/api.ts'
import { type Command, moveCommands } from '../commands.ts'
import type en from './en.json'

/** The state that commands of the page act on. */
export type NotificationsContext = {
  notification: Notification | undefined
  move: (by: 1 | -1) => void
  open: () => void
  markRead: () => void
}

export const NOTIFICATIONS_COMMANDS: readonly Command<
  NotificationsContext,
  Extract<keyof typeof en, `action.${string}`>
>[] = [
  ...moveCommands('notification'),
  {
    id: 'notification-open',
    title: 'action.open',
    keys: 'Enter',
    when: (context) => context.notification !== undefined,
    run: (context) => context.open(),
  },
  {
    id: 'notification-read',
    title: 'action.read',
    keys: 'e',
    when: (context) => context.notification?.readAt === null,
    run: (context) => context.markRead(),
  },
]
