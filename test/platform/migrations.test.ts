/** Upgrades: old data, old processes, and tables in use (docs/decisions/migrations.md). */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { createSealer } from '../../src/core/sealing.ts'
import { hashApiKey, keyPrefix, newApiKey } from '../../src/core/values/api-key.ts'
import { listMigrations, type Migration, migrate, queryOf, readHistory } from '../../src/database/migrate.ts'
import { onDatabase } from '../../src/database/on-database.ts'
import { databaseFaults, readSchemaParts } from '../../src/database/schema-parts.ts'
import { boot, clientOf, SECRET_KEY, type TestParley } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { faultsOfMigration } from '../support/migration-rules.ts'
import { freePort } from '../support/redis-server.ts'
import { startCommand } from '../support/started-command.ts'
import { until } from '../support/until.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The last migration of the old version. */
const OLD_LAST = '0010'

let parley: TestParley
const databases: TestDatabase[] = []
beforeAll(async () => {
  parley = await boot()
})
afterAll(async () => {
  await parley?.close()
  for (const database of databases) await database.drop()
})

async function emptyDatabase(): Promise<string> {
  const database = await createEmptyDatabase()
  databases.push(database)
  return database.url
}

/** A shop as the old version stored it: a customer who wrote and was answered, and a webhook endpoint. */
async function oldShop(url: string) {
  const apiKey = newApiKey(false)
  const sealed = createSealer(SECRET_KEY).seal('secret')
  const [shop, key, number, contact, chat, question, answer, hook] = Array.from({ length: 8 }, newId)
  const createdAt = '2026-11-01T10:00:00Z'
  await onDatabase(url, async (client) => {
    const insert = (table: string, row: Record<string, unknown>) => {
      const columns = Object.keys(row)
      const places = columns.map((_, i) => `$${i + 1}`)
      return client.query(`insert into ${table} (${columns}) values (${places})`, Object.values(row))
    }
    const ids = { workspace_id: shop, created_at: createdAt }
    await insert('workspaces', {
      id: shop,
      name: 'Old shop',
      plan: 'unlimited',
      sandbox: false,
      country_code: '91',
      timezone: 'Asia/Kolkata',
      capture_token: 'old-capture-token',
      created_at: createdAt,
    })
    await insert('workspace_usage', { workspace_id: shop })
    await insert('api_keys', {
      ...ids,
      id: key,
      label: 'Old key',
      prefix: keyPrefix(apiKey),
      hash: hashApiKey(apiKey),
      role: 'admin',
    })
    await insert('phone_numbers', {
      ...ids,
      id: number,
      number: '+919800000001',
      display_name: 'Old shop',
      operator: 'cloud',
      account_id: '1',
      operator_id: '2',
      token_sealed: sealed,
      app_secret_sealed: sealed,
      verify_token_hash: Buffer.alloc(32),
    })
    const people = { ...ids, updated_at: createdAt }
    await insert('contacts', {
      ...people,
      id: contact,
      phone: '+919812345678',
      display_name: 'Asha',
      tags: ['vip'],
    })
    await insert('conversations', { ...people, id: chat, contact_id: contact, phone_number_id: number })
    await insert('conversation_activity', { workspace_id: shop, conversation_id: chat, activity_id: newId() })
    const message = {
      ...ids,
      conversation_id: chat,
      contact_id: contact,
      phone_number_id: number,
      type: 'text',
    }
    const text = (body: string) => JSON.stringify({ body })
    await insert('messages', {
      ...message,
      id: question,
      direction: 'inbound',
      content: text('hello'),
      status: 'received',
    })
    await insert('messages', {
      ...message,
      id: answer,
      direction: 'outbound',
      content: text('hi'),
      status: 'read',
    })
    await insert('webhook_endpoints', {
      ...people,
      id: hook,
      url: 'https://example.com/hook',
      secret_sealed: sealed,
    })
  })
  return { apiKey, contact, chat, question, answer, hook }
}

test('a start migrates a database of an older version, and its data is read through the API', async () => {
  const url = await emptyDatabase()
  const old = (await listMigrations()).map(({ name }) => name).filter((name) => name < `${OLD_LAST}~`)
  await migrate(url, undefined, old)
  const shop = await oldShop(url)
  await migrate(url)
  const upgraded = await boot({ databaseUrl: url })
  try {
    const client = clientOf(upgraded.url, shop.apiKey)
    const read = async (path: string) => {
      const answer = await client.get(path)
      expect(answer.status, answer.text).toBe(200)
      return answer.body
    }
    expect((await read('/contacts')).contacts).toMatchObject([
      { id: shop.contact, phone: '+919812345678', displayName: 'Asha', tags: ['vip'] },
    ])
    expect((await read('/conversations')).conversations).toMatchObject([{ id: shop.chat }])
    const { messages } = await read('/messages')
    expect(messages.map(({ id }: { id: string }) => id)).toEqual([shop.answer, shop.question])
    expect((await read('/webhooks')).webhooks).toMatchObject([{ id: shop.hook, active: true }])
    const lead = await client.post('/leads', { phone: '+919812345678', name: 'Asha' })
    expect(lead.status, lead.text).toBe(201)
    await until(async () => (await fetch(`${upgraded.url}/readyz`)).status === 200, 'the service is ready')
  } finally {
    await upgraded.close()
  }
})

const migrationsWith = (...sql: string[]): Promise<Migration[]> =>
  listMigrations().then((existing) => [
    ...existing,
    ...sql.map((text, i) => ({ name: `900${i}_next.sql`, sql: text })),
  ])

test('a migration that meets a busy table lets others pass, and runs in between', async () => {
  const shop = await parley.workspace()
  const next = await migrationsWith('alter table contacts add column shoe_size integer')
  const lines: string[] = []
  await onDatabase(parley.databaseUrl, async (reader) => {
    await reader.query('begin; select count(*) from contacts')
    const migrated = migrate(parley.databaseUrl, (line) => lines.push(line), undefined, next)
    await until(() => lines.some((line) => line.includes('table lock')), 'the migration waits for the reader')
    const startedMs = performance.now()
    for (let i = 0; i < 5; i++)
      expect((await shop.post('/contacts', { phone: `+91981234570${i}` })).status).toBe(201)
    expect(performance.now() - startedMs, 'requests wait for a turn at most').toBeLessThan(8_000)
    await reader.query('commit')
    await migrated
  })
  // This process runs the previous version, and keeps working.
  expect((await shop.post('/contacts', { phone: '+919812345710' })).status).toBe(201)
  expect((await shop.get('/contacts')).body.contacts).toHaveLength(6)
  expect((await fetch(`${parley.url}/readyz`)).status).toBe(200)
})

test('concurrent migrations create an index once, while others write, and also after an interrupted migration', async () => {
  const url = await emptyDatabase()
  await migrate(url)
  const next = await migrationsWith(
    '-- For a list.\ncreate index concurrently contacts_seen on contacts (last_seen_at)',
  )
  await onDatabase(url, async (client) => {
    const isValid = async () => {
      const { rows } = await client.query(
        "select indisvalid as valid from pg_index where indexrelid = 'contacts_seen'::regclass",
      )
      return rows[0].valid
    }
    const [shop, first, other] = [newId(), newId(), newId()]
    await client.query(
      `insert into contacts (workspace_id, id, phone, created_at, updated_at)
       values ($1, $2, '1', now(), now()), ($1, $3, '2', now(), now())`,
      [shop, first, other],
    )
    // The state after a run that died in the middle.
    const broken = 'create unique index concurrently contacts_seen on contacts (workspace_id)'
    await expect(client.query(broken)).rejects.toThrow('could not create unique index')
    expect(await isValid()).toBe(false)
    await Promise.all([1, 2].map(() => migrate(url, undefined, undefined, next)))
    expect(await isValid()).toBe(true)
  })
})

test('a migration is not bound by the time limit of statements', async () => {
  const url = await emptyDatabase()
  await migrate(url)
  const name = new URL(url).pathname.slice(1)
  await onDatabase(url, (client) => client.query(`alter database ${name} set statement_timeout = '100ms'`))
  await migrate(url, undefined, undefined, await migrationsWith('select pg_sleep(0.3)'))
})

const historyOf = (url: string) => onDatabase(url, (client) => readHistory(queryOf(client)))
const faultsOf = (url: string) => onDatabase(url, (client) => databaseFaults(queryOf(client)))
const runDoctor = async (url: string) => {
  const { stdout } = await runParley(['doctor', '--json'], {
    DATABASE_URL: url,
    PARLEY_SECRET_KEY: SECRET_KEY,
  })
  return JSON.parse(stdout).checks as { name: string; status: string; detail: string }[]
}

/** This version's migrations as they were before one of them was edited in place. */
const beforeEdit = async (name: string, edit: (sql: string) => string): Promise<Migration[]> => {
  const migrations = await listMigrations()
  const changed = migrations.map((migration) =>
    migration.name === name ? { name, sql: edit(migration.sql) } : migration,
  )
  expect(changed.find((migration) => migration.name === name)?.sql).not.toBe(
    migrations.find((migration) => migration.name === name)?.sql,
  )
  return changed
}

test('doctor, /readyz, and a migration name a migration that changed after it was applied, with the next step', async () => {
  const url = await emptyDatabase()
  const name = '0012_tasks.sql'
  await migrate(url, undefined, undefined, await beforeEdit(name, (sql) => `${sql}\n-- As it was.\n`))
  const [fault] = await faultsOf(url)
  expect(fault).toContain('Migration files changed after this database applied them: 0012_tasks.sql')
  expect(fault).toContain('parley migrate --accept-changed')
  expect(await runDoctor(url)).toContainEqual({ name: 'migrations', status: 'failed', detail: fault })
  const env = { DATABASE_URL: url, PARLEY_SECRET_KEY: SECRET_KEY }
  expect(await runParley(['migrate'], env)).toMatchObject({ code: 1, stderr: expect.stringContaining(name) })
  const service = await boot({ databaseUrl: url })
  try {
    const ready = await fetch(`${service.url}/readyz`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({ missing: [{ name: 'migrations', reason: fault }] })
  } finally {
    await service.close()
  }
  // No further migration is applied after it.
  const next = await migrationsWith('create table never_made (id integer)')
  await expect(migrate(url, undefined, undefined, next)).rejects.toThrow('applied them: 0012_tasks.sql')
  expect(await runParley(['migrate', '--accept-changed', '--json'], env)).toMatchObject({
    code: 0,
    stdout: `${JSON.stringify({ migrated: [], accepted: [name] })}\n`,
  })
  expect(await faultsOf(url)).toEqual([])
  await migrate(url, undefined, undefined, next)
})

test('line ends of another system are no change of a migration', async () => {
  const url = await emptyDatabase()
  const windows = (await listMigrations()).map(({ name, sql }) => ({
    name,
    sql: sql.replaceAll('\n', '\r\n'),
  }))
  await migrate(url, undefined, undefined, windows)
  expect((await historyOf(url)).changed).toEqual([])
})

test("a database from before checksums gets today's checksums, with what can't be known, and the tables that differ", async () => {
  const url = await emptyDatabase()
  const edited = await beforeEdit('0049_proven_emails.sql', () => 'select 1')
  const before = edited.filter(({ name }) => name < '0061')
  await migrate(url, undefined, undefined, before)
  await onDatabase(url, (client) =>
    client.query(
      'alter table schema_migrations drop column if exists checksum, drop column if exists checksum_adopted',
    ),
  )
  const lines: string[] = []
  await migrate(url, (line) => lines.push(line))
  expect(lines.join('\n')).toMatch(
    /0001_foundation\.sql to 00\d\d_\w+\.sql were applied before Parley kept checksums .* can't be detected/,
  )
  const { changed, adopted } = await historyOf(url)
  expect(changed).toEqual([])
  expect(adopted).toContain('0049_proven_emails.sql')
  expect(adopted).not.toContain('0061_migration_checksums.sql')
  const [fault] = await faultsOf(url)
  expect(fault).toContain('column accounts.email_proven is missing (see 0049_proven_emails.sql)')
  const checks = await runDoctor(url)
  expect(checks).toContainEqual(
    expect.objectContaining({
      name: 'tables',
      status: 'failed',
      detail: expect.stringContaining('accounts.email_proven'),
    }),
  )
  expect(checks).toContainEqual(
    expect.objectContaining({
      name: 'migrations',
      status: 'ok',
      detail: expect.stringContaining("can't be compared"),
    }),
  )
})

test("a database's own tables and indexes are no difference, and a lost index is only a warning", async () => {
  const url = await emptyDatabase()
  await migrate(url)
  expect(await faultsOf(url)).toEqual([])
  await onDatabase(url, (client) =>
    client.query('create table notes_of_ours (id integer); create index on contacts (display_name)'),
  )
  const [index] = Object.keys(await onDatabase(url, (client) => readSchemaParts(queryOf(client)))).filter(
    (part) => part.startsWith('index '),
  )
  await onDatabase(url, (client) => client.query(`drop index ${index?.slice('index '.length)}`))
  expect(await faultsOf(url)).toEqual([])
  expect((await runDoctor(url)).filter(({ name }) => name === 'tables')).toEqual([
    { name: 'tables', status: 'warning', detail: expect.stringContaining(`${index} is missing`) },
  ])
})

test('a migration without a file in this version that is not newer is named', async () => {
  const url = await emptyDatabase()
  await migrate(url)
  await onDatabase(url, (client) =>
    client.query("insert into schema_migrations (name) values ('0012_renamed.sql')"),
  )
  expect((await runDoctor(url)).filter(({ name }) => name === 'migrations')).toEqual([
    {
      name: 'migrations',
      status: 'warning',
      detail: expect.stringContaining('the database has 0012_renamed.sql'),
    },
  ])
})

test('a version that is too old for the database does not start, and says which version does', async () => {
  const url = await emptyDatabase()
  await migrate(url)
  const service = await boot({ databaseUrl: url })
  try {
    const sql = '-- oldest version: 99.1.0\nalter table contacts drop column display_name'
    await migrate(url, undefined, undefined, await migrationsWith(sql))
    const words = 'The database requires Parley 99.1.0 or later'
    await expect(migrate(url)).rejects.toThrow(words)
    const env = { DATABASE_URL: url, PARLEY_SECRET_KEY: SECRET_KEY }
    expect(await runParley(['migrate'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(words),
    })
    expect(await runDoctor(url)).toContainEqual({
      name: 'migrations',
      status: 'failed',
      detail: expect.stringContaining(words),
    })
    const ready = await fetch(`${service.url}/readyz`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({
      missing: [{ name: 'migrations', reason: expect.stringContaining(words) }],
    })
  } finally {
    await service.close()
  }
})

test('a start on a database whose migration changed names it in the log', async () => {
  const url = await emptyDatabase()
  const name = '0012_tasks.sql'
  await migrate(url, undefined, undefined, await beforeEdit(name, (sql) => `${sql}\n-- As it was.\n`))
  const port = await freePort()
  const command = startCommand([process.execPath, 'src/main.ts'], {
    cwd: ROOT,
    env: { PORT: String(port), DATABASE_URL: url, PARLEY_SECRET_KEY: SECRET_KEY, PARLEY_DATA_DIR: tmpdir() },
  })
  try {
    await until(() => command.output().includes('Parley is running'), 'the service runs')
    expect(command.output()).toContain(`Migration files changed after this database applied them: ${name}`)
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(503)
  } finally {
    await command.end('SIGTERM')
  }
})

const RELEASED = readFileSync(join(ROOT, 'migrations/RELEASED'), 'utf8')
const released = new Map(
  RELEASED.split('\n')
    .filter((line) => /^[0-9a-f]{64} /.test(line))
    .map((line) => [line.slice(66).replace(/^.*\//, ''), line.slice(0, 64)]),
)

test('released migrations have not changed, and the old version works with the later ones', async () => {
  for (const { name, sql } of await listMigrations())
    if (released.has(name))
      expect(createHash('sha256').update(sql).digest('hex'), name).toBe(released.get(name))
    else if (released.size > 0) expect(faultsOfMigration(sql), name).toEqual([])
})

test.each([
  ['alter table contacts add column a integer', 0],
  ["alter table contacts add column a text not null default ''", 0],
  ['alter table contacts add column a text not null', 1],
  ['alter table contacts drop column phone', 1],
  ['alter table contacts rename column phone to tel', 1],
  ['alter table contacts alter column tags type jsonb', 1],
  ['alter table contacts alter column phone set not null', 1],
  ["alter table contacts add check (phone <> '')", 1],
  ["alter table contacts add constraint known check (phone <> '') not valid", 0],
  ['create index contacts_a on contacts (a)', 1],
  ['create index concurrently contacts_a on contacts (a)', 0],
  ['create index concurrently contacts_a on contacts (a); alter table contacts add b text', 1],
  ['create table things (id uuid not null); create index things_id on things (id)', 0],
  ['drop table contacts', 1],
  ['-- oldest version: 1.2.0\ndrop table contacts', 0],
  ['-- oldest version: 1.2.0\nalter table contacts drop column phone', 0],
  ['-- oldest version: 1.2.0\ntruncate contacts', 1],
  ['-- drop table contacts\nselect 1', 0],
  ['create function f() returns void language sql as $$ delete from contacts; $$', 0],
])('the rule for migrations after a release: %s', (sql, faults) => {
  expect(faultsOfMigration(sql)).toHaveLength(faults)
})
