/** Opens the export to an OpenTelemetry collector, if the settings name one. Otherwise this loads nothing. */
import type { FastifyRequest } from 'fastify'
import type { Tracing } from '../adapters/tracing/tracing.ts'
import type { Config } from '../config.ts'
import { readOwnVersion } from '../core/own-version.ts'
import type { AnswerTimes } from '../core/values/answer-times.ts'
import type { Metrics } from '../http/server/metrics.ts'
import { fieldsOf, type RequestLine } from '../http/wire/request-line.ts'
import { followLines, type Log } from '../logging/log.ts'
import type { Place } from '../opentelemetry/places.ts'

/** Called with each answered request. */
type OnRequest = (line: RequestLine, request: FastifyRequest) => void

export type Telemetry = {
  /** Undefined: traces are not exported. */
  tracing: Tracing | undefined
  /** Returns the function for answered requests that also ends their spans. */
  onRequest(
    parts: { metrics: Metrics; answers: AnswerTimes },
    logLine: (fields: string, message: string) => void,
  ): OnRequest | undefined
  /** Exports the rest, for a limited time. */
  close(): Promise<void>
}

const DIGITS = /^[0-9a-f]{16,32}$/

/** Returns the span that a line of the log names. */
function placeOfLine({ traceId, spanId }: Record<string, unknown>): Place | undefined {
  if (typeof traceId !== 'string' || typeof spanId !== 'string') return undefined
  return DIGITS.test(traceId) && DIGITS.test(spanId) ? { traceId, spanId } : undefined
}

export async function openTelemetry(
  { openTelemetry: settings }: Config,
  log: Log,
  metrics: Metrics,
): Promise<Telemetry | undefined> {
  if (!settings) return undefined
  const { openExporter } = await import('../opentelemetry/open.ts')
  const exporter = await openExporter(settings, {
    version: readOwnVersion(),
    metrics: metrics.values,
    onOutage: (signal, error) =>
      log.warn(
        { signal, err: error },
        'the OpenTelemetry collector takes no data. Newer data waits, the rest is dropped',
      ),
    onRecovery: () => log.info('the OpenTelemetry collector takes data again'),
  })
  const tracing = exporter.tracer && (await openTracing(exporter.tracer))
  const { logLine: exportLine } = exporter
  if (exportLine) followLines(log, (line) => exportLine(line, placeOfLine(line) ?? tracing?.placeOf(line)))
  return {
    tracing,
    onRequest: ({ metrics: { countRequest }, answers }, logLine) =>
      tracing &&
      ((line, request) => {
        countRequest(line)
        answers.note(line.ms)
        logLine(fieldsOf(line) + fieldsOfPlace(tracing.endRequest(request, line)), 'request')
      }),
    close: exporter.close,
  }
}

async function openTracing(
  tracer: Parameters<typeof import('../adapters/tracing/tracing.ts').createTracing>[0],
) {
  const { createTracing } = await import('../adapters/tracing/tracing.ts')
  return createTracing(tracer)
}

/** Formats where the span of a request is, as JSON fields. */
function fieldsOfPlace(ended: { place?: Place; messageId?: string } | undefined): string {
  if (ended === undefined) return ''
  const { place, messageId } = ended
  return (
    (place ? `,"traceId":"${place.traceId}","spanId":"${place.spanId}"` : '') +
    (messageId === undefined ? '' : `,"messageId":"${messageId}"`)
  )
}
