import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { databaseProxy } from '../support/database-proxy.ts'
import { eventsOf } from '../support/records.ts'

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
const sent = async () =>
  (await shop.get('/messages?limit=100')).body.messages.filter(
    (message: { direction: string }) => message.direction === 'outbound',
  )

test('a commit whose answer is lost is answered 503, and the retry with its key gets the first answer', async () => {
  const body = { to: asha, type: 'text', text: 'lost on the way back' }
  const idempotencyKey = randomUUID()
  proxy.loseCommitOf(body.text)
  const lost = await shop.post('/send', body, { idempotencyKey })
  expect(proxy.cuts()).toBe(1)
  expect(lost).toMatchObject({ status: 503, body: { error: 'service_unavailable' } })
  expect(Number(lost.headers['retry-after'])).toBeGreaterThan(0)
  const retry = await shop.post('/send', body, { idempotencyKey })
  expect(retry).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } })
  expect((await sent()).map((message: { id: string }) => message.id)).toEqual([retry.body.messageId])
})

test('nor are its neighbours in the same batch carried out twice', async () => {
  const before = (await sent()).length
  const requests = Array.from({ length: 30 }, (_, i) => ({
    body: { to: asha, type: 'text', text: i === 7 ? 'the marked neighbour' : `neighbour ${i}` },
    idempotencyKey: randomUUID(),
  }))
  proxy.loseCommitOf('the marked neighbour')
  const ask = () => Promise.all(requests.map(({ body, ...key }) => shop.post('/send', body, key)))
  const first = await ask()
  expect(proxy.cuts()).toBe(2)
  expect(first[7]!.status).toBe(503)
  const again = await ask()
  expect(again.map((one) => one.status)).toEqual(Array(30).fill(200))
  for (const [i, one] of first.entries()) if (one.status === 200) expect(again[i]!.body).toEqual(one.body)
  expect((await sent()).length).toBe(before + 30)
  expect(new Set(again.map((one) => one.body.messageId)).size).toBe(30)
})

test('contacts made in a commit whose answer is lost are there once, announced once', async () => {
  const body = { phone: '+919855555555', displayName: 'Lost and found' }
  const idempotencyKey = randomUUID()
  proxy.loseCommitOf('Lost and found')
  expect((await shop.post('/contacts', body, { idempotencyKey })).status).toBe(503)
  const retry = await shop.post('/contacts', body, { idempotencyKey })
  expect(retry).toMatchObject({ status: 201, body: { created: true } })
  const made = (await eventsOf(parley, shop.workspaceId)).filter(
    (event) => event.name === 'contact.created' && event.data.phone === body.phone,
  )
  expect(made).toHaveLength(1)
})
