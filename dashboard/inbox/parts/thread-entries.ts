/** Orders the entries of a chat. */
import type { ConversationChange, Message, Note } from '../../../sdk/api.ts'
import type { OutboxEntry } from '../../api/outbox.ts'

export type Entry =
  | { kind: 'message'; id: string; at: string; message: Message }
  | { kind: 'note'; id: string; at: string; note: Note }
  | { kind: 'change'; id: string; at: string; change: ConversationChange }
  | { kind: 'waiting'; id: string; at: string; waiting: OutboxEntry }

/** The loaded part of a chat; entries outside of it are left out. */
type Loaded = { hasOlder: boolean; hasNewer: boolean }

/** Returns when a message was written. A message that arrived late was sent before it was stored. */
export const sentTime = ({ createdAt, sentAt }: Pick<Message, 'createdAt' | 'sentAt'>): string =>
  sentAt !== null && sentAt < createdAt ? sentAt : createdAt

/** The operator reports whole seconds: a message may be from any moment in its second, up to its arrival. */
const SECOND_MS = 1000
function placeOf(message: Message): string {
  const latestMs = Date.parse(sentTime(message)) + SECOND_MS - 1
  return new Date(Math.min(latestMs, Date.parse(message.createdAt))).toISOString()
}

/** Returns messages, notes, and changes in order of time, followed by messages being sent. */
export function entriesOf(
  messages: readonly Message[],
  { notes, changes }: { notes: readonly Note[]; changes: readonly ConversationChange[] },
  waiting: readonly OutboxEntry[],
  { hasOlder, hasNewer }: Loaded,
): Entry[] {
  const since = hasOlder ? (messages.at(-1)?.createdAt ?? '') : ''
  const until = hasNewer ? messages[0]?.createdAt : undefined
  const isLoaded = ({ createdAt }: { createdAt: string }): boolean =>
    createdAt >= since && (until === undefined || createdAt <= until)
  const entries: Entry[] = [
    ...messages
      .filter(({ type }) => type !== 'reaction')
      .map((message): Entry => ({ kind: 'message', id: message.id, at: placeOf(message), message })),
    ...notes.filter(isLoaded).map((note): Entry => ({ kind: 'note', id: note.id, at: note.createdAt, note })),
    ...changes
      .filter(isLoaded)
      .map((change): Entry => ({ kind: 'change', id: change.id, at: change.createdAt, change })),
  ]
  entries.sort((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? -1 : 1))
  if (hasNewer) return entries
  // A sandbox's clock may be ahead of this machine's. So a message being sent gets at least the day of the
  // entry before it.
  const last = Date.parse(entries.at(-1)?.at ?? '') || 0
  return [
    ...entries,
    ...waiting.map((entry): Entry => {
      const time = new Date(Math.max(entry.createdAt, last)).toISOString()
      return { kind: 'waiting', id: entry.key, at: time, waiting: entry }
    }),
  ]
}

/** Returns the emoji on each message, by the channel's ID of the message; at most one from each side. */
export function reactionsOf(messages: readonly Message[]): Map<string, string[]> {
  const bySide = new Map<string, Map<string, string>>()
  for (const { type, content, direction } of messages.toReversed()) {
    if (type !== 'reaction') continue
    const { message_id: target, emoji = '' } = content as { message_id: string; emoji?: string }
    const sides = bySide.get(target) ?? new Map<string, string>()
    bySide.set(target, sides.set(direction, emoji))
  }
  return new Map([...bySide].map(([id, sides]) => [id, [...sides.values()].filter(Boolean)]))
}

/**
 * Links each failed message with the later message that repeats it, in both directions, by ID; `messages` are
 * newest first.
 */
export function resentOf(messages: readonly Message[]): Map<string, Message> {
  const failed = new Map<string, Message>()
  const links = new Map<string, Message>()
  for (const message of messages.toReversed()) {
    if (message.direction !== 'outbound') continue
    const contentKey = JSON.stringify([message.type, message.content])
    const before = failed.get(contentKey)
    if (before) {
      links.set(before.id, message)
      // If the repeat failed too, the next one is linked.
      if (!message.error) links.set(message.id, before)
    }
    if (message.error) failed.set(contentKey, message)
    else failed.delete(contentKey)
  }
  return links
}
