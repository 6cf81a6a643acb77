/** The spans of requests and of their batches. They are exported when a request ends, because its trace may follow from its message. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isUuid } from '../../core/ids.ts'
import type { TraceBatches } from '../../http/endpoint/execution.ts'
import type { RequestLine } from '../../http/wire/request-line.ts'
import { routeOf } from '../../http/wire/routes.ts'
import type { RemotePlace } from '../../opentelemetry/places.ts'
import { newSpanId, newTraceId, type Place, placeOfId, readTraceParent } from '../../opentelemetry/places.ts'
import type { Tracer } from '../../opentelemetry/port.ts'
import { messageIdIn } from './message-id.ts'
import { traceAcceptance } from './traced-messages.ts'
import { beginWork, type CurrentWork, droppedParts, endParts, monotonicMs, type TracedWork } from './work.ts'

type TracedRequest = TracedWork & {
  kind: 'request'
  remote: RemotePlace | undefined
  /** The message that the request queued, if it is the only one. */
  messageId: string | undefined
  /** The place of its span. */
  place: Place | undefined
  isSampled: boolean
  /** The span of its batch. */
  batch: Place | undefined
}

/** An item of a queue of batches, with its request. A property costs less than a weak map. */
type TracedItem = { traced?: TracedRequest | undefined }

declare module 'fastify' {
  interface FastifyRequest {
    /** Only in a process that exports traces. */
    traced?: TracedRequest | undefined
  }
}

/** Answers with a message's id are short. */
const MAX_ANSWER_CHARACTERS = 300
const messageIdOf = (answer: { text: string }): string | undefined =>
  answer.text.length > MAX_ANSWER_CHARACTERS ? undefined : messageIdIn(answer.text)

const WARN = 40

/** Health checks and figures: load balancers and Prometheus ask for them all the time. */
const UNTRACED = new Set(['/healthz', '/livez', '/readyz', '/metrics'])

const isTracedRequest = (work: TracedWork): work is TracedRequest => work.kind === 'request'

/**
 * Decides where the request's span is: in the caller's trace; otherwise in the trace of the message that it queued;
 * otherwise in its own.
 */
function settle(tracer: Tracer, request: TracedRequest): Place {
  if (request.place) return request.place
  const { remote, messageId } = request
  const traceId = remote?.traceId ?? (messageId === undefined ? newTraceId() : placeOfId(messageId).traceId)
  request.isSampled = tracer.samples(traceId, remote)
  // A span that is not exported needs no id.
  request.place = { traceId, spanId: request.isSampled ? newSpanId() : '' }
  return request.place
}

/** Exports the span of a request that ended, with its statements and the acceptance of its messages. */
function endRequest(tracer: Tracer, request: TracedRequest, line: RequestLine): void {
  const place = settle(tracer, request)
  const startMs = request.startMs + request.offsetMs
  const endMs = startMs + line.ms
  const queued = request.messageId === undefined ? request.messageIds : [request.messageId]
  // Its message is in the same trace.
  if (!request.isSampled && request.messageId !== undefined && !request.remote) return
  for (const id of queued)
    traceAcceptance(tracer, id, { startMs, endMs, parent: request.isSampled ? place : undefined })
  if (!request.isSampled) return
  const elsewhere = queued
    .map((id) => placeOfId(id))
    .filter(({ traceId }) => traceId !== place.traceId && tracer.samples(traceId))
  tracer.end({
    name: `${line.method} ${line.route}`,
    kind: 'server',
    place,
    parentId: request.remote?.spanId,
    hasRemoteParent: request.remote !== undefined,
    links: request.batch ? [request.batch, ...elsewhere] : elsewhere,
    startMs,
    endMs,
    attributes: {
      'http.request.method': line.method,
      'http.route': line.route,
      'http.response.status_code': line.status,
      ...(line.workspaceId === undefined ? {} : { 'parley.workspace_id': line.workspaceId }),
      ...droppedParts(request),
      ...(line.error === undefined ? {} : { 'parley.error': line.error }),
      ...(request.messageId === undefined ? {} : { 'parley.message_id': request.messageId }),
    },
    error: line.status >= 500 ? (line.error ?? String(line.status)) : undefined,
  })
  endParts(tracer, request, place)
}

export function tracedRequests(tracer: Tracer, current: CurrentWork) {
  const begin = (request: FastifyRequest): TracedRequest => {
    const traced: TracedRequest = {
      ...beginWork('request'),
      remote: readTraceParent(request.headers.traceparent),
      messageId: undefined,
      place: undefined,
      isSampled: false,
      batch: undefined,
    }
    request.traced = traced
    return traced
  }

  /** Settles the requests of a batch, and exports the batch as a child of the first sampled one, with links to the others. */
  const endBatch = (batch: TracedWork, name: string, members: (TracedRequest | undefined)[]): void => {
    const known = members.filter((request) => request !== undefined)
    for (const request of known) settle(tracer, request)
    const [first, ...others] = known.filter(({ isSampled }) => isSampled)
    if (!first) return
    const place = { traceId: first.place!.traceId, spanId: newSpanId() }
    for (const request of [first, ...others]) request.batch = place
    tracer.end({
      name,
      kind: 'internal',
      place,
      parentId: first.place!.spanId,
      links: others.map((request) => request.place!),
      startMs: batch.startMs + batch.offsetMs,
      endMs: monotonicMs() + batch.offsetMs,
      attributes: { 'parley.batch.requests': members.length, ...droppedParts(batch) },
    })
    endParts(tracer, batch, place)
  }

  const traceBatches: TraceBatches = (value, run) => ({
    enter: (item) => {
      const work = current.getStore()
      if (work && isTracedRequest(work)) (item as TracedItem).traced = work
    },
    run: async (items) => {
      const batch = beginWork('batch')
      // A failed batch runs again, so its requests are not settled yet.
      const answers = await current.run(batch, () => run(items))
      batch.hasEnded = true
      const queued = new Set(batch.messageIds)
      const members = items.map((item, i) => {
        const request = (item as TracedItem).traced
        const messageId = queued.size > 0 ? messageIdOf(answers[i]!) : undefined
        if (request && messageId !== undefined && queued.delete(messageId)) request.messageId = messageId
        return request
      })
      endBatch(batch, `batch ${value.method} ${routeOf(value)}`, members)
      for (const messageId of queued)
        traceAcceptance(tracer, messageId, {
          startMs: batch.startMs + batch.offsetMs,
          endMs: monotonicMs() + batch.offsetMs,
        })
      return answers
    },
  })

  return {
    traceBatches,
    /** Returns the span that a line of the log belongs to: of the running request, or of the message that it names. */
    placeOfLine: ({ level, messageId }: Record<string, unknown>): Place | undefined => {
      if (typeof messageId === 'string' && isUuid(messageId)) return placeOfId(messageId)
      const work = current.getStore()
      // Lines about requests are written after them. Of other lines, only warnings and errors are worth a span.
      if (!work || work.hasEnded || !isTracedRequest(work) || Number(level) < WARN) return undefined
      const place = settle(tracer, work)
      return work.isSampled ? place : undefined
    },
    /** Starts the work of each request, before the hooks of its route. */
    plugin: (app: FastifyInstance): void => {
      app.decorateRequest('traced', undefined)
      app.addHook('onRequest', (request, _reply, done) => current.run(begin(request), done))
      // Reading a body leaves the context of the request.
      app.addHook('preHandler', (request, _reply, done) => current.run(request.traced, done))
    },
    /** Ends the work of an answered request, and returns where its span is. */
    end: (request: FastifyRequest, line: RequestLine): { place?: Place; messageId?: string } | undefined => {
      const { traced } = request
      if (!traced || UNTRACED.has(line.route)) return undefined
      traced.hasEnded = true
      if (traced.messageIds.length === 1) traced.messageId ??= traced.messageIds[0]
      endRequest(tracer, traced, line)
      const { place, isSampled, messageId } = traced
      return {
        ...(place && isSampled ? { place } : {}),
        ...(messageId === undefined ? {} : { messageId }),
      }
    },
  }
}
