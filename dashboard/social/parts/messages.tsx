/** Shows direct chats, and the open one. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MessageCircle } from 'lucide-react'
import type { SocialConversation } from '../../../sdk/api.ts'
import type { WorkspaceSession } from '../../api/session.ts'
import { Badge } from '../../kit/badge.tsx'
import { classes } from '../../kit/classes.ts'
import { LoadMore } from '../../kit/load-more.tsx'
import { Empty, SkeletonRows } from '../../kit/states.tsx'
import { Time, useNow } from '../../kit/time.tsx'
import { chatsQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { Refused } from './gate.tsx'
import { isWindowOpen, nameOf } from './person.ts'
import { Thread } from './thread.tsx'

function Row({ chat, to, open }: { chat: SocialConversation; to: string; open: boolean }) {
  const isOpen = isWindowOpen(chat, useNow())
  return (
    <li>
      <Link
        to={to}
        data-social
        aria-current={open ? 'page' : undefined}
        className={classes(
          'flex min-h-chat flex-col justify-center gap-1 border-b px-4 py-2 focus-visible:-outline-offset-2',
          open ? 'bg-accent-soft' : 'hover:bg-surface-2',
        )}
      >
        <span className="flex items-center gap-2">
          <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
            {nameOf(chat)}
          </span>
          {chat.lastMessageAt && <Time at={chat.lastMessageAt} className="text-xs text-ink-3" />}
        </span>
        <span className="flex items-center gap-2 text-sm text-ink-3">
          <span className="min-w-0 flex-1 truncate">
            {chat.contact.username && `@${chat.contact.username}`}
          </span>
          <Badge tone={isOpen ? 'good' : 'plain'}>{t(isOpen ? 'messages.open' : 'messages.closed')}</Badge>
        </span>
      </Link>
    </li>
  )
}

type Props = {
  openId: string | undefined
  path: string
  workspace: WorkspaceSession['workspace']
  mayWrite: boolean
}

export function Messages(props: Props) {
  const { openId, path } = props
  return (
    <div className="flex min-h-0 flex-1">
      <section
        aria-label={t('messages.list')}
        className={classes('pane w-full border-e md:w-80 md:shrink-0', openId && 'max-md:hidden')}
      >
        <Chats {...props} />
      </section>
      <section
        data-detail={openId && true}
        className={classes('flex min-h-0 min-w-0 flex-1 flex-col', !openId && 'max-md:hidden')}
      >
        {openId ? (
          <Thread key={openId} id={openId} listPath={`${path}/messages`} mayWrite={props.mayWrite} />
        ) : (
          <Empty icon={MessageCircle} title={t('messages.choose')} />
        )}
      </section>
    </div>
  )
}

function Chats({ openId, path, workspace }: Props) {
  const query = useInfiniteQuery(chatsQuery)
  const chats = query.data?.pages.flatMap((page) => page.conversations) ?? []
  if (query.isPending) return <SkeletonRows tall />
  if (query.isError)
    return <Refused error={query.error} workspace={workspace} onRetry={() => void query.refetch()} />
  if (chats.length === 0)
    return (
      <Empty icon={MessageCircle} title={t('messages.empty')}>
        {t('messages.empty.text')}
      </Empty>
    )
  return (
    <>
      <ul>
        {chats.map((chat) => (
          <Row key={chat.id} chat={chat} to={`${path}/messages/${chat.id}`} open={chat.id === openId} />
        ))}
      </ul>
      <LoadMore query={query} className="m-3">
        {t('more')}
      </LoadMore>
    </>
  )
}
