import type { OutboundMessage } from '../../src/operator/port.ts'

/** The content of every message of a run. */
export const MESSAGE = {
  recipient: null,
  type: 'text',
  content: { body: 'Your order is on its way.' },
  replyTo: null,
} satisfies Omit<OutboundMessage, 'callbackData' | 'to'>
