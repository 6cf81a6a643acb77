import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type Client, type TestParley } from '../support/boot.ts'
import { thorough } from '../support/fault-run.ts'
import { makeReceivers, type Receiver, signatureBy } from '../support/receiver.ts'
import { cloudShop, receipt, standInOperator } from '../support/stand-in-operator.ts'
import { until } from '../support/until.ts'

let receivers: Awaited<ReturnType<typeof makeReceivers>>
let outsiders: Awaited<ReturnType<typeof makeReceivers>>
let parley: TestParley
beforeAll(async () => {
  receivers = await makeReceivers()
  outsiders = await makeReceivers()
  parley = await boot({ env: receivers.env })
})
afterAll(async () => {
  await parley?.close()
  await receivers?.close()
  await outsiders?.close()
})

const EVENTS = 60

/** Keeps answering until the other side closes the connection. */
const writeEndlessly = (response: ServerResponse, piece: string): void => {
  const more = () => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}

/** Every kind of bad receiver, most of them twice. */
const BAD: Record<string, (response: ServerResponse) => void> = {
  'never answers': () => {},
  'answers a byte and stops': (response) => void response.socket?.write('H'),
  'stops amid its body': (response) => void response.writeHead(200, { 'content-length': '5' }).write('1'),
  'has no end': (response) => writeEndlessly(response.writeHead(200), 'x'.repeat(16_384)),
  'cuts the connection': (response) => void response.socket?.destroy(),
  'is not HTTP': (response) => void response.socket?.end('220 mail.example.com ESMTP ready\r\n'),
  'has headers without end': (response) => {
    response.socket?.write('HTTP/1.1 200 OK\r\n')
    for (let i = 0; i < 1_000; i++) response.socket?.write(`x-${i}: ${'y'.repeat(200)}\r\n`)
  },
  'sends elsewhere': (response) => void response.writeHead(302, { location: 'https://localhost:1/' }).end(),
  'fails 500': (response) => void response.writeHead(500).end(),
  'is gone 410': (response) => void response.writeHead(410).end(),
  'says it is compressed': (response) =>
    void response.writeHead(500, { 'content-encoding': 'gzip' }).end('no'),
}

test('24 bad receivers of every kind and one good receiver: the good one gets every event promptly, and the API does not slow down', async () => {
  const shop = await parley.workspace()
  const bad = Object.values(BAD)
  const register = async (receiver: Receiver) =>
    (await shop.post('/webhooks', { url: receiver.url, event: 'contact.created' })).body.secret as string
  const others: Receiver[] = [await outsiders.open()]
  for (let i = 0; others.length < 24; i++) others.push(await receivers.open(bad[i % bad.length]!))
  for (const receiver of others) expect(await register(receiver)).toMatch(/./)
  const healthy = await receivers.open()
  const secret = await register(healthy)

  const ids: string[] = []
  let slowestAnswerMs = 0
  let slowestDeliveryMs = 0
  for (let i = 0; i < EVENTS; i++) {
    const startedMs = performance.now()
    const answer = await shop.post('/contacts', { phone: `+9198${String(20_000_000 + i)}` })
    expect(answer.status).toBe(201)
    slowestAnswerMs = Math.max(slowestAnswerMs, performance.now() - startedMs)
    ids.push(answer.body.contact.id)
    if (i % 10 === 0) {
      await healthy.wait(i + 1)
      slowestDeliveryMs = Math.max(slowestDeliveryMs, performance.now() - startedMs)
    }
  }
  const requests = await healthy.wait(EVENTS)
  expect(new Set(requests.map((request) => request.body.data.contactId))).toEqual(new Set(ids))
  for (const request of requests)
    expect(request.headers['x-webhook-signature']).toBe(signatureBy(secret, request))
  // Below the 15 s that a hanging receiver may take of an attempt.
  expect(slowestDeliveryMs).toBeLessThan(10_000)
  expect(slowestAnswerMs).toBeLessThan(10_000)
  expect(others[0]!.received, 'a certificate that nobody vouches for').toEqual([])

  // The endpoints that are gone are turned off; the others stay on, with their failures in the log.
  await until(async () => {
    const { webhooks } = (await shop.get('/webhooks')).body
    return webhooks.filter((webhook: { active: boolean }) => !webhook.active).length === 2
  }, 'the two missing endpoints are disabled')
})

/** Every way in which an attempt can end, with the status and the reason in its log row. */
const ENDS: Record<
  string,
  [
    receiver: Parameters<Receiver['answer']>[0] | 'unknown' | 'untrusted',
    status: number | null,
    expectedError: RegExp,
  ]
> = {
  '2xx': [204, 204, /^$/],
  '3xx': [307, 307, /redirect \(307\)/],
  '4xx': [404, 404, /answered with status 404/],
  '410': [410, 410, /answered with status 410/],
  '429 with Retry-After': [
    (response) => void response.writeHead(429, { 'retry-after': '86400' }).end(),
    429,
    /answered with status 429/,
  ],
  '5xx': [503, 503, /answered with status 503/],
  'a reset': [(response) => void response.socket?.destroy(), null, /closed before the answer was complete/],
  'what is not HTTP': [
    (response) => void response.socket?.end('220 mail ready\r\n'),
    null,
    /wasn't valid HTTP/,
  ],
  'a certificate of nobody known': ['untrusted', null, /secure connection failed/],
  'a name that nobody knows': ['unknown', null, /couldn't be resolved/],
  // Takes 15 seconds.
  ...(thorough ? { silence: [() => {}, null, /didn't answer in time/] } : {}),
}

test('however an attempt ends, the log says so, and once the endpoint works it gets each missing event once', async () => {
  const shop = await parley.workspace({ sandbox: true })
  const endpoints = await Promise.all(
    Object.entries(ENDS).map(async ([name, [behavior, status, expectedError]]) => {
      const healthy = await receivers.open(typeof behavior === 'string' ? 200 : behavior)
      const url =
        behavior === 'untrusted'
          ? (await outsiders.open()).url
          : behavior === 'unknown'
            ? 'https://nowhere.invalid/'
            : healthy.url
      const response = await shop.post('/webhooks', { url, event: 'contact.created' })
      expect(response.status, response.text).toBe(201)
      return { name, healthy, id: response.body.webhook.id as string, url, status, expectedError }
    }),
  )
  const attemptsAt = async (id: string) =>
    (await shop.get(`/webhooks/${id}/deliveries`)).body.deliveries.toReversed()
  await shop.post('/contacts', { phone: '+919812340000' })
  for (const { name, id, status, expectedError } of endpoints) {
    const [first, next] = await until(async () => {
      const found = await attemptsAt(id)
      return found[0]?.status !== 'pending' && found
    }, `the attempt that ends with ${name}`)
    expect(first, name).toMatchObject({
      attempt: 1,
      httpStatus: status,
      status: status === 204 ? 'succeeded' : 'failed',
    })
    expect(first.error ?? '', name).toMatch(expectedError)
    // A receiver's Retry-After changes nothing in the schedule.
    if (status === 204 || status === 410) expect(next, name).toBeUndefined()
    else expect(Date.parse(next.nextAttemptAt) - Date.parse(first.attemptedAt), name).toBeLessThan(30_000)
  }
  for (const { healthy, id, url } of endpoints) {
    healthy.answer(200)
    if (url !== healthy.url)
      expect((await shop.patch(`/webhooks/${id}`, { url: healthy.url })).status).toBe(200)
  }
  // To the second attempt, and to the third.
  await shop.advance(40)
  for (const { name, id, healthy, url, status } of endpoints) {
    const ends = (await attemptsAt(id)).map((attempt: { status: string }) => attempt.status)
    const isOver = status === 204 || status === 410
    // The second attempt may have run before the endpoint worked.
    const failures = ends.length - 1
    if (isOver) expect(ends, name).toEqual([status === 204 ? 'succeeded' : 'failed'])
    else expect(ends, name).toEqual([...Array(Math.max(1, failures)).fill('failed'), 'succeeded'])
    expect(new Set(healthy.received.map((request) => request.body.id)).size, name).toBe(1)
    expect(healthy.received, name).toHaveLength(url === healthy.url ? ends.length : 1)
    expect(
      (await shop.get('/webhooks')).body.webhooks.find((webhook: { id: string }) => webhook.id === id).active,
      name,
    ).toBe(status !== 410)
  }
})

test('a hanging delivery does not keep the service from stopping; it is tried again afterwards', async () => {
  const operator = await standInOperator()
  const parley = await boot({ env: { ...receivers.env, ...operator.env } })
  try {
    const shop = await cloudShop(parley)
    const hanging = await receivers.open(() => {})
    await shop.post('/webhooks', { url: hanging.url, event: 'contact.created' })
    await shop.writes('+919812345678')
    await hanging.wait(1)
    operator.answer(() => {})
    const { messageId } = (await shop.post('/send', { to: '+919812345678', type: 'text', text: 'Hi' })).body
    await until(() => operator.taken.length === 1, 'the operator has the message')
    const startedMs = performance.now()
    hanging.answer(200)
    await parley.restart()
    expect(performance.now() - startedMs).toBeLessThan(10_000)
    const [first, retry] = await until(async () => {
      const { deliveries } = (await shop.get(`/webhooks/${await webhookOf(shop)}/deliveries`)).body
      return deliveries.length === 2 && deliveries.reverse()
    }, 'the next attempt is planned')
    expect(first).toMatchObject({ attempt: 1, status: 'failed' })
    expect(retry).toMatchObject({ attempt: 2 })
    await shop.operatorSays(receipt('sent', { chanmid: operator.taken[0]!.chanmid, messageId }))
    await shop.settled()
    expect((await shop.get(`/messages/${messageId}`)).body.message.status).toBe('sent')
    expect(operator.taken).toHaveLength(1)
  } finally {
    await parley.close()
    await operator.close()
  }
})

const webhookOf = async (shop: Client): Promise<string> => (await shop.get('/webhooks')).body.webhooks[0].id
