import type { OutboundMessage } from '../../src/operator/port.ts'

/** What every message of a run says, to whomever it goes. */
export const MESSAGE = {
  recipient: null,
  type: 'text',
  content: { body: 'Your order is on its way.' },
  replyTo: null,
} satisfies Omit<OutboundMessage, 'callbackData' | 'to'>
