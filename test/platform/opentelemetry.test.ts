/** Traces, metrics, and logs at an OpenTelemetry collector (docs/decisions/opentelemetry.md). */
import { createHash } from 'node:crypto'
import { openSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openLog } from '../../src/logging/log.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts'
import { makeReceivers } from '../support/receiver.ts'
import { cloudShop, standInOperator } from '../support/stand-in-operator.ts'
import { until } from '../support/until.ts'

type Receivers = Awaited<ReturnType<typeof makeReceivers>>
type Otlp = Awaited<ReturnType<typeof startOtlpReceiver>>

let receivers: Receivers
let otlp: Otlp
let parley: TestParley
let shop: TestWorkspace

beforeAll(async () => {
  receivers = await makeReceivers()
  otlp = await startOtlpReceiver()
  parley = await boot({
    log: openLog('info', openSync('/dev/null', 'w')),
    env: {
      ...receivers.env,
      ...otlp.env,
      OTEL_SERVICE_NAME: 'parley-test',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20c2VjcmV0',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    },
  })
})
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
})
afterAll(async () => {
  await parley.close()
  await otlp.close()
  await receivers.close()
})

const CUSTOMER = '+919812345678'
const traceIdOf = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 32)

/** Returns the spans of a trace by name, once all of `names` have arrived. */
async function spansOf(traceId: string, names: string[]): Promise<Map<string, ReceivedSpan>> {
  const found = () => new Map(otlp.spans.filter((span) => span.traceId === traceId).map((s) => [s.name, s]))
  await until(async () => names.every((name) => found().has(name)), `the spans ${names.join(', ')}`)
  return found()
}

async function sendText(text: string, headers: Record<string, string> = {}): Promise<string> {
  await shop.inbound(CUSTOMER, 'Is the blue one in stock?')
  const sent = await shop.post('/send', { to: CUSTOMER, type: 'text', text }, { headers })
  expect(sent, sent.text).toMatchObject({ status: 200 })
  return sent.body.messageId
}

test('one trace tells the story of a message, from its request to the delivery of its webhooks', async () => {
  const receiver = await receivers.open()
  await shop.post('/webhooks', { url: receiver.url, events: ['message.status'] })
  const messageId = await sendText('Yes, in every size.')
  await shop.advance(10)
  const traceId = traceIdOf(messageId)
  const spans = await spansOf(traceId, [
    'POST /api/v1/send',
    'accept message',
    'batch POST /api/v1/send',
    'transaction',
    'INSERT messages',
    'hand over message',
    'message sent',
    'message delivered',
    'message read',
    'deliver message.status',
  ])
  const parentOf = (name: string) =>
    [...spans.values()].find(({ spanId }) => spanId === spans.get(name)!.parentSpanId)?.name
  expect(spans.get('POST /api/v1/send')).toMatchObject({
    parentSpanId: '',
    kind: 2,
    hasFailed: false,
    attributes: {
      'http.route': '/api/v1/send',
      'http.response.status_code': 200,
      'parley.message_id': messageId,
      'parley.workspace_id': shop.workspaceId,
    },
  })
  expect(parentOf('accept message')).toBe('POST /api/v1/send')
  expect(parentOf('batch POST /api/v1/send')).toBe('POST /api/v1/send')
  expect(parentOf('transaction')).toBe('batch POST /api/v1/send')
  expect(parentOf('INSERT messages')).toBe('transaction')
  for (const name of ['hand over message', 'message sent', 'message read', 'deliver message.status'])
    expect(parentOf(name), name).toBe('accept message')
  const { startNs, endNs } = spans.get('POST /api/v1/send')!
  const { startNs: began, endNs: ended } = spans.get('transaction')!
  expect(began >= startNs && ended <= endNs).toBe(true)
  const handedOver = spans.get('hand over message')!
  expect(handedOver.attributes).toMatchObject({
    'parley.handover.result': 'accepted',
    'parley.operator': 'simulator',
  })

  // Each delivery names its own span as the parent of the receiver's.
  const deliveries = await receiver.wait(3)
  const parents = deliveries.map(({ headers }) => headers.traceparent)
  for (const parent of parents) expect(parent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
  const ids = () =>
    otlp.spans.filter(({ name }) => name === 'deliver message.status').map((span) => span.spanId)
  await until(
    async () => parents.every((parent) => ids().includes(String(parent).slice(36, 52))),
    'the spans of all deliveries',
  )
})

test('a request with a traceparent is in the trace of its caller, linked with the trace of its message', async () => {
  const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
  const messageId = await sendText('Yes.', { traceparent: `00-${caller.traceId}-${caller.spanId}-01` })
  const story = await spansOf(traceIdOf(messageId), ['accept message', 'hand over message'])
  const request = (await spansOf(caller.traceId, ['POST /api/v1/send'])).get('POST /api/v1/send')!
  expect(request.parentSpanId).toBe(caller.spanId)
  const accepted = story.get('accept message')!
  expect(accepted.parentSpanId).toBe('')
  expect(accepted.links).toEqual([`${request.traceId}/${request.spanId}`])
  expect(request.links).toContain(`${accepted.traceId}/${accepted.spanId}`)

  // The caller decided against the export of its trace; the message has its own.
  const other = '5bf92f3577b34da6a3ce929d0e0e4736'
  const second = await sendText('No.', { traceparent: `00-${other}-${caller.spanId}-00` })
  await spansOf(traceIdOf(second), ['accept message', 'hand over message'])
  expect(otlp.spans.filter(({ traceId }) => traceId === other)).toEqual([])
})

test('a traceparent that is not valid is ignored', async () => {
  for (const traceparent of [
    'nonsense',
    '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01',
    'ff-4bf92f3577b34da6a3ce929d0e0e4737-00f067aa0ba902b7-01',
    '00-4bf92f3577b34da6a3ce929d0e0e4738-00f067aa0ba902b7-01-more',
  ]) {
    const messageId = await sendText('Yes.', { traceparent })
    const spans = await spansOf(traceIdOf(messageId), ['POST /api/v1/send'])
    expect(spans.get('POST /api/v1/send')!.parentSpanId).toBe('')
  }
})

test('requests that share a batch have links to it, and it has links to them', async () => {
  await shop.inbound(CUSTOMER, 'Hello')
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      shop.post('/send', { to: CUSTOMER, type: 'text', text: `Answer ${i}` }),
    ),
  )
  const ids: string[] = answers.map(({ body }) => body.messageId)
  const requestOf = (id: string) =>
    otlp.spans.find((span) => span.traceId === traceIdOf(id) && span.name === 'POST /api/v1/send')
  await until(async () => ids.every(requestOf), 'the spans of all requests')
  const shared = () =>
    otlp.spans.filter(
      ({ name, traceId, links }) =>
        name.startsWith('batch') && links.length > 0 && ids.map(traceIdOf).includes(traceId),
    )
  await until(async () => shared().length > 0, 'a batch of several requests')
  for (const batch of shared()) {
    expect(batch.attributes['parley.batch.requests']).toBe(batch.links.length + 1)
    for (const link of batch.links) {
      const request = otlp.spans.find(({ traceId, spanId }) => `${traceId}/${spanId}` === link)!
      expect(request.name).toBe('POST /api/v1/send')
      expect(request.links).toContain(`${batch.traceId}/${batch.spanId}`)
    }
  }
})

test('the statements of the hand-over to the operator are in the trace of the message', async () => {
  const network = await standInOperator()
  const collector = await startOtlpReceiver()
  const service = await boot({ env: { ...network.env, ...collector.env } })
  onTestFinished(async () => {
    await service.close()
    await collector.close()
    await network.close()
  })
  const connected = await cloudShop(service)
  await connected.writes(CUSTOMER)
  const ids: string[] = []
  for (const text of ['One', 'Two', 'Three']) {
    const sent = await connected.post('/send', { to: CUSTOMER, type: 'text', text })
    expect(sent, sent.text).toMatchObject({ status: 200 })
    ids.push(sent.body.messageId)
  }
  const inTrace = (id: string) => collector.spans.filter(({ traceId }) => traceId === traceIdOf(id))
  for (const id of ids) {
    const steps = ['accept message', 'lease messages', 'hand over message', 'record outcomes']
    await until(
      async () => steps.every((step) => inTrace(id).some(({ name }) => name === step)),
      `the steps of ${id}`,
    )
    for (const step of ['lease messages', 'record outcomes']) {
      const span = inTrace(id).find(({ name }) => name === step)!
      expect(inTrace(id).find(({ spanId }) => spanId === span.parentSpanId)?.name).toBe('accept message')
      // The statements are at this span, or at the span of another message that it has a link to.
      const owner = span.links[0]?.split('/')[1] ?? span.spanId
      const statements = collector.spans.filter(({ parentSpanId }) => parentSpanId === owner)
      expect(statements.map(({ name }) => name).join(), step).toContain('messages')
    }
  }
})

test('the message of a customer begins a trace, and so do turns of background work', async () => {
  await shop.inbound(CUSTOMER, 'Hello')
  const [message] = (await shop.get('/messages')).body.messages
  await spansOf(traceIdOf(message.id), ['receive message'])
  await until(async () => otlp.spans.some(({ name }) => name === 'run handover'), 'a turn of the hand-over')
})

test('the figures of GET /metrics arrive as metrics', async () => {
  await sendText('Yes.')
  const requests = () => otlp.metrics.findLast(({ name }) => name === 'parley_http_requests_total')
  await until(async () => (requests()?.points.length ?? 0) > 0, 'the metric of requests')
  expect(requests()!.kind).toBe('sum')
  const seconds = otlp.metrics.findLast(({ name }) => name === 'parley_http_request_seconds')!
  expect(seconds.kind).toBe('histogram')
  const [point] = seconds.points as [{ count: string; bucketCounts: string[]; explicitBounds: number[] }]
  expect(point.bucketCounts).toHaveLength(point.explicitBounds.length + 1)
  expect(point.bucketCounts.map(Number).reduce((sum, count) => sum + count, 0)).toBe(Number(point.count))
  expect(
    otlp.metrics.some(({ name, kind }) => name === 'parley_nodejs_heap_size_used_bytes' && kind === 'gauge'),
  ).toBe(true)
})

test('lines of the log arrive with the trace of their request', async () => {
  const messageId = await sendText('Yes.')
  const line = () => otlp.lines.find(({ traceId }) => traceId === traceIdOf(messageId))
  await until(async () => line() !== undefined, 'the line of the request')
  expect(line()).toMatchObject({
    body: 'request',
    severity: 'INFO',
    attributes: { route: '/api/v1/send', status: 200, messageId, workspaceId: shop.workspaceId },
  })
})

test('exports have the configured headers and describe the service', async () => {
  await until(
    async () =>
      ['traces', 'metrics', 'logs'].every((name) => otlp.requests.some(({ path }) => path === `/v1/${name}`)),
    'an export of each signal',
  )
  for (const { headers } of otlp.requests) expect(headers.authorization).toBe('Basic c2VjcmV0')
  expect(otlp.resources[0]).toMatchObject({
    'service.name': 'parley-test',
    'service.version': expect.stringMatching(/^\d/),
    'deployment.environment.name': 'test',
  })
})

test('no exported byte contains a number, a name, a text, an email address, or a key', async () => {
  const digits = '9198765' + '43219'
  const words = ['Zebulonia', 'marzipanwords', 'quokka.lane', 'tapirparade']
  const receiver = await receivers.open()
  const url = `${receiver.url}/tapirparade`
  const webhook = await shop.post('/webhooks', { url, events: ['message.received', 'contact.created'] })
  expect(webhook, webhook.text).toMatchObject({ status: 201 })
  await shop.inbound(`+${digits}`, 'marzipanwords please', { name: 'Zebulonia Quokka' })
  await shop.post('/send', { to: `+${digits}`, type: 'text', text: 'marzipanwords for you' })
  const attributes = { email: 'quokka.lane@example.com' }
  const contact = await shop.post('/contacts', {
    phone: '+919812345670',
    displayName: 'Zebulonia',
    attributes,
  })
  expect(contact, contact.text).toMatchObject({ status: 201 })
  await shop.get(`/contacts?search=Zebulonia`)
  await shop.get(`/contacts/+${digits}`)
  await shop.post('/send', { to: 'not a number Zebulonia', type: 'text', text: '' })
  await receiver.wait(1)
  await shop.advance(10)
  const seen = otlp.spans.length
  await sendText('Yes.')
  await until(async () => otlp.spans.length > seen + 5, 'later spans')
  const bytes = Buffer.concat(otlp.bodies).toString('latin1')
  for (const word of [digits, digits.slice(2), ...words, shop.key, shop.key.slice(8, 30)])
    expect(bytes.includes(word), word).toBe(false)
})

test('a part of the messages is sampled, and all processes agree about each of them', async () => {
  const sampled = await startOtlpReceiver()
  const service = await boot({
    env: { ...sampled.env, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' },
  })
  onTestFinished(async () => {
    await service.close()
    await sampled.close()
  })
  const workspace = await service.workspace({ sandbox: true })
  await workspace.inbound(CUSTOMER, 'Hello')
  const ids: string[] = []
  for (let i = 0; i < 40; i++) {
    const { body } = await workspace.post('/send', { to: CUSTOMER, type: 'text', text: `Answer ${i}` })
    ids.push(body.messageId)
  }
  await workspace.advance(10)
  await service.restart()
  const steps = ['accept message', 'hand over message', 'message read']
  const namesOf = (id: string) =>
    new Set(sampled.spans.filter(({ traceId }) => traceId === traceIdOf(id)).map(({ name }) => name))
  const exported = ids.filter((id) => namesOf(id).size > 0)
  expect(exported.length).toBeGreaterThan(5)
  expect(exported.length).toBeLessThan(35)
  for (const id of exported) expect(steps.filter((step) => !namesOf(id).has(step))).toEqual([])
})
