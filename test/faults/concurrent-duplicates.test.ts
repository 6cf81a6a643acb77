import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { revokeApiKey } from '../../src/modules/platform/workspaces/operations/api-keys.ts'
import { type Answered, type Client, clientOf } from '../support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { type Admin, type LoadShop, openAdmin, openShops } from '../support/load.ts'
import { eventsOf } from '../support/records.ts'
import { type Installation, newInstallation, type ServerProcess } from '../support/server-process.ts'
import { holdContact, holdCounter, waitForLock } from '../support/stalled-request.ts'
import { until } from '../support/until.ts'

const CHILD = 'test/faults/parley-child.ts'

let database: TestDatabase
let installations: Installation[]
let servers: ServerProcess[]
let admin: Admin
let shop: LoadShop
/** The shop through the first process and through the second. */
let first: Client
let second: Client
beforeAll(async () => {
  database = await createTestDatabase()
  installations = await Promise.all([1, 2].map(() => newInstallation({ DATABASE_URL: database.url })))
  servers = await Promise.all(installations.map((installation) => installation.start(CHILD)))
  admin = openAdmin(database.url)
  ;[shop] = (await openShops(admin, servers[0]!.url, 1)) as [LoadShop]
  first = shop
  second = clientOf(servers[1]!.url, shop.key)
})
afterAll(async () => {
  await admin?.close()
  for (const installation of installations ?? []) await installation.remove()
  await database?.drop()
})

const body = (text: string) => ({ to: '+919812345678', type: 'text', text })
const messagesSaying = (text: string) =>
  admin.query<{ id: string }>(
    "select id from messages where workspace_id = $1 and direction = 'outbound' and content->>'body' = $2",
    [shop.workspaceId, text],
  )
const countOf = (answers: Answered[], status: number) =>
  answers.filter((answer) => answer.status === status).length

test('100 concurrent requests with one Idempotency-Key over two processes are one message', async () => {
  for (let round = 0; round < 3; round++) {
    const text = `one of a hundred, ${round}`
    const idempotencyKey = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        (i % 2 ? first : second).post('/send', body(text), { idempotencyKey }),
      ),
    )
    const rows = await messagesSaying(text)
    expect(rows).toHaveLength(1)
    expect(countOf(answers, 200)).toBeGreaterThan(0)
    expect(countOf(answers, 200) + countOf(answers, 409)).toBe(100)
    for (const { status, body: answer } of answers)
      expect(answer).toMatchObject(
        status === 200 ? { messageId: rows[0]!.id } : { error: 'idempotency_key_in_progress' },
      )
    for (const client of [first, second]) {
      const replay = await client.post('/send', body(text), { idempotencyKey })
      expect(replay).toMatchObject({ status: 200, body: { messageId: rows[0]!.id } })
      expect(replay.headers['idempotent-replayed']).toBe('true')
    }
  }
})

test('two different requests with one key at the same time: one is carried out, the other gets an error', async () => {
  const idempotencyKey = randomUUID()
  const texts = ['racing, left', 'racing, right']
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      [first, second][i % 2]!.post('/send', body(texts[i % 2]!), { idempotencyKey }),
    ),
  )
  const rows = (await Promise.all(texts.map(messagesSaying))).flat()
  expect(rows).toHaveLength(1)
  for (const answer of answers) expect(answer.status).toBeOneOf([200, 409, 422])
  const ids = answers.filter((answer) => answer.status === 200).map((answer) => answer.body.messageId)
  expect(new Set(ids)).toEqual(new Set([rows[0]!.id]))
})

test('a stalled first request is rolled back before its retry is carried out, and commits nothing afterwards', async () => {
  const { contact } = (await first.post('/contacts', { phone: '+919812340001' })).body
  const path = `/contacts/${contact.id}`
  const patch = { displayName: 'Stalled' }
  const idempotencyKey = randomUUID()
  const release = await holdContact(database.url, contact.id)
  // An update reads its contact before it writes; the creation of a contact would have sent its commit by
  // now.
  const stalled = first.patch(path, patch, { idempotencyKey })
  await waitForLock(admin)
  process.kill(servers[0]!.pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(servers[0]!.pid, 'SIGCONT'))
  await release()
  const early = await second.patch(path, patch, { idempotencyKey })
  expect(early).toMatchObject({ status: 409, body: { error: 'idempotency_key_in_progress' } })
  const retry = await until(async () => {
    const answer = await second.patch(path, patch, { idempotencyKey })
    return answer.status === 200 && answer
  }, 'the retry is executed')
  process.kill(servers[0]!.pid, 'SIGCONT')
  expect((await stalled).status).toBeOneOf([409, 503])
  expect(await first.patch(path, patch, { idempotencyKey })).toMatchObject({
    status: 200,
    body: retry.body,
    headers: { 'idempotent-replayed': 'true' },
  })
  expect((await second.get(path)).body.contact).toEqual(retry.body.contact)
  const reported = await eventsOf(admin, shop.workspaceId)
  const changes = reported.filter((event) => event.name === 'contact.updated')
  expect(changes.filter((event) => event.data.contactId === contact.id)).toHaveLength(1)
})

test('a new contact is stored once when its process stalls after sending all statements, and its retry gets the stored contact', async () => {
  const contact = { phone: '+919812340002', displayName: 'Stalled' }
  const idempotencyKey = randomUUID()
  const release = await holdCounter(database.url, shop.workspaceId)
  const stalled = first.post('/contacts', contact, { idempotencyKey })
  await waitForLock(admin)
  process.kill(servers[0]!.pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(servers[0]!.pid, 'SIGCONT'))
  // While it waits for the counter it already has the key, so its duplicate in the other process doesn't wait
  // for the counter.
  const early = await second.post('/contacts', contact, { idempotencyKey })
  expect(early).toMatchObject({ status: 409, body: { error: 'idempotency_key_in_progress' } })
  await release()
  const retry = await until(async () => {
    const answer = await second.post('/contacts', contact, { idempotencyKey })
    return answer.status === 201 && answer
  }, 'the retry is answered')
  expect(retry.headers['idempotent-replayed']).toBe('true')
  process.kill(servers[0]!.pid, 'SIGCONT')
  expect(await stalled).toMatchObject({ status: 201, body: retry.body })
  const created = (await eventsOf(admin, shop.workspaceId)).filter(
    (event) => event.name === 'contact.created',
  )
  expect(created.filter((event) => event.data.contactId === retry.body.contact.id)).toHaveLength(1)
})

test('a first request that stalls after writing everything is carried out once, and its retry gets its answer', async () => {
  const text = 'stalled'
  const idempotencyKey = randomUUID()
  const release = await holdCounter(database.url, shop.workspaceId)
  const stalled = first.post('/send', body(text), { idempotencyKey })
  await waitForLock(admin)
  process.kill(servers[0]!.pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(servers[0]!.pid, 'SIGCONT'))
  await release()
  const retry = await until(async () => {
    const answer = await second.post('/send', body(text), { idempotencyKey })
    return answer.status === 200 && answer
  }, 'the retry is answered')
  process.kill(servers[0]!.pid, 'SIGCONT')
  expect(await stalled).toMatchObject({ status: 200, body: retry.body })
  expect(await messagesSaying(text)).toEqual([{ id: retry.body.messageId }])
  const reported = await until(async () => {
    const events = (await eventsOf(admin, shop.workspaceId)).filter(
      (event) => event.name === 'message.status' && event.data.messageId === retry.body.messageId,
    )
    return events.length >= 3 && events
  }, 'the message is read')
  expect(reported.map((event) => event.data.status)).toEqual(['sent', 'delivered', 'read'])
})

test('a request that waits longer than the statement limit gets 503 with Retry-After, and its key is free', async () => {
  const text = 'held up'
  const idempotencyKey = randomUUID()
  const release = await holdCounter(database.url, shop.workspaceId)
  const held = await first.post('/send', body(text), { idempotencyKey })
  expect(held).toMatchObject({ status: 503, body: { error: 'service_unavailable' } })
  expect(Number(held.headers['retry-after'])).toBeGreaterThan(0)
  await release()
  const retry = await second.post('/send', body(text), { idempotencyKey })
  expect(retry.status).toBe(200)
  expect(await messagesSaying(text)).toEqual([{ id: retry.body.messageId }])
})

test('every process rejects a revoked key within moments', async () => {
  const [{ id }] = (await admin.query<{ id: string }>('select id from api_keys where workspace_id = $1', [
    shop.workspaceId,
  ])) as [{ id: string }]
  for (const client of [first, second]) expect((await client.get('/me')).status).toBe(200)
  await admin.system((tx) => revokeApiKey(tx, id, new Date()))
  await until(
    async () => {
      const answers = await Promise.all([first, second].map((client) => client.get('/me')))
      return answers.every((answer) => answer.status === 401 && answer.body.error === 'api_key_revoked')
    },
    // Without the notification, the process would accept the key for another minute.
    'both processes reject the key',
    30_000,
  )
})
