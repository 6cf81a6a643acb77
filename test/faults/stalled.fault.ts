/** docs/reliability.md row 3 in real time: a process that stands still for longer than an Idempotency-Key is held. */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { clientOf } from '../support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { recordFigures } from '../support/fault-run.ts'
import { type Admin, type LoadShop, openAdmin, openShops } from '../support/load.ts'
import { eventsOf } from '../support/records.ts'
import { type Installation, newInstallation, type ServerProcess } from '../support/server-process.ts'
import { holdCounter, someoneWaits } from '../support/stalled-request.ts'

const STANDS_STILL_MS = 130_000

let database: TestDatabase
let installations: Installation[]
let servers: ServerProcess[]
let admin: Admin
beforeAll(async () => {
  database = await createTestDatabase()
  installations = await Promise.all([1, 2].map(() => newInstallation({ DATABASE_URL: database.url })))
  servers = await Promise.all(installations.map((one) => one.start()))
  admin = openAdmin(database.url)
})
afterAll(async () => {
  await admin?.close()
  for (const installation of installations ?? []) await installation.remove()
  await database?.drop()
})

test('a process stopped for 130 seconds amid a request: its retry is carried out elsewhere, and nothing happens twice', {
  timeout: STANDS_STILL_MS + 60_000,
}, async () => {
  const [shop] = (await openShops(admin, servers[0]!.url, 1)) as [LoadShop]
  const elsewhere = clientOf(servers[1]!.url, shop.key)
  const contact = { phone: '+919812340001', displayName: 'Stalled' }
  const idempotencyKey = randomUUID()
  const release = await holdCounter(database.url, shop.workspaceId)
  const stalled = shop.post('/contacts', contact, { idempotencyKey })
  await someoneWaits(admin)
  process.kill(servers[0]!.pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(servers[0]!.pid, 'SIGCONT'))
  await release()
  expect(await elsewhere.post('/contacts', contact, { idempotencyKey })).toMatchObject({
    status: 409,
    body: { error: 'idempotency_key_in_progress' },
  })
  await wait(STANDS_STILL_MS)
  const retry = await elsewhere.post('/contacts', contact, { idempotencyKey })
  expect(retry.status).toBe(201)
  process.kill(servers[0]!.pid, 'SIGCONT')
  expect((await stalled).status).toBeOneOf([409, 503])
  expect(await shop.post('/contacts', contact, { idempotencyKey })).toMatchObject({
    status: 201,
    body: retry.body,
    headers: { 'idempotent-replayed': 'true' },
  })
  const { contacts } = (await elsewhere.get('/contacts?phone=%2B919812340001')).body
  expect(contacts.map((one: { id: string }) => one.id)).toEqual([retry.body.contact.id])
  const reported = (await eventsOf(admin, shop.workspaceId)).filter(
    (event) => event.name === 'contact.created',
  )
  expect(reported.filter((event) => event.data.contactId === retry.body.contact.id)).toHaveLength(1)
  recordFigures({
    rows: '3',
    what: 'stopped for 130 s',
    rounds: 1,
    accepted: 1,
    lost: 0,
    doubled: 0,
    eventsMissing: 0,
  })
})
