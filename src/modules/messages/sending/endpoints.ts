import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { Refusal } from '../../../core/errors.ts'
import { Id } from '../../../core/ids.ts'
import { mayAssumeSends } from './operations/assumed-sends.ts'
import { readAheadOfSends, sendToRemembered } from './operations/send-messages.ts'
import { SEND_REFUSALS, SendBody, SendBodyByType } from './send-schema.ts'

const sentReply = (sent: string | Refusal) =>
  sent instanceof Refusal ? sent : reply(200, { ok: true, messageId: sent })

export const postSend = endpoint({
  name: 'sendMessage',
  method: 'POST',
  path: '/send',
  summary: 'Send a message; it is queued, and its delivery is reported by webhooks.',
  description:
    'A free-form message needs an open 24-hour window: the customer wrote to the sending number within the last 24 hours. ' +
    'A template opens a conversation at any time, and stores the contact where the workspace does not know it. ' +
    "A media id is one that `POST /media` answered or that a customer's message carries; any other is `invalid_reference`. " +
    'A refused send writes nothing.',
  tag: 'Messages',
  section: '4.2',
  scope: 'messages:send',
  role: 'agent',
  bucket: 'send',
  body: SendBody,
  describedBody: SendBodyByType,
  example: { to: '+919812345678', type: 'text', text: 'Your order is on its way.' },
  replies: { 200: z.object({ ok: z.literal(true), messageId: Id }) },
  refuses: [...SEND_REFUSALS],
  handleBatchAhead: async (items) => {
    const send = await readAheadOfSends(items)
    return async (fresh) => (await send(fresh)).map(sentReply)
  },
  mayAssume: mayAssumeSends,
  handleBatchOptimistically: async (items) => (await sendToRemembered(items)).map(sentReply),
})
