/** Cells: schemas of one database, each with all of Parley's tables (docs/cells.md). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { DAY_MS } from '../../src/core/clock.ts'
import { cellOf, withCell } from '../../src/core/values/cell.ts'
import { takeMigrationLock } from '../../src/database/migrate.ts'
import { onDatabase } from '../../src/database/on-database.ts'
import { boot, clientOf, SECRET_KEY } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { findEverywhere } from '../support/database-search.ts'
import { onServer } from '../support/global-setup.ts'
import { movingClock } from '../support/moving-clock.ts'
import { makeReceivers } from '../support/receiver.ts'
import { newInstallation } from '../support/server-process.ts'
import { until } from '../support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-cells-'))
let database: TestDatabase
/** The address of a cell of the database of these tests. */
const cellUrl = (cell: string) => withCell(database.url, cell)
const inCell = (cell: string) => ({
  DATABASE_URL: cellUrl(cell),
  PARLEY_SECRET_KEY: SECRET_KEY,
  PARLEY_DATA_DIR: join(folder, cell),
})
const run = (words: string[], cell = cellOf(database.url)) => runParley(words, inCell(cell))
const runJson = async (words: string[], cell?: string) => {
  const { code, stdout, stderr } = await run([...words, '--json'], cell)
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}
const create = (cell: string) => runJson(['cell', 'create', cell])
const query = async <Row extends object>(cell: string, text: string): Promise<Row[]> =>
  onDatabase(cellUrl(cell), async (client) => (await client.query<Row>(text)).rows)

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

describe('commands', () => {
  test('a cell is created once, and migrated once', async () => {
    const { cell, migrated } = await create('first')
    expect(cell).toBe('first')
    expect(migrated.length).toBeGreaterThan(50)
    expect(await create('first')).toEqual({ cell: 'first', migrated: [] })
    expect(await runJson(['cell', 'migrate', 'first'])).toEqual({ cells: [{ name: 'first', migrated: [] }] })
    const { stderr } = await run(['cell', 'create', 'first'])
    expect(stderr).toContain('Start a process with PARLEY_SCHEMA=first')
  })

  test('a new cell has every part of the schema, also beside the tables of another cell', async () => {
    await create('whole')
    const { checks } = JSON.parse((await run(['cell', 'doctor', 'whole', '--json'])).stdout)
    for (const name of ['migrations', 'tables', 'row-level security', 'log'])
      expect(checks.filter((check: { name: string }) => check.name === name)).toEqual([
        { name, status: 'ok', detail: expect.any(String) },
      ])
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'database', detail: expect.stringContaining('cell whole') }),
    )
  })

  test('the list has every cell, with its workspaces and pending migrations', async () => {
    await create('listed')
    const workspace = ['workspace', 'create', '--name', 'Shop']
    await runJson(workspace, 'listed')
    await query('listed', "delete from schema_migrations where name = '0071_pinned_search_paths.sql'")
    await query('listed', 'drop function pin_search_path')
    const listed = async () =>
      (await runJson(['cell', 'list'])).cells.find(({ name }: { name: string }) => name === 'listed')
    expect(await listed()).toEqual({
      name: 'listed',
      pending: 1,
      workspaces: 1,
      megabytes: expect.any(Number),
      address: null,
    })
    await runJson(['cell', 'set', 'listed', '--address', 'http://10.0.0.7:4000'])
    expect(await listed()).toMatchObject({ address: 'http://10.0.0.7:4000' })
    const { stdout } = await run(['cell', 'list'])
    expect(stdout).toMatch(/listed .*http:\/\/10\.0\.0\.7:4000/)
    const { cells } = await runJson(['cell', 'migrate', '--all'])
    expect(cells).toContainEqual({ name: 'listed', migrated: ['0071_pinned_search_paths.sql'] })
    expect(cells.map(({ name }: { name: string }) => name)).toContain(cellOf(database.url))
    expect(await listed()).toMatchObject({ pending: 0 })
  })

  test.each(['7c', 'C7', 'c_7', 'pgcell', 'c'.repeat(32)])('the name %s is not valid', async (name) => {
    const { code, stderr } = await run(['cell', 'create', name])
    expect(code).toBe(2)
    expect(stderr).toContain('Must be up to 31 lowercase letters and digits')
  })

  test('a name that PostgreSQL or another program uses is invalid', async () => {
    const user = new URL(database.url).username
    await query('first', 'create schema wordpress create table wordpress.posts (id int)')
    await query('first', 'create schema rails create table rails.schema_migrations (version text)')
    for (const [name, reason] of [
      ['table', 'is a word of SQL'],
      [user, 'A database user is named'],
      ['wordpress', 'has tables of another program'],
      ['rails', 'has tables of another program'],
    ]) {
      const { code, stderr } = await run(['cell', 'create', name!])
      expect(code, name).toBe(1)
      expect(stderr).toContain(reason)
    }
    const { cells } = await runJson(['cell', 'list'])
    expect(cells.map(({ name }: { name: string }) => name)).not.toContain('rails')
  })

  test('a command in a cell that does not exist says so, and creates nothing', async () => {
    for (const words of [
      ['migrate'],
      ['workspace', 'list'],
      ['backup', '--to', join(folder, 'none')],
      ['doctor'],
    ]) {
      const { code, stdout, stderr } = await run(words, 'missing')
      expect(code, words[0]).toBe(1)
      expect(`${stdout}${stderr}`).toContain('This database has no cell missing.')
    }
    const { code, stderr } = await run(['cell', 'migrate', 'missing'])
    expect(code).toBe(1)
    expect(stderr).toContain('This database has no cell missing.')
    expect(await query('first', "select from pg_namespace where nspname = 'missing'")).toEqual([])
  })

  test('several commands that create cells at the same time create each once', async () => {
    const results = await Promise.all(['twice', 'twice', 'once'].map(create))
    expect(results.map(({ cell }) => cell)).toEqual(['twice', 'twice', 'once'])
    expect(results.filter(({ migrated }) => migrated.length > 0)).toHaveLength(2)
    for (const name of ['twice', 'once'])
      expect((await runJson(['cell', 'migrate', name])).cells).toEqual([{ name, migrated: [] }])
  })

  test('a database user who may not create schemas gets the statement for a superuser', async () => {
    const name = new URL(database.url).pathname.slice(1)
    const role = `limited_${name.slice(-8)}`
    const { adminUrl } = inject('testServer')
    await onServer(adminUrl, `create role ${role} login password 'limited'`)
    onTestFinished(() => onServer(adminUrl, `drop role ${role}`))
    const limited = new URL(database.url)
    limited.username = role
    limited.password = 'limited'
    const { code, stderr } = await runParley(['cell', 'create', 'refused'], {
      ...inCell(cellOf(database.url)),
      DATABASE_URL: limited.href,
    })
    expect(code).toBe(1)
    expect(stderr).toContain(`As a superuser, run: create schema refused authorization ${role}`)
  })

  test('the migrations of one cell do not wait for those of another', async () => {
    await create('slow')
    await onDatabase(cellUrl('slow'), async (client) => {
      await takeMigrationLock(client)
      expect((await create('quick')).migrated.length).toBeGreaterThan(50)
    })
  })
})

/** Starts a process of its own for each cell. */
async function startProcesses(cells: string[], env: Record<string, string> = {}) {
  return Promise.all(
    cells.map(async (cell) => {
      const installation = await newInstallation({ DATABASE_URL: cellUrl(cell), ...env })
      onTestFinished(installation.remove)
      return installation.start()
    }),
  )
}

/** Creates a sandbox in a cell with a command, and returns a client with its key. */
async function openShop(cell: string, url: string) {
  const { workspaceId } = await runJson(['workspace', 'create', '--sandbox'], cell)
  const { apiKey } = await runJson(['key', 'create', '--workspace', workspaceId, '--role', 'admin'], cell)
  return { ...clientOf(url, apiKey), workspaceId: workspaceId as string }
}

test('two processes serve two cells of a database, and neither reads nor changes anything of the other', async () => {
  const cells = ['east', 'west']
  for (const cell of cells) await create(cell)
  const receivers = await makeReceivers()
  onTestFinished(() => receivers.close())
  const servers = await startProcesses(cells, receivers.env)
  // The first run created a sandbox for each cell.
  for (const cell of cells) expect((await runJson(['workspace', 'list'], cell)).workspaces).toHaveLength(1)
  const shops = await Promise.all(cells.map((cell, i) => openShop(cell, servers[i]!.url)))
  const inboxes = await Promise.all(shops.map(() => receivers.open()))

  await Promise.all(
    shops.map(async (shop, i) => {
      expect((await shop.post('/webhooks', { url: inboxes[i]!.url })).status).toBe(201)
      const from = `+9198123456${i}0`
      expect((await shop.post('/sandbox/inbound', { from, text: 'hello' })).status).toBe(202)
      await shop.post('/sandbox/clock', { advanceSeconds: 60 })
      expect((await shop.post('/send', { to: from, type: 'text', text: `from ${i}` })).status).toBe(200)
      await shop.post('/sandbox/clock', { advanceSeconds: 60 })
      await until(
        () =>
          inboxes[i]!.received.some(
            ({ body }) => body.event === 'message.status' && body.data.status === 'delivered',
          ),
        'the receipt is delivered to the webhook',
      )
    }),
  )
  for (const [i, shop] of shops.entries()) {
    const { messages } = (await shop.get('/messages')).body
    expect(messages.map(({ direction }: { direction: string }) => direction).sort()).toEqual([
      'inbound',
      'outbound',
    ])
    const other = shops[1 - i]!
    expect((await shop.get('/messages', { key: other.key })).status).toBe(401)
    expect((await other.get(`/messages/${messages[0].id}`)).status).toBe(404)
    expect((await shop.get('/contacts')).body.contacts).toHaveLength(1)
  }

  const platform = {
    system: <T>(work: (tx: never) => Promise<T>): Promise<T> =>
      onDatabase(database.url, (client) =>
        work({
          sql: async (text: string, values: unknown[]) => (await client.query(text, values)).rows,
        } as never),
      ),
  }
  for (const [i, cell] of cells.entries()) {
    const places = await findEverywhere(platform, [shops[i]!.workspaceId])
    expect(new Set(places.map(({ place }) => place.split('.')[0]))).toEqual(new Set([cell]))
    expect(places.length).toBeGreaterThan(0)
  }
})

const listLogDays = (cell: string) =>
  query<{ name: string }>(
    cell,
    `select c.relname::text as name from pg_inherits join pg_class c on c.oid = inhrelid
     where inhparent = 'events'::regclass and c.relnamespace = current_schema()::regnamespace order by 1`,
  )

test('each cell keeps and drops its own days of the log', async () => {
  const cells = ['north', 'south']
  for (const cell of cells) await create(cell)
  const clock = movingClock()
  const [north, south] = await Promise.all([
    boot({ databaseUrl: cellUrl('north'), clock }),
    boot({ databaseUrl: cellUrl('south') }),
  ])
  onTestFinished(async () => {
    await north.close()
    await south.close()
  })
  const before = await listLogDays('south')
  expect(await listLogDays('north')).toEqual(before)
  clock.aheadMs = 30 * DAY_MS
  await until(async () => {
    const days = await listLogDays('north')
    return (
      days.length > 1 &&
      days.every(({ name }) => name === 'events_other' || !before.some((day) => day.name === name))
    )
  }, 'the old days are dropped, and new ones exist')
  south.wake()
  const shop = await south.workspace({ sandbox: true })
  await shop.inbound('+919812345678', 'hello')
  expect((await shop.get('/messages')).body.messages).toHaveLength(1)
  expect(await listLogDays('south')).toEqual(before)
})

test('a backup of one cell restores into another, and an erasure in one leaves the other', async () => {
  await create('source')
  const parley = await boot({ databaseUrl: cellUrl('source') })
  const shop = await parley.workspace({ name: 'Acme', sandbox: true })
  await shop.inbound('+919812345678', 'hello')
  await shop.post('/send', { to: '+919812345678', type: 'text', text: 'hi' })
  await shop.advance(60)
  await parley.close()

  const backup = join(folder, 'backup')
  const { rows } = await runJson(['backup', '--to', backup], 'source')
  // An empty cell, and one that the restore creates.
  await create('target')
  for (const cell of ['target', 'created'])
    expect(await runJson(['restore', '--from', backup], cell)).toMatchObject({ rows })
  expect(await listLogDays('created')).toEqual(await listLogDays('source'))

  const words = ['workspace', 'delete', '--workspace', shop.workspaceId, '--confirm', 'Acme', '--by', 'Asha']
  expect(await runJson(words, 'source')).toMatchObject({ workspaceId: shop.workspaceId })
  expect((await runJson(['workspace', 'list'], 'source')).workspaces).toEqual([])
  for (const cell of ['target', 'created']) {
    const restored = await boot({ databaseUrl: cellUrl(cell) })
    try {
      const owner = clientOf(restored.url, shop.key)
      expect((await owner.get('/messages')).body.messages).toHaveLength(2)
      expect((await owner.post('/send', { to: '+919812345678', type: 'text', text: 'more' })).status).toBe(
        200,
      )
    } finally {
      await restored.close()
    }
  }
  const exported = join(folder, 'export')
  const { records } = await runJson(['export', '--workspace', shop.workspaceId, '--to', exported], 'target')
  expect(records.messages).toBe(3)
})
