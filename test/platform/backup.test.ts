/**
 * `parley backup` and `parley restore` (docs/running.md): consistent while the server runs, verified, and
 * with clear errors.
 */
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { onDatabase } from '../../src/database/on-database.ts'
import { createApiKey } from '../../src/modules/platform/workspaces/operations/api-keys.ts'
import { boot, clientOf, SECRET_KEY, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { campaignsOf } from '../support/campaigns.ts'
import { runParley, spawnParley } from '../support/command-line.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { customerSends, fileOf, uploadOf } from '../support/files.ts'
import { newLoad, openAdmin, openShops, startLoad } from '../support/load.ts'
import { photoId } from '../support/post-media.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { browserOf, DASHBOARD, signIn } from '../support/sessions.ts'
import { accept, cloudShop, standInOperator, type Taken } from '../support/stand-in-operator.ts'
import { until } from '../support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-backup-'))
const pathOf = (name: string) => join(folder, name)
const databases: TestDatabase[] = []
const newDatabase = async () => {
  const database = await createTestDatabase()
  databases.push(database)
  return database
}

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
})
afterAll(async () => {
  await parley.close()
  for (const database of databases) await database.drop()
  rmSync(folder, { recursive: true })
})

const run = (words: string[], env: Record<string, string>) =>
  runParley(words, { PARLEY_SECRET_KEY: SECRET_KEY, ...env })
const sourceEnv = () => ({ DATABASE_URL: parley.databaseUrl, PARLEY_DATA_DIR: parley.config.dataDir })
const backUp = (name: string, ...more: string[]) =>
  run(['backup', '--to', pathOf(name), '--json', ...more], sourceEnv())
const restoreInto = (name: string, env: Record<string, string>) =>
  run(['restore', '--from', pathOf(name), '--json'], { PARLEY_DATA_DIR: pathOf('restored'), ...env })

/**
 * Returns a digest of the rows of every table whose rows don't change in the background: sums are added up,
 * and words of messages indexed, at any time.
 */
const digests = (url: string): Promise<Record<string, string>> =>
  onDatabase(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
         and not c.relispartition and c.relname <> 'schema_migrations' and c.relname !~ '_(deltas|counts)$|^(activity|priced)_days$|^message_word'`,
    )
    const found: Record<string, string> = {}
    for (const { name } of rows) {
      const digest = await client.query<{ digest: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') as digest
         from (select to_jsonb(whole) - 'written_in' as row from ${name} whole) t`,
      )
      found[name] = digest.rows[0]?.digest ?? ''
    }
    return found
  })

test('a restored installation has the data of the old one, and accepts the old key', async () => {
  // A partitioned table with a generated column and a sequence, for features that later migrations may use.
  await onDatabase(parley.databaseUrl, (client) =>
    client.query(`
      create table days (at timestamptz not null, id bigint generated always as identity, text text,
        length integer generated always as (length(text)) stored) partition by range (at);
      create table days_1 partition of days for values from ('2026-01-01') to ('2026-01-02');
      create table days_2 partition of days for values from ('2026-01-02') to ('2026-01-03');
      insert into days (at, text) values ('2026-01-01 12:00Z', E'a\\tb\\\\c\\n'), ('2026-01-02 12:00Z', null)`),
  )
  await shop.inbound('+919812345678', 'Is it blue? \\ "quotes" \t tab \u{1f600}')
  await shop.post('/send', { to: '+919812345678', type: 'text', text: 'Yes.' })
  await shop.post('/webhooks', { url: 'https://example.com/hook' })
  const upload = await shop.post('/media', uploadOf('image/png', 300_000))
  const pictureId = await customerSends(parley, shop, '+919812345678', {
    type: 'image',
    content: { id: upload.body.id, mime_type: 'image/png' },
  })
  await until(
    async () => (await shop.get(`/messages/${pictureId}/media`)).status === 200,
    'the picture is downloaded',
  )
  // A photo for posts is a separate file.
  await shop.set({ socialAddon: true })
  await photoId(shop)
  await shop.advance(60)
  const before = await digests(parley.databaseUrl)
  const backup = await backUp('first')
  expect(backup.stderr).toContain('secret key')
  expect(backup.code).toBe(0)
  expect(JSON.parse(backup.stdout)).toMatchObject({ backup: pathOf('first'), files: 3, missingFiles: 0 })
  expect(await digests(parley.databaseUrl)).toEqual(before)

  const other = await newDatabase()
  await onDatabase(other.url, (client) =>
    client.query(`create table days (at timestamptz not null, id bigint generated always as identity, text text,
        length integer generated always as (length(text)) stored) partition by range (at)`),
  )
  const restored = await restoreInto('first', { DATABASE_URL: other.url })
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(await digests(other.url)).toEqual(before)
  const parts = await onDatabase(other.url, (client) =>
    client.query("insert into days (at, text) values ('2026-01-02 13:00Z', 'new') returning id, length"),
  )
  expect(parts.rows).toEqual([{ id: 3, length: 3 }])

  const restoredServer = await boot({ databaseUrl: other.url, env: { PARLEY_DATA_DIR: pathOf('restored') } })
  const restoredClient = clientOf(restoredServer.url, shop.key)
  try {
    for (const path of ['/contacts', '/messages', '/conversations', '/webhooks'])
      expect((await restoredClient.get(path)).body).toEqual((await shop.get(path)).body)
    const link = await restoredClient.get(`/messages/${pictureId}/media`)
    expect(link.status, link.text).toBe(200)
    const file = await fetch(restoredServer.url + new URL(link.body.url).pathname)
    expect(Buffer.from(await file.arrayBuffer()).equals(fileOf('image/png', 300_000))).toBe(true)
    // Triggers exist again, and sealed secrets open.
    expect(
      (await restoredClient.post('/send', { to: '+919812345678', type: 'text', text: 'again' })).status,
    ).toBe(200)
    await until(
      async () => (await restoredClient.get('/messages')).body.messages[0].status !== 'queued',
      'the message is handed over',
    )
  } finally {
    await restoredServer.close()
  }
  const turnedOffRows = await onDatabase(other.url, (client) =>
    client.query("select tgname from pg_trigger where not tgisinternal and tgenabled <> 'O'"),
  )
  expect(turnedOffRows.rows).toEqual([])
  await onDatabase(parley.databaseUrl, (client) => client.query('drop table days'))
})

test('a restore ends sessions and sign-in links, and names the keys that are valid again', async () => {
  const admin = await signIn(parley, shop, 'admin')
  const invited = await admin.post(`${DASHBOARD}/members`, {
    email: 'new@example.com',
    name: 'New',
    role: 'agent',
  })
  const { apiKey, keyId } = await parley.system((tx) =>
    createApiKey(tx, { workspaceId: shop.workspaceId, role: 'agent', label: 'Till' }, new Date()),
  )
  expect((await backUp('signed-in')).code).toBe(0)
  expect((await run(['key', 'revoke', '--key', keyId], sourceEnv())).code).toBe(0)
  const other = await newDatabase()
  const restored = await restoreInto('signed-in', { DATABASE_URL: other.url })
  expect(restored.code, restored.stderr).toBe(0)
  const { sessionsEnded, keys } = JSON.parse(restored.stdout)
  expect(sessionsEnded).toBeGreaterThan(0)
  const till = { keyId, label: 'Till', role: 'agent', workspaceId: shop.workspaceId, workspace: 'Test shop' }
  expect(keys).toContainEqual({
    ...till,
    prefix: apiKey.slice(0, keys.find((key: { keyId: string }) => key.keyId === keyId).prefix.length),
  })
  const restoredServer = await boot({ databaseUrl: other.url, env: { PARLEY_DATA_DIR: pathOf('restored') } })
  try {
    const answer = await browserOf(restoredServer, { ...shop, cookie: admin.cookie }).get(
      `${DASHBOARD}/session`,
    )
    expect(answer).toMatchObject({ status: 401, body: { error: 'session_ended' } })
    expect(answer.body.message).toContain('restored from a backup')
    const token = new URL(invited.body.inviteUrl).hash.slice('#token='.length)
    expect((await browserOf(restoredServer).post(`${DASHBOARD}/sign-in/token`, { token })).status).toBe(404)
    expect((await clientOf(restoredServer.url, apiKey).get('/me')).status).toBe(200)
  } finally {
    await restoredServer.close()
  }
})

test('a backup under load is one moment: every reference in it leads to a row in it', async () => {
  const admin = openAdmin(parley.databaseUrl)
  const shops = await openShops(admin, parley.url, 3)
  const load = newLoad()
  const running = startLoad(load, shops, randomFrom(seedOf('backup')))
  await until(() => load.acknowledged.size >= 50, 'the load is on')
  const acknowledged = [...load.acknowledged.values()]
  const backup = await spawnParley(['backup', '--to', pathOf('loaded'), '--json'], {
    PARLEY_SECRET_KEY: SECRET_KEY,
    ...sourceEnv(),
  })
  expect(backup.code, backup.stderr).toBe(0)
  expect(load.acknowledged.size).toBeGreaterThan(acknowledged.length)
  await running.stop()
  await admin.close()

  const other = await newDatabase()
  const restored = await restoreInto('loaded', { DATABASE_URL: other.url })
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  await onDatabase(other.url, async (client) => {
    const count = async (text: string, ...values: unknown[]) =>
      Number((await client.query<{ count: string }>(text, values)).rows[0]?.count)
    expect(await count('select count(*) from messages where id = any($1)', acknowledged)).toBe(
      acknowledged.length,
    )
    expect(
      await count(`select count(*) from messages m where not exists (select from conversations c
        where c.workspace_id = m.workspace_id and c.id = m.conversation_id)`),
    ).toBe(0)
    // Each is written in one transaction: the message, its remembered answer, and the monthly count.
    expect(
      await count(`select count(*) from workspace_usage u where u.messages <> (select count(*) from messages m
        where m.workspace_id = u.workspace_id and m.direction = 'outbound')`),
    ).toBe(0)
    expect(
      await count(`select count(*) from idempotency_keys k where k.status = 200 and encode(k.answer, 'escape') like '%messageId%'
        and not exists (select from messages m where m.workspace_id = k.workspace_id
          and m.id = (encode(k.answer, 'escape')::jsonb ->> 'messageId')::uuid)`),
    ).toBe(0)
  })
})

test('an empty database is migrated as far as the backup, filled, and brought up to date', async () => {
  const bare = await newDatabase()
  await onDatabase(bare.url, (client) => client.query('drop schema public cascade; create schema public'))
  const restored = await restoreInto('loaded', { DATABASE_URL: bare.url })
  expect(restored.code, restored.stderr).toBe(0)
  const newer = await newDatabase()
  await onDatabase(newer.url, (client) =>
    client.query("insert into schema_migrations (name) values ('9999_future.sql')"),
  )
  const refused = await restoreInto('loaded', { DATABASE_URL: newer.url })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('9999_future.sql') })
})

test('messages that were under way to customers at the backup are sent again only when a member decides to', async () => {
  const operator = await standInOperator()
  const old = await boot({ env: operator.env })
  onTestFinished(async () => {
    await old.close()
    await operator.close()
  })
  const cloud = await cloudShop(old)
  const phones = ['+919812300001', '+919812300002', '+919812300003']
  await cloud.writesAll(phones)
  const { create } = await campaignsOf(old, cloud)
  // The operator is slow, and the backup runs meanwhile: one call is under way, the rest are queued after it.
  const answers: Taken[] = []
  operator.answer((handover) => void answers.push(handover))
  for (const to of phones)
    for (const text of ['one', 'two'])
      expect((await cloud.post('/send', { to, type: 'text', text })).status).toBe(200)
  const createCampaign = async (more: object) => {
    const answer = await create({ phoneNumberId: cloud.cloudNumberId, segment: {}, ...more })
    expect(answer.status, answer.text).toBe(201)
    return answer.body.id
  }
  const running = await createCampaign({ sendNow: true })
  const later = await createCampaign({ scheduledAt: new Date(Date.now() + 3_600_000).toISOString() })
  await until(() => answers.length > 0, 'a call is running')
  const source = { DATABASE_URL: old.databaseUrl, PARLEY_DATA_DIR: old.config.dataDir }
  const backup = await run(['backup', '--to', pathOf('amid'), '--json'], source)
  expect(backup.code, backup.stderr).toBe(0)
  // The original installation continues, and sends all of them.
  operator.answer(accept)
  for (const handover of answers) accept(handover)
  const texts = () => operator.taken.filter(({ body }) => body.type === 'text').length
  const templates = () => operator.taken.filter(({ body }) => body.type === 'template').length
  await until(() => texts() === 6 && templates() === 3, 'every message was sent once')

  const restoredAs = async (name: string, ...more: string[]) => {
    const { url } = await newDatabase()
    const env = { DATABASE_URL: url, PARLEY_DATA_DIR: pathOf(name) }
    const restored = await run(['restore', '--from', pathOf('amid'), '--json', ...more], env)
    expect(restored.code, restored.stderr).toBe(0)
    const parley = await boot({ databaseUrl: url, env: { ...operator.env, PARLEY_DATA_DIR: pathOf(name) } })
    onTestFinished(() => parley.close())
    return { restored, restoredClient: clientOf(parley.url, cloud.key) }
  }
  const { restored, restoredClient } = await restoredAs('held')
  expect(restored.stderr).toContain('Held back, because customers may have received it')
  expect(JSON.parse(restored.stdout).held).toEqual({ messages: 6, campaigns: 1 })
  const listByStatus = async (status: string) =>
    (await restoredClient.get(`/messages?status=${status}`)).body.messages
  await until(
    async () => [...(await listByStatus('failed')), ...(await listByStatus('skipped'))].length === 6,
    'a message whose call had started is unconfirmed, and every other message is skipped',
  )
  for (const message of await listByStatus('failed'))
    expect(message.error).toMatchObject({ title: 'Unconfirmed' })
  const skipped = await listByStatus('skipped')
  expect(skipped.length).toBeGreaterThan(0)
  for (const message of skipped) expect(message).toMatchObject({ skipReason: 'restored', error: null })
  const readCampaign = async (id: string) => (await restoredClient.get(`/broadcasts/${id}`)).body.broadcast
  expect(await readCampaign(running)).toMatchObject({
    status: 'paused',
    pausedReason: expect.stringContaining('restored'),
  })
  expect(await readCampaign(later)).toMatchObject({ status: 'scheduled', pausedReason: null })
  // New messages are sent, and messages that a member decides to send.
  expect((await restoredClient.post('/send', { to: phones[0], type: 'text', text: 'new' })).status).toBe(200)
  await until(() => texts() === 7, 'new messages are sent')
  expect(templates()).toBe(3)
  expect((await restoredClient.post(`/broadcasts/${running}/resume`)).status).toBe(200)
  await until(() => templates() === 6, 'the campaign continues after a decision')
  expect(texts()).toBe(7)

  const moved = await restoredAs('moved', '--send-waiting')
  expect(moved.restored.stderr).toBe('')
  await until(() => texts() > 7 && templates() === 9, 'a stopped installation continues where it stopped')
})

test('a restore needs an empty database', async () => {
  // Without a server on it, so it doesn't change.
  const { url } = databases[0]!
  const before = await digests(url)
  const refused = await restoreInto('first', { DATABASE_URL: url })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("isn't empty") })
  expect(await digests(url)).toEqual(before)
})

test('a backup is written only into a new folder', async () => {
  const secondBackup = await backUp('first')
  expect(secondBackup).toMatchObject({ code: 1, stderr: expect.stringContaining("isn't empty") })
})

test.each([
  ['in which no folder can be created', '/proc/parley', 'ENOENT'],
  ['below a file', join(import.meta.filename, 'backup'), 'ENOTDIR'],
])('a folder %s is rejected immediately', async (_, to, reason) => {
  const refused = await run(['backup', '--to', to], sourceEnv())
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) })
  expect(refused.stderr).toContain(to)
  const restored = await run(['restore', '--from', to], sourceEnv())
  expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining(`${to} has no complete backup`) })
})

test('no other user may read a backup', () => {
  for (const path of ['manifest.json', 'tables/contacts.copy.zst', 'files.jsonl'])
    expect(statSync(join(pathOf('first'), path)).mode & 0o077).toBe(0)
})

test('the secret key is separate unless requested, and a restore needs the right key', async () => {
  expect(existsSync(pathOf('first/secret.key'))).toBe(false)
  const { url } = await newDatabase()
  const otherKey = await restoreInto('first', { DATABASE_URL: url, PARLEY_SECRET_KEY: 'x'.repeat(32) })
  expect(otherKey).toMatchObject({ code: 1, stderr: expect.stringContaining('another key') })
  const refused = await restoreInto('first', {
    DATABASE_URL: url,
    PARLEY_SECRET_KEY: '',
    PARLEY_DATA_DIR: pathOf('new'),
  })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('another key') })
  expect(existsSync(pathOf('new/secret.key'))).toBe(false)

  const keyed = await backUp('keyed', '--with-secret-key')
  expect(keyed.code, keyed.stderr).toBe(0)
  const restored = await restoreInto('keyed', {
    DATABASE_URL: url,
    PARLEY_SECRET_KEY: '',
    PARLEY_DATA_DIR: pathOf('new'),
  })
  expect(restored.code, restored.stderr).toBe(0)
  expect(readFileSync(pathOf('new/secret.key'), 'utf8').trim()).toBe(SECRET_KEY)
  const mistaken = await run(['backup', '--to', pathOf('mistaken')], {
    ...sourceEnv(),
    PARLEY_SECRET_KEY: 'x'.repeat(32),
  })
  expect(mistaken).toMatchObject({ code: 1, stderr: expect.stringContaining("can't decrypt") })
})

test('a damaged or unfinished backup is rejected before any change, naming the file', async () => {
  const { url } = await newDatabase()
  const before = await digests(url)
  for (const file of ['tables/contacts.copy.zst', 'files.jsonl']) {
    const path = join(pathOf('keyed'), file)
    const bytes = readFileSync(path)
    appendFileSync(path, 'x')
    const refused = await restoreInto('keyed', { DATABASE_URL: url })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`${path} is damaged`) })
    writeFileSync(path, bytes)
  }
  const path = pathOf('keyed/manifest.json')
  const text = readFileSync(path, 'utf8')
  const { tables, ...contents } = JSON.parse(text)
  const otherTables = tables.filter(({ name }: { name: string }) => name !== 'contacts')
  for (const changed of [
    text.slice(0, -20),
    JSON.stringify({ ...contents, tables: otherTables }),
    JSON.stringify({ ...contents, tables, sequences: [] }),
    JSON.stringify({ ...contents, tables, files: null }),
    JSON.stringify({ ...contents, tables, sha256: undefined }),
  ]) {
    writeFileSync(path, changed)
    const refused = await restoreInto('keyed', { DATABASE_URL: url })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`${path} is damaged`) })
  }
  rmSync(path)
  const unfinished = await restoreInto('keyed', { DATABASE_URL: url })
  expect(unfinished).toMatchObject({ code: 1, stderr: expect.stringContaining('has no complete backup') })
  expect(await digests(url)).toEqual(before)
})
