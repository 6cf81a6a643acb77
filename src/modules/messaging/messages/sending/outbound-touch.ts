import type { OutboundMessage } from '../../../../operator/port.ts'
import type { Begun } from '../handover/queries/handovers.ts'

/**
 * Converts a claimed message to the operator's request. A customer without a number is addressed by user id
 * (spec 2.4).
 */
export function outboundOf(message: Begun): OutboundMessage {
  const isPhone = message.phone.startsWith('+')
  return {
    callbackData: message.id,
    to: isPhone ? message.phone : null,
    recipient: isPhone ? null : message.userId,
    type: message.type,
    content: message.content,
    replyTo: message.replyTo,
  }
}
