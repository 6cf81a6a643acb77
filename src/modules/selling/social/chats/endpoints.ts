import { z } from 'zod'
import { endpoint, outsideEndpoint, reply } from '../../../../core/endpoint.ts'
import { cursorPage, cursorQuery } from '../../../../core/paging.ts'
import { socialAccount, socialFeature } from '../gates.ts'
import { linkLead } from './operations/link-lead.ts'
import { listConversations, readChat, showConversation } from './operations/read-chats.ts'
import { type SentMessage, sendMessage } from './operations/send-message.ts'
import {
  SocialConversation,
  SocialConversationPatch,
  SocialMessage,
  SocialMessageFilter,
  SocialSendBody,
} from './schema.ts'

const read = {
  tag: 'Photo network',
  section: '4.6',
  scope: 'social:read',
  role: 'viewer',
  bucket: 'reads',
} as const

export const getSocialConversations = endpoint({
  ...read,
  name: 'listSocialConversations',
  method: 'GET',
  path: '/social/conversations',
  summary: 'List direct chats by latest activity, and whether you can reply to each.',
  description: 'A chat can move to the top while you page.',
  gates: [socialFeature],
  query: z.object(cursorQuery),
  tool: {
    title: 'List direct chats',
    when: 'Use it to see the direct chats of the photo network, and whether you can still reply.',
  },
  replies: { 200: cursorPage('conversations', SocialConversation) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listConversations(ctx, query)),
})

export const getSocialMessages = endpoint({
  ...read,
  name: 'listSocialMessages',
  method: 'GET',
  path: '/social/conversations/:id/messages',
  summary: 'Get one direct chat with its messages, newest first.',
  gates: [socialFeature],
  subject: 'direct chat',
  query: SocialMessageFilter,
  tool: {
    title: 'Read a direct chat',
    when: 'Use it to read the messages of a direct chat of the photo network.',
  },
  replies: {
    200: cursorPage('messages', SocialMessage).extend({ conversation: SocialConversation }),
  },
  refuses: ['not_found'],
  handle: async (ctx, { params, query }) => reply(200, await readChat(ctx, params.id, query)),
})

export const postSocialSend = outsideEndpoint({
  name: 'sendSocialMessage',
  method: 'POST',
  path: '/social/send',
  summary: "Reply in a direct chat, within 24 hours of the customer's last message.",
  description:
    'Responds after the network accepted the message. If the network does not respond, 502 `send_unconfirmed` means that the message may have been sent. A retry with the same Idempotency-Key returns that response again and sends nothing.',
  tag: 'Photo network',
  tool: {
    title: 'Reply in a direct chat',
    when: 'Use it to reply in a direct chat of the photo network, after the person you work for approved the words.',
    effect: 'acts',
  },
  section: '4.6',
  scope: 'social:write',
  role: 'agent',
  bucket: 'social-reply',
  gates: [socialFeature, socialAccount],
  body: SocialSendBody,
  example: { conversationId: '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a11', text: 'It is, in blue and in red.' },
  replies: {
    200: z.object({
      ok: z.literal(true),
      messageId: z.string(),
      mid: z
        .string()
        .nullable()
        .meta({ description: "The network's id of the message; null until it is known." }),
    }),
  },
  refuses: ['not_found', 'outside_24h_window', 'contact_opted_out', 'send_unconfirmed', 'meta_error'],
  handle: (request, { body }) =>
    request.answering(
      (sent: SentMessage) => reply(200, { ok: true, ...sent }),
      (ctx) => sendMessage(ctx, body),
    ),
})

export const patchSocialConversation = endpoint({
  name: 'updateSocialConversation',
  method: 'PATCH',
  path: '/social/conversations/:id',
  summary: 'Link the customer of a direct chat to a lead, or remove the link.',
  description: "Messages after the change appear on the lead's timeline. Also needs the scope `crm:write`.",
  tag: 'Photo network',
  section: '4.6',
  scope: 'social:write',
  role: 'agent',
  bucket: 'settings-writes',
  gates: [socialFeature],
  subject: 'direct chat',
  body: SocialConversationPatch,
  example: { leadId: '+919812345678' },
  replies: { 200: z.object({ conversation: SocialConversation }) },
  refuses: ['not_found', 'insufficient_scope'],
  handle: async (ctx, { params, body }) =>
    reply(200, { conversation: await showConversation(ctx, await linkLead(ctx, params.id, body.leadId)) }),
})
