/** A standby database that has not been promoted yet accepts no writes (docs/reliability.md row 6). */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { onDatabase } from '../../src/database/on-database.ts'
import { newPhone } from '../contract/arrange.ts'
import { boot, type TestParley } from '../support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { onServer } from '../support/global-setup.ts'
import { until } from '../support/until.ts'

let database: TestDatabase
let parley: TestParley
beforeAll(async () => {
  database = await createTestDatabase()
  parley = await boot({ databaseUrl: database.url })
})
afterAll(async () => {
  await parley?.close()
  await database?.drop()
})

test('while the database is read-only, writes get 503 with Retry-After and reads work; then everything works again', async () => {
  const shop = await parley.workspace()
  const write = () => shop.post('/contacts', { phone: newPhone() })
  expect((await write()).status).toBe(201)
  const { adminUrl } = inject('testServer')
  const name = new URL(database.url).pathname.slice(1)
  await onServer(adminUrl, `alter database ${name} set default_transaction_read_only = on`)
  await onServer(adminUrl, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  await until(async () => (await shop.get('/contacts')).status === 200, 'reads are answered')
  const refused = await write()
  expect(refused, refused.text).toMatchObject({ status: 503, body: { error: 'service_unavailable' } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  const lines = async () =>
    (
      await onDatabase(adminUrl, (client) =>
        client.query<{ pid: number }>(
          `select pid from pg_stat_activity where datname = $1 and application_name = 'parley listener'`,
          [name],
        ),
      )
    ).rows.map(({ pid }) => pid)
  await until(async () => (await lines()).length > 0, 'changes are listened to')
  await onServer(adminUrl, `alter database ${name} reset default_transaction_read_only`)
  await until(async () => (await write()).status === 201, 'writes go on', 30_000)
  // A read-only server sends no notifications: the service must not keep listening to a server that was
  // replaced.
  const before = await lines()
  await until(
    async () => {
      const now = await lines()
      return now.length > 0 && now.every((pid) => !before.includes(pid))
    },
    'changes are listened to on a connection that takes writes',
    30_000,
  )
})
