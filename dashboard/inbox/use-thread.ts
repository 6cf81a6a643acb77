/** Reads the messages of a chat: where it opens, the loaded part, and messages being sent. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Conversation, Message } from '../../sdk/api.ts'
import { onChange } from '../api/cache.ts'
import { ApiError } from '../api/errors.ts'
import { dropMessage, type OutboxEntry, useOutbox } from '../api/outbox.ts'
import { call } from '../api/request.ts'
import { mergeMessages, messagesQuery, refreshMessages, unreadStartQuery } from './queries.ts'

/**
 * Reads messages named by the live stream again by ID; if the stream can't name them, reads the newest page.
 */
export function useLiveMessages(conversationId: string): void {
  useEffect(
    () =>
      onChange('message', async (ids, { conversation = [] }) => {
        // Every change of a message is also reported for its chat.
        if (conversation !== 'many' && !conversation.includes(conversationId)) return
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

/** Reads the newest messages of a direct chat again when the live stream names the chat. */
export function useLiveDirectMessages({ id, channel }: Conversation): void {
  useEffect(() => {
    if (channel !== 'social') return
    return onChange('conversation', (ids) => {
      if (ids === 'many' || ids.includes(id)) return refreshMessages(id)
    })
  }, [id, channel])
}

/** Returns messages being sent that are not among the loaded messages. */
export function useWaiting(conversationId: string, messages: readonly Message[]): OutboxEntry[] {
  const outbox = useOutbox()
  const messageIds = useMemo(() => new Set(messages.map(({ id }) => id)), [messages])
  useEffect(() => {
    for (const entry of outbox) if (entry.messageId && messageIds.has(entry.messageId)) dropMessage(entry.key)
    // The bubble stays until the message has been read: usually through the stream, and for certain here.
    if (
      document.visibilityState === 'visible' &&
      outbox.some((entry) => entry.conversationId === conversationId && entry.state === 'sent')
    )
      void refreshMessages(conversationId)
  }, [outbox, messageIds, conversationId])
  return useMemo(
    () =>
      outbox.filter(
        (entry) =>
          entry.conversationId === conversationId && !(entry.messageId && messageIds.has(entry.messageId)),
      ),
    [outbox, messageIds, conversationId],
  )
}

/**
 * Returns the first of `count` unread messages; undefined if it is not in `messages`, which are newest first.
 */
function firstUnread(messages: readonly Message[], count: number, hasOlder: boolean): string | undefined {
  const inbound = messages.filter(({ direction }) => direction === 'inbound')
  if (count === 0 || (inbound.length < count && hasOlder)) return undefined
  return inbound[Math.min(count, inbound.length) - 1]?.id
}

/** Pages may overlap where they meet. */
function flattened(pages: readonly { messages: Message[] }[]): Message[] {
  const byId = new Map<string, Message>()
  for (const { messages } of pages) for (const message of messages) byId.set(message.id, message)
  return [...byId.values()]
}

/**
 * Where a chat opens. Decided once, when its newest messages are loaded; later reads and sends don't change
 * it.
 */
type Opening = { firstUnread: string | undefined; isFarBack: boolean }

/**
 * Returns the visible part of a chat. It opens at the message `hitId` if set, otherwise at the first unread
 * message, otherwise at the end; `toEnd` goes from far back to the end.
 */
export function useThread(
  { id, unreadCount }: Conversation,
  hitId: string | undefined,
  onLeaveHit: () => void,
) {
  /** The place left for the end: the search hit, or the first unread message. */
  const [left, setLeft] = useState<string>()
  const isAtEnd = left !== undefined && (hitId === undefined || hitId === left)
  const unread = useRef(unreadCount).current
  const newest = useInfiniteQuery(messagesQuery(id))
  const opening = useRef<Opening>(undefined)
  if (newest.data && !opening.current) {
    const found = firstUnread(flattened(newest.data.pages), unread, newest.hasNextPage)
    opening.current = { firstUnread: found, isFarBack: found === undefined && unread > 0 }
  }
  const isFarBack = hitId === undefined && !isAtEnd && opening.current?.isFarBack === true
  const start = useQuery({ ...unreadStartQuery(id, unread), enabled: isFarBack })
  const around = isAtEnd ? undefined : (hitId ?? (isFarBack ? (start.data ?? undefined) : undefined))
  const part = useInfiniteQuery({ ...messagesQuery(id, around), enabled: around !== undefined })
  const query = around === undefined ? newest : part
  const toEnd = () => {
    setLeft(hitId ?? 'unread')
    onLeaveHit()
  }
  // If the message is gone, the chat is shown without it.
  const isGone = part.isError && part.error instanceof ApiError && part.error.status === 404
  useEffect(() => {
    if (isGone) toEnd()
  })
  return {
    query,
    messages: useMemo(() => flattened(query.data?.pages ?? []), [query.data]),
    around,
    isPending: query.isPending || isGone || (isFarBack && start.isPending),
    /** Where the chat opens: the requested message, otherwise the first unread message. */
    target: isAtEnd ? undefined : (around ?? opening.current?.firstUnread),
    firstUnread: hitId === undefined ? (opening.current?.firstUnread ?? start.data ?? undefined) : undefined,
    toEnd,
  }
}
