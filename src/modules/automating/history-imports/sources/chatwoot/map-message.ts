/** Converts Chatwoot's messages to messages of the past (DECISIONS.md "Chatwoot"). */
import type { ChatwootAttachment, ChatwootMessage } from '../../../../../chatwoot/port.ts'
import { later } from '../../../../../core/clock.ts'
import { cutText } from '../../../../../core/values/cut-text.ts'
import { type PastMessage, pastMessageId } from '../../../../messaging/messages/past/past-message.ts'
import type { HistoryRecord } from '../../history-source.ts'
import { messageText } from './message-text.ts'

/** Why a message was left out. */
export type MessageCause = 'activity' | 'deleted' | 'unsupported' | 'empty'

/** A file to download for a message, and the text that goes with it. */
export type WantedFile = { url: string; mediaId: string; text: string }

export type MappedRecord = { record: HistoryRecord; file?: WantedFile }

/** The conversation of a message. `key`: the same at each import. `members`: our members by agents' ids. */
export type MessagePlace = {
  workspaceId: string
  key: string
  contact: { phone: string; name?: string | undefined }
  members: Record<string, string>
}

/** Places in a second: `order` of a past message, because Chatwoot gives times to the second. */
const PLACES = 4096
const OPERATOR_ID = /^wamid\./
const isTrue = (value: unknown): boolean => value === true || value === 'true'

export function causeOf(message: ChatwootMessage): MessageCause | undefined {
  if (message.direction === 'activity') return 'activity'
  if (isTrue(message.fields.deleted)) return 'deleted'
  if (messageText(message) !== '' || message.attachments.length > 0) return undefined
  return isTrue(message.fields.is_unsupported) ? 'unsupported' : 'empty'
}

/** Returns a private note, with the agent's name. */
export function mapNote(message: ChatwootMessage, place: MessagePlace): MappedRecord {
  const lines = [messageText(message), ...message.attachments.map(fallbackText)]
  return {
    record: {
      kind: 'note',
      place: placeOf(message),
      externalId: `${place.key} ${message.id}`,
      contact: place.contact,
      createdAt: message.createdAt,
      authorName: message.agent?.name ?? 'Chatwoot',
      body: lines.filter((line) => line !== '').join('\n'),
    },
  }
}

/** Returns the messages that one of Chatwoot's becomes: its text, or each of its attachments, the first with the text. */
export function mapMessage(message: ChatwootMessage, place: MessagePlace): MappedRecord[] {
  const text = messageText(message)
  const recordOf = (past: PastMessage): HistoryRecord => ({
    kind: 'message',
    place: placeOf(message),
    ...past,
  })
  if (message.attachments.length === 0)
    return [{ record: recordOf({ ...common(message, place, 0), content: { body: text } }) }]
  return message.attachments.map((attachment, i) => {
    const caption = i === 0 ? text : ''
    const past = { ...common(message, place, i), ...contentOf(attachment, caption) }
    const record = recordOf(past)
    return isFile(attachment)
      ? { record, file: fileOf(place, past, { url: attachment.url!, caption }) }
      : { record }
  })
}

const placeOf = ({ id }: ChatwootMessage): string => `message ${id}`

function common(message: ChatwootMessage, place: MessagePlace, part: number): Omit<PastMessage, 'content'> {
  const isInbound = message.direction === 'inbound'
  const { sourceId, agent } = message
  return {
    externalId: `${place.key} ${message.id}${part === 0 ? '' : ` ${part}`}`,
    contact: place.contact,
    direction: isInbound ? 'inbound' : 'outbound',
    // The parts of a message follow each other.
    createdAt: part === 0 ? message.createdAt : later(message.createdAt, part),
    order: message.id % PLACES,
    ...(isInbound ? {} : { status: message.status ?? 'delivered' }),
    ...(part === 0 && sourceId !== null && OPERATOR_ID.test(sourceId) ? { chanmid: sourceId } : {}),
    ...(isInbound || agent === null ? {} : { sentBy: place.members[String(agent.id)] ?? null }),
  }
}

const isFile = ({ kind, url }: ChatwootAttachment): boolean =>
  url !== null && ['image', 'audio', 'video', 'file'].includes(kind)

const NAMES: Record<ChatwootAttachment['kind'], string> = {
  image: 'Image',
  audio: 'Audio',
  video: 'Video',
  file: 'File',
  location: 'Location',
  contact: 'Contact',
  link: 'Link',
}

/** Returns the text for an attachment that is not a message of its own kind. */
const fallbackText = ({ kind, title, url }: ChatwootAttachment): string => {
  const detail = title ?? (kind === 'link' || kind === 'contact' ? url : filenameIn(url))
  return detail === null ? NAMES[kind] : `${NAMES[kind]}: ${detail}`
}

/** Returns the content of an attachment until its file is there. */
function contentOf(attachment: ChatwootAttachment, text: string): Pick<PastMessage, 'type' | 'content'> {
  if (attachment.kind === 'location' && attachment.place !== null)
    return {
      type: 'location',
      content: {
        ...attachment.place,
        ...(attachment.title === null ? {} : { name: attachment.title }),
        ...(text === '' ? {} : { address: text }),
      },
    }
  return { content: { body: [text, fallbackText(attachment)].filter((line) => line !== '').join('\n') } }
}

function fileOf(
  { workspaceId }: MessagePlace,
  { externalId, createdAt }: PastMessage,
  { url, caption }: { url: string; caption: string },
): WantedFile {
  const identity = { externalId: `file ${externalId}`, createdAt }
  return { url, text: caption, mediaId: pastMessageId(workspaceId, 'chatwoot', identity) }
}

const FILENAME_MAX = 200
/** Control characters, and characters that reverse the direction of text. */
const HIDDEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069\u200e\u200f]/gu

/** Returns the file name at the end of an address; null without one. */
export function filenameIn(url: string | null): string | null {
  if (url === null || !URL.canParse(url, 'https://x')) return null
  const last = new URL(url, 'https://x').pathname.split('/').at(-1) ?? ''
  const plain = (decoded(last).split(/[/\\]/).at(-1) ?? '').replaceAll(HIDDEN, '').trim()
  return plain === '' ? null : cutText(plain, FILENAME_MAX)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
