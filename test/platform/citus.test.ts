/** Cells on Citus (docs/cells.md). Without a cluster, only the answers of the commands on other servers. */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withCell } from '../../src/core/values/cell.ts'
import { DatabaseClient } from '../../src/database/client.ts'
import { listMigrations, migrate } from '../../src/database/migrate.ts'
import { onDatabase } from '../../src/database/on-database.ts'
import { boot, SECRET_KEY } from '../support/boot.ts'
import { CITUS_URL, dropCell } from '../support/citus.ts'
import { runParley } from '../support/command-line.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

if (!CITUS_URL)
  console.warn(
    'SKIPPED: cells on Citus need a cluster with two workers (PARLEY_TEST_CITUS_URL names its coordinator)',
  )

const folder = mkdtempSync(join(tmpdir(), 'parley-citus-'))
afterAll(() => rmSync(folder, { recursive: true }))
const runIn = (url: string, words: string[]) =>
  runParley(words, {
    DATABASE_URL: withCell(url, 'public'),
    PARLEY_SECRET_KEY: SECRET_KEY,
    PARLEY_DATA_DIR: folder,
  })

describe.skipIf(CITUS_URL)('on a server without Citus', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
    expect((await runIn(database.url, ['cell', 'create', 'c7'])).code).toBe(0)
  })
  afterAll(() => database?.drop())

  test.each([
    [['cell', 'distribute', 'c7'], 'This database has no Citus.'],
    [['cell', 'move', 'c7', '--node', 'db2:5432'], 'This database has no Citus.'],
    [['cell', 'distribute', 'c8'], 'This database has no cell c8.'],
    [['cell', 'distribute', 'public'], 'Citus does not distribute the schema public.'],
    [['cell', 'move', 'c7', '--node', 'db2'], 'Must be a host and a port'],
    [['cell', 'move', 'c7'], '--node'],
  ])('%j says what is missing', async (words, advice) => {
    const { code, stderr } = await runIn(database.url, words)
    expect(code).not.toBe(0)
    expect(stderr).toContain(advice)
  })

  test('a cell with pending migrations is migrated first', async () => {
    await onDatabase(withCell(database.url, 'c7'), (client) =>
      client.query("delete from schema_migrations where name = '0075_steps_in_functions.sql'"),
    )
    expect((await runIn(database.url, ['cell', 'distribute', 'c7'])).stderr).toContain(
      'Run: parley cell migrate c7',
    )
  })
})

describe.skipIf(!CITUS_URL)('on a cluster', () => {
  const url = CITUS_URL ?? 'postgres://skipped/parley'
  const cell = `p${randomBytes(6).toString('hex')}`
  const cellUrl = withCell(url, cell)
  const runJson = async (...words: string[]) => {
    const { code, stdout, stderr } = await runIn(url, [...words, '--json'])
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout)
  }
  const listed = async () =>
    (await runJson('cell', 'list')).cells.find(({ name }: { name: string }) => name === cell)

  beforeAll(async () => {
    await runJson('cell', 'create', cell)
  })
  afterAll(() => dropCell(url, cell))

  test('a cell can be moved only after it was distributed, and is distributed once', async () => {
    expect((await listed()).node ?? null).toBeNull()
    const early = await runIn(url, ['cell', 'move', cell, '--node', '127.0.0.1:5432'])
    expect(early.stderr).toContain(`Run: parley cell distribute ${cell}`)
    const { node, seconds } = await runJson('cell', 'distribute', cell)
    expect(seconds).toBeGreaterThan(0)
    expect(await runJson('cell', 'distribute', cell)).toEqual({ cell, node })
    expect(await listed()).toMatchObject({ name: cell, node, pending: 0 })
  })

  test('a move names the nodes if there is no such node', async () => {
    const { code, stderr } = await runIn(url, ['cell', 'move', cell, '--node', 'nowhere:5432'])
    expect(code).not.toBe(0)
    expect(stderr).toContain('No node nowhere:5432 takes cells. The nodes are: ')
  })

  test('connections lead to the node, and those that define tables to the coordinator', async () => {
    const { node } = await listed()
    const addressOf = async (definesTables: boolean) => {
      const client = new DatabaseClient({ connectionString: cellUrl, definesTables })
      await client.connect()
      const { rows } = await client.query("select current_setting('port') as port")
      await client.end()
      return rows[0].port
    }
    expect(await addressOf(false)).toBe(node.split(':')[1])
    expect(await addressOf(true)).toBe(new URL(url).port)
  })

  test('a later migration adds tables, triggers, and policies of a distributed cell', async () => {
    const sql = `
      create table later_notes (id uuid not null, contact_id uuid not null, body text not null);
      select tenant_table('later_notes');
      create index later_notes_contact on later_notes (workspace_id, contact_id);
      create trigger erase_later_notes after delete on contacts referencing old table as erased
        for each statement execute function erase_dependents('later_notes', 'contact_id');
      alter table contacts add column later_note text`
    await migrate(cellUrl, undefined, undefined, [
      ...(await listMigrations()),
      { name: '9999_later.sql', sql },
    ])
    const [workspace, contact] = [randomUUID(), randomUUID()]
    const left = await onDatabase(cellUrl, async (client) => {
      await client.query('begin')
      await client.query(
        `insert into contacts (workspace_id, id, phone, created_at, updated_at) values ($1, $2, '+919812345678', now(), now())`,
        [workspace, contact],
      )
      await client.query(
        'insert into later_notes (workspace_id, id, contact_id, body) values ($1, $2, $2, $3)',
        [workspace, contact, 'A note'],
      )
      await client.query('set local role parley_tenant')
      const count = async (workspaces: string) => {
        await client.query("select set_config('parley.workspaces', $1, true)", [workspaces])
        return (await client.query('select count(*)::int as count from later_notes')).rows[0].count
      }
      const seen = [await count(''), await count(randomUUID()), await count(`${randomUUID()},${workspace}`)]
      await client.query('delete from contacts where workspace_id = $1', [workspace])
      seen.push(await count(workspace))
      await client.query('rollback')
      return seen
    })
    expect(left).toEqual([0, 0, 1, 0])
    const dropped = new DatabaseClient({ connectionString: cellUrl, definesTables: true })
    await dropped.connect()
    await dropped.query("drop table later_notes; delete from schema_migrations where name = '9999_later.sql'")
    await dropped.end()
  })

  test('a tenant cannot write rows of another workspace, in any form of statement', async () => {
    const columns = 'tags (workspace_id, id, name, created_at, updated_at)'
    const values = "gen_random_uuid(), 'vip', now(), now()"
    const refused = await onDatabase(cellUrl, async (client) => {
      const messages: string[] = []
      for (const statement of [
        `insert into ${columns} values ($1, ${values})`,
        `insert into ${columns} select w, ${values} from unnest(array[$1::uuid]) w`,
        `insert into ${columns} select w, ${values} from unnest(array[$1::uuid]) w on conflict do nothing`,
      ]) {
        await client.query('begin')
        await client.query(
          "select set_config('role', 'parley_tenant', true), set_config('parley.workspaces', $1, true)",
          [randomUUID()],
        )
        await client.query(statement, [randomUUID()]).then(
          () => messages.push('written'),
          (error: Error) => messages.push(error.message),
        )
        await client.query('rollback')
      }
      return messages
    })
    for (const message of refused)
      expect(message).toMatch(/violates (row-level security policy|check constraint "tenant_writes)/)
  })

  test('the doctor finds every part of the schema', async () => {
    const { checks } = JSON.parse((await runIn(url, ['cell', 'doctor', cell, '--json'])).stdout)
    for (const name of ['migrations', 'tables', 'row-level security', 'log'])
      expect(checks.filter((check: { name: string }) => check.name === name)).toEqual([
        { name, status: 'ok', detail: expect.any(String) },
      ])
  })

  test('a server creates the missing days of the logs, and drops old ones', async () => {
    const days = () =>
      onDatabase(cellUrl, async (client) => {
        const { rows } = await client.query<{ name: string }>(
          `select part.relname::text as name from pg_inherits i join pg_class part on part.oid = i.inhrelid
           where i.inhparent = 'events'::regclass and part.relname <> 'events_other' order by 1`,
        )
        return rows.map(({ name }) => name)
      })
    const before = await days()
    const client = new DatabaseClient({ connectionString: cellUrl, definesTables: true })
    await client.connect()
    await client.query(`drop table ${before.at(-1)}; select make_log_day('events', '2026-01-02')`)
    await client.end()
    expect(await days()).toContain('events_20260102')
    const parley = await boot({ databaseUrl: cellUrl })
    try {
      await until(async () => !(await days()).includes('events_20260102'), 'the old day is dropped')
      expect(await days()).toEqual(before)
    } finally {
      await parley.close()
    }
  })
})
