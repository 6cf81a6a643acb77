/** deploy/opentelemetry: the example of a collector receives what Parley exports, and sends each signal on. */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { openLog } from '../../src/logging/log.ts'
import { boot } from '../support/boot.ts'
import { startOtlpReceiver } from '../support/otlp-receiver.ts'
import { freePort } from '../support/redis-server.ts'
import { until } from '../support/until.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'deploy/opentelemetry')
const SIGNALS = ['traces', 'metrics', 'logs']
const PORT = '4318'

/** Returns the program of the collector, also where `go install` puts it. */
function findCollector(): string | undefined {
  const places = ['otelcol', 'otelcol-contrib', join(homedir(), 'go/bin/otelcol')]
  return places.find((program) => spawnSync(program, ['--version']).status === 0)
}
const collector = findCollector()
if (!collector) console.warn('SKIPPED: the collector reads its example. otelcol is missing.')

// biome-ignore lint/suspicious/noExplicitAny: files of the collector are walked by their keys
type Item = any
const read = (name: string): Item => parse(readFileSync(join(FOLDER, name), 'utf8'), { uniqueKeys: true })
const config = read('collector.yaml')
const compose = read('compose.yaml')

test('every part of a pipeline is declared, and every declared part is in a pipeline', () => {
  const { pipelines } = config.service
  expect(Object.keys(pipelines)).toEqual(SIGNALS)
  for (const kind of ['receivers', 'processors', 'exporters']) {
    const used = new Set(Object.values<Item>(pipelines).flatMap((pipeline) => pipeline[kind]))
    expect([...used].sort(), kind).toEqual(Object.keys(config[kind]).sort())
  }
})

test('the port of the collector is the one that the documentation names', () => {
  expect(config.receivers.otlp.protocols.http.endpoint).toBe(`0.0.0.0:${PORT}`)
  expect(compose.services.collector.ports).toEqual([`127.0.0.1:${PORT}:${PORT}`])
  const page = readFileSync(join(ROOT, 'docs/observability.md'), 'utf8')
  expect(page).toContain(`OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:${PORT}`)
})

test('compose starts the collector with its file, and the service that receives the traces', () => {
  const { services } = compose
  const [volume] = services.collector.volumes
  expect(volume).toMatch(/^\.\/collector\.yaml:.*:ro$/)
  expect(services.collector.command).toEqual([`--config=${volume.split(':')[1]}`])
  const host = new URL(config.exporters['otlphttp/jaeger'].endpoint).hostname
  expect(Object.keys(services)).toContain(host)
})

/** Runs the collector with its example, which sends the traces to a receiver of the tests instead of Jaeger. */
async function startCollector(receiverUrl: string): Promise<string> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const folder = mkdtempSync(join(tmpdir(), 'parley-collector-'))
  const file = join(folder, 'collector.yaml')
  const changed = structuredClone(config)
  changed.receivers.otlp.protocols.http.endpoint = `127.0.0.1:${port}`
  Object.assign(changed.exporters['otlphttp/jaeger'], { endpoint: receiverUrl, encoding: 'json' })
  changed.service.telemetry = {
    metrics: {
      readers: [{ pull: { exporter: { prometheus: { host: '127.0.0.1', port: metricsPort } } } }],
    },
  }
  writeFileSync(file, stringify(changed))
  const program = spawn(collector!, [`--config=${file}`], { stdio: 'ignore' })
  onTestFinished(async () => {
    program.kill()
    await once(program, 'exit')
    rmSync(folder, { recursive: true })
  })
  const url = `http://127.0.0.1:${port}`
  await until(() => answers(url), 'the collector listens')
  return url
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )

describe.skipIf(!collector)('the collector itself', () => {
  test('accepts its example', () => {
    const result = spawnSync(collector!, ['validate', `--config=${join(FOLDER, 'collector.yaml')}`])
    expect([result.status, result.stderr.toString()]).toEqual([0, ''])
  })

  test('passes on the trace of a message', async () => {
    const otlp = await startOtlpReceiver()
    onTestFinished(otlp.close)
    const url = await startCollector(otlp.url)
    const parley = await boot({
      log: openLog('info', openSync('/dev/null', 'w')),
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '20' },
    })
    onTestFinished(parley.close)
    const shop = await parley.workspace({ sandbox: true })
    await shop.inbound('+919812345678', 'Is the blue one in stock?')
    const { body } = await shop.post('/send', { to: '+919812345678', type: 'text', text: 'Yes.' })
    const traceId = createHash('sha256').update(body.messageId).digest('hex').slice(0, 32)
    await until(
      async () => otlp.spans.some((span) => span.traceId === traceId && span.name === 'hand over message'),
      'the trace of the message',
    )
  })
})
