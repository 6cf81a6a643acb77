/** Reads the messages of direct chats of the photo network in the form in which the inbox shows all messages. */
import type { Message, SocialMessage } from '../../sdk/api.ts'
import { call, type Reply } from './request.ts'

/** A message of a direct chat. `direct`: its parts that messages of numbers don't have. */
export type DirectMessage = Message & { direct: Pick<SocialMessage, 'status' | 'reaction'> }

/** Returns those parts; undefined for a message on one of our numbers. */
export const directOf = (message: Message): DirectMessage['direct'] | undefined =>
  'direct' in message ? (message as DirectMessage).direct : undefined

const STATUSES = {
  received: null,
  sending: 'queued',
  unconfirmed: 'queued',
  sent: 'sent',
  read: 'read',
} as const

const textIn = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

type Chat = Reply<'GET /social/conversations/{id}/messages'>['conversation']

function toMessage(message: SocialMessage, { contact, id: conversationId }: Chat): DirectMessage {
  const text = textIn(message.content.text)
  return {
    id: message.id,
    conversationId,
    contactId: contact.id,
    phoneNumberId: '',
    chanmid: message.mid,
    direction: message.direction,
    type: message.type,
    content: { ...message.content, ...(text !== null && { caption: text }) } as Message['content'],
    text: text ?? textIn(message.content.title),
    status: STATUSES[message.status],
    replyTo: message.replyTo,
    sentBy: message.sentBy,
    source: message.source,
    originalContent: message.originalContent,
    createdAt: message.createdAt,
    sentAt: message.sentAt,
    readAt: message.readAt,
    editedAt: message.editedAt,
    deletedAt: message.deletedAt,
    automation: null,
    context: null,
    pricing: null,
    error: null,
    skipReason: null,
    importedFrom: null,
    deliveredAt: null,
    failedAt: null,
    direct: { status: message.status, reaction: message.reaction },
  }
}

type Page = { limit: number; cursor?: string | undefined; around?: string | undefined }
type Options = { workspace?: string; signal?: AbortSignal | undefined }

/** Reads one page of a direct chat, newest first. */
export async function readDirectMessages(
  id: string,
  query: Page,
  options: Options = {},
): Promise<{ messages: DirectMessage[]; nextCursor: string | null }> {
  const { messages, conversation, nextCursor } = await call('GET /social/conversations/{id}/messages', {
    params: { id },
    query,
    ...options,
  })
  return { messages: messages.map((message) => toMessage(message, conversation)), nextCursor }
}
