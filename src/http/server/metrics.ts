import {
  Counter,
  collectDefaultMetrics,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import type { Endpoint } from '../../core/endpoint.ts'
import type { RequestLine } from '../wire/request-line.ts'
import { routeOf } from '../wire/routes.ts'

/** The figures of a metric; `type`: counter, gauge, or histogram. */
type MetricFigures = Omit<MetricObjectWithValues<MetricValue<string>>, 'type'> & { type: string }

export type Metrics = {
  contentType: string
  text(): Promise<string>
  /** Returns the same figures as values. */
  values(): Promise<MetricFigures[]>
  countRequest(line: RequestLine): void
  /** Counts a finished batch: `waitedMs` is the total wait of its requests, `tookMs` its duration. */
  countBatch(value: Endpoint, requests: number, waitedMs: number, tookMs: number): void
  countFault(source: string): void
  countTurnedAway(connections: number): void
  countGroupReport(field: string): void
}

/** Fields of the operator's webhooks. An invented field name creates no series of its own. */
const GROUP_FIELD =
  /^(messages(\.statuses)?|calls|smb_message_echoes|group_(lifecycle|participants|settings|status)_update)$/

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
const REQUESTS = [1, 2, 4, 8, 16, 32, 64, 128, 256]

let ofProcess: Registry | undefined

/**
 * Returns the figures of the process, shared by all services in it, because their collectors can't be
 * stopped.
 */
function processFigures(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess, prefix: 'parley_' })
  }
  return ofProcess
}

/** Creates the Prometheus metrics of a service and its process. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const requests = new Counter({
    name: 'parley_http_requests_total',
    help: 'Answered requests by route, status, and error code.',
    labelNames: ['method', 'route', 'status', 'error'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'parley_http_request_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['method', 'route'],
    buckets: SECONDS,
    registers: [registry],
  })
  const batches = new Histogram({
    name: 'parley_batch_requests',
    help: 'Requests that shared a transaction.',
    labelNames: ['method', 'route'],
    buckets: REQUESTS,
    registers: [registry],
  })
  const waits = new Counter({
    name: 'parley_batch_wait_seconds_total',
    help: 'Total time that requests waited for their batch to start. Divide by parley_batch_requests_sum for the mean.',
    labelNames: ['method', 'route'],
    registers: [registry],
  })
  const underWay = new Counter({
    name: 'parley_batch_seconds_total',
    help: 'Total duration of batches. Its rate is the number of batches in flight.',
    labelNames: ['method', 'route'],
    registers: [registry],
  })
  const faults = new Counter({
    name: 'parley_worker_faults_total',
    help: 'Failures of background work by source.',
    labelNames: ['source'],
    registers: [registry],
  })
  const refusedConnections = new Counter({
    name: 'parley_connections_turned_away_total',
    help: 'Connections that were closed because the connection limit was reached.',
    registers: [registry],
  })
  const groupReports = new Counter({
    name: 'parley_group_reports_total',
    help: "Messages, receipts, and notices of customers' groups by the operator's field. Parley doesn't store them.",
    labelNames: ['field'],
    registers: [registry],
  })
  const merged = Registry.merge([processFigures(), registry])
  return {
    contentType: merged.contentType,
    text: () => merged.metrics(),
    values: async () =>
      (await merged.getMetricsAsJSON()).map((metric) => ({ ...metric, type: String(metric.type) })),
    countRequest: (line) => {
      requests.inc({ method: line.method, route: line.route, status: line.status, error: line.error ?? '' })
      durations.observe({ method: line.method, route: line.route }, line.ms / 1000)
    },
    countBatch: (value, requests, waitedMs, tookMs) => {
      const labels = { method: value.method, route: routeOf(value) }
      batches.observe(labels, requests)
      waits.inc(labels, waitedMs / 1000)
      underWay.inc(labels, tookMs / 1000)
    },
    countFault: (source) => faults.inc({ source }),
    countGroupReport: (field) => groupReports.inc({ field: GROUP_FIELD.test(field) ? field : 'other' }),
    countTurnedAway: (connections) => refusedConnections.inc(connections),
  }
}
