import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { DataDirInUse, lockDataDir } from '../../src/database/data-dir-lock.ts'
import {
  type EmbeddedDatabase,
  findRunningEmbedded,
  openEmbedded,
  startEmbedded,
} from '../../src/database/embedded.ts'
import { findPostmaster } from '../../src/database/embedded-server.ts'
import { identifyProcess } from '../../src/database/process-identity.ts'

// One data directory for all tests: creating a database takes seconds, starting it again takes none.
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-embedded-')))
chmodSync(folder, 0o755)
let dataDir = join(folder, 'data')
let running: EmbeddedDatabase[] = []
let children: ChildProcess[] = []

afterEach(async () => {
  await Promise.all(running.map((database) => database.stop()))
  for (const child of children) child.kill('SIGKILL')
  const left = postmasterPid()
  if (left) process.kill(left, 'SIGKILL')
  running = []
  children = []
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function start(log?: (line: string) => void): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDir, log })
  running.push(database)
  return database
}

/** Starts the database in a separate process, which can be killed. */
async function startElsewhere(): Promise<{ child: ChildProcess; url: string }> {
  const script = join(import.meta.dirname, 'embedded-child.ts')
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [chunk] = (await once(child.stdout!, 'data')) as [Buffer]
  return { child, url: chunk.toString().trim() }
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const postmasterPid = () => findPostmaster(join(dataDir, 'postgres'))?.pid

test('the first start creates the database, and its data survives a restart', async () => {
  const first = await start()
  await query(first.url, 'create table kept (n int)')
  await query(first.url, 'insert into kept values (7)')
  await first.stop()
  expect(postmasterPid()).toBeUndefined()

  const second = await start()
  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'select n from kept')).toEqual([{ n: 7 }])
})

test('the service role is bound by row-level security, owns its database, and may create roles', async () => {
  const { url } = await start()
  const sql =
    'select rolname, rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname = current_user'
  expect(await query(url, sql)).toEqual([
    { rolname: 'parley', rolsuper: false, rolbypassrls: false, rolcreaterole: true },
  ])
  await query(url, 'create extension pg_trgm')
})

test('the server is durable, in UTC and C.UTF-8, and listens only on its socket', async () => {
  const { url } = await start()
  const sql = `select name, setting from pg_settings where name in
    ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'TimeZone') order by lower(name)`
  expect(await query(url, sql)).toEqual([
    { name: 'fsync', setting: 'on' },
    { name: 'full_page_writes', setting: 'on' },
    { name: 'listen_addresses', setting: '' },
    { name: 'synchronous_commit', setting: 'on' },
    { name: 'TimeZone', setting: 'UTC' },
  ])
  const locale = await query(
    url,
    'select datlocprovider, datlocale from pg_database where datname = current_database()',
  )
  expect(locale).toEqual([{ datlocprovider: 'b', datlocale: 'C.UTF-8' }])
  expect(statSync(join(dataDir, 'database-passwords.json')).mode & 0o777).toBe(0o600)
})

test('a server that is killed while the process runs starts again by itself with its data', async () => {
  const lines: string[] = []
  const { url } = await start((line) => lines.push(line))
  await query(url, 'create table killed_server as select 7 as n')
  const killed = postmasterPid()!
  process.kill(killed, 'SIGKILL')
  await vi.waitFor(async () => expect(await query(url, 'select n from killed_server')).toEqual([{ n: 7 }]), {
    timeout: 20_000,
    interval: 50,
  })
  expect(postmasterPid()).not.toBe(killed)
  expect(lines).toContain('database server crashed, restarting it')
})

test('after its owner was killed, the next start takes the server over', async () => {
  const { child, url } = await startElsewhere()
  await query(url, 'create table orphaned as select 7 as n')
  const orphan = postmasterPid()!
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(postmasterPid()).toBe(orphan)

  const lines: string[] = []
  const next = await start((line) => lines.push(line))
  expect(identifyProcess(orphan)).toBeUndefined()
  expect(lines.join()).toContain(`process ${orphan}`)
  expect(await query(next.url, 'select n from orphaned')).toEqual([{ n: 7 }])
})

test('a start recovers after the owner and the server were killed together', async () => {
  const { child, url } = await startElsewhere()
  await query(url, 'create table both_killed as select 7 as n')
  child.kill('SIGKILL')
  process.kill(postmasterPid()!, 'SIGKILL')
  await once(child, 'exit')
  const next = await start()
  expect(await query(next.url, 'select n from both_killed')).toEqual([{ n: 7 }])
})

test('a lock file whose process id now belongs to another process does not prevent the start', async () => {
  const first = await start()
  await first.stop()
  writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `${process.pid}\n${dataDir}/postgres\n`)
  writeFileSync(
    join(dataDir, 'parley.lock'),
    JSON.stringify({ pid: process.pid, startTime: '1', purpose: 'server' }),
  )
  const second = await start()
  expect(await query(second.url, 'select 1 as n')).toEqual([{ n: 1 }])
})

test('a second live owner of a data directory is rejected, and the error names the first', async () => {
  const { child, url } = await startElsewhere()
  const second = startEmbedded({ dataDir })
  await expect(second).rejects.toThrow(DataDirInUse)
  await expect(second).rejects.toThrow(`process ${child.pid}`)
  expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }])
})

test('a stale lock is taken over, once', () => {
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(
    join(dataDir, 'parley.lock'),
    JSON.stringify({ pid: 2 ** 22 + 1, startTime: '1', purpose: 'server' }),
  )
  const lock = lockDataDir(dataDir)
  expect(() => lockDataDir(dataDir)).toThrow(DataDirInUse)
  lock.release()
  lockDataDir(dataDir).release()
})

test('a command uses the database of the running server, and starts it if no server runs', async () => {
  const { child, url } = await startElsewhere()
  expect(findRunningEmbedded(dataDir)?.url).toBe(url)
  const second = await openEmbedded({ dataDir })
  await second.stop()
  expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }])
  child.kill('SIGKILL')
  await once(child, 'exit')

  expect(findRunningEmbedded(dataDir)).toBeUndefined()
  const alone = await openEmbedded({ dataDir })
  expect(findRunningEmbedded(dataDir)).toBeUndefined()
  expect(await query(alone.url, 'select 1 as n')).toEqual([{ n: 1 }])
  await alone.stop()
  expect(postmasterPid()).toBeUndefined()
})

test('two concurrent commands take turns', async () => {
  const results = await Promise.all(
    [1, 2].map(async () => {
      const database = await openEmbedded({ dataDir })
      try {
        return await query(database.url, 'select 1 as n')
      } finally {
        await database.stop()
      }
    }),
  )
  expect(results).toEqual([[{ n: 1 }], [{ n: 1 }]])
})

test.skipIf(process.getuid?.() !== 0)('root can store it in a folder that only root may enter', async () => {
  const closed = join(folder, 'closed')
  mkdirSync(closed, { mode: 0o700 })
  dataDir = join(closed, 'data')
  const first = await start()
  await query(first.url, 'create table kept as select 7 as n')
  await first.stop()
  const second = await start()
  expect(await query(second.url, 'select n from kept')).toEqual([{ n: 7 }])
})
