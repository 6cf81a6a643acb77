/** Own headers of webhook endpoints (DECISIONS.md "Own headers"). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type Client, type TestParley } from '../../../../../test/support/boot.ts'
import { makeReceivers } from '../../../../../test/support/receiver.ts'
import { until } from '../../../../../test/support/until.ts'

let parley: TestParley
let receivers: Awaited<ReturnType<typeof makeReceivers>>
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env })
})
afterAll(async () => {
  await parley.close()
  await receivers.close()
})

const address = () => `https://localhost:9/${randomUUID()}`
const KEY = 'Bearer f9c2-own-header'
const happen = (shop: Client, phone: string) => shop.post('/contacts', { phone })
const delivered = (shop: Client, id: string, count: number): Promise<Body[]> =>
  until(async () => {
    const { deliveries } = (await shop.get(`/webhooks/${id}/deliveries`)).body
    const done = deliveries.filter(({ status }: Body) => status === 'succeeded')
    return done.length >= count && deliveries
  }, `${count} deliveries`)

test('each delivery, test event, redelivery, and replay has them; no answer or log contains the values', async () => {
  const [shop, receiver] = [await parley.workspace(), await receivers.open()]
  const created = await shop.post('/webhooks', {
    url: receiver.url,
    event: 'contact.created',
    headers: [
      { name: 'Authorization', value: KEY },
      { name: 'X-Shop', value: 'pune-1' },
    ],
  })
  expect(created.status).toBe(201)
  expect(created.body.webhook.headers).toEqual([
    { name: 'Authorization', set: true },
    { name: 'X-Shop', set: true },
  ])
  const { id } = created.body.webhook
  await happen(shop, '+919812345601')
  await receiver.wait(1)
  await delivered(shop, id, 1)
  await shop.post(`/webhooks/${id}/test`)
  const [, logged] = await delivered(shop, id, 2)
  await shop.post(`/webhooks/deliveries/${logged!.id}/redeliver`)
  await delivered(shop, id, 3)
  const replay = { from: '2020-01-01T00:00:00Z' }
  expect((await shop.post(`/webhooks/${id}/replay`, replay)).status).toBeLessThan(300)
  await delivered(shop, id, 4)
  const requests = await receiver.wait(4)
  expect(requests.map(({ headers }) => [headers.authorization, headers['x-shop']])).toEqual(
    Array(4).fill([KEY, 'pune-1']),
  )
  expect(requests[0]!.headers['content-type']).toBe('application/json')
  for (const path of ['/webhooks', `/webhooks/${id}/deliveries`, '/activity'])
    expect((await shop.get(path)).text, path).not.toContain(KEY)
  const [stored] = await parley.system((tx) =>
    tx.sql<{ text: string }>(
      `select string_agg(concat(p::text, encode(p.headers_sealed, 'escape')), ' ') as text from webhook_endpoints p`,
    ),
  )
  expect(stored!.text).not.toContain(KEY)
})

test('PATCH replaces the list; a value that is left out for a kept name stays', async () => {
  const [shop, receiver] = [await parley.workspace(), await receivers.open()]
  const { body } = await shop.post('/webhooks', {
    url: receiver.url,
    event: 'contact.created',
    headers: [
      { name: 'X-Key', value: KEY },
      { name: 'X-Old', value: 'old' },
    ],
  })
  const path = `/webhooks/${body.webhook.id}`
  const changed = await shop.patch(path, {
    headers: [{ name: 'x-key' }, { name: 'X-New', value: 'new' }],
  })
  expect(changed.body.webhook.headers).toEqual([
    { name: 'x-key', set: true },
    { name: 'X-New', set: true },
  ])
  await happen(shop, '+919812345602')
  const [request] = await receiver.wait(1)
  expect(request!.headers).toMatchObject({ 'x-key': KEY, 'x-new': 'new' })
  expect(request!.headers['x-old']).toBeUndefined()
  expect((await shop.patch(path, { events: ['contact.updated'] })).body.webhook.headers).toHaveLength(2)
  expect(await shop.patch(path, { headers: [{ name: 'x-key' }, { name: 'X-Other' }] })).toMatchObject({
    status: 400,
    body: { error: 'invalid', issues: [{ path: 'headers[1].value' }] },
  })
  expect((await shop.patch(path, { headers: [] })).body.webhook.headers).toEqual([])
})

test('a move to another host requires the values again, so that no other receiver can read them', async () => {
  const shop = await parley.workspace()
  const headers = [{ name: 'X-Key', value: KEY }]
  const { body } = await shop.post('/webhooks', { url: address(), headers })
  const path = `/webhooks/${body.webhook.id}`
  const away = `https://127.0.0.1:9/${randomUUID()}`
  expect(await shop.patch(path, { url: away })).toMatchObject({
    status: 400,
    body: { error: 'invalid', issues: [{ path: 'headers' }] },
  })
  expect(await shop.patch(path, { url: away, headers: [{ name: 'X-Key' }] })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'headers[0].value' }] },
  })
  expect((await shop.patch(path, { url: address() })).body.webhook.headers, 'the same host').toHaveLength(1)
  expect((await shop.patch(path, { url: away, headers })).body.webhook).toMatchObject({ url: away })
  expect((await shop.patch(path, { url: address(), headers: [] })).body.webhook.headers).toEqual([])
})

test.each([
  ['X-Webhook-Signature', 'a signature header'],
  ['webhook-id', 'a header of Standard Webhooks'],
  ['Content-Type', 'the content type'],
  ['content-length', 'the length'],
  ['Host', 'the host'],
  ['Connection', 'a header of the connection'],
  ['Transfer-Encoding', 'the encoding of the connection'],
  ['Cookie', 'a cookie'],
  ['User-Agent', "Parley's name"],
  ['Proxy-Authorization', 'a header for proxies'],
  ['__proto__', 'a name that objects cannot keep'],
  ['X Key', 'a name with a space'],
  ['X-Key:', 'a name with a colon'],
  ['X-Schlüssel', 'a name with a letter outside ASCII'],
  ['', 'an empty name'],
  ['x'.repeat(101), 'a long name'],
])('the name %s gets 400: %s', async (name) => {
  const shop = await parley.workspace()
  expect(await shop.post('/webhooks', { url: address(), headers: [{ name, value: 'x' }] })).toMatchObject({
    status: 400,
    body: { error: 'invalid', issues: [{ path: 'headers[0].name' }] },
  })
})

test('a value with a line break, and a list with a name twice or more than 10 names, gets 400', async () => {
  const shop = await parley.workspace()
  const refusedPath = async (headers: object[]): Promise<string> => {
    const { status, body } = await shop.post('/webhooks', { url: address(), headers })
    expect(status).toBe(400)
    return body.issues[0].path
  }
  for (const value of ['a\r\nx-other: b', 'a\nb', '', ' a', 'a ', 'é', 'x'.repeat(2_001)])
    expect(await refusedPath([{ name: 'X-Key', value }]), JSON.stringify(value)).toBe('headers[0].value')
  expect(await refusedPath([{ name: 'X-Key' }])).toBe('headers[0].value')
  const named = (name: string) => ({ name, value: 'x' })
  expect(await refusedPath([named('X-Key'), named('x-key')])).toBe('headers')
  expect(await refusedPath(Array.from({ length: 11 }, (_, i) => named(`X-${i}`)))).toBe('headers')
})

test('a key that sees only the host of an endpoint does not see the names of its headers', async () => {
  const shop = await parley.workspace()
  await shop.post('/webhooks', { url: address(), headers: [{ name: 'X-Key', value: KEY }] })
  const viewer = await shop.as('viewer')
  expect((await viewer.get('/webhooks')).body.webhooks[0]).toMatchObject({
    url: 'https://localhost:9',
    headers: null,
  })
})
