/** Ways to send a message to a number. Each returns the answer with the message ID, or a refusal. */
import type { Answered } from '../support/boot.ts'
import { order } from '../support/payments.ts'
import type { Sides } from './numbers-model.ts'

type Send = {
  send(sides: Sides, to: string): Promise<Answered>
  /** Returns the accepted message's ID if the answer has no `messageId`. */
  messageId?(sides: Sides, answer: Answered): Promise<string>
  /** May be sent at any time: any refusal except after STOP is a fault. */
  always?: boolean
}

const template = (to: string) => ({
  to,
  type: 'template',
  payload: { type: 'template', template: { name: 'order_ok', language: { code: 'en' } } },
})

export const SENDS: Record<string, Send> = {
  'POST /send of a template': { always: true, send: ({ shop }, to) => shop.post('/send', template(to)) },
  'POST /send of a text': { send: ({ shop }, to) => shop.post('/send', { to, type: 'text', text: 'Hi' }) },
  'POST /flows/{id}/send': {
    send: ({ shop, flowId }, to) => shop.post(`/flows/${flowId}/send`, { to, body: 'Hi', cta: 'Book' }),
  },
  'POST /payment-requests': {
    send: ({ shop }, to) => shop.post('/payment-requests', order({ to })),
    messageId: async (_, { body }) => body.paymentRequest.messageId,
  },
  'POST /quotations/{id}/send': {
    send: ({ shop, quotationId }, to) => shop.post(`/quotations/${quotationId}/send`, { via: 'chat', to }),
  },
}
