import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { RequestLine } from './server-options.ts'

export type Metrics = {
  contentType: string
  text(): Promise<string>
  countRequest(line: RequestLine): void
  countFault(source: string): void
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

/** The process's figures for Prometheus. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'parley_' })
  const requests = new Counter({
    name: 'parley_http_requests_total',
    help: 'Answered requests by route, status and error code.',
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
  const faults = new Counter({
    name: 'parley_worker_faults_total',
    help: 'Failures of background work by source.',
    labelNames: ['source'],
    registers: [registry],
  })
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    countRequest: (line) => {
      requests.inc({ method: line.method, route: line.route, status: line.status, error: line.error ?? '' })
      durations.observe({ method: line.method, route: line.route }, line.ms / 1000)
    },
    countFault: (source) => faults.inc({ source }),
  }
}
