/** The messages of a chat with what is on its way and the notes of the team, the newest below. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowDown, StickyNote } from 'lucide-react'
import { Fragment, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Conversation, Message, Note } from '../../../sdk/api.ts'
import { onChange } from '../../api/cache.ts'
import { dropMessage, type OutboxEntry, retryMessage, useOutbox } from '../../api/outbox.ts'
import { call } from '../../api/request.ts'
import { Button } from '../../kit/button.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { formatClock, formatDay } from '../../kit/time.tsx'
import { setDraft } from '../draft.ts'
import { nameOf } from '../person.ts'
import { mergeMessages, messagesQuery, notesQuery, refreshMessages } from '../queries.ts'
import { t } from '../words.ts'
import { Bubble, Words } from './bubble.tsx'
import { Ticks } from './ticks.tsx'

type Entry =
  | { kind: 'message'; id: string; at: string; message: Message }
  | { kind: 'note'; id: string; at: string; note: Note }

/** What the live stream says of messages is read again by their ids; where they cannot be named, the newest page is. */
function useLiveMessages(conversationId: string): void {
  useEffect(
    () =>
      onChange('message', async (ids) => {
        if (ids === 'many' || ids.length > 50) return refreshMessages(conversationId)
        const { messages } = await call('GET /messages', { query: { ids: ids.join(','), limit: 100 } })
        mergeMessages(
          conversationId,
          messages.filter((message) => message.conversationId === conversationId),
        )
      }),
    [conversationId],
  )
}

/** Messages on their way that are not among those that were read. */
function useWaiting(conversationId: string, messages: readonly Message[]): OutboxEntry[] {
  const outbox = useOutbox()
  const known = useMemo(() => new Set(messages.map(({ id }) => id)), [messages])
  useEffect(() => {
    for (const entry of outbox) if (entry.messageId && known.has(entry.messageId)) dropMessage(entry.key)
    // Its bubble stays until the message has been read: the stream brings it, this makes sure of it.
    if (outbox.some((entry) => entry.conversationId === conversationId && entry.state === 'sent'))
      void refreshMessages(conversationId)
  }, [outbox, known, conversationId])
  return outbox.filter(
    (entry) => entry.conversationId === conversationId && !(entry.messageId && known.has(entry.messageId)),
  )
}

function NoteBubble({ note }: { note: Note }) {
  return (
    <article className="mx-auto w-full max-w-[34rem] rounded-lg border border-note/30 bg-note-soft px-3 py-2">
      <p className="mb-0.5 flex items-center gap-1.5 text-xs text-note">
        <StickyNote aria-hidden size={13} />
        <span className="flex-1">{t('note.by', { name: note.author })}</span>
        <time dateTime={note.createdAt}>{formatClock(note.createdAt)}</time>
      </p>
      <Words text={note.body} />
    </article>
  )
}

function WaitingBubble({ entry }: { entry: OutboxEntry }) {
  const failed = entry.state === 'failed'
  return (
    <div className="flex flex-col items-end" data-outbox={entry.key}>
      <div className="max-w-[min(34rem,85%)] rounded-lg rounded-ee-sm bg-accent-soft px-3 py-2">
        <Words text={entry.preview} />
        <p className="mt-0.5 flex justify-end text-xs text-ink-3">
          <Ticks status={failed ? 'failed' : entry.state === 'sent' ? 'queued' : 'sending'} />
        </p>
      </div>
      {failed && (
        <div role="alert" className="mt-1 flex flex-wrap items-center justify-end gap-2 text-sm text-bad">
          <span>
            {t('notSent.title')}: {entry.error?.message}
          </span>
          <Button size="sm" onClick={() => retryMessage(entry)}>
            {t('notSent.retry')}
          </Button>
          {entry.body.text !== undefined && (
            <Button
              size="sm"
              onClick={() => {
                setDraft(entry.conversationId, { text: entry.body.text ?? '', mode: 'reply' })
                dropMessage(entry.key)
              }}
            >
              {t('notSent.edit')}
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={() => dropMessage(entry.key)}>
            {t('notSent.delete')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Emoji on each message, by the channel's id of the message; one of each side at most. */
function reactionsOf(messages: readonly Message[]): Map<string, string[]> {
  const bySide = new Map<string, Map<string, string>>()
  for (const { type, content, direction } of messages.toReversed()) {
    if (type !== 'reaction') continue
    const { message_id: target, emoji = '' } = content as { message_id: string; emoji?: string }
    const sides = bySide.get(target) ?? new Map<string, string>()
    bySide.set(target, sides.set(direction, emoji))
  }
  return new Map([...bySide].map(([id, sides]) => [id, [...sides.values()].filter(Boolean)]))
}

/** Where the first unread message was when the chat was opened. */
function useFirstUnread(conversation: Conversation, messages: readonly Message[]): string | undefined {
  const unread = useRef<{ count: number; id: string | undefined }>(undefined)
  unread.current ??= { count: conversation.unreadCount, id: undefined }
  if (unread.current.count > 0 && unread.current.id === undefined && messages.length > 0) {
    const inbound = messages.filter(({ direction }) => direction === 'inbound')
    unread.current.id = inbound[Math.min(unread.current.count, inbound.length) - 1]?.id
  }
  return unread.current.id
}

const NEAR_PX = 120

/** Keeps the newest in sight for who is there, and in place what is read by who has gone back. */
function useScroll(newest: string | undefined, oldest: string | undefined, first: string | undefined) {
  const pane = useRef<HTMLDivElement>(null)
  const wasAtEnd = useRef(true)
  const before = useRef({ height: 0, oldest })
  const [below, setBelow] = useState(0)
  const toEnd = useCallback(() => {
    if (pane.current) pane.current.scrollTop = pane.current.scrollHeight
  }, [])
  const seen = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    const element = pane.current
    if (!element || newest === undefined) return
    if (seen.current === undefined) {
      const mark = first && element.querySelector('[data-first-unread]')
      if (mark) mark.scrollIntoView({ block: 'center' })
      else toEnd()
    } else if (before.current.oldest !== oldest) {
      // Older messages came above: what was read stays where it is.
      element.scrollTop += element.scrollHeight - before.current.height
    } else if (wasAtEnd.current) toEnd()
    else if (seen.current !== newest) setBelow((count) => count + 1)
    seen.current = newest
    before.current = { height: element.scrollHeight, oldest }
  })
  const onScroll = () => {
    const element = pane.current
    if (!element) return
    wasAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX
    if (wasAtEnd.current) setBelow(0)
  }
  return { pane, onScroll, below, toEnd }
}

type Props = {
  conversation: Conversation
  workspace: string
  onReply: ((message: Message) => void) | undefined
  onResend: ((message: Message) => void) | undefined
}

export function Thread({ conversation, workspace, onReply, onResend }: Props) {
  const { id } = conversation
  useLiveMessages(id)
  const query = useInfiniteQuery(messagesQuery(id))
  const { data: notes = [] } = useQuery(notesQuery(id))
  const messages = useMemo(() => query.data?.pages.flatMap((page) => page.messages) ?? [], [query.data])
  const waiting = useWaiting(id, messages)
  const reactions = useMemo(() => reactionsOf(messages), [messages])
  const byChannelId = useMemo(() => new Map(messages.map((one) => [one.chanmid, one])), [messages])
  const firstUnread = useFirstUnread(conversation, messages)
  const entries = useMemo(
    () => entriesOf(messages, notes, query.hasNextPage),
    [messages, notes, query.hasNextPage],
  )
  const newest = `${entries.at(-1)?.id}${waiting.map(({ key }) => key).join()}`
  const { pane, onScroll, below, toEnd } = useScroll(
    query.isPending ? undefined : newest,
    entries[0]?.id,
    firstUnread,
  )
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query

  if (query.isPending) return <SkeletonRows rows={6} />
  if (query.isError && messages.length === 0)
    return <Failed error={query.error} onRetry={() => void query.refetch()} />
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={pane}
        role="log"
        aria-label={t('thread.label', { name: nameOf(conversation) })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
        tabIndex={0}
        onScroll={() => {
          onScroll()
          if (pane.current && pane.current.scrollTop < 400 && hasNextPage && !isFetchingNextPage)
            void fetchNextPage()
        }}
        className="pane flex min-h-0 flex-1 flex-col gap-1.5 px-4 py-3 focus-visible:-outline-offset-2"
      >
        <div className="flex-1" />
        <p className="py-2 text-center text-xs text-ink-3">
          {t(hasNextPage ? 'thread.older' : 'thread.start')}
        </p>
        {entries.map((entry, at) => (
          <Fragment key={entry.id}>
            {formatDay(entry.at) !== (entries[at - 1] && formatDay(entries[at - 1]!.at)) && (
              <p className="my-2 text-center text-xs font-medium text-ink-3">{formatDay(entry.at)}</p>
            )}
            {entry.id === firstUnread && (
              <p data-first-unread className="my-1 flex items-center gap-3 text-xs font-medium text-accent">
                <span className="h-px flex-1 bg-accent/40" />
                {t('thread.new')}
                <span className="h-px flex-1 bg-accent/40" />
              </p>
            )}
            {entry.kind === 'note' ? (
              <NoteBubble note={entry.note} />
            ) : (
              <Bubble
                message={entry.message}
                workspace={workspace}
                quoted={entry.message.replyTo ? byChannelId.get(entry.message.replyTo) : undefined}
                reactions={(entry.message.chanmid && reactions.get(entry.message.chanmid)) || NONE}
                onReply={onReply}
                onResend={onResend}
              />
            )}
          </Fragment>
        ))}
        {waiting.map((entry) => (
          <WaitingBubble key={entry.key} entry={entry} />
        ))}
      </div>
      {below > 0 && (
        <div className="absolute inset-x-0 bottom-3 flex justify-center">
          <Button icon={ArrowDown} size="sm" className="rounded-full shadow-pop" onClick={toEnd}>
            {t('thread.below', { count: below })}
          </Button>
        </div>
      )}
    </div>
  )
}

const NONE: readonly string[] = []

/** Messages and notes in the order of their time; of the notes those that lie within what is loaded. */
function entriesOf(messages: readonly Message[], notes: readonly Note[], hasOlder: boolean): Entry[] {
  const since = hasOlder ? (messages.at(-1)?.createdAt ?? '') : ''
  const all: Entry[] = [
    ...messages
      .filter(({ type }) => type !== 'reaction')
      .map((message): Entry => ({ kind: 'message', id: message.id, at: message.createdAt, message })),
    ...notes
      .filter(({ createdAt }) => createdAt >= since)
      .map((note): Entry => ({ kind: 'note', id: note.id, at: note.createdAt, note })),
  ]
  return all.sort((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? -1 : 1))
}
