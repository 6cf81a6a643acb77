import { z } from 'zod'
import { endpoint, outsideEndpoint, reply } from '../../../../core/endpoint.ts'
import { cursorPage } from '../../../../core/paging.ts'
import { Conversation, ConversationQuery } from '../../conversations/schema.ts'
import { MessageMedia } from '../media-schema.ts'
import { ListedConversation, Message, MessageFilter, ReadBody } from '../schema.ts'
import { listInbox } from './operations/inbox.ts'
import { linkMessageMedia } from './operations/message-media.ts'
import { readConversation } from './operations/read-conversation.ts'
import { getMessage, listMessages } from './operations/read-messages.ts'

const read = {
  tag: 'Messages',
  section: '4.3',
  scope: 'messages:read',
  role: 'viewer',
  bucket: 'reads',
} as const

export const getConversations = endpoint({
  name: 'listConversations',
  method: 'GET',
  path: '/conversations',
  summary: 'List conversations, by latest activity or by longest wait for an answer.',
  description:
    'Each has its contact, window, and last message. A conversation must match all filters. A conversation can move to the top while you page.',
  tag: 'Conversations',
  tool: {
    title: 'List chats',
    when: 'Use it to see which chats are open, unread, unassigned, or waiting for an answer.',
  },
  section: '4.3',
  scope: 'conversations:read',
  role: 'viewer',
  bucket: 'reads',
  query: ConversationQuery,
  replies: { 200: cursorPage('conversations', ListedConversation) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listInbox(ctx, query)),
})

export const getMessages = endpoint({
  ...read,
  name: 'listMessages',
  method: 'GET',
  path: '/messages',
  summary: 'List messages, newest first.',
  query: MessageFilter,
  tool: {
    title: 'Read messages',
    when: 'Use it to read what was said in a chat, or to find messages by state, such as failed ones.',
  },
  replies: { 200: cursorPage('messages', Message) },
  refuses: ['not_found'],
  handle: async (ctx, { query }) => reply(200, await listMessages(ctx, query)),
})

export const getMessageById = endpoint({
  ...read,
  name: 'getMessage',
  method: 'GET',
  path: '/messages/:id',
  summary: "Get one message with its delivery status. `id` is Parley's id or the channel message id.",
  subject: 'message',
  tool: { title: 'Read one message', when: 'Use it to learn whether a message arrived, and why it failed.' },
  replies: { 200: z.object({ message: Message }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, { message: await getMessage(ctx, params.id) }),
})

export const getMessageMedia = outsideEndpoint({
  ...read,
  name: 'getMessageMedia',
  method: 'GET',
  path: '/messages/:id/media',
  summary:
    "Get a download link for a message's file, valid for five minutes. `id` is Parley's id or the channel message id.",
  description:
    "Parley downloads a customer's file from the operator when the message arrives. Until the download is complete, the response is 409 `conflict`. The file of a message that you sent by media id is the file from `POST /media`.",
  action: { title: 'Get the file of a message' },
  subject: 'message',
  replies: { 200: MessageMedia },
  refuses: ['not_found', 'conflict'],
  handle: async (ctx, { params }) => reply(200, await linkMessageMedia(ctx, params.id)),
})

export const postConversationRead = outsideEndpoint({
  name: 'markConversationRead',
  method: 'POST',
  path: '/conversations/:id/read',
  summary: "Mark the customer's messages as read, in Parley and at the operator.",
  description:
    'Sets `unreadCount` to 0 and shows the customer that their messages were read. If the operator rejects the call, its error is returned, and the conversation still counts as read.',
  tag: 'Conversations',
  section: '4.10',
  scope: 'conversations:write',
  role: 'agent',
  bucket: 'inbox-update',
  action: { title: 'Mark a chat as read' },
  subject: 'conversation',
  body: ReadBody,
  bodyOptional: true,
  example: { typing: true },
  replies: { 200: z.object({ conversation: Conversation }) },
  refuses: ['not_found', 'meta_error', 'number_banned', 'sending_blocked'],
  handle: (request, { params, body }) =>
    request.answering(
      (conversation: z.input<typeof Conversation>) => reply(200, { conversation }),
      (ctx) => readConversation(ctx, params.id, { typing: body.typing ?? false }),
    ),
})
