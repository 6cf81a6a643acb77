import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { readTrace } from './operations/read-trace.ts'
import { MessageTrace } from './schema.ts'

export const getMessageTrace = endpoint({
  name: 'getMessageTrace',
  method: 'GET',
  path: '/messages/:id/trace',
  summary:
    "Get the history of a message: waits, calls, reports, and webhooks. `id` is Parley's id or the channel message id.",
  description:
    'The steps are in the order in which they happened. Webhook deliveries need a key that may manage the endpoint, and leave the log after 7 days. Runs of automations need `automations:read`.',
  tag: 'Messages',
  section: '4.10',
  scope: 'messages:read',
  role: 'viewer',
  bucket: 'reads',
  tool: {
    title: 'Get the history of a message',
    when: 'Use it to explain why a message failed, is late, or never arrived.',
  },
  subject: 'message',
  replies: { 200: z.object({ trace: MessageTrace }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, { trace: await readTrace(ctx, params.id) }),
})
