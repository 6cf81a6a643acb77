// Tests a standalone simulated photo network through its two interfaces: the network's API and the control
// calls.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../../../test/support/until.ts'
import { verifyWebhookSignature } from '../../../operator/webhook-signature.ts'
import { readWebhook } from '../../graph/reports.ts'
import { type StandaloneSocialSimulator, startStandaloneSocialSimulator } from './start.ts'

const ACCOUNT = { networkId: '17841400000000000', username: 'our_shop', token: 'token' }

let simulator: StandaloneSocialSimulator
let receiver: Server
let posts: { body: string; signature: string }[]

beforeAll(async () => {
  receiver = createServer((req, res) => {
    if (req.url === '/photo.jpg') return void res.writeHead(200).end('a photo')
    if (req.url === '/gone.jpg') return void res.writeHead(404).end()
    if (req.url === '/moved.jpg') return void res.writeHead(302, { location: '/photo.jpg' }).end()
    void text(req).then((body) => {
      posts.push({ body, signature: String(req.headers['x-hub-signature-256']) })
      res.writeHead(200).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  simulator = await startStandaloneSocialSimulator({
    port: 0,
    host: '127.0.0.1',
    account: ACCOUNT,
    appSecret: 'secret',
    settings: { callbackUrl: `http://127.0.0.1:${port}/` },
  })
})
beforeEach(async () => {
  posts = []
  await control('POST', '/reset')
})
afterAll(async () => {
  await simulator?.close()
  receiver?.close()
})

// biome-ignore lint/suspicious/noExplicitAny: answers as a caller sees them
type Answered = { status: number; body: any; text: string }

async function call(method: string, path: string, body?: unknown, token = ACCOUNT.token): Promise<Answered> {
  const answer = await request(`${simulator.url}${path}`, {
    method: method as 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.body.text()
  return { status: answer.statusCode, body: JSON.parse(text), text }
}
const control = (method: string, path: string, body?: unknown) => call(method, `/_simulator${path}`, body)
const reported = () =>
  posts.flatMap(({ body }) => readWebhook(JSON.parse(body), { ...ACCOUNT, scopedId: null }, new Date()))
const count = (expected: number) =>
  until(() => reported().length >= expected && reported(), 'the reports arrive')

describe('customers', () => {
  test('write, and the app gets a signed report', async () => {
    const answer = await control('POST', '/dm', { from: 'asha_r', text: 'Hi', photos: 2 })
    expect(answer, answer.text).toMatchObject({ status: 200, body: { id: expect.any(String) } })
    expect(await count(1)).toMatchObject([
      { kind: 'message', customerId: answer.body.customerId, items: [{}, {}] },
    ])
    expect(verifyWebhookSignature(posts[0]!.body, posts[0]!.signature, 'secret')).toBe(true)
  })

  test('comment, reply in threads, and mention', async () => {
    const top = await control('POST', '/comments', { from: 'asha_r', text: 'Price?' })
    await control('POST', '/comments', { from: 'ben', text: 'Yes?', replyTo: top.body.id })
    await control('POST', '/comments', { from: 'ben', text: '@our_shop', mention: true })
    await control('POST', '/comments', { from: 'ben', text: 'hello', live: true })
    const reports = await count(4)
    expect(reports).toContainEqual(expect.objectContaining({ commentId: top.body.id, parentId: null }))
    expect(reports).toContainEqual(expect.objectContaining({ parentId: top.body.id }))
    expect(reports).toContainEqual(expect.objectContaining({ mention: true }))
    expect(reports).toContainEqual(expect.objectContaining({ live: true }))
  })

  test('any report in the network’s format is sent unchanged', async () => {
    await control('POST', '/reports', { field: 'story_insights', value: { media_id: '1' } })
    expect(await count(1)).toEqual([{ kind: 'unrecognized', field: 'story_insights' }])
  })
})

describe('posts', () => {
  const make = (path: string) => call('POST', '/v24.0/me/media', { image_url: `${files()}${path}` })
  const files = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`

  test('a photo is fetched at its address, and an address without a file is rejected', async () => {
    expect(await make('/photo.jpg')).toMatchObject({ status: 200, body: { id: expect.any(String) } })
    const refused = { status: 400, body: { error: { code: 9004, error_subcode: 2207052 } } }
    expect(await make('/gone.jpg')).toMatchObject(refused)
    expect(await make('/moved.jpg')).toMatchObject(refused)
    expect(
      await call('POST', '/v24.0/me/media', { image_url: 'http://127.0.0.1:1/photo.jpg' }),
    ).toMatchObject(refused)
    await control('POST', '/settings', { fetchMedia: false })
    expect(await make('/gone.jpg')).toMatchObject({ status: 200 })
  })
})

describe('disorder', () => {
  test('reports arrive twice, several in one, and in another order', async () => {
    await control('POST', '/settings', { webhooks: { duplicate: 1, shuffle: true, batch: 3, gatherMs: 20 } })
    for (let n = 0; n < 6; n++) await control('POST', '/dm', { from: 'asha_r', text: String(n) })
    const reports = await count(12)
    const mids = reports.map((report) => 'mid' in report && report.mid)
    expect(new Set(mids).size).toBe(6)
    expect(posts.length).toBeLessThan(12)
  })

  test('no report arrives while reports are held', async () => {
    await control('POST', '/settings', { webhooks: { hold: true } })
    await control('POST', '/dm', { from: 'asha_r', text: 'Hi' })
    const { body } = await control('GET', '/state')
    expect(body).toMatchObject({ settings: { webhooks: { hold: true } }, webhooks: { waiting: 1 } })
    expect(posts).toEqual([])
    await control('POST', '/settings', { webhooks: { hold: false } })
    await count(1)
  })
})

describe('faults', () => {
  test('are armed, listed, used up, and cleared', async () => {
    await control('POST', '/faults', { kind: 'token-expired', times: 2 })
    expect((await control('GET', '/state')).body.faults).toEqual([{ kind: 'token-expired', left: 2 }])
    const profile = () => call('GET', '/v24.0/me?fields=id')
    expect((await profile()).status).toBe(401)
    expect((await control('GET', '/state')).body.faults).toMatchObject([{ left: 1 }])
    await control('DELETE', '/faults')
    expect((await profile()).status).toBe(200)
  })
})

describe('the control calls', () => {
  test('require the account’s token', async () =>
    expect(await call('GET', '/_simulator/state', undefined, 'other')).toMatchObject({
      status: 401,
    }))

  test.each([
    ['POST', '/dm', { from: '' }, 'from'],
    ['POST', '/comments', { from: 'a' }, 'text'],
    ['POST', '/faults', { kind: 'fire' }, 'kind'],
    ['POST', '/settings', { webhooks: { duplicate: 2 } }, 'webhooks.duplicate'],
  ])('%s %s %j names the field', async (method, path, body, field) => {
    const answer = await control(method, path, body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain(field)
  })

  test('an unknown call is 404', async () =>
    expect(await control('GET', '/nothing')).toMatchObject({
      status: 404,
      body: { error: { message: expect.any(String) } },
    }))
})
