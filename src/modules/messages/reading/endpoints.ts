import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { cursorPage } from '../../../core/paging.ts'
import { Conversation, ConversationQuery } from '../../conversations/schema.ts'
import { MessageMedia } from '../media-schema.ts'
import { ListedConversation, Message, MessageFilter, ReadBody } from '../schema.ts'
import { listInbox } from './operations/inbox.ts'
import { linkMessageMedia } from './operations/message-media.ts'
import { readConversation } from './operations/read-conversation.ts'
import { getMessage, listMessages } from './operations/read-messages.ts'

export const getConversations = endpoint({
  name: 'listConversations',
  method: 'GET',
  path: '/conversations',
  summary: 'List conversations by latest activity, or by who waits longest for an answer.',
  description:
    'With contact, window and last message; the filters all hold together. A chat can move to the top while you page.',
  tag: 'Conversations',
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
  name: 'listMessages',
  method: 'GET',
  path: '/messages',
  summary: 'List messages, newest first.',
  tag: 'Messages',
  section: '4.3',
  scope: 'messages:read',
  role: 'viewer',
  bucket: 'reads',
  query: MessageFilter,
  replies: { 200: cursorPage('messages', Message) },
  refuses: ['not_found'],
  handle: async (ctx, { query }) => reply(200, await listMessages(ctx, query)),
})

export const getMessageById = endpoint({
  name: 'getMessage',
  method: 'GET',
  path: '/messages/:id',
  summary: 'One message with its delivery status; the id is ours or the channel message id.',
  tag: 'Messages',
  section: '4.3',
  scope: 'messages:read',
  role: 'viewer',
  bucket: 'reads',
  subject: 'message',
  replies: { 200: z.object({ message: Message }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, { message: await getMessage(ctx, params.id) }),
})

export const getMessageMedia = endpoint({
  name: 'getMessageMedia',
  method: 'GET',
  path: '/messages/:id/media',
  summary: "A message's file as a five-minute download link; the id is ours or the channel message id.",
  description:
    "A customer's file is fetched from the operator as soon as its message arrives; until it is there the answer is 409 " +
    '`conflict`. Files that we sent by id are those of `POST /media`.',
  tag: 'Messages',
  section: '4.3',
  scope: 'messages:read',
  role: 'viewer',
  bucket: 'reads',
  subject: 'message',
  replies: { 200: MessageMedia },
  refuses: ['not_found', 'conflict'],
  handleOutside: async (ctx, { params }) => reply(200, await linkMessageMedia(ctx, params.id)),
})

export const postConversationRead = endpoint({
  name: 'markConversationRead',
  method: 'POST',
  path: '/conversations/:id/read',
  summary: "Mark the customer's messages as read, here and at the operator.",
  description:
    'Sets `unreadCount` to 0 and shows the customer that their messages were read. When the operator refuses the mark,  ' +
    'its refusal is the answer; the conversation counts as read all the same.',
  tag: 'Conversations',
  section: '4.10',
  scope: 'conversations:write',
  role: 'agent',
  bucket: 'inbox-update',
  subject: 'conversation',
  body: ReadBody,
  bodyOptional: true,
  example: { typing: true },
  replies: { 200: z.object({ conversation: Conversation }) },
  refuses: ['not_found', 'meta_error', 'number_banned', 'sending_blocked'],
  handleOutside: (request, { params, body }) =>
    request.answering(
      (conversation: z.input<typeof Conversation>) => reply(200, { conversation }),
      (ctx) => readConversation(ctx, params.id, { typing: body.typing ?? false }),
    ),
})
