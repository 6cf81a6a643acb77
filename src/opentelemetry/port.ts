/** The port of the exporter: finished spans and log lines go in. Nothing of the SDK appears here. */
import type { Place, RemotePlace } from './places.ts'

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'
export type Attributes = Record<string, string | number | boolean>

/** A span that has ended. Times are real, in milliseconds since 1970, with fractions. */
export type EndedSpan = {
  name: string
  kind: SpanKind
  place: Place
  parentId?: string | undefined
  /** Whether the parent is a span of another service. */
  hasRemoteParent?: boolean
  links?: readonly Place[]
  startMs: number
  endMs: number
  attributes: Attributes
  /** The kind of failure, such as an error code; never a message with values. */
  error?: string | undefined
}

export type Tracer = {
  /** Decides about a trace by its id, or as the service that began it decided. */
  samples(traceId: string, remote?: RemotePlace): boolean
  /** Queues a span of a sampled trace. Never waits, and drops the span if too many are waiting. */
  end(span: EndedSpan): void
}

/** A line of the log as an object: `level`, `time`, `msg`, and its fields. */
export type LogLine = Record<string, unknown>

/** A figure of the process, as the registry of the metrics reports it. */
export type Metric = {
  name: string
  help: string
  type: string
  values: { value: number; metricName?: string; labels: Partial<Record<string, string | number>> }[]
}

export type Exporter = {
  /** Undefined: traces are not exported. */
  tracer: Tracer | undefined
  /** Undefined: logs are not exported. `place`: the span that wrote the line. */
  logLine: ((line: LogLine, place: Place | undefined) => void) | undefined
  /** Exports what waits, for a limited time, and closes the connections. */
  close(): Promise<void>
}

export type ExporterOptions = {
  version: string
  /** Returns the figures of the process. */
  metrics(): Promise<Metric[]>
  /** Called when the collector stops taking a signal, and when it takes all of them again. */
  onOutage(signal: string, error: Error): void
  onRecovery(): void
}
