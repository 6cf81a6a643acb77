/** Shows the messages of a chat, the team's notes, and messages being sent; the newest is at the bottom. */
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Conversation, Message } from '../../../sdk/api.ts'
import { classes } from '../../kit/classes.ts'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { nameOf } from '../person.ts'
import { notesQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { useLiveMessages, useThread, useWaiting } from '../use-thread.ts'
import { Bubble } from './bubble.tsx'
import { ViewMedia } from './media-file.tsx'
import { MediaViewer } from './media-viewer.tsx'
import { NoteBubble } from './note-bubble.tsx'
import { type Entry, entriesOf, reactionsOf, resentOf } from './thread-entries.ts'
import { ThreadLog } from './thread-log.tsx'
import { WaitingBubble } from './waiting-bubble.tsx'

type Props = {
  conversation: Conversation
  workspace: string
  /** The message found by a search. */
  hit: string | undefined
  onLeaveHit: () => void
  onReply: ((message: Message) => void) | undefined
  onResend: ((message: Message) => void) | undefined
}

const NONE: readonly string[] = []

export function Thread({ conversation, workspace, hit, onLeaveHit, onReply, onResend }: Props) {
  const { id } = conversation
  const [viewed, setViewed] = useState<string>()
  useLiveMessages(id)
  const thread = useThread(conversation, hit, onLeaveHit)
  const { query, messages, around } = thread
  const { data: notes = [] } = useQuery(notesQuery(id))
  const waiting = useWaiting(id, messages)
  const reactions = useMemo(() => reactionsOf(messages), [messages])
  const resent = useMemo(() => resentOf(messages), [messages])
  const byChannelId = useMemo(
    () => new Map(messages.map((message) => [message.chanmid, message])),
    [messages],
  )
  const { hasNextPage: hasOlder, hasPreviousPage: hasNewer, isFetching } = query
  const entries = useMemo(
    () => entriesOf(messages, notes, waiting, { hasOlder, hasNewer }),
    [messages, notes, waiting, hasOlder, hasNewer],
  )

  if (query.isError && messages.length === 0)
    return <Failed error={query.error} onRetry={() => void query.refetch()} />
  if (thread.isPending) return <SkeletonRows rows={6} />
  const draw = (entry: Entry, show: (id: string) => void) => {
    if (entry.kind === 'note') return <NoteBubble note={entry.note} />
    if (entry.kind === 'waiting') return <WaitingBubble entry={entry.waiting} />
    const { message } = entry
    return (
      <div
        className={classes(message.id === hit && 'rounded-lg bg-warn-soft py-1')}
        data-hit={message.id === hit || undefined}
      >
        <Bubble
          message={message}
          workspace={workspace}
          quoted={message.replyTo ? byChannelId.get(message.replyTo) : undefined}
          reactions={(message.chanmid && reactions.get(message.chanmid)) || NONE}
          linked={resent.get(message.id)}
          onShow={show}
          onReply={onReply}
          onResend={onResend}
        />
      </div>
    )
  }
  return (
    <ViewMedia value={setViewed}>
      <ThreadLog
        key={around ?? 'end'}
        label={t('thread.label', { name: nameOf(conversation) })}
        entries={entries}
        target={thread.target}
        firstUnread={thread.firstUnread}
        sending={waiting.length}
        older={hasOlder ? () => !isFetching && void query.fetchNextPage() : undefined}
        newer={hasNewer ? () => !isFetching && void query.fetchPreviousPage() : undefined}
        onEnd={thread.toEnd}
      >
        {draw}
      </ThreadLog>
      <MediaViewer messages={messages} workspace={workspace} id={viewed} onMove={setViewed} />
    </ViewMedia>
  )
}
