import { isObject } from '../../core/values/storable.ts'
import type { OutboundMessage } from '../port.ts'

/**
 * Returns the operator's envelope of one message as JSON text (docs/formats.md section 2). It contains our id
 * as opaque callback data, which every receipt returns. A reaction names its message itself and must have no
 * context.
 */
export function messageEnvelope(message: OutboundMessage): string {
  return JSON.stringify({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: message.to ?? undefined,
    recipient: message.to === null ? (message.recipient ?? undefined) : undefined,
    type: message.type,
    [message.type]: payloadOf(message),
    context:
      message.replyTo === null || message.type === 'reaction' ? undefined : { message_id: message.replyTo },
    biz_opaque_callback_data: message.callbackData,
  })
}

/**
 * Shared contacts are a list, which our contents keep under its key (written.ts does the same for received
 * ones).
 */
function payloadOf({ type, content }: OutboundMessage): unknown {
  return type === 'contacts' && isObject(content) ? content.contacts : content
}
