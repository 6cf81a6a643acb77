import { z } from 'zod'
import { endpoint, outsideEndpoint, reply } from '../../../../core/endpoint.ts'
import { Id } from '../../../../core/ids.ts'
import { Instant } from '../../../../core/values/text.ts'
import { readFlows } from '../operations/read-flows.ts'
import { sendFlow } from '../operations/send-flow.ts'
import { FlowSend, ListedFlow } from '../schema.ts'

export const getFlows = outsideEndpoint({
  name: 'listFlows',
  method: 'GET',
  path: '/flows',
  summary: 'List in-chat forms: whether they are published, and how many were sent and answered.',
  description:
    'You create forms at the operator. Parley reads the list again when its copy is older than five minutes; `syncedAt` is the time of the last successful read. `sent` and `answered` leave out forms in a button of a template.',
  tag: 'In-chat forms',
  section: '4.3',
  scope: 'flows:read',
  role: 'viewer',
  bucket: 'reads',
  replies: {
    200: z.object({
      flows: z.array(ListedFlow),
      syncedAt: Instant.nullable().meta({
        description: 'When the forms were last read from the operator, in UTC; null if never.',
      }),
    }),
  },
  refuses: ['meta_error', 'number_banned', 'sending_blocked'],
  handle: async (ctx) => reply(200, await readFlows(ctx)),
})

export const postFlowSend = endpoint({
  name: 'sendFlow',
  method: 'POST',
  path: '/flows/:id/send',
  summary: 'Send an in-chat form to a customer; it is queued like any message.',
  description:
    "`id` is Parley's id or the operator's id. Needs an open 24-hour window. The answers arrive as `flow.completed`.",
  tag: 'In-chat forms',
  section: '4.10',
  scope: 'messages:send',
  role: 'agent',
  bucket: 'send',
  action: { title: 'Send an in-chat form' },
  subject: 'flow',
  body: FlowSend,
  example: { to: '+919812345678', body: 'Tell us when it suits you.', cta: 'Book a visit' },
  replies: { 200: z.object({ ok: z.literal(true), messageId: Id }) },
  refuses: [
    'not_found',
    'conflict',
    'outside_24h_window',
    'contact_opted_out',
    'number_banned',
    'sending_blocked',
    'quota_exceeded',
    'cannot_send_to_self',
    'invalid_reference',
    'meta_error',
  ],
  handle: async (ctx, { params, body }) =>
    reply(200, { ok: true, messageId: await sendFlow(ctx, params.id, body) }),
})
