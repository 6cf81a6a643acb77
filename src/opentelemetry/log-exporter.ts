/** Exports the lines of the log as they were written: without secrets and customers' data. */
import { type Logger, ROOT_CONTEXT, SeverityNumber, TraceFlags, trace } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import { LoggerProvider, type LogRecordProcessor } from '@opentelemetry/sdk-logs'
import type { Place } from './places.ts'
import type { Attributes, LogLine } from './port.ts'

/** The levels of the log, by their numbers in its lines. */
const SEVERITIES: Record<number, [SeverityNumber, string]> = {
  10: [SeverityNumber.TRACE, 'TRACE'],
  20: [SeverityNumber.DEBUG, 'DEBUG'],
  30: [SeverityNumber.INFO, 'INFO'],
  40: [SeverityNumber.WARN, 'WARN'],
  50: [SeverityNumber.ERROR, 'ERROR'],
  60: [SeverityNumber.FATAL, 'FATAL'],
}

/** Names of error fields by the conventions of OpenTelemetry. */
const ERROR_FIELDS = { type: 'exception.type', message: 'exception.message', stack: 'exception.stacktrace' }

function attributesOf(fields: LogLine): Attributes {
  const attributes: Attributes = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined) continue
    if (name === 'err' && typeof value === 'object') {
      for (const [field, attribute] of Object.entries(ERROR_FIELDS)) {
        const text = (value as LogLine)[field]
        if (typeof text === 'string') attributes[attribute] = text
      }
    } else attributes[name] = typeof value === 'object' ? JSON.stringify(value) : (value as string)
  }
  return attributes
}

const contextOf = (place: Place | undefined) =>
  place && trace.setSpanContext(ROOT_CONTEXT, { ...place, traceFlags: TraceFlags.SAMPLED })

/** Returns the function that queues a line. */
export function logExporter(
  processor: LogRecordProcessor,
  { resource, version }: { resource: Resource; version: string },
): (line: LogLine, place: Place | undefined) => void {
  const logger: Logger = new LoggerProvider({ resource, processors: [processor] }).getLogger(
    'parley',
    version,
  )
  return ({ level, time, msg, traceId: _trace, spanId: _span, ...fields }, place) => {
    const [severityNumber, severityText] = SEVERITIES[Number(level)] ?? [SeverityNumber.UNSPECIFIED, '']
    const context = contextOf(place)
    logger.emit({
      severityNumber,
      severityText,
      timestamp: new Date(String(time)),
      body: typeof msg === 'string' ? msg : '',
      attributes: attributesOf(fields),
      ...(context ? { context } : {}),
    })
  }
}
