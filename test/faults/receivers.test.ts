import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type Client, type TestParley } from '../support/boot.ts'
import { makeReceivers, type Receiver, signatureBy } from '../support/receiver.ts'
import { cloudShop, receipt, standInOperator } from '../support/stand-in-operator.ts'
import { until } from '../support/until.ts'

let receivers: Awaited<ReturnType<typeof makeReceivers>>
let strangers: Awaited<ReturnType<typeof makeReceivers>>
let parley: TestParley
beforeAll(async () => {
  receivers = await makeReceivers()
  strangers = await makeReceivers()
  parley = await boot({ env: receivers.env })
})
afterAll(async () => {
  await parley?.close()
  await receivers?.close()
  await strangers?.close()
})

const EVENTS = 60

/** Goes on answering until the other side has had enough. */
const endlessly = (response: ServerResponse, piece: string): void => {
  const more = () => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}

/** Every way to be a bad receiver, most of them twice. */
const BAD: Record<string, (response: ServerResponse) => void> = {
  'never answers': () => {},
  'answers a byte and stops': (response) => void response.socket?.write('H'),
  'stops amid its body': (response) => void response.writeHead(200, { 'content-length': '5' }).write('1'),
  'has no end': (response) => endlessly(response.writeHead(200), 'x'.repeat(16_384)),
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

test('24 bad receivers of every kind beside a good one: it gets everything, promptly, and the API does not notice', async () => {
  const shop = await parley.workspace()
  const bad = Object.values(BAD)
  const register = async (receiver: Receiver) =>
    (await shop.post('/webhooks', { url: receiver.url, event: 'contact.created' })).body.secret as string
  const others: Receiver[] = [await strangers.open()]
  for (let i = 0; others.length < 24; i++) others.push(await receivers.open(bad[i % bad.length]!))
  for (const receiver of others) expect(await register(receiver)).toMatch(/./)
  const healthy = await receivers.open()
  const secret = await register(healthy)

  const ids: string[] = []
  let slowestAnswerMs = 0
  let slowestDeliveryMs = 0
  for (let i = 0; i < EVENTS; i++) {
    const begun = performance.now()
    const answer = await shop.post('/contacts', { phone: `+9198${String(20_000_000 + i)}` })
    expect(answer.status).toBe(201)
    slowestAnswerMs = Math.max(slowestAnswerMs, performance.now() - begun)
    ids.push(answer.body.contact.id)
    if (i % 10 === 0) {
      await healthy.wait(i + 1)
      slowestDeliveryMs = Math.max(slowestDeliveryMs, performance.now() - begun)
    }
  }
  const requests = await healthy.wait(EVENTS)
  expect(new Set(requests.map((one) => one.body.data.contactId))).toEqual(new Set(ids))
  for (const request of requests)
    expect(request.headers['x-webhook-signature']).toBe(signatureBy(secret, request))
  // Below the 15 s that a hanging receiver may take of an attempt.
  expect(slowestDeliveryMs).toBeLessThan(10_000)
  expect(slowestAnswerMs).toBeLessThan(10_000)
  expect(others[0]!.received, 'a certificate that nobody vouches for').toEqual([])

  // Those that are gone are switched off; the others are kept, with what they did in the log.
  await until(async () => {
    const { webhooks } = (await shop.get('/webhooks')).body
    return webhooks.filter((one: { active: boolean }) => !one.active).length === 2
  }, 'the two that are gone are switched off')
})

test('what hangs does not keep the service from stopping; it is taken up again afterwards', async () => {
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
    const begun = performance.now()
    hanging.answer(200)
    await parley.restart()
    expect(performance.now() - begun).toBeLessThan(10_000)
    const [first, again] = await until(async () => {
      const { deliveries } = (await shop.get(`/webhooks/${await webhookOf(shop)}/deliveries`)).body
      return deliveries.length === 2 && deliveries.reverse()
    }, 'the next attempt is planned')
    expect(first).toMatchObject({ attempt: 1, status: 'failed' })
    expect(again).toMatchObject({ attempt: 2 })
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
