/** Binds all parts of the service that traces follow. A process without traces does not load these files. */
import type { FastifyRequest } from 'fastify'
import type { PendingEvent } from '../../core/event.ts'
import type { WorkSource } from '../../core/work.ts'
import type { OpenDatabase } from '../../database/database.ts'
import type { RequestLine } from '../../http/wire/request-line.ts'
import type { TraceStep } from '../../modules/messaging/messages/handover/dispatcher.ts'
import type { SendWebhook } from '../../modules/platform/webhooks/delivery/send-webhook.ts'
import { newSpanId, newTraceId, type Place, placeOfId } from '../../opentelemetry/places.ts'
import type { Tracer } from '../../opentelemetry/port.ts'
import type { Operator } from '../../operator/port.ts'
import { realNowMs } from './real-now.ts'
import { tracedDatabase } from './traced-database.ts'
import { traceAcceptance, tracedOperator, tracedWebhooks, traceEvents } from './traced-messages.ts'
import { tracedRequests } from './traced-requests.ts'
import {
  beginWork,
  type CurrentWork,
  createCurrentWork,
  droppedParts,
  endParts,
  monotonicMs,
} from './work.ts'

export type Tracing = ReturnType<typeof createTracing>

/** Exports the turns of background work that did something, each in a trace of its own. */
const tracedSource = (tracer: Tracer, current: CurrentWork, source: WorkSource): WorkSource => ({
  ...source,
  runDue: async (options) => {
    const work = beginWork('turn')
    const end = (rows: number, error?: string): void => {
      work.hasEnded = true
      const place = { traceId: newTraceId(), spanId: newSpanId() }
      if (!tracer.samples(place.traceId)) return
      tracer.end({
        name: `run ${source.name}`,
        kind: 'internal',
        place,
        startMs: work.startMs + work.offsetMs,
        endMs: monotonicMs() + work.offsetMs,
        attributes: { 'parley.work': source.name, 'parley.rows': rows, ...droppedParts(work) },
        error,
      })
      endParts(tracer, work, place)
    }
    try {
      const rows = await current.run(work, () => source.runDue(options))
      if (rows > 0) end(rows)
      return rows
    } catch (error) {
      end(0, 'failed')
      throw error
    } finally {
      work.hasEnded = true
    }
  },
})

/**
 * Exports statements about several messages at the first sampled message. The traces of the others have a span with a link to
 * them.
 */
const tracedStep =
  (tracer: Tracer, current: CurrentWork): TraceStep =>
  async (name, messageIds, run) => {
    const sampled = messageIds.map(placeOfId).filter(({ traceId }) => tracer.samples(traceId))
    if (sampled.length === 0) return run()
    const work = beginWork('turn')
    const end = (error?: string): void => {
      work.hasEnded = true
      let shared: Place | undefined
      for (const message of sampled) {
        const place = { traceId: message.traceId, spanId: newSpanId() }
        tracer.end({
          name,
          kind: 'internal',
          place,
          parentId: message.spanId,
          links: shared ? [shared] : [],
          startMs: work.startMs + work.offsetMs,
          endMs: monotonicMs() + work.offsetMs,
          attributes: { 'parley.messages': messageIds.length, ...droppedParts(work) },
          error,
        })
        if (!shared) endParts(tracer, work, place)
        shared ??= place
      }
    }
    try {
      const result = await current.run(work, run)
      end()
      return result
    } catch (error) {
      end('failed')
      throw error
    }
  }

/** Returns the wrappers of all parts. */
export function createTracing(tracer: Tracer) {
  const current = createCurrentWork()
  const { database, recording } = tracedDatabase(current)
  const requests = tracedRequests(tracer, current)

  /** The messages of a request or a batch wait for its end. Others come from background work. */
  const accepted = (messageIds: string[]): void => {
    const work = current.getStore()
    if (work && !work.hasEnded && work.kind !== 'turn') {
      for (const id of messageIds) work.messageIds.push(id)
      return
    }
    const endMs = realNowMs()
    const startMs = work && !work.hasEnded ? work.startMs + work.offsetMs : endMs
    for (const id of messageIds) traceAcceptance(tracer, id, { startMs, endMs })
  }

  return {
    placeOf: requests.placeOfLine,
    requests: requests.plugin,
    endRequest: (request: FastifyRequest, line: RequestLine) => requests.end(request, line),
    traceBatches: requests.traceBatches,
    database: (open: OpenDatabase) => database(open, accepted),
    recording,
    operator: (operator: Operator) => tracedOperator(tracer, operator),
    sendWebhook: (send: SendWebhook) => tracedWebhooks(tracer, send),
    traceStep: tracedStep(tracer, current),
    source: (source: WorkSource) => tracedSource(tracer, current, source),
    events: (events: readonly PendingEvent[]) => traceEvents(tracer, events),
  }
}
