import { SECOND_MS } from '../../../core/clock.ts'
import { textOrNull } from '../../../core/values/storable.ts'
import type { Course, TakenMessage } from '../behavior.ts'
import type { Calls, SimulatedCall } from '../call.ts'
import {
  type GraphAnswer,
  graphError,
  invalidParameter,
  missingParameter,
  notSimulated,
} from '../graph-errors.ts'
import { textParameter } from '../graph-parameters.ts'
import { checkMessageType, messageTypeOf } from '../message-types.ts'
import { productRefusal } from '../product.ts'
import { failureCodeOf, type Recipient, readRecipient } from '../recipients.ts'
import { objectParameter } from '../request-body.ts'
import { refuseUnknownFiles } from '../sent-files.ts'
import { findSentTemplate, refusePassword } from '../sent-template.ts'
import type { ScheduledReport } from '../store.ts'
import { keepOrder } from '../stored-orders.ts'
import {
  failedValue,
  newChannelMessageId,
  type Pricing,
  type StatusOf,
  statusValue,
} from '../webhook-values.ts'

/** The calls about a number's messages. */
export const messageCalls: Calls = {
  'number POST messages': postMessage,
}

const maxCallbackDataLength = 512

/**
 * Accepts one message: checks it as the operator would, and answers after its receipts are durable. Also
 * accepts the read mark and typing indicator, which use the same address (docs/formats.md sections 2 and 3).
 */
async function postMessage(call: SimulatedCall): Promise<GraphAnswer> {
  const { store, number, values, director } = call
  const wrong = productRefusal(values)
  if (wrong) return wrong
  if (values.status !== undefined) return markRead(values)
  if (recipientTypeOf(values) === 'group') return notSimulated('Sending to groups')
  const read = readRecipient(number, values)
  if (!read.ok) return read.answer
  const refusal = checkMessageType(values) ?? checkEnvelope(values)
  if (refusal !== undefined) return refusal
  const resolved = director.resolve(read.recipient)
  if (!resolved.ok) return resolved.answer
  const callbackData = values.biz_opaque_callback_data as string | undefined
  const existing = callbackData === undefined ? undefined : await store.findAccepted?.(number, callbackData)
  const type = messageTypeOf(values)
  const chanmid = existing ?? newChannelMessageId()
  const { recipient } = resolved
  const message = { number, recipient, chanmid, callbackData, type, content: values[type] }
  if (existing === undefined) {
    const refused =
      (await refuseUnknownFiles(call)) ??
      (await refusePassword(call, read.recipient)) ??
      (await director.refuse(message, call))
    if (refused !== undefined) return refused
    const course = await director.take(message, plainCourse(recipient), call)
    const pricing = await pricingOf(call, message)
    const of = { ...message, pricing, freeEntry: course.freeEntry }
    await keepOrder(store, message)
    await store.schedule(number, reportsOf(of, course), callbackData)
  }
  const { input, waId, userId } = read.recipient
  return {
    status: 200,
    body: {
      messaging_product: 'whatsapp',
      contacts: [{ input, wa_id: waId ?? undefined, user_id: userId ?? undefined }],
      messages: [{ id: chanmid, message_status: type === 'template' ? 'accepted' : undefined }],
    },
  }
}

function markRead(values: Record<string, unknown>): GraphAnswer {
  if (textParameter(values.status).toLowerCase() !== 'read')
    return graphError(100, '(#100) Param status must be one of {READ}')
  if (typeof values.message_id !== 'string' || values.message_id === '') return missingParameter('message_id')
  return { status: 200, body: { success: true } }
}

const recipientTypeOf = ({ recipient_type: type }: Record<string, unknown>): string =>
  textParameter(type ?? 'individual').toLowerCase()

function checkEnvelope(values: Record<string, unknown>): GraphAnswer | undefined {
  const { context, biz_opaque_callback_data: data } = values
  if (recipientTypeOf(values) !== 'individual')
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

// The sandbox promises these times (spec 4.9).
function plainCourse(recipient: Recipient): Course {
  const code = failureCodeOf(recipient)
  return {
    sentMs: SECOND_MS,
    deliveredMs: 2 * SECOND_MS,
    readMs: 5 * SECOND_MS,
    failure: code === undefined ? null : { code, afterMs: 2 * SECOND_MS },
    freeEntry: false,
  }
}

function reportsOf(of: StatusOf, { sentMs, deliveredMs, readMs, failure }: Course): ScheduledReport[] {
  const status = (name: 'sent' | 'delivered' | 'read', afterMs: number | null): ScheduledReport[] =>
    afterMs === null ? [] : [{ afterMs, value: (time) => statusValue(of, name, time) }]
  const sent = status('sent', sentMs)
  if (failure !== null)
    return [...sent, { afterMs: failure.afterMs, value: (time) => failedValue(of, failure.code, time) }]
  return [...sent, ...status('delivered', deliveredMs), ...status('read', readMs)]
}

// Templates are priced by category; all other messages are replies to a customer (docs/formats.md section 9).
async function pricingOf(call: SimulatedCall, { type, content }: TakenMessage): Promise<Pricing> {
  if (type !== 'template') return { category: 'service', billable: false }
  const template = await findSentTemplate(call, content)
  return { category: textOrNull(template?.value.category)?.toLowerCase() ?? 'utility', billable: true }
}
