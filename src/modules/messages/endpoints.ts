import { z } from 'zod'
import { endpoint, reply } from '../../core/endpoint.ts'
import { Refusal } from '../../core/errors.ts'
import { Id } from '../../core/ids.ts'
import { cursorPage } from '../../core/paging.ts'
import { Conversation } from '../conversations/schema.ts'
import { readConversation } from './operations/read-conversation.ts'
import { getMessage, listMessages } from './operations/read-messages.ts'
import { readAheadOfSends } from './operations/send-messages.ts'
import { Message, MessageFilter, ReadBody } from './schema.ts'
import { SendBody } from './send-schema.ts'

export const postSend = endpoint({
  method: 'POST',
  path: '/send',
  summary: 'Send a message; it is queued, and its delivery is told by webhooks.',
  description:
    'A free-form message needs an open 24-hour window: the customer wrote to the sending number within the last 24 hours. ' +
    'A template opens a conversation at any time, and stores the contact where the workspace does not know it. ' +
    'A refused send writes nothing.',
  tag: 'Messages',
  section: '4.2',
  scope: 'messages:send',
  role: 'agent',
  bucket: 'send',
  body: SendBody,
  example: { to: '+919812345678', type: 'text', text: 'Your order is on its way.' },
  replies: { 200: z.object({ ok: z.literal(true), messageId: Id }) },
  refuses: [
    'outside_24h_window',
    'contact_opted_out',
    'number_banned',
    'sending_blocked',
    'plan_limit_reached',
    'quota_exceeded',
    'cannot_send_to_self',
    'invalid_reference',
    'needs_phone_number',
    'invalid_template_parameters',
    'template_header_media_required',
    'meta_error',
  ],
  handleBatchAhead: async (items) => {
    const send = await readAheadOfSends(items)
    return async (fresh) =>
      (await send(fresh)).map((sent) =>
        sent instanceof Refusal ? sent : reply(200, { ok: true, messageId: sent }),
      )
  },
})

export const getMessages = endpoint({
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
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listMessages(ctx, query)),
})

export const getMessageById = endpoint({
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

export const postConversationRead = endpoint({
  method: 'POST',
  path: '/conversations/:id/read',
  summary: "Mark the customer's messages as read, here and at the operator.",
  description:
    'Sets `unreadCount` to 0 and shows the customer that their messages were read. When the operator refuses to be told, ' +
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
  handleOutside: async (ctx, { params, body }) =>
    reply(200, { conversation: await readConversation(ctx, params.id, { typing: body.typing ?? false }) }),
})
