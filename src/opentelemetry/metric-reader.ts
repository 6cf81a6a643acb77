/** Exports the figures of the metrics registry, which `GET /metrics` also shows. */
import { ValueType } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics'
import type { ExporterOptions, Metric } from './port.ts'
import { hrTimeOf } from './tracer.ts'

type Labels = Metric['values'][number]['labels']
/** Real times in milliseconds. */
type Period = { startMs: number; endMs: number }

const pointOf = <T>(labels: Labels, value: T, { startMs, endMs }: Period): DataPoint<T> => ({
  startTime: hrTimeOf(startMs),
  endTime: hrTimeOf(endMs),
  attributes: labels,
  value,
})

/** Converts the cumulative buckets of the registry to counts for each bucket. */
function histogramsOf(metric: Metric, period: Period): DataPoint<Histogram>[] {
  const rows = metric.values.map(({ labels: { le, ...labels }, ...row }) => ({ ...row, le, labels }))
  return [...Map.groupBy(rows, ({ labels }) => JSON.stringify(labels)).values()].map((group) => {
    const figureOf = (suffix: string) =>
      group.find(({ metricName }) => metricName === metric.name + suffix)?.value ?? 0
    const buckets = group
      .filter(({ le }) => le !== undefined && le !== '+Inf')
      .toSorted((a, b) => Number(a.le) - Number(b.le))
    const count = figureOf('_count')
    const upTo = [...buckets.map(({ value }) => value), count]
    return pointOf(
      group[0]!.labels,
      {
        buckets: {
          boundaries: buckets.map(({ le }) => Number(le)),
          counts: upTo.map((value, i) => value - (upTo[i - 1] ?? 0)),
        },
        sum: figureOf('_sum'),
        count,
      },
      period,
    )
  })
}

/** Converts a metric of the registry; undefined for a kind that Parley does not use. */
export function metricDataOf(metric: Metric, period: Period): MetricData | undefined {
  const common = {
    descriptor: { name: metric.name, description: metric.help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const points = () => metric.values.map(({ labels, value }) => pointOf(labels, value, period))
  switch (metric.type) {
    case 'counter':
      return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() }
    case 'gauge':
      return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: points() }
    case 'histogram':
      return {
        ...common,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: histogramsOf(metric, period),
      }
    default:
      return undefined
  }
}

/** Starts the regular export. */
export function openMetricReader(
  exporter: PushMetricExporter,
  { metrics, version }: Pick<ExporterOptions, 'metrics' | 'version'>,
  { resource, everyMs, nowMs }: { resource: Resource; everyMs: number; nowMs: () => number },
): PeriodicExportingMetricReader {
  const startMs = nowMs()
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: everyMs })
  reader.setMetricProducer({
    collect: async () => {
      const period = { startMs, endMs: nowMs() }
      const data = (await metrics()).flatMap((metric) => metricDataOf(metric, period) ?? [])
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'parley', version }, metrics: data }] },
        errors: [],
      }
    },
  })
  return reader
}
