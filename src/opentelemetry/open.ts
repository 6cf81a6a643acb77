/** Opens the export to an OpenTelemetry collector. Only a process that exports loads this file and the SDK. */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { setGlobalErrorHandler } from '@opentelemetry/core'
import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor } from '@opentelemetry/sdk-logs'
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace'
import { realMs } from '../core/clock.ts'
import { logExporter } from './log-exporter.ts'
import { openMetricReader } from './metric-reader.ts'
import { watchOutages } from './outages.ts'
import type { Exporter, ExporterOptions } from './port.ts'
import type { OpenTelemetrySettings, OtlpTarget } from './settings.ts'
import { createTracer } from './tracer.ts'

/** The maximum time that a stop waits for the last exports. */
const CLOSE_MS = 3_000
const MAX_BATCH = 512

function resourceOf({ serviceName, attributes }: OpenTelemetrySettings, version: string): Resource {
  return defaultResource().merge(
    resourceFromAttributes({
      'service.version': version,
      'service.instance.id': randomUUID(),
      'service.name': serviceName,
      ...attributes,
    }),
  )
}

const optionsOf = ({ url, headers, timeoutMs }: OtlpTarget) => ({ url, headers, timeoutMillis: timeoutMs })
const isJson = ({ protocol }: OtlpTarget): boolean => protocol === 'http/json'

async function traceExporter(target: OtlpTarget) {
  const { OTLPTraceExporter } = isJson(target)
    ? await import('@opentelemetry/exporter-trace-otlp-http')
    : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter(optionsOf(target))
}

async function metricExporter(target: OtlpTarget) {
  const { OTLPMetricExporter } = isJson(target)
    ? await import('@opentelemetry/exporter-metrics-otlp-http')
    : await import('@opentelemetry/exporter-metrics-otlp-proto')
  return new OTLPMetricExporter(optionsOf(target))
}

async function lineExporter(target: OtlpTarget) {
  const { OTLPLogExporter } = isJson(target)
    ? await import('@opentelemetry/exporter-logs-otlp-http')
    : await import('@opentelemetry/exporter-logs-otlp-proto')
  return new OTLPLogExporter(optionsOf(target))
}

/** Opens the export of each signal that has a target. Connects on the first export. */
export async function openExporter(
  settings: OpenTelemetrySettings,
  options: ExporterOptions,
): Promise<Exporter> {
  // Failed exports are reported once, by `watchOutages`.
  setGlobalErrorHandler(() => {})
  const { traces, metrics, logs } = settings.targets
  const resource = resourceOf(settings, options.version)
  const scope = { resource, version: options.version }
  const watched = watchOutages(options)
  const waiting = {
    maxQueueSize: settings.maxWaiting,
    maxExportBatchSize: MAX_BATCH,
    scheduledDelayMillis: settings.delayMs,
  }
  const spans =
    traces && new BatchSpanProcessor({ ...waiting, exporter: watched('traces', await traceExporter(traces)) })
  const lines =
    logs && new BatchLogRecordProcessor({ ...waiting, exporter: watched('logs', await lineExporter(logs)) })
  const reader =
    metrics &&
    openMetricReader(watched('metrics', await metricExporter(metrics)), options, {
      resource,
      everyMs: settings.metricsEveryMs,
      nowMs: realMs,
    })
  return {
    tracer: spans && createTracer(settings.sampler, spans, scope),
    logLine: lines && logExporter(lines, scope),
    close: async () => {
      const closing = [spans, lines, reader].map(async (part) => part?.shutdown())
      await Promise.race([Promise.allSettled(closing), wait(CLOSE_MS, undefined, { ref: false })])
    },
  }
}
