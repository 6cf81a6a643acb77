/** Shows one direct chat: its messages, and a field to answer. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, Lock } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { SocialConversation, SocialMessage } from '../../../sdk/api.ts'
import { classes } from '../../kit/classes.ts'
import { LoadMore } from '../../kit/load-more.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { formatFull, Time, useNow } from '../../kit/time.tsx'
import { threadQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { isWindowOpen, nameOf } from './person.ts'
import { ReplyField } from './reply-field.tsx'

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Returns the address of a file, if browsers may open it. */
function fileOf({ content }: SocialMessage): string | undefined {
  const { payload } = content as { payload?: { url?: unknown } }
  const url = textIn(payload?.url) ?? textIn(content.url)
  return url && /^https?:\/\//.test(url) ? url : undefined
}

function MessageText({ message }: { message: SocialMessage }) {
  if (message.deletedAt) return <p className="text-ink-3 italic">{t('messages.withdrawn')}</p>
  const text = textIn(message.content.text) ?? textIn(message.content.title)
  const file = fileOf(message)
  return (
    <>
      {file && (
        <a href={file} target="_blank" rel="noreferrer noopener" className="text-accent underline">
          {t('messages.file', { kind: message.type })}
        </a>
      )}
      {text !== undefined && (
        <p dir="auto" className="break-words whitespace-pre-wrap">
          {text}
        </p>
      )}
      {!file && text === undefined && (
        <p className="text-ink-3">{t('messages.kind', { kind: message.type })}</p>
      )}
    </>
  )
}

function Bubble({ message }: { message: SocialMessage }) {
  const isOurs = message.direction === 'outbound'
  const { status } = message
  return (
    <li className={classes('flex flex-col', isOurs ? 'items-end' : 'items-start')}>
      <div
        className={classes(
          'max-w-[85%] rounded-lg px-3 py-2 md:max-w-[70%]',
          isOurs ? 'bg-accent-soft' : 'bg-surface-3',
        )}
      >
        <MessageText message={message} />
      </div>
      <p className="mt-0.5 flex gap-2 px-1 text-xs text-ink-3">
        {message.reaction && <span>{t('messages.reaction', { reaction: message.reaction })}</span>}
        {message.editedAt && <span>{t('messages.edited')}</span>}
        {isOurs && status !== 'received' && (
          <span className={classes(status === 'unconfirmed' && 'text-warn')}>
            {t(`messages.status.${status}`)}
          </span>
        )}
        <Time at={message.sentAt ?? message.createdAt} />
      </p>
    </li>
  )
}

function ChatFooter({ chat, mayWrite }: { chat: SocialConversation; mayWrite: boolean }) {
  const now = useNow()
  if (!isWindowOpen(chat, now))
    return (
      <div className="flex items-center gap-3 border-t bg-warn-soft px-4 py-3">
        <Lock aria-hidden size={18} className="shrink-0 text-warn" />
        <div>
          <p className="font-medium">{t('window.closed')}</p>
          <p className="text-sm">{t('window.closed.text')}</p>
        </div>
      </div>
    )
  return mayWrite ? <ReplyField conversationId={chat.id} /> : null
}

export function Thread({ id, listPath, mayWrite }: { id: string; listPath: string; mayWrite: boolean }) {
  const query = useInfiniteQuery(threadQuery(id))
  const end = useRef<HTMLLIElement>(null)
  const messages = (query.data?.pages.flatMap((page) => page.messages) ?? []).toReversed()
  const newest = messages.at(-1)?.id
  useEffect(() => {
    if (newest) end.current?.scrollIntoView({ block: 'end' })
  }, [newest])
  if (query.isPending) return <SkeletonRows tall />
  if (query.isLoadingError) return <Failed error={query.error} onRetry={() => void query.refetch()} />
  const { conversation } = query.data.pages[0]!
  const name = nameOf(conversation)
  return (
    <>
      <header className="flex min-h-12 items-center gap-2 border-b px-4 py-2">
        <Link to={listPath} aria-label={t('messages.back')} className="p-1 md:hidden">
          <ArrowLeft aria-hidden size={18} className="rtl:rotate-180" />
        </Link>
        <div className="min-w-0 flex-1">
          <h2 dir="auto" className="truncate font-semibold">
            {name}
          </h2>
          {conversation.windowOpen && conversation.windowExpiresAt && (
            <p className="truncate text-xs text-ink-3">
              {t('window.until', { time: formatFull(conversation.windowExpiresAt) })}
            </p>
          )}
        </div>
      </header>
      <div className="pane flex-1 p-4">
        <LoadMore query={query} className="mx-auto mb-3 flex">
          {t('messages.older')}
        </LoadMore>
        <div role="log" aria-label={t('messages.log', { name })}>
          <ol className="flex flex-col gap-2">
            {messages.map((message) => (
              <Bubble key={message.id} message={message} />
            ))}
            <li ref={end} aria-hidden />
          </ol>
        </div>
      </div>
      <ChatFooter chat={conversation} mayWrite={mayWrite} />
    </>
  )
}
