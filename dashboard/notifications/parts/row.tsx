import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import type { Notification } from '../../../sdk/api.ts'
import { ServerText } from '../../api/server-text.tsx'
import { IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { Time } from '../../kit/time.tsx'
import { t } from '../texts.ts'
import { KINDS } from './kinds.ts'

/** Kinds whose body is a reason that the server wrote. Other bodies are the words of people. */
const FROM_SERVER: readonly Notification['kind'][] = ['campaign_paused', 'webhook_disabled', 'number_failing']

type Props = {
  notification: Notification
  workspace: string
  current: boolean
  onOpen: () => void
  onRead: () => void
}

/** Shows one notification; opening it marks it as read. */
export function NotificationRow({ notification, workspace, current, onOpen, onRead }: Props) {
  const { id, kind, title, body, actorName, createdAt, readAt } = notification
  const { icon: Icon, path } = KINDS[kind]
  const isUnread = readAt === null
  return (
    <li
      data-notification={id}
      className={classes(
        'group relative flex items-start gap-3 border-b px-4 py-3 sm:px-6',
        current ? 'bg-surface-3' : 'hover:bg-surface-2',
      )}
    >
      <span
        className={classes(
          'mt-0.5 flex size-8 shrink-0 items-center justify-center rounded-full',
          isUnread ? 'bg-accent-soft text-accent' : 'bg-surface-3 text-ink-3',
        )}
      >
        <Icon aria-hidden size={16} />
      </span>
      <Link
        to={`/w/${workspace}/${path(notification)}`}
        onClick={onOpen}
        className="min-w-0 flex-1 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
      >
        <span className={classes('block wrap-anywhere', isUnread ? 'font-medium' : 'text-ink-2')}>
          {isUnread && <span className="sr-only">{t('unread')}: </span>}
          {t(`line.${kind}`, { by: actorName ?? t('parley'), title })}
        </span>
        {body && (
          <span dir="auto" className="line-clamp-2 text-sm wrap-anywhere text-ink-2">
            {FROM_SERVER.includes(kind) ? <ServerText>{body}</ServerText> : body}
          </span>
        )}
      </Link>
      <Time at={createdAt} className="shrink-0 pt-0.5 text-xs text-ink-3" />
      <span className="relative z-1 flex w-7 shrink-0 justify-center pointer-coarse:w-11">
        {isUnread && <IconButton icon={Check} size="sm" label={t('markRead')} onClick={onRead} />}
      </span>
    </li>
  )
}
