/**
 * The port to an account of Chatwoot, an inbox that customers move from. Only src/chatwoot/ knows its API.
 * All values are checked and storable: texts without NUL, numbers in range.
 */
import type { SpooledFile } from '../core/spool.ts'

/** An account with the access token of one of its administrators. The token is in plain text only in memory. */
export type ChatwootAccount = {
  /** Base URL without a slash at the end, such as `https://app.chatwoot.com`. */
  url: string
  accountId: number
  token: string
}

/** The outcome of a read. */
export type ChatwootAnswer<Value> =
  | { kind: 'done'; value: Value }
  /** A setting is wrong: no retry helps before it is changed. */
  | { kind: 'refused'; field: 'url' | 'account' | 'token'; message: string }
  /** It no longer exists. */
  | { kind: 'gone' }
  /** A retry may succeed; `retryAfterSeconds`: as Chatwoot demands, null if it doesn't say. */
  | { kind: 'later'; reason: string; retryAfterSeconds: number | null }

export type ChatwootInbox = {
  id: number
  name: string
  /** The kind of channel, such as `Channel::Whatsapp`. */
  channel: string
  /** The number of ours that customers wrote to, as Chatwoot has it; null for other channels. */
  phone: string | null
}

export type ChatwootAgent = { id: number; name: string; email: string | null }
export type ChatwootCannedResponse = { id: number; shortCode: string; content: string }

export type ChatwootContact = {
  id: number
  name: string | null
  phone: string | null
  email: string | null
  /** Texts, numbers, and booleans by name. */
  attributes: Record<string, string | number | boolean>
}

export type ChatwootConversation = {
  /** The number of the conversation in its account. */
  id: number
  /** Unique everywhere; null in old versions. */
  uuid: string | null
  labels: string[]
  contact: ChatwootContact
}

export type ChatwootAttachment = {
  kind: 'image' | 'audio' | 'video' | 'file' | 'location' | 'contact' | 'link'
  /** Address of the file or the link. */
  url: string | null
  title: string | null
  place: { latitude: number; longitude: number } | null
}

export type ChatwootMessage = {
  id: number
  direction: 'inbound' | 'outbound' | 'activity'
  /** `text`, `input_select`, `cards`, and others. */
  contentType: string
  content: string
  /** Fields of the content type, unchecked. */
  fields: Record<string, unknown>
  status: 'sent' | 'delivered' | 'read' | 'failed' | null
  /** To the second: Chatwoot gives no more. */
  createdAt: Date
  isPrivate: boolean
  /** The channel's id of the message. */
  sourceId: string | null
  /** The agent who wrote it; null for customers and bots. */
  agent: { id: number; name: string | null } | null
  attachments: ChatwootAttachment[]
}

/** A page of a list: how many entries the whole list has now, how many the page has, and those that can be read. */
export type ChatwootPage<Value> = { total: number; size: number; entries: Value[] }

/**
 * The messages of a conversation after a message, and the contact that it is with. `size` and `lastId`: how many messages the
 * page has and its highest id (0 for none), including those that can't be read.
 */
export type ChatwootMessages = {
  contact: ChatwootContact | null
  messages: ChatwootMessage[]
  size: number
  lastId: number
}

/** The reads of an account. No function rejects for a fault of the far side. */
export type Chatwoot = {
  /** Checks address, token, account, and that the token is an administrator's. */
  describe(account: ChatwootAccount): Promise<ChatwootAnswer<{ name: string }>>
  listInboxes(account: ChatwootAccount): Promise<ChatwootAnswer<ChatwootInbox[]>>
  listAgents(account: ChatwootAccount): Promise<ChatwootAnswer<ChatwootAgent[]>>
  listCannedResponses(account: ChatwootAccount): Promise<ChatwootAnswer<ChatwootCannedResponse[]>>
  listLabels(account: ChatwootAccount): Promise<ChatwootAnswer<string[]>>
  /** Lists contacts, oldest first; with `label`: only those that have it. */
  listContacts(
    account: ChatwootAccount,
    query: { page: number; label?: string | undefined },
  ): Promise<ChatwootAnswer<ChatwootPage<ChatwootContact>>>
  /** Lists the conversations of an inbox in every status, oldest first. */
  listConversations(
    account: ChatwootAccount,
    query: { page: number; inboxId: number },
  ): Promise<ChatwootAnswer<ChatwootPage<ChatwootConversation>>>
  /** Lists up to a hundred messages of a conversation with ids above `afterId`, oldest first. */
  listMessages(
    account: ChatwootAccount,
    query: { conversationId: number; afterId: number },
  ): Promise<ChatwootAnswer<ChatwootMessages>>
  /** Downloads an attachment to disk. The caller closes the file. */
  download(
    account: ChatwootAccount,
    file: { url: string; maxBytes: number },
  ): Promise<ChatwootAnswer<{ file: SpooledFile; mimeType: string } | 'too_large'>>
}

declare module '../core/context.ts' {
  interface Outside {
    chatwoot: Chatwoot
  }
}
