import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPhone } from '../contract/arrange.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { databaseProxy } from '../support/database-proxy.ts'
import { eventsOf } from '../support/records.ts'
import { until } from '../support/until.ts'

let database: TestDatabase
let proxy: Awaited<ReturnType<typeof databaseProxy>>
let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  database = await createTestDatabase()
  proxy = await databaseProxy(database.url)
  parley = await boot({ databaseUrl: proxy.url })
  shop = await parley.workspace({ sandbox: true })
  await shop.inbound(asha, 'hello')
})
afterAll(async () => {
  await parley?.close()
  await proxy?.close()
  await database?.drop()
})

const asha = '+919812345678'

/** Repeats a post with the same key while the answer is 503, as a client does. */
const persist = (path: string, body: object, idempotencyKey: string) =>
  until(async () => {
    const answer = await shop.post(path, body, { idempotencyKey })
    return answer.status !== 503 && answer
  }, `an answer to ${path}`)
const listSent = async () =>
  (await shop.get('/messages?limit=100')).body.messages.filter(
    (message: { direction: string }) => message.direction === 'outbound',
  )

test('a commit whose answer is lost gets 503, and the retry with its key gets the first answer', async () => {
  const idempotencyKey = randomUUID()
  const body = { to: asha, type: 'text', text: `lost on the way back ${idempotencyKey}` }
  const cuts = proxy.cuts()
  proxy.loseCommitOf(body.text)
  const lost = await shop.post('/send', body, { idempotencyKey })
  expect(proxy.cuts()).toBe(cuts + 1)
  expect(lost).toMatchObject({ status: 503, body: { error: 'service_unavailable' } })
  expect(Number(lost.headers['retry-after'])).toBeGreaterThan(0)
  const retry = await persist('/send', body, idempotencyKey)
  expect(retry).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } })
  const stored = (await listSent()).filter((message: Body) => message.content.body === body.text)
  expect(stored.map((message: Body) => message.id)).toEqual([retry.body.messageId])
})

test('other requests in the same batch are not carried out twice either', async () => {
  const before = (await listSent()).length
  const requests = Array.from({ length: 30 }, (_, i) => ({
    body: { to: asha, type: 'text', text: i === 7 ? 'the marked neighbor' : `neighbor ${i}` },
    idempotencyKey: randomUUID(),
  }))
  const cuts = proxy.cuts()
  proxy.loseCommitOf('the marked neighbor')
  const first = await Promise.all(requests.map(({ body, ...key }) => shop.post('/send', body, key)))
  expect(proxy.cuts()).toBe(cuts + 1)
  expect(first[7]!.status).toBe(503)
  const replays = await Promise.all(
    requests.map(({ body, idempotencyKey }) => persist('/send', body, idempotencyKey)),
  )
  expect(replays.map((replay) => replay.status)).toEqual(Array(30).fill(200))
  for (const [i, answer] of first.entries())
    if (answer.status === 200) expect(replays[i]!.body).toEqual(answer.body)
  expect((await listSent()).length).toBe(before + 30)
  expect(new Set(replays.map((replay) => replay.body.messageId)).size).toBe(30)
})

test('contacts created in a commit whose answer is lost exist once, and are announced once', async () => {
  const idempotencyKey = randomUUID()
  const body = { phone: newPhone(), displayName: `Lost and found ${idempotencyKey}` }
  proxy.loseCommitOf(body.displayName)
  expect((await shop.post('/contacts', body, { idempotencyKey })).status).toBe(503)
  const retry = await persist('/contacts', body, idempotencyKey)
  expect(retry).toMatchObject({ status: 201, body: { created: true } })
  const created = (await eventsOf(parley, shop.workspaceId)).filter(
    (event) => event.name === 'contact.created' && event.data.phone === body.phone,
  )
  expect(created).toHaveLength(1)
})
