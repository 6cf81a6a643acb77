/** `parley workspace delete`: deletes all data of a workspace, and prints a receipt of it. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, SECRET_KEY, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { campaignsOf, makeContacts } from '../support/campaigns.ts'
import { withCellSetting } from '../support/cell.ts'
import { uploadOf } from '../support/files.ts'
import { until } from '../support/until.ts'

const program = join(import.meta.dirname, '../../bin/parley')
const folder = mkdtempSync(join(tmpdir(), 'parley-erase-'))

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(async () => {
  await parley.close()
  rmSync(folder, { recursive: true })
})

function run(words: string[], env: Record<string, string> = {}) {
  const surroundings = withCellSetting({
    ...process.env,
    DATABASE_URL: parley.databaseUrl,
    PARLEY_DATA_DIR: parley.config.dataDir,
    PARLEY_SECRET_KEY: SECRET_KEY,
    ...env,
  })
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(program, [...words, '--json'], { env: surroundings }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

const erase = (workspaceId: string, confirm: string) =>
  run(['workspace', 'delete', '--workspace', workspaceId, '--confirm', confirm, '--by', 'Asha, ticket 12'])

/** Returns the workspace's row counts by table, without empty tables. */
const rowsOf = (workspaceId: string): Promise<Record<string, number>> =>
  parley.system(async (tx) => {
    const tables = await tx.sql<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
    )
    const parts = tables.map(
      ({ name }) => `select '${name}' as name, count(*)::int as count from "${name}" where workspace_id = $1`,
    )
    const counts = await tx.sql<{ name: string; count: number }>(parts.join(' union all '), [workspaceId])
    return Object.fromEntries(counts.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]))
  })

const filesOf = (workspaceId: string): string[] => {
  const place = join(parley.config.dataDir, 'media', workspaceId)
  return existsSync(place) ? readdirSync(place, { recursive: true }).map(String) : []
}

async function busyShop(name: string): Promise<TestWorkspace> {
  const shop = await parley.workspace({ sandbox: true, name })
  await shop.inbound('+919812345678', 'hello')
  await shop.post('/send', { to: '+919812345678', type: 'text', text: 'hi' })
  await shop.post('/leads', { phone: '+919812345679', name: 'Ravi' })
  expect((await shop.post('/media', uploadOf('image/png', 5_000))).status).toBe(200)
  await shop.post('/webhooks', { url: 'https://example.com/hook', events: ['broadcast.completed'] })
  await shop.advance(60)
  return shop
}

test('a workspace is erased from every table and from the store, others stay, and the receipt is genuine', async () => {
  const [shop, other] = [await busyShop('Ours'), await busyShop('Theirs')]
  expect(filesOf(shop.workspaceId).length).toBeGreaterThan(0)
  const { code, stdout, stderr } = await erase(shop.workspaceId, 'Ours')
  expect(code, stderr).toBe(0)
  const receipt = JSON.parse(stdout)
  expect(receipt).toMatchObject({
    workspaceId: shop.workspaceId,
    by: 'Asha, ticket 12',
    records: { workspaces: 1, api_keys: 1, contacts: 2, conversations: 1, messages: 2, leads: 1, media: 1 },
    files: 1,
  })
  expect(await rowsOf(shop.workspaceId)).toEqual({})
  expect(filesOf(shop.workspaceId)).toEqual([])
  expect((await shop.get('/contacts')).status).toBe(401)
  expect((await other.get('/contacts')).status).toBe(200)
  expect(await rowsOf(other.workspaceId)).toMatchObject({ contacts: 2, messages: 2, leads: 1, media: 1 })
  expect(filesOf(other.workspaceId).length).toBeGreaterThan(0)
  await until(async () => (await fetch(`${parley.url}/readyz`)).status === 200, 'background work continues')

  const file = join(folder, 'receipt.json')
  writeFileSync(file, stdout)
  const check = async (env = {}) => {
    const answer = await run(['receipt', 'check', '--file', file], env)
    return { code: answer.code, ...JSON.parse(answer.stdout) }
  }
  expect(await check()).toEqual({ code: 0, ok: true, genuine: true, ours: true })
  expect(await check({ PARLEY_SECRET_KEY: 'x'.repeat(32) })).toMatchObject({
    code: 1,
    genuine: true,
    ours: false,
  })
  writeFileSync(file, JSON.stringify({ ...receipt, records: { ...receipt.records, messages: 1 } }))
  expect(await check()).toMatchObject({ code: 1, genuine: false })

  writeFileSync(file, 'no receipt')
  const result = await run(['receipt', 'check', '--file', file])
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining("isn't a receipt") })
  // The same command again: a lost receipt is signed again.
  expect(JSON.parse((await erase(shop.workspaceId, 'Ours')).stdout)).toEqual(receipt)
}, 60_000)

test('a workspace is erased only when its name is given too', async () => {
  const shop = await parley.workspace({ name: 'Kept' })
  const result = await erase(shop.workspaceId, 'Other')
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('"Kept"') })
  expect((await shop.get('/contacts')).status).toBe(200)
  const unknown = await erase('0197a1b2-0000-7000-8000-000000000000', 'Kept')
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('not found') })
}, 30_000)

test('an interrupted erasure is continued, and its receipt includes the removals of the first run', async () => {
  const shop = await busyShop('Halfway')
  const rows = await rowsOf(shop.workspaceId)
  // The state after a run that died after its first lists.
  await parley.system(async (tx) => {
    await tx.sql(
      `insert into erasures (erased_workspace_id, requested_by, started_at, records)
       values ($1, 'Asha', $2, '{"workspaces": 1, "webhook_endpoints": 1}')`,
      [shop.workspaceId, new Date()],
    )
    await tx.sql('delete from webhook_endpoints where workspace_id = $1', [shop.workspaceId])
    await tx.sql('delete from workspaces where id = $1', [shop.workspaceId])
  })
  const receipt = JSON.parse((await erase(shop.workspaceId, 'Halfway')).stdout)
  expect(receipt).toMatchObject({
    by: 'Asha',
    records: { workspaces: 1, webhook_endpoints: 1, messages: rows.messages, contacts: rows.contacts },
  })
  expect(await rowsOf(shop.workspaceId)).toEqual({})
}, 30_000)

describe('the remains of an interrupted erasure', () => {
  let erasedShop: TestWorkspace
  let other: TestWorkspace

  beforeAll(async () => {
    erasedShop = await busyShop('Gone')
    const campaigns = await campaignsOf(parley, erasedShop)
    await makeContacts(erasedShop, 1, { optInStatus: 'opted_in' })
    const scheduled = await campaigns.create({
      scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
      confirmNewRecipients: true,
    })
    expect(scheduled.body).toMatchObject({ status: 'scheduled' })
    const long = new Date(Date.now() - 3_600_000)
    await parley.system(async (tx) => {
      await tx.sql(
        `insert into conversations (workspace_id, id, contact_id, phone_number_id, created_at, updated_at, window_run_at)
         select $1, uuidv7(), uuidv7(), uuidv7(), $2, $2, $2 from generate_series(1, 600)`,
        [erasedShop.workspaceId, long],
      )
      await tx.sql(
        `insert into broadcasts select copy.* from broadcasts b, generate_series(1, 20) n,
           jsonb_populate_record(b, jsonb_build_object('id', ('0197a1b2-0000-7000-8000-' || lpad(n::text, 12, '0')), 'run_at', $3::timestamptz + n * interval '1 second')) copy
         where b.workspace_id = $1 and b.id = $2`,
        [erasedShop.workspaceId, scheduled.body.id, long],
      )
      await tx.sql(
        `insert into jobs (workspace_id, id, name, payload, run_at, created_at, outside)
         select $1, uuidv7(), case when outside then 'eraseFile' else 'none' end, '{}', to_timestamp(0), $2, outside
         from generate_series(1, 200), (values (true), (false)) halves (outside)`,
        [erasedShop.workspaceId, long],
      )
      await tx.sql('delete from workspaces where id = $1', [erasedShop.workspaceId])
    })
    other = await busyShop('Here')
  }, 60_000)

  const hasEvent = async (name: string): Promise<boolean> =>
    (await other.get('/events?limit=100')).body.events.some(({ event }: Body) => event === name)

  test('do not keep the windows of others open', async () => {
    await parley.system((tx) =>
      tx.sql('update conversations set window_expires_at = $2, window_run_at = $2 where workspace_id = $1', [
        other.workspaceId,
        new Date(Date.now() - 60_000),
      ]),
    )
    await until(() => hasEvent('conversation.closed'), 'the window is closed', 20_000)
  }, 60_000)

  test('do not delay the campaigns of others', async () => {
    const campaigns = await campaignsOf(parley, other, { name: 'news' })
    await makeContacts(other, 3, { optInStatus: 'opted_in' })
    const { id } = (await campaigns.create({ sendNow: true, confirmNewRecipients: true })).body
    await until(async () => (await campaigns.of(id)).status === 'completed', 'the message is sent', 20_000)
  }, 60_000)

  test('do not delay the jobs of others, with and without outbound calls', async () => {
    expect(filesOf(other.workspaceId)).not.toEqual([])
    await parley.system((tx) => tx.sql('delete from media where workspace_id = $1', [other.workspaceId]))
    await until(() => filesOf(other.workspaceId).length === 0, 'the file is erased', 20_000)
    const attempts = await parley.system((tx) =>
      tx.sql<{ attempts: number }>('select distinct attempts from jobs where workspace_id = $1', [
        erasedShop.workspaceId,
      ]),
    )
    expect(attempts).toEqual([{ attempts: 0 }])
  }, 60_000)
})
