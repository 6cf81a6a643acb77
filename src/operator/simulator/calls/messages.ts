import { SECOND_MS } from '../../../core/clock.ts'
import type { Calls, SimulatedCall } from '../call.ts'
import {
  type GraphAnswer,
  graphError,
  invalidParameter,
  missingParameter,
  notSimulated,
} from '../graph-errors.ts'
import { checkMessageType } from '../message-types.ts'
import { failureCodeOf, readRecipient } from '../recipients.ts'
import { objectParameter } from '../request-body.ts'
import type { ScheduledReport } from '../store.ts'
import { failedValue, newChannelMessageId, type StatusOf, statusValue } from '../webhook-values.ts'

/** The calls of a number's messages. */
export const messageCalls: Calls = {
  'number POST messages': postMessage,
}

const maxCallbackDataLength = 512

/**
 * Takes one message: checks it as the operator would, and answers with acceptance once its receipts are durable.
 * Also takes the read mark and typing indicator, which share the address (FORMATS sections 2 and 3).
 */
async function postMessage({ store, number, values }: SimulatedCall): Promise<GraphAnswer> {
  if (values.messaging_product === undefined) return missingParameter('messaging_product')
  if (values.messaging_product !== 'whatsapp')
    return graphError(100, '(#100) Param messaging_product must be one of {WHATSAPP}')
  if (values.status !== undefined) return markRead(values)
  const recipient = readRecipient(number, values)
  if (!recipient.ok) return recipient.answer
  const refusal = checkMessageType(values) ?? checkEnvelope(values)
  if (refusal !== undefined) return refusal
  const callbackData = values.biz_opaque_callback_data as string | undefined
  const known = callbackData === undefined ? undefined : await store.findAccepted?.(number, callbackData)
  const chanmid = known ?? newChannelMessageId()
  if (known === undefined) {
    const reports = reportsOf({ number, recipient: recipient.recipient, chanmid, callbackData })
    await store.schedule(number, reports, callbackData)
  }
  const { input, waId, userId } = recipient.recipient
  return {
    status: 200,
    body: {
      messaging_product: 'whatsapp',
      contacts: [{ input, wa_id: waId ?? undefined, user_id: userId ?? undefined }],
      messages: [{ id: chanmid }],
    },
  }
}

function markRead(values: Record<string, unknown>): GraphAnswer {
  if (values.status !== 'read') return graphError(100, '(#100) Param status must be one of {READ}')
  if (typeof values.message_id !== 'string' || values.message_id === '') return missingParameter('message_id')
  return { status: 200, body: { success: true } }
}

function checkEnvelope(values: Record<string, unknown>): GraphAnswer | undefined {
  const { recipient_type: recipientType = 'individual', context, biz_opaque_callback_data: data } = values
  if (recipientType === 'group') return notSimulated('Sending to groups')
  if (recipientType !== 'individual')
    return graphError(100, '(#100) Param recipient_type must be one of {INDIVIDUAL, GROUP}')
  if (context !== undefined && context !== null) {
    const replyTo = objectParameter(context)?.message_id
    if (typeof replyTo !== 'string' || replyTo === '') return missingParameter("context['message_id']")
  }
  if (data !== undefined && (typeof data !== 'string' || data.length > maxCallbackDataLength))
    return invalidParameter(
      `biz_opaque_callback_data must be at most ${maxCallbackDataLength} characters long.`,
    )
  return undefined
}

// The moments are the sandbox's promise (spec 4.9).
function reportsOf(of: StatusOf): ScheduledReport[] {
  const sent = { afterMs: SECOND_MS, value: (at: Date) => statusValue(of, 'sent', at) }
  const failure = failureCodeOf(of.recipient)
  if (failure !== undefined)
    return [sent, { afterMs: 2 * SECOND_MS, value: (at) => failedValue(of, failure, at) }]
  return [
    sent,
    { afterMs: 2 * SECOND_MS, value: (at) => statusValue(of, 'delivered', at) },
    { afterMs: 5 * SECOND_MS, value: (at) => statusValue(of, 'read', at) },
  ]
}
