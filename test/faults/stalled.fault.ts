/**
 * docs/reliability.md row 3 in real time: a process that is paused longer than it may keep an
 * Idempotency-Key.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { clientOf } from '../support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { recordFigures } from '../support/fault-run.ts'
import { type Admin, type LoadShop, openAdmin, openShops } from '../support/load.ts'
import { eventsOf } from '../support/records.ts'
import { type Installation, newInstallation, type ServerProcess } from '../support/server-process.ts'
import { holdContact, waitForLock } from '../support/stalled-request.ts'

const STANDS_STILL_MS = 130_000

let database: TestDatabase
let installations: Installation[]
let servers: ServerProcess[]
let admin: Admin
beforeAll(async () => {
  database = await createTestDatabase()
  installations = await Promise.all([1, 2].map(() => newInstallation({ DATABASE_URL: database.url })))
  servers = await Promise.all(installations.map((installation) => installation.start()))
  admin = openAdmin(database.url)
})
afterAll(async () => {
  await admin?.close()
  for (const installation of installations ?? []) await installation.remove()
  await database?.drop()
})

test('a process is paused for 130 seconds during a request: another process carries out its retry, and nothing happens twice', {
  timeout: STANDS_STILL_MS + 60_000,
}, async () => {
  const [shop] = (await openShops(admin, servers[0]!.url, 1)) as [LoadShop]
  const otherClient = clientOf(servers[1]!.url, shop.key)
  const { contact } = (await shop.post('/contacts', { phone: '+919812340001' })).body
  const path = `/contacts/${contact.id}`
  const patch = { displayName: 'Stalled' }
  const idempotencyKey = randomUUID()
  const release = await holdContact(database.url, contact.id)
  const stalled = shop.patch(path, patch, { idempotencyKey })
  await waitForLock(admin)
  process.kill(servers[0]!.pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(servers[0]!.pid, 'SIGCONT'))
  await release()
  expect(await otherClient.patch(path, patch, { idempotencyKey })).toMatchObject({
    status: 409,
    body: { error: 'idempotency_key_in_progress' },
  })
  await wait(STANDS_STILL_MS)
  const retry = await otherClient.patch(path, patch, { idempotencyKey })
  expect(retry.status).toBe(200)
  process.kill(servers[0]!.pid, 'SIGCONT')
  expect((await stalled).status).toBeOneOf([409, 503])
  expect(await shop.patch(path, patch, { idempotencyKey })).toMatchObject({
    status: 200,
    body: retry.body,
    headers: { 'idempotent-replayed': 'true' },
  })
  expect((await otherClient.get(path)).body.contact).toEqual(retry.body.contact)
  const reported = await eventsOf(admin, shop.workspaceId)
  expect(reported.filter((event) => event.name === 'contact.updated')).toHaveLength(1)
  recordFigures({
    rows: '3',
    fault: 'stopped for 130 s',
    rounds: 1,
    accepted: 1,
    lost: 0,
    doubled: 0,
    eventsMissing: 0,
  })
})
