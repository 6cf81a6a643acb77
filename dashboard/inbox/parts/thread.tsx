/** Shows the messages of a chat, the team's notes, and messages being sent; the newest is at the bottom. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Conversation, Message } from '../../../sdk/api.ts'
import { onChange, queryClient } from '../../api/cache.ts'
import { directOf } from '../../api/direct-messages.ts'
import { classes } from '../../kit/classes.ts'
import { lazyPopup } from '../../kit/lazy.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { nameOf } from '../person.ts'
import { changesQuery, notesQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { useLiveDirectMessages, useLiveMessages, useThread, useWaiting } from '../use-thread.ts'
import { Bubble } from './bubble.tsx'
import { ChangeLine } from './change-line.tsx'
import { ViewMedia } from './media-file.tsx'
import { NoteBubble } from './note-bubble.tsx'
import { type Entry, entriesOf, reactionsOf, resentOf } from './thread-entries.ts'
import { ThreadLog } from './thread-log.tsx'
import { WaitingBubble } from './waiting-bubble.tsx'

const MediaViewer = lazyPopup(
  () => import('./media-viewer.tsx').then((module) => module.MediaViewer),
  ({ id }) => id !== undefined,
)

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
/** Returns the reaction to a direct message, which is part of the message. */
function directReactions(message: Message): readonly string[] | undefined {
  const direct = directOf(message)
  return direct && (direct.reaction === null ? NONE : [direct.reaction])
}
const NO_ROWS: never[] = []

/** Reads the changes of a chat again when its contact changes, because tags belong to the contact. */
function useLiveTags({ id, contact }: Conversation): void {
  const contactId = contact.id
  useEffect(
    () =>
      onChange('contact', (ids) => {
        if (ids === 'many' || ids.includes(contactId))
          void queryClient.invalidateQueries({ queryKey: changesQuery(id).queryKey })
      }),
    [id, contactId],
  )
}

export function Thread({ conversation, workspace, hit, onLeaveHit, onReply, onResend }: Props) {
  const { id } = conversation
  const [viewed, setViewed] = useState<string>()
  useLiveMessages(id)
  useLiveTags(conversation)
  useLiveDirectMessages(conversation)
  const thread = useThread(conversation, hit, onLeaveHit)
  const { query, messages, around } = thread
  const { data: notes = NO_ROWS } = useQuery(notesQuery(id))
  const { data: changes = NO_ROWS } = useQuery(changesQuery(id))
  const waiting = useWaiting(id, messages)
  const reactions = useMemo(() => reactionsOf(messages), [messages])
  const resent = useMemo(() => resentOf(messages), [messages])
  const byChannelId = useMemo(
    () => new Map(messages.map((message) => [message.chanmid, message])),
    [messages],
  )
  const { hasNextPage: hasOlder, hasPreviousPage: hasNewer, isFetching } = query
  const entries = useMemo(
    () => entriesOf(messages, { notes, changes }, waiting, { hasOlder, hasNewer }),
    [messages, notes, changes, waiting, hasOlder, hasNewer],
  )

  if (query.isError && messages.length === 0)
    return <Failed error={query.error} onRetry={() => void query.refetch()} />
  if (thread.isPending) return <SkeletonRows rows={6} />
  const draw = (entry: Entry, show: (id: string) => void) => {
    if (entry.kind === 'note') return <NoteBubble note={entry.note} />
    if (entry.kind === 'change') return <ChangeLine change={entry.change} workspace={workspace} />
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
          reactions={
            directReactions(message) ?? ((message.chanmid && reactions.get(message.chanmid)) || NONE)
          }
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
