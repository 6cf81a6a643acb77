/**
 * Parley behind PgBouncer in transaction mode, except the listening connection (docs/decisions/database.md).
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_CELL, withCell } from '../../src/core/values/cell.ts'
import { onDatabase } from '../../src/database/on-database.ts'
import { poolerConnectQuery } from '../../src/database/pool.ts'
import { boot, type TestParley } from '../support/boot.ts'
import { TEST_CELL } from '../support/cell.ts'
import { runParley } from '../support/command-line.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { findPgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { makeReceivers } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const binary = findPgbouncer()
if (binary === undefined)
  console.warn('SKIPPED: no pgbouncer on this machine, so running behind it is NOT tested.')

/** PgBouncer supports it from version 1.21. */
const keepsNamesApart =
  binary !== undefined && Number(/1\.(\d+)/.exec(execFileSync(binary, ['--version']).toString())?.[1]) >= 21
/** Far fewer connections than Parley has, so that sessions share them. */
const SERVER_CONNECTIONS = 3
const CUSTOMERS = Array.from({ length: 10 }, (_, i) => `+9198123458${String(i).padStart(2, '0')}`)

describe.skipIf(binary === undefined)('behind PgBouncer', () => {
  let database: TestDatabase
  let pgbouncer: Awaited<ReturnType<typeof startPgbouncer>>
  let receivers: Awaited<ReturnType<typeof makeReceivers>>
  let parley: TestParley
  const bootAt = (name: string, env: Record<string, string> = {}) => {
    const url = pgbouncer.url(name)
    return boot({
      databaseUrl: url,
      env: { ...receivers.env, DATABASE_URL: url, PARLEY_LISTEN_DATABASE_URL: database.url, ...env },
    })
  }

  beforeAll(async () => {
    database = await createTestDatabase()
    // A database may be configured to write dates in a format that the driver can't read.
    const name = new URL(database.url).pathname.slice(1)
    await onDatabase(database.url, (client) =>
      client.query(
        `alter database ${name} set datestyle = 'SQL, DMY'; alter database ${name} set timezone = 'Asia/Kolkata'`,
      ),
    )
    receivers = await makeReceivers()
    pgbouncer = await startPgbouncer(binary as string, database.url, SERVER_CONNECTIONS, {
      parley: poolerConnectQuery(TEST_CELL),
      cell: poolerConnectQuery('behind'),
      bare: '',
    })
    parley = await bootAt('parley')
  })
  afterAll(async () => {
    await parley?.close()
    await pgbouncer?.close()
    await receivers?.close()
    await database?.drop()
  })

  test('messages are sent, reported, and delivered, and each workspace sees its own', async () => {
    const shops = await Promise.all([1, 2].map(() => parley.workspace({ sandbox: true })))
    const receiver = await receivers.open()
    for (const shop of shops)
      expect((await shop.post('/webhooks', { url: receiver.url, events: ['message.status'] })).status).toBe(
        201,
      )
    await Promise.all(shops.flatMap((shop) => CUSTOMERS.map((from) => shop.inbound(from, 'hello'))))
    const keys = shops.map(() => CUSTOMERS.map(() => randomUUID()))
    const sendAll = () =>
      Promise.all(
        shops.flatMap((shop, s) =>
          CUSTOMERS.map((to, i) =>
            shop.post('/send', { to, type: 'text', text: 'hi' }, { idempotencyKey: keys[s]![i]! }),
          ),
        ),
      )
    const sent = await sendAll()
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200))
    const replays = await sendAll()
    expect(replays.map(({ body }) => body.messageId)).toEqual(sent.map(({ body }) => body.messageId))

    await Promise.all(shops.map((shop) => shop.advance(60)))
    for (const [s, shop] of shops.entries()) {
      const { messages } = (await shop.get('/messages?limit=100')).body
      const outbound = messages.filter((message: { direction: string }) => message.direction === 'outbound')
      const own = sent.slice(s * CUSTOMERS.length, (s + 1) * CUSTOMERS.length)
      expect(outbound.map((message: { id: string }) => message.id).sort()).toEqual(
        own.map(({ body }) => body.messageId).sort(),
      )
      expect(new Set(outbound.map((message: { status: string }) => message.status))).toEqual(
        new Set(['read']),
      )
    }
    const listReported = () =>
      new Set(receiver.received.map(({ body }) => `${body.data.messageId} ${body.data.status}`))
    await until(() => listReported().size === 3 * sent.length, 'every state was delivered')
  })

  test('the listening connection, which bypasses it, is notified of a change', async () => {
    const shop = await parley.workspace({ plan: 'pro' })
    const other = await shop.as('viewer')
    expect((await other.get('/contacts')).status).toBe(200)
    await parley.system((tx) =>
      tx.sql('update api_keys set revoked_at = created_at where id = $1', [other.keyId]),
    )
    await until(async () => (await other.get('/contacts')).status === 401, 'the key is rejected', 2_000)
  })

  test.skipIf(keepsNamesApart)(
    'it does not start when statements should be named and the pooler shares names between sessions',
    async () => {
      await expect(bootAt('parley', { PARLEY_NAMED_STATEMENTS: 'on' })).rejects.toThrow(
        /PARLEY_NAMED_STATEMENTS is on, but the pooler/,
      )
    },
  )

  test("a pooler's address instead of the database's is rejected by its name, and leaves no settings in its connections", async () => {
    const url = pgbouncer.url('parley')
    for (const [name, more] of [
      ['DATABASE_URL', {}],
      ['PARLEY_LISTEN_DATABASE_URL', { PARLEY_LISTEN_DATABASE_URL: url }],
    ] as const)
      expect(await runParley(['migrate'], { DATABASE_URL: url, ...more })).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`${name}: The address is a pooler`),
      })
    // All open at the same time, so that each uses another connection to the server.
    const timeouts = await Promise.all(
      Array.from({ length: SERVER_CONNECTIONS }, () =>
        onDatabase(url, async (client) => {
          const { rows } = await client.query(
            "select current_setting('statement_timeout') as timeout, pg_sleep(0.2)",
          )
          return rows[0].timeout
        }),
      ),
    )
    expect(timeouts).toEqual(timeouts.map(() => '50s'))
  })

  test('the pooler of a cell sets the schema of its connections: without it, the cell does not start', async () => {
    const listenUrl = withCell(database.url, 'behind')
    const created = await runParley(['cell', 'create', 'behind'], { DATABASE_URL: database.url })
    expect(created).toMatchObject({ code: 0 })
    await expect(bootAt('parley', { PARLEY_LISTEN_DATABASE_URL: listenUrl })).rejects.toThrow(
      /search_path.*connect_query=.*search_path = behind/s,
    )
    const cell = await bootAt('cell', { PARLEY_LISTEN_DATABASE_URL: listenUrl })
    try {
      const shop = await cell.workspace({ sandbox: true })
      await Promise.all(CUSTOMERS.map((from) => shop.inbound(from, 'hello')))
      expect((await shop.get('/messages?limit=100')).body.messages).toHaveLength(CUSTOMERS.length)
      expect((await parley.workspace()).workspaceId).not.toBe(shop.workspaceId)
      const { stdout } = await runParley(['cell', 'list', '--json'], { DATABASE_URL: listenUrl })
      expect(JSON.parse(stdout).cells).toContainEqual(
        expect.objectContaining({ name: 'behind', workspaces: 1 }),
      )
    } finally {
      await cell.close()
    }
  })

  test('it does not start when the connections of the pooler lack its settings', async () => {
    await expect(bootAt('bare')).rejects.toThrow(/statement_timeout.*connect_query=/s)
  })
})

test('the example of PgBouncer sets everything that Parley needs', () => {
  const example = readFileSync(join(import.meta.dirname, '../../deploy/pgbouncer.ini'), 'utf8')
  expect(example).toContain(`connect_query='${poolerConnectQuery(DEFAULT_CELL)}'`)
})
