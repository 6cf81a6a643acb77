import { z } from 'zod'
import { reply } from '../../../../core/endpoint.ts'
import { Refusal } from '../../../../core/errors.ts'
import { hotEndpoint } from '../../../../core/hot-endpoint.ts'
import { Id } from '../../../../core/ids.ts'
import { recallRecipients } from './operations/assumed-sends.ts'
import { readAheadOfSends, sendToRemembered } from './operations/send-messages.ts'
import { SEND_REFUSALS, SendBody, SendBodyByType, SendByAssistant } from './send-schema.ts'

const sentReply = (sent: string | Refusal) =>
  sent instanceof Refusal ? sent : reply(200, { ok: true, messageId: sent })

export const postSend = hotEndpoint({
  name: 'sendMessage',
  method: 'POST',
  path: '/send',
  summary: 'Send a message. Parley queues it and reports its delivery by webhook.',
  description:
    "A free-form message needs an open 24-hour window: the customer wrote to the sending number within the last 24 hours. A template starts a conversation at any time, and creates the contact if the workspace does not have it. A media id comes from `POST /media` or from a customer's message; any other id returns `invalid_reference`. A rejected send stores nothing.",
  tag: 'Messages',
  tool: {
    title: 'Send a message',
    when: 'Use it to send a customer a text, a file, or a template, after the person you work for approved the words. Check it with preview_send first.',
    effect: 'acts',
    body: SendByAssistant,
  },
  section: '4.2',
  scope: 'messages:send',
  role: 'agent',
  bucket: 'send',
  body: SendBody,
  describedBody: SendBodyByType,
  example: { to: '+919812345678', type: 'text', text: 'Your order is on its way.' },
  replies: { 200: z.object({ ok: z.literal(true), messageId: Id }) },
  refuses: [...SEND_REFUSALS],
  readAhead: async (items) => {
    const send = await readAheadOfSends(items)
    return async (fresh) => (await send(fresh)).map(sentReply)
  },
  recall: (items) => {
    const recipients = recallRecipients(items)
    return recipients && (async (fresh) => (await sendToRemembered(fresh, recipients)).map(sentReply))
  },
})
