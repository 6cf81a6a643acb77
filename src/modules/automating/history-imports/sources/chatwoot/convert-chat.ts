/** Converts a page of a conversation's messages to records. */
import type { ChatwootMessages } from '../../../../../chatwoot/port.ts'
import type { Workspace } from '../../../../../core/context.ts'
import type { LeftOut } from '../../history-source.ts'
import { causeOf, type MappedRecord, type MessagePlace, mapMessage, mapNote } from './map-message.ts'
import type { Unread } from './position.ts'
import { phoneOf } from './read-contacts.ts'

/** No version of Chatwoot has shorter pages, so a page with fewer messages is the last. */
const SHORTEST_PAGE = 20

type Limits = { workspace: Workspace; members: Record<string, string>; room: number }
/** `rest`: the conversation, if it has more messages. `isFull`: the batch has no room for the next message. */
type ChatRead = { mapped: MappedRecord[]; leftOut: LeftOut[]; rest?: Unread; isFull: boolean }

export function convertChat(
  [id, key, afterId]: Unread,
  found: ChatwootMessages | undefined,
  { workspace, members, room }: Limits,
): ChatRead {
  const without = (cause: string): ChatRead => ({
    mapped: [],
    leftOut: [{ kind: 'conversation', place: `conversation ${id}`, cause }],
    isFull: false,
  })
  // Deleted while the import runs.
  if (found === undefined) return without('deleted_conversation')
  // The last page may be empty, or be the same again in an old version.
  if (found.lastId <= afterId) return { mapped: [], leftOut: [], isFull: false }
  const person = found.contact === null ? { cause: 'no_phone' } : phoneOf(workspace, found.contact)
  if ('cause' in person) return without(person.cause)
  const place: MessagePlace = {
    workspaceId: workspace.id,
    key,
    contact: { phone: person.phone, name: found.contact?.name ?? undefined },
    members,
  }
  const read: ChatRead = { mapped: [], leftOut: [], isFull: false }
  let lastId = afterId
  for (const message of found.messages) {
    const cause = causeOf(message)
    const records =
      cause !== undefined ? [] : message.isPrivate ? [mapNote(message, place)] : mapMessage(message, place)
    if (read.mapped.length + records.length > room) return { ...read, rest: [id, key, lastId], isFull: true }
    if (cause !== undefined) read.leftOut.push({ kind: 'message', place: `message ${message.id}`, cause })
    read.mapped.push(...records)
    lastId = message.id
  }
  return found.size < SHORTEST_PAGE ? read : { ...read, rest: [id, key, found.lastId] }
}
