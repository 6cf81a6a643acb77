/** A receiver of OTLP over HTTP, as a collector is: it keeps the spans, figures, and log lines in JSON, and all bytes. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

type Value = { stringValue?: string; intValue?: number; doubleValue?: number; boolValue?: boolean }
type Attribute = { key: string; value: Value }

export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  kind: number
  startNs: bigint
  endNs: bigint
  links: string[]
  attributes: Record<string, unknown>
  hasFailed: boolean
}
export type ReceivedLine = {
  body: string
  severity: string
  traceId: string
  attributes: Record<string, unknown>
}
export type ReceivedMetric = { name: string; kind: string; points: Record<string, unknown>[] }

const readValue = ({ stringValue, intValue, doubleValue, boolValue }: Value): unknown =>
  stringValue ?? (intValue === undefined ? undefined : Number(intValue)) ?? doubleValue ?? boolValue
const attributesOf = (attributes: Attribute[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)]))

// biome-ignore lint/suspicious/noExplicitAny: JSON of the protocol
type Json = any

const spanOf = (span: Json): ReceivedSpan => ({
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId ?? '',
  name: span.name,
  kind: span.kind,
  startNs: BigInt(span.startTimeUnixNano),
  endNs: BigInt(span.endTimeUnixNano),
  links: (span.links ?? []).map((link: Json) => `${link.traceId}/${link.spanId}`),
  attributes: attributesOf(span.attributes),
  hasFailed: span.status?.code === 2,
})

const metricOf = (metric: Json): ReceivedMetric => {
  const [kind] = ['sum', 'gauge', 'histogram'].filter((name) => metric[name])
  return { name: metric.name, kind: kind!, points: metric[kind!].dataPoints }
}

/** How the receiver answers. A function may leave an answer out. */
export type OtlpAnswer = (response: ServerResponse) => void

export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = []
  const lines: ReceivedLine[] = []
  const metrics: ReceivedMetric[] = []
  const resources: Record<string, unknown>[] = []
  const requests: { path: string; headers: IncomingHttpHeaders }[] = []
  const bodies: Buffer[] = []
  const state: { answer: OtlpAnswer } = { answer: (response) => response.writeHead(200).end('{}') }

  const take = (path: string, body: Json): void => {
    for (const part of body.resourceSpans ?? []) {
      resources.push(attributesOf(part.resource.attributes))
      for (const scope of part.scopeSpans) spans.push(...scope.spans.map(spanOf))
    }
    for (const part of body.resourceMetrics ?? [])
      for (const scope of part.scopeMetrics) metrics.push(...scope.metrics.map(metricOf))
    for (const part of body.resourceLogs ?? [])
      for (const scope of part.scopeLogs)
        for (const line of scope.logRecords)
          lines.push({
            body: line.body?.stringValue ?? '',
            severity: line.severityText,
            traceId: line.traceId ?? '',
            attributes: attributesOf(line.attributes),
          })
    if (!/^\/v1\/(traces|metrics|logs)$/.test(path)) throw new Error(`an export to ${path}`)
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
      bodies.push(body)
      requests.push({ path: request.url!, headers: request.headers })
      if (request.headers['content-type'] === 'application/json')
        take(request.url!, JSON.parse(body.toString()))
      state.answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    /** Settings that export everything in JSON, without waiting. */
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_METRIC_EXPORT_INTERVAL: '200',
    },
    spans,
    lines,
    metrics,
    resources,
    requests,
    bodies,
    /** Sets how all later exports are answered. */
    answerWith: (answer: OtlpAnswer) => {
      state.answer = answer
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
