import type { Notification } from '../../sdk/api.ts'
import type { Command } from '../commands.ts'
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
  Extract<keyof typeof en, `command.${string}`>
>[] = [
  { id: 'notification-next', title: 'command.next', keys: 'j', run: (context) => context.move(1) },
  { id: 'notification-previous', title: 'command.previous', keys: 'k', run: (context) => context.move(-1) },
  {
    id: 'notification-open',
    title: 'command.open',
    keys: 'Enter',
    when: (context) => context.notification !== undefined,
    run: (context) => context.open(),
  },
  {
    id: 'notification-read',
    title: 'command.read',
    keys: 'e',
    when: (context) => context.notification?.readAt === null,
    run: (context) => context.markRead(),
  },
]
