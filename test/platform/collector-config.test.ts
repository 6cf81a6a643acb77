/** deploy/opentelemetry: the example of a collector receives what Parley exports, and sends each signal on. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

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

describe.skipIf(!collector)('the collector itself', () => {
  test('accepts its example', () => {
    const result = spawnSync(collector!, ['validate', `--config=${join(FOLDER, 'collector.yaml')}`])
    expect([result.status, result.stderr.toString()]).toEqual([0, ''])
  })
})
