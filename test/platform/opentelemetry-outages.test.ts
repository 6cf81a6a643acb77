/** A collector that is away, slow, or refuses delays nothing and loses nothing of ours (docs/decisions/opentelemetry.md). */
import { createHash } from 'node:crypto'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openLog } from '../../src/logging/log.ts'
import { boot } from '../support/boot.ts'
import { createTestDatabase } from '../support/database.ts'
import { openAdmin, openShops, REACHED } from '../support/load.ts'
import { type OtlpAnswer, startOtlpReceiver } from '../support/otlp-receiver.ts'
import { newInstallation } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const CUSTOMER = '+919812345678'
/** Longer than the last export may take, and far shorter than a hanging collector. */
const MAX_STOP_MS = 15_000

async function bootWith(answer: OtlpAnswer, env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-otel-'))
  const path = join(folder, 'log')
  const log = openLog('info', openSync(path, 'w'), false)
  const otlp = await startOtlpReceiver()
  otlp.answerWith(answer)
  const parley = await boot({
    log,
    env: { ...otlp.env, OTEL_EXPORTER_OTLP_TIMEOUT: '300', OTEL_BSP_MAX_QUEUE_SIZE: '512', ...env },
  })
  let isClosed = false
  const close = async () => {
    if (!isClosed) await parley.close()
    isClosed = true
  }
  onTestFinished(async () => {
    await close()
    await otlp.close()
    rmSync(folder, { recursive: true })
  })
  const linesWith = async (text: string): Promise<string[]> => {
    await new Promise<void>((resolve) => log.flush(() => resolve()))
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.includes(text))
  }
  const shop = await parley.workspace({ sandbox: true })
  await shop.inbound(CUSTOMER, 'Hello')
  const sendMany = async (count: number): Promise<string[]> => {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, i) =>
        shop.post('/send', { to: CUSTOMER, type: 'text', text: `Answer ${i}` }),
      ),
    )
    for (const sent of answers) expect(sent, sent.text).toMatchObject({ status: 200 })
    return answers.map(({ body }) => body.messageId)
  }
  return { parley, shop, otlp, close, linesWith, sendMany }
}

const OUTAGE = 'the OpenTelemetry collector takes no data'
const RECOVERY = 'the OpenTelemetry collector takes data again'

test('a collector that refuses is one line of the log, and its return is another', async () => {
  const { otlp, sendMany, linesWith } = await bootWith((response) => response.writeHead(400).end('{}'))
  await sendMany(20)
  await until(async () => (await linesWith(OUTAGE)).length > 0, 'the line about the outage')
  const seen = otlp.requests.length
  await sendMany(20)
  await until(async () => otlp.requests.length > seen + 6, 'more exports')
  expect(await linesWith(OUTAGE)).toHaveLength(1)
  otlp.answerWith((response) => response.writeHead(200).end('{}'))
  await sendMany(5)
  await until(async () => (await linesWith(RECOVERY)).length > 0, 'the line about the return')
  expect(await linesWith(OUTAGE)).toHaveLength(1)
})

test('while the collector hangs, messages go out, and a stop ends in a limited time', async () => {
  const { parley, shop, sendMany, close, linesWith } = await bootWith(() => {}, {
    OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
  })
  const ids: string[] = []
  for (let i = 0; i < 10; i++) ids.push(...(await sendMany(20)))
  await shop.advance(10)
  for (const id of ids) {
    const { message } = (await shop.get(`/messages/${id}`)).body
    expect(message.status).toBe('read')
  }
  expect((await parley.anonymous.get(`${parley.url}/readyz`)).status).toBe(200)
  expect((await linesWith(OUTAGE)).length).toBeLessThan(2)
  const startedMs = performance.now()
  await close()
  expect(performance.now() - startedMs).toBeLessThan(MAX_STOP_MS)
})

test('without a collector at the address, the service works', async () => {
  const { shop, sendMany, linesWith } = await bootWith((response) => response.end(), {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  })
  const [id] = await sendMany(3)
  await shop.advance(10)
  expect((await shop.get(`/messages/${id}`)).body.message.status).toBe('read')
  await until(async () => (await linesWith(OUTAGE)).length > 0, 'the line about the outage')
})

test('a stop exports what waits', async () => {
  const { otlp, sendMany, close } = await bootWith((response) => response.writeHead(200).end('{}'), {
    OTEL_BSP_SCHEDULE_DELAY: '60000',
  })
  await sendMany(1)
  expect(otlp.spans.filter(({ name }) => name === 'POST /api/v1/send')).toEqual([])
  await close()
  expect(otlp.spans.filter(({ name }) => name === 'POST /api/v1/send')).toHaveLength(1)
})

test('kill -9 amid an export loses no message, and the next start exports again', async () => {
  const otlp = await startOtlpReceiver()
  const database = await createTestDatabase()
  const installation = await newInstallation({ DATABASE_URL: database.url, ...otlp.env })
  const admin = openAdmin(database.url)
  onTestFinished(async () => {
    await installation.remove()
    await admin.close()
    await database.drop()
    await otlp.close()
  })
  let server = await installation.start()
  const [shop] = await openShops(admin, server.url, 1)
  // The collector takes the bytes, and does not answer.
  otlp.answerWith(() => {})
  const sendAll = () =>
    Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        shop!.post(
          '/send',
          { to: REACHED, type: 'text', text: `Answer ${i}` },
          { idempotencyKey: `answer ${i}` },
        ),
      ),
    )
  const seen = otlp.requests.length
  const ids = (await sendAll()).map(({ body }) => body.messageId)
  expect(new Set(ids).size).toBe(40)
  await until(async () => otlp.requests.length > seen, 'an export is under way')
  await server.end('SIGKILL')
  otlp.answerWith((response) => response.writeHead(200).end('{}'))
  server = await installation.start()
  expect((await sendAll()).map(({ body }) => body.messageId)).toEqual(ids)
  const states = async () =>
    admin.query<{ status: string; count: number }>(
      `select status, count(*)::int as count from messages
       where workspace_id = $1 and direction = 'outbound' group by status`,
      [shop!.workspaceId],
    )
  await until(
    async () => (await states()).every(({ status }) => status === 'read' || status === 'delivered'),
    'every message has arrived',
  )
  expect((await states()).reduce((sum, { count }) => sum + count, 0)).toBe(40)
  const sent = await shop!.post('/send', { to: REACHED, type: 'text', text: 'After the start' })
  const traceId = createHash('sha256').update(sent.body.messageId).digest('hex').slice(0, 32)
  await until(
    async () => otlp.spans.some((span) => span.traceId === traceId && span.name === 'hand over message'),
    'the trace of a later message',
  )
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
})
