/** The spans of a message after its acceptance: hand-overs, reports, and deliveries of webhooks, in the trace of its id. */

import type { PendingEvent } from '../../core/event.ts'
import { isUuid } from '../../core/ids.ts'
import type { SendWebhook } from '../../modules/platform/webhooks/delivery/send-webhook.ts'
import { newSpanId, type Place, placeOfId, traceParentOf } from '../../opentelemetry/places.ts'
import type { Attributes, SpanKind, Tracer } from '../../opentelemetry/port.ts'
import type { Handover, Operator } from '../../operator/port.ts'
import { messageIdIn } from './message-id.ts'
import { realNowMs } from './real-now.ts'

/** The span of an accepted message has `parent`, or a link to it if that is in another trace. */
export function traceAcceptance(
  tracer: Tracer,
  messageId: string,
  work: { startMs: number; endMs: number; parent?: Place | undefined; attributes?: Attributes },
): void {
  const place = placeOfId(messageId)
  if (!tracer.samples(place.traceId)) return
  const isChild = work.parent?.traceId === place.traceId
  tracer.end({
    name: 'accept message',
    kind: 'producer',
    place,
    parentId: isChild ? work.parent!.spanId : undefined,
    links: work.parent && !isChild ? [work.parent] : [],
    startMs: work.startMs,
    endMs: work.endMs,
    attributes: { 'parley.message_id': messageId, ...work.attributes },
  })
}

const childOf = ({ traceId }: Place): Place => ({ traceId, spanId: newSpanId() })

function failureOf(handover: Handover): string | undefined {
  if (handover.kind === 'accepted') return undefined
  return handover.kind === 'refused' ? String(handover.error.code) : handover.kind
}

/** Wraps the submission of messages. */
export const tracedOperator = (tracer: Tracer, operator: Operator): Operator => ({
  ...operator,
  send: async (number, message, mayBegin) => {
    const place = placeOfId(message.callbackData)
    if (!tracer.samples(place.traceId)) return operator.send(number, message, mayBegin)
    const startMs = realNowMs()
    const handover = await operator.send(number, message, mayBegin)
    tracer.end({
      name: 'hand over message',
      kind: 'client',
      place: childOf(place),
      parentId: place.spanId,
      startMs,
      endMs: realNowMs(),
      attributes: {
        'parley.message_id': message.callbackData,
        'parley.operator': number.operator,
        'parley.handover.result': handover.kind,
        ...(handover.status === undefined ? {} : { 'http.response.status_code': handover.status }),
      },
      error: failureOf(handover),
    })
    return handover
  },
})

/** The events that are steps of a message. A received message begins its trace. */
const STEPS: Record<string, { kind: SpanKind; begins: boolean }> = {
  'message.received': { kind: 'consumer', begins: true },
  'message.status': { kind: 'consumer', begins: false },
}

/** Exports the steps among the events of a committed transaction. */
export function traceEvents(tracer: Tracer, events: readonly PendingEvent[]): void {
  for (const { name, data, workspaceId, madeUp } of events) {
    const step = STEPS[name]
    if (!step || madeUp) continue
    const { messageId, status } = data as { messageId: string; status?: string }
    const place = placeOfId(messageId)
    if (!tracer.samples(place.traceId)) continue
    const nowMs = realNowMs()
    tracer.end({
      name: step.begins ? 'receive message' : `message ${status}`,
      kind: step.kind,
      place: step.begins ? place : childOf(place),
      parentId: step.begins ? undefined : place.spanId,
      startMs: nowMs,
      endMs: nowMs,
      attributes: { 'parley.message_id': messageId, 'parley.workspace_id': workspaceId },
    })
  }
}

/** Returns the id of the message that an event is about. */
function messageIdOf(data: string | null): string | undefined {
  const id = data === null ? undefined : messageIdIn(data)
  return id !== undefined && isUuid(id) ? id : undefined
}

/** Wraps deliveries of webhooks: receivers get the place of their span in `traceparent`. */
export const tracedWebhooks =
  (tracer: Tracer, send: SendWebhook): SendWebhook =>
  async (url, headers, body, delivery) => {
    const messageId = delivery && messageIdOf(delivery.data)
    // An event that is about no message has a trace of its own.
    const begin = placeOfId(messageId ?? delivery?.eventId ?? newSpanId())
    const isSampled = tracer.samples(begin.traceId)
    const place = childOf(begin)
    const traced = { ...headers, traceparent: traceParentOf(place, isSampled) }
    if (!isSampled || !delivery) return send(url, traced, body, delivery)
    const startMs = realNowMs()
    const end = (attributes: Attributes, error?: string): void =>
      tracer.end({
        name: `deliver ${delivery.event}`,
        kind: 'client',
        place,
        parentId: messageId === undefined ? undefined : begin.spanId,
        startMs,
        endMs: realNowMs(),
        attributes: {
          'http.request.method': 'POST',
          'parley.workspace_id': delivery.workspaceId,
          'parley.webhook_id': delivery.endpointId,
          'parley.event_id': delivery.eventId,
          'parley.attempt': delivery.attempt,
          ...(messageId === undefined ? {} : { 'parley.message_id': messageId }),
          ...attributes,
        },
        error,
      })
    try {
      const answer = await send(url, traced, body, delivery)
      const { status } = answer
      end({ 'http.response.status_code': status }, status >= 200 && status < 300 ? undefined : String(status))
      return answer
    } catch (error) {
      end({}, 'no_answer')
      throw error
    }
  }
