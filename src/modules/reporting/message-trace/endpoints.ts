import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { SendBody, SendBodyByType, SendByAssistant } from '../../messaging/messages/sending/send-schema.ts'
import { previewMessage } from './operations/preview-message.ts'
import { readTrace } from './operations/read-trace.ts'
import { SendPreview } from './preview-schema.ts'
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

export const postSendPreview = endpoint({
  name: 'previewSend',
  method: 'POST',
  path: '/send/preview',
  summary:
    'Check a message without sending it: every rule that would refuse it, its text, its cost, and when it would leave.',
  description:
    'Takes the body of `POST /send`, runs the same checks, and stores nothing. Another message, opt-out, or change of the template in between can change the result of the send. `refusals` has all reasons; `POST /send` returns the first. The cost uses the imported rates; a key without `billing:read` gets none.',
  tag: 'Messages',
  tool: {
    title: 'Preview a message',
    when: 'Use it before send_message: it shows the final text, the cost, and every rule that would stop the message.',
    effect: 'reads',
    body: SendByAssistant,
  },
  section: '4.2',
  scope: 'messages:send',
  role: 'agent',
  bucket: 'reads',
  body: SendBody,
  describedBody: SendBodyByType,
  example: { to: '+919812345678', type: 'text', text: 'Your order is on its way.' },
  replies: { 200: z.object({ preview: SendPreview.meta({ description: 'The result of the check.' }) }) },
  refuses: [],
  handle: async (ctx, { body }) => reply(200, { preview: await previewMessage(ctx, body) }),
})
