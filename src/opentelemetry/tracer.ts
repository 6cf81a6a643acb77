/** Makes spans of the SDK from spans that have ended, and decides which traces are exported. */
import { ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  type ReadableSpan,
  type Sampler,
  SamplingDecision,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { Place } from './places.ts'
import type { EndedSpan, Tracer } from './port.ts'
import type { OpenTelemetrySettings } from './settings.ts'

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
}

const MS_PER_SECOND = 1_000
const NS_PER_MS = 1_000_000

/** Converts milliseconds to the seconds and nanoseconds of OpenTelemetry. */
export function hrTimeOf(ms: number): [number, number] {
  const seconds = Math.floor(ms / MS_PER_SECOND)
  return [seconds, Math.round((ms - seconds * MS_PER_SECOND) * NS_PER_MS)]
}

const contextOf = (place: Place, isRemote = false): SpanContext => ({
  ...place,
  traceFlags: TraceFlags.SAMPLED,
  ...(isRemote ? { isRemote } : {}),
})

/**
 * Spans are made when they end, and not when they start: whether and where a span is exported may depend on the id
 * of a message that does not exist before.
 */
function readableSpan(
  span: EndedSpan,
  common: Pick<ReadableSpan, 'resource' | 'instrumentationScope'>,
): ReadableSpan {
  const context = contextOf(span.place)
  return {
    ...common,
    name: span.name,
    kind: KINDS[span.kind],
    spanContext: () => context,
    ...(span.parentId === undefined
      ? {}
      : {
          parentSpanContext: contextOf(
            { traceId: span.place.traceId, spanId: span.parentId },
            span.hasRemoteParent,
          ),
        }),
    startTime: hrTimeOf(span.startMs),
    endTime: hrTimeOf(Math.max(span.startMs, span.endMs)),
    duration: hrTimeOf(Math.max(0, span.endMs - span.startMs)),
    status: { code: span.error === undefined ? SpanStatusCode.UNSET : SpanStatusCode.ERROR },
    attributes: span.error === undefined ? span.attributes : { ...span.attributes, 'error.type': span.error },
    links: (span.links ?? []).map((place) => ({ context: contextOf(place) })),
    events: [],
    ended: true,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

const rootSamplerOf = ({ name, ratio }: OpenTelemetrySettings['sampler']): Sampler => {
  if (name.endsWith('always_on')) return new AlwaysOnSampler()
  return name.endsWith('always_off') ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio)
}

/** Returns the tracer that gives its spans to `processor`. */
export function createTracer(
  sampler: OpenTelemetrySettings['sampler'],
  processor: SpanProcessor,
  { resource, version }: { resource: Resource; version: string },
): Tracer {
  const common = { resource, instrumentationScope: { name: 'parley', version } }
  const root = rootSamplerOf(sampler)
  const followsParents = sampler.name.startsWith('parentbased_')
  return {
    samples: (traceId, remote) =>
      followsParents && remote
        ? remote.isSampled
        : root.shouldSample(ROOT_CONTEXT, traceId, '', SpanKind.INTERNAL, {}, []).decision ===
          SamplingDecision.RECORD_AND_SAMPLED,
    end: (span) => processor.onEnd(readableSpan(span, common)),
  }
}
