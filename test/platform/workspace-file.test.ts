/** A workspace loads from a file in steps, and again after a kill or a fault (docs/cells.md "Move by a file"). */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { onDatabase } from '../../src/database/on-database.ts'
import {
  type Body,
  boot,
  clientOf,
  SECRET_KEY,
  type TestParley,
  type TestWorkspace,
} from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import { until } from '../support/until.ts'

// Not through bin/parley: a kill must reach the process that loads.
const PROGRAM = join(import.meta.dirname, '../../src/cli/main.ts')
const PHONE = '+919812345678'
const folder = mkdtempSync(join(tmpdir(), 'parley-file-'))

let home: TestParley
let away: TestParley
let shop: TestWorkspace
let words: string[]
beforeAll(async () => {
  home = await boot()
  away = await boot()
}, 120_000)
afterAll(async () => {
  await home.close()
  await away.close()
  rmSync(folder, { recursive: true })
})

beforeEach(async () => {
  await fillShop()
  await writeFile()
})

async function fillShop() {
  shop = await home.workspace()
  const lead = await shop.post('/leads', { phone: PHONE, name: 'Asha Rao' })
  expect(lead.status, lead.text).toBe(201)
  const body = { leadId: lead.body.lead.id, title: 'Call', dueAt: '2030-06-02T10:00:00Z' }
  const task = await shop.post('/tasks', body)
  expect(task.status, task.text).toBe(201)
}

/** Writes the workspace to a file; `words` load it. */
async function writeFile() {
  const file = join(folder, `${randomUUID()}.parley`)
  const { fileKey } = await runJson(home, [shop.workspaceId, '--to-file', file])
  const keyFile = join(folder, randomUUID())
  writeFileSync(keyFile, fileKey)
  words = ['--from-file', file, '--file-key-file', keyFile]
}

const envOf = (parley: TestParley) => ({
  DATABASE_URL: parley.databaseUrl,
  PARLEY_DATA_DIR: parley.config.dataDir,
  PARLEY_SECRET_KEY: SECRET_KEY,
})
const run = (parley: TestParley, more: string[]) =>
  runParley(['workspace', 'move', ...more, '--json'], envOf(parley))
async function runJson(parley: TestParley, more: string[]): Promise<Body> {
  const { code, stdout, stderr } = await run(parley, more)
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}
const atAway = () => clientOf(away.url, shop.key)
/** Returns the checks of moves about the workspace that the doctor of the new installation prints. */
const moveChecks = async (): Promise<Body[]> => {
  const { stdout } = await runParley(['doctor', '--json'], envOf(away))
  return JSON.parse(stdout).checks.filter(
    ({ name, detail }: Body) => name === 'moves' && detail.includes(shop.workspaceId),
  )
}

/** Starts to load the file, and calls `work` while the load waits for the table of tasks. */
async function whileLoading(work: (child: ChildProcess) => Promise<void>): Promise<void> {
  await onDatabase(away.databaseUrl, async (client) => {
    await client.query('begin; lock table tasks in share mode')
    const env = { ...process.env, ...envOf(away) }
    const child = spawn(process.execPath, [PROGRAM, 'workspace', 'move', ...words], { env, stdio: 'ignore' })
    const ended = new Promise((resolve) => child.on('exit', resolve))
    try {
      await until(async () => {
        const { rows } = await client.query(
          "select from pg_locks where relation = 'tasks'::regclass and not granted",
        )
        return rows.length > 0
      }, 'the load waits')
      await work(child)
    } finally {
      await client.query('rollback')
      child.kill('SIGKILL')
      await ended
    }
  })
}

test('a load takes several transactions, because readers of the event log wait for each', async () => {
  await fillShop()
  await home.system((tx) =>
    tx.sql(
      `insert into tasks
       select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'title', repeat('x', 100000)))).*
       from tasks t, generate_series(1, 99) where t.workspace_id = $1`,
      [shop.workspaceId],
    ),
  )
  await writeFile()
  await runJson(away, words)
  const [loaded] = await away.system((tx) =>
    tx.sql<{ tasks: number; transactions: number }>(
      'select count(*)::int as tasks, count(distinct xmin::text)::int as transactions from tasks where workspace_id = $1',
      [shop.workspaceId],
    ),
  )
  expect(loaded).toEqual({ tasks: 100, transactions: 3 })
}, 120_000)

test('a load that was killed leaves no half workspace, and continues when the command runs again', async () => {
  await whileLoading(async (child) => {
    child.kill('SIGKILL')
  })
  // Its keys had not arrived.
  expect((await atAway().get('/contacts')).status).toBe(401)
  expect(await moveChecks()).toEqual([
    {
      name: 'moves',
      status: 'warning',
      detail: expect.stringMatching(
        `workspace ${shop.workspaceId} is arriving from the file .*loading since`,
      ),
    },
  ])
  expect(await runJson(away, words)).toMatchObject({ workspaceId: shop.workspaceId, invite: [] })
  expect((await atAway().get('/contacts')).body.contacts).toHaveLength(1)
  expect((await atAway().get('/tasks')).body.tasks).toHaveLength(1)
  expect((await run(away, words)).stderr).toContain('already has a workspace')
}, 120_000)

test('a load that was killed can be canceled where it loads, and the file stays valid', async () => {
  await whileLoading(async (child) => {
    child.kill('SIGKILL')
  })
  expect(await runJson(away, [shop.workspaceId, '--cancel'])).toMatchObject({ canceled: true })
  expect((await atAway().get('/contacts')).status).toBe(401)
  expect(await moveChecks()).toEqual([])
  expect((await run(away, [shop.workspaceId, '--cancel'])).stderr).toContain('no unfinished move')
  await runJson(away, words)
  expect((await atAway().get('/contacts')).body.contacts).toHaveLength(1)
}, 120_000)

test('a load that fails leaves nothing, and can be repeated', async () => {
  const fault = `create function refuse_tasks() returns trigger language plpgsql as $$
    begin raise exception 'The disk is full.'; end $$;
    create trigger refuse_tasks before insert on tasks for each row execute function refuse_tasks();
    alter table tasks enable always trigger refuse_tasks`
  await onDatabase(away.databaseUrl, (client) => client.query(fault))
  expect((await run(away, words)).stderr).toContain('The disk is full.')
  expect((await atAway().get('/contacts')).status).toBe(401)
  expect(await moveChecks()).toEqual([])
  await onDatabase(away.databaseUrl, (client) =>
    client.query('drop trigger refuse_tasks on tasks; drop function refuse_tasks'),
  )
  await runJson(away, words)
  expect((await atAway().get('/tasks')).body.tasks).toHaveLength(1)
}, 120_000)
