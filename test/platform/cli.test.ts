import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runParley, spawnParley } from '../support/command-line.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'parley-cli-'))
let database: TestDatabase
let workspaceId = ''

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true })
})

const settings = () => ({ PARLEY_DATA_DIR: dataDir, DATABASE_URL: database.url })
const run = (words: string[], env: Record<string, string> = {}) => runParley(words, { ...settings(), ...env })

async function answerOf(...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run([...words, '--json'])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)

test('workspace create creates a workspace and its owner', async () => {
  const created = await answerOf(
    'workspace',
    'create',
    '--name',
    'Acme',
    '--plan',
    'pro',
    '--timezone',
    'Europe/Paris',
  )
  expect(created).toEqual({
    workspaceId: uuid,
    name: 'Acme',
    plan: 'pro',
    sandbox: false,
    ownerId: uuid,
    phoneNumberId: null,
    number: null,
    captureToken: expect.any(String),
  })
  workspaceId = String(created.workspaceId)
})

test('a sandbox workspace comes with a simulated number', async () => {
  expect(await answerOf('workspace', 'create', '--sandbox')).toMatchObject({ name: 'Sandbox', sandbox: true })
  const created = await answerOf('workspace', 'create', '--name', 'Play', '--sandbox')
  expect(created).toMatchObject({
    sandbox: true,
    phoneNumberId: uuid,
    number: expect.stringMatching(/^\+\d+$/),
  })
})

test('workspace list names every workspace', async () => {
  const { workspaces } = (await answerOf('workspace', 'list')) as { workspaces: object[] }
  expect(workspaces).toHaveLength(3)
  expect(workspaces[0]).toEqual({
    id: workspaceId,
    name: 'Acme',
    plan: 'pro',
    sandbox: false,
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
  })
})

test('workspace set changes only the named settings', async () => {
  const flags = [
    '--plan',
    'enterprise',
    '--lead-capture',
    'on',
    '--modules',
    'invoicing,bookings',
    '--contact-limit',
    '5',
  ]
  const changed = await answerOf('workspace', 'set', '--workspace', workspaceId, ...flags)
  const expected = {
    plan: 'enterprise',
    leadCapture: true,
    modules: ['invoicing', 'bookings'],
    contactLimit: 5,
  }
  expect(changed).toMatchObject({ id: workspaceId, name: 'Acme', socialAddon: false, ...expected })
  const changedAgain = await answerOf(
    'workspace',
    'set',
    '--workspace',
    workspaceId,
    '--social-addon',
    'on',
    '--social',
    'off',
  )
  expect(changedAgain).toMatchObject({ ...expected, socialAddon: true, socialEnabled: false })
  // The settings of campaigns (src/modules/messaging/broadcasts/DECISIONS.md "Gates").
  expect(changedAgain).toMatchObject({ marketingCap: 2, coolOffDays: 7, followUpHours: 24 })
  const limits = ['--marketing-cap', '1', '--cool-off-days', '30', '--follow-up-hours', '0']
  expect(await answerOf('workspace', 'set', '--workspace', workspaceId, ...limits)).toMatchObject({
    marketingCap: 1,
    coolOffDays: 30,
    followUpHours: 0,
  })
})

test('a key is shown when it is created, never again, and can be revoked', async () => {
  const flags = [
    '--role',
    'agent',
    '--scopes',
    'messages:send,contacts:read',
    '--expires',
    '2099-01-31T00:00:00Z',
  ]
  const created = await answerOf(
    'key',
    'create',
    '--workspace',
    workspaceId,
    ...flags,
    '--allow-ip',
    '10.0.0.0/8,::1',
  )
  expect(created).toEqual({
    keyId: uuid,
    apiKey: expect.stringMatching(/^pk_live_[0-9A-Za-z]+$/),
    role: 'agent',
    scopes: ['messages:send', 'contacts:read'],
    expiresAt: '2099-01-31T00:00:00.000Z',
  })
  await answerOf('key', 'revoke', '--key', String(created.keyId))
  const listed = await run(['key', 'list', '--workspace', workspaceId, '--json'])
  expect(listed.stdout).not.toContain(String(created.apiKey))
  expect(JSON.parse(listed.stdout).keys).toEqual([
    expect.objectContaining({
      keyId: created.keyId,
      allowIps: ['10.0.0.0/8', '::1/128'],
      revokedAt: expect.any(String),
    }),
  ])
})

test('members are added, changed, and removed, and their keys are revoked with them', async () => {
  const flags = [
    '--workspace',
    workspaceId,
    '--email',
    'mira@example.com',
    '--name',
    'Mira',
    '--role',
    'agent',
  ]
  const { memberId } = await answerOf('member', 'add', ...flags)
  expect(memberId).toEqual(uuid)
  await answerOf('key', 'create', '--workspace', workspaceId, '--role', 'agent', '--member', String(memberId))
  const left = await answerOf('member', 'set', '--member', String(memberId), '--leave')
  expect(left).toMatchObject({ memberId, left: true, keysRevoked: 1 })
  const { members } = (await answerOf('member', 'list', '--workspace', workspaceId)) as { members: object[] }
  expect(members).toEqual([
    expect.objectContaining({ owner: true }),
    expect.objectContaining({ memberId, leftAt: expect.any(String) }),
  ])
})

test("an owner's e-mail and name can be set later; an e-mail belongs to one member", async () => {
  const { workspaceId: own, ownerId } = await answerOf('workspace', 'create', '--name', 'Without a mailbox')
  const set = ['member', 'set', '--member', String(ownerId)]
  expect(await answerOf(...set, '--email', 'asha@example.com', '--name', 'Asha')).toMatchObject({
    memberId: ownerId,
    email: 'asha@example.com',
    name: 'Asha',
    role: 'admin',
    left: false,
    keysRevoked: 0,
  })
  const ravi = ['--email', 'ravi@example.com', '--name', 'Ravi', '--role', 'agent']
  const added = await answerOf('member', 'add', '--workspace', String(own), ...ravi)
  const duplicate = await run([
    'member',
    'set',
    '--member',
    String(added.memberId),
    '--email',
    'ASHA@example.com',
  ])
  expect(duplicate).toMatchObject({ code: 1, stderr: expect.stringContaining('is already a member') })
  expect(await answerOf(...set, '--email', 'Asha@example.com')).toMatchObject({ email: 'Asha@example.com' })
  const { members } = (await answerOf('member', 'list', '--workspace', String(own))) as { members: object[] }
  expect(members[0]).toMatchObject({ owner: true, email: 'Asha@example.com', name: 'Asha' })
})

test('number add connects a number and shows where its operator must post', async () => {
  const credentials = [
    '--account',
    '101',
    '--number-id',
    '202',
    '--token',
    't',
    '--app-secret',
    's',
    '--verify-token',
    'v',
  ]
  const flags = ['--workspace', workspaceId, '--number', '+14155550100', '--operator', 'cloud']
  expect(await answerOf('number', 'add', ...flags, ...credentials)).toEqual({
    phoneNumberId: uuid,
    number: '+14155550100',
    operator: 'cloud',
    callbackUrl: expect.stringMatching(/^http:\/\/localhost:4000\//),
  })
  const duplicate = await run(['number', 'add', ...flags, ...credentials])
  expect(duplicate).toMatchObject({ code: 1, stdout: '' })
  expect(duplicate.stderr).toContain('+14155550100 is already connected to this workspace')
  const connectedElsewhere = await run(['number', 'add', ...flags.with(3, '+14155550109'), ...credentials])
  expect(connectedElsewhere).toMatchObject({ code: 1, stdout: '' })
  expect(connectedElsewhere.stderr).toContain("operator's id 202 is already connected")
  const incomplete = await run(['number', 'add', ...flags, '--token', 't'])
  expect(incomplete.code).toBe(2)
  expect(incomplete.stderr).toContain('--app-secret')
})

test("number set replaces a number's credentials and repairs its connection", async () => {
  const flags = ['--workspace', workspaceId, '--number', '+14155550101', '--operator', 'cloud']
  const secrets = ['--token', 't', '--app-secret', 's', '--verify-token', 'v']
  const { phoneNumberId } = await answerOf(
    'number',
    'add',
    ...flags,
    '--account',
    '101',
    '--number-id',
    '203',
    ...secrets,
  )
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(
    "update phone_numbers set state = 'disconnected', state_reason = 'Expired', state_code = 190 where operator_id = '203'",
  )
  const { checks } = (await answerOf('doctor')) as { checks: { name: string; detail: string }[] }
  const finding = checks.find(({ name }) => name === 'numbers')
  expect(finding).toMatchObject({ status: 'warning', detail: expect.stringContaining('is disconnected') })
  expect(finding!.detail).toContain('Expired')
  expect(await answerOf('number', 'set', '--number-id', '203', '--token', 'new')).toEqual({
    phoneNumberId,
    number: '+14155550101',
    operator: 'cloud',
    state: 'active',
  })
  const { rows } = await client.query(
    'select state, state_reason from phone_numbers where operator_id = $1',
    ['203'],
  )
  await client.end()
  expect(rows).toEqual([{ state: 'active', state_reason: null }])
  expect(
    await answerOf(
      'number',
      'set',
      '--phone-number',
      String(phoneNumberId),
      '--throughput',
      '20',
      '--daily-new-recipients',
      '250',
    ),
  ).toMatchObject({ phoneNumberId })
  for (const badFlags of [
    ['--token', 'x'],
    ['--number-id', '1', '--phone-number', String(phoneNumberId)],
    ['--number-id', '203', '--throughput', '0'],
    ['--number-id', '203', '--daily-new-recipients', '0'],
  ])
    expect((await run(['number', 'set', ...badFlags])).code, badFlags.join(' ')).toBe(2)
  expect((await run(['number', 'set', '--number-id', '999', '--token', 'x'])).code).toBe(1)
})

test.concurrent.each([
  [[]],
  [['workspace']],
  [['workspace', 'destroy']],
  [['workspace', 'create']],
  [['workspace', 'create', '--name', 'A', '--plan', 'gold']],
  [['workspace', 'create', '--name', 'A'.repeat(101)]],
  [['workspace', 'create', '--name', 'A', '--colour', 'red']],
  [['workspace', 'create', '--name', 'A', 'B']],
  [['workspace', 'create', '--name', 'A', '--timezone', 'Mars/Base']],
  [['workspace', 'create', '--name', 'A', '--country-code', '999']],
  [['workspace', 'set', '--workspace', 'x', '--marketing-cap', '9']],
  [['key', 'create', '--workspace', 'x', '--role', 'owner']],
  [['key', 'create', '--workspace', 'x', '--role', 'agent', '--scopes', 'everything']],
  [['key', 'create', '--workspace', 'x', '--role', 'agent', '--scopes', '']],
  [['key', 'create', '--workspace', 'x', '--role', 'agent', '--scopes', ',']],
  [['key', 'create', '--workspace', 'x', '--role', 'agent', '--allow-ip', '']],
  [['key', 'create', '--workspace', 'x', '--role', 'agent', '--allow-ip', '203.0.113']],
  [['key', 'create', '--workspace', 'x', '--role', 'agent', '--allow-ip', '172.16/12']],
])('wrong usage exits 2 and shows the usage: %j', async (words) => {
  const { code, stdout, stderr } = await run([...words, '--json'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('usage: parley ')
})

test('a scope that is named twice is stored once', async () => {
  const flags = [
    '--workspace',
    workspaceId,
    '--role',
    'viewer',
    '--scopes',
    'crm:read,contacts:read, crm:read',
  ]
  expect(await answerOf('key', 'create', ...flags)).toMatchObject({ scopes: ['crm:read', 'contacts:read'] })
})

test('no key is created that has already expired', async () => {
  const expires = '2020-01-31T00:00:00Z'
  const flags = ['--workspace', workspaceId, '--role', 'agent', '--label', 'Late', '--expires', expires]
  const { code, stdout, stderr } = await run(['key', 'create', ...flags, '--json'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('--expires: Must be in the future, not 2020-01-31T00:00:00.000Z')
  const { keys } = JSON.parse((await run(['key', 'list', '--workspace', workspaceId, '--json'])).stdout)
  expect(keys.map(({ label }: { label: string }) => label)).not.toContain('Late')
})

test('an error goes to standard error with exit code 1', async () => {
  for (const id of ['nobody', '0197f000-0000-7000-8000-000000000000']) {
    const { code, stdout, stderr } = await run(['key', 'list', '--workspace', id, '--json'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/Workspace .* not found|isn't an id/)
  }
})

test('errors in the environment and an unreachable database exit with 1 and are named', async () => {
  const misconfigured = await run(['workspace', 'list', '--json'], { PORT: 'x', LOG_LEVEL: 'loud' })
  expect(misconfigured).toMatchObject({ code: 1, stdout: '' })
  expect(misconfigured.stderr).toMatch(/PORT[\s\S]+LOG_LEVEL/)
  const unreachable = await run(['workspace', 'list', '--json'], {
    DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x',
  })
  expect(unreachable).toMatchObject({ code: 1, stdout: '' })
  expect(unreachable.stderr).toContain('ECONNREFUSED')
})

test('as a separate program it answers on standard output, and its exit code distinguishes success, failure, and wrong usage', async () => {
  const [listed, failed, misused] = await Promise.all([
    spawnParley(['workspace', 'list', '--json'], settings()),
    spawnParley(['key', 'list', '--workspace', 'nobody', '--json'], settings()),
    spawnParley(['workspace', 'destroy', '--json'], settings()),
  ])
  expect(listed).toMatchObject({ code: 0, stderr: '' })
  const { workspaces } = JSON.parse((await run(['workspace', 'list', '--json'])).stdout)
  expect(workspaces.length).toBeGreaterThan(0)
  expect(JSON.parse(listed.stdout).workspaces).toEqual(workspaces)
  expect(failed).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining("isn't an id") })
  expect(misused).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('usage: parley ') })
})

test('--help explains, and people get tables', async () => {
  const help = await run(['--help'])
  expect(help.code).toBe(0)
  expect(help.stdout).toContain('key create --workspace ID')
  for (const words of [
    ['key', '--help'],
    ['key', 'frob'],
  ]) {
    const { code, stdout, stderr } = await run(words)
    expect(code).toBe(words[1] === '--help' ? 0 : 2)
    expect(stdout + stderr).toContain('key revoke --key ID')
    expect(stdout + stderr).not.toContain('workspace create')
  }
  const list = await run(['workspace', 'list'])
  expect(list.stdout.split('\n')[0]).toMatch(/^id +name +plan +sandbox +createdAt$/)
})

test('one e-mail address has one sandbox', async () => {
  const make = ['workspace', 'create', '--sandbox', '--owner-email']
  await answerOf(...make, 'asha@example.com')
  const duplicate = await run([...make, 'Asha@example.com'])
  expect(duplicate).toMatchObject({ code: 1, stderr: expect.stringContaining('already has a sandbox') })
})

test('a sandbox accepts only simulated numbers', async () => {
  const sandbox = String((await answerOf('workspace', 'create', '--sandbox')).workspaceId)
  const add = ['number', 'add', '--workspace', sandbox, '--number', '+14155550199', '--operator']
  const keys = [
    '--account',
    '1',
    '--number-id',
    '2',
    '--token',
    't',
    '--app-secret',
    's',
    '--verify-token',
    'v',
  ]
  const real = await run([...add, 'cloud', ...keys])
  expect(real).toMatchObject({ code: 1, stderr: expect.stringContaining('only simulated numbers') })
  expect(await answerOf(...add, 'simulator')).toMatchObject({ operator: 'simulator' })
})

test('migrate says when there are no new migrations', async () => {
  expect(await run(['migrate'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('nothing: the database is up to date'),
  })
  expect(await answerOf('migrate')).toEqual({ migrated: [] })
})

test('the doctor finds no problem in a healthy installation', async () => {
  const report = await answerOf('doctor')
  expect(report).toMatchObject({ ok: true })
  const { checks } = report as { checks: { name: string; status: string }[] }
  expect(checks.map(({ name }) => name)).toEqual([
    'configuration',
    'data directory',
    'disk space',
    'database',
    'clock',
    'migrations',
    'tables',
    'row-level security',
    'secret key',
    'numbers',
    'stored files',
    'payment gateways',
    'log',
    'jobs',
    'moves',
    'redis',
    'files',
    'dashboard',
    'documentation',
    'egress authorities',
  ])
})

test('the doctor shows the jobs that failed permanently, with their last error', async () => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  onTestFinished(async () => {
    await client.query(`delete from jobs where name = 'publishPost'`)
    await client.end()
  })
  const { workspaceId } = await answerOf('workspace', 'create', '--name', 'Failing')
  for (const [minute, error] of [
    [1, 'the first'],
    [2, 'the network has gone'],
  ])
    await client.query(
      `insert into jobs (workspace_id, id, name, payload, run_at, created_at, failed_at, last_error, outside)
       values ($1, uuidv7(), 'publishPost', '{}', $2, $2, $2, $3, true)`,
      [workspaceId, `2027-01-31T10:0${minute}:00Z`, error],
    )
  const report = await answerOf('doctor')
  expect(report).toMatchObject({ ok: true })
  expect((report as { checks: { name: string }[] }).checks.filter(({ name }) => name === 'jobs')).toEqual([
    {
      name: 'jobs',
      status: 'warning',
      detail: '2 publishPost jobs failed permanently, the last at 2027-01-31T10:02:00Z: the network has gone',
    },
  ])
})

test('the doctor names the problem and exits with 1', async () => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('alter table api_keys disable row level security')
  const env = {
    REDIS_URL: 'redis://127.0.0.1:1',
    PARLEY_SECRET_KEY: 'another key than the one that sealed it',
  }
  const { code, stdout } = await run(['doctor', '--json'], env)
  await client.query('alter table api_keys enable row level security')
  await client.end()
  expect(code).toBe(1)
  const broken = (JSON.parse(stdout).checks as { name: string; status: string; detail: string }[]).filter(
    ({ status }) => status === 'failed',
  )
  expect(broken.map(({ name }) => name)).toEqual(['row-level security', 'secret key', 'redis'])
  expect(broken[0]?.detail).toContain('api_keys')
  expect(broken[2]?.detail).toBe('connect ECONNREFUSED 127.0.0.1:1')
})

test('the version is printed, for people and for programs', async () => {
  expect((await run(['--version'])).stdout).toMatch(/^parley \d+\.\d+\.\d+ \(Node \d+\.\d+\.\d+\)\n$/)
  expect(JSON.parse((await run(['--version', '--json'])).stdout)).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    node: process.versions.node,
  })
})

test.each([
  [['sing-in'], 'Unknown command "sing-in". Did you mean "sign-in"?'],
  [['worksapce', 'list'], 'Unknown command "worksapce list". Did you mean "workspace list"?'],
  [['key', 'crate', '--role', 'admin'], 'Unknown command "key crate". Did you mean "key create"?'],
  [['sign-in', '--mebmer', 'x'], 'Unknown flag --mebmer. Did you mean --member?'],
  [['xyzzyplugh'], 'Unknown command "xyzzyplugh".\n'],
])('%j is answered with the intended command', async (words, hint) => {
  expect(await run(words)).toMatchObject({ code: 2, stderr: expect.stringContaining(hint) })
})

test('the doctor says that the database is newer than the program', async () => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query("insert into schema_migrations values ('9999_later.sql')")
  const { checks } = (await answerOf('doctor')) as { checks: { name: string }[] }
  await client.query("delete from schema_migrations where name = '9999_later.sql'")
  await client.end()
  expect(checks.find(({ name }) => name === 'migrations')).toMatchObject({
    status: 'warning',
    detail: expect.stringContaining('newer than this version: it has 9999_later.sql'),
  })
})

test('an unusable data directory is named, with the next step', async () => {
  const keyless = join(dataDir, 'keyless')
  mkdirSync(join(keyless, 'secret.key'), { recursive: true })
  const command = ['key', 'list', '--workspace', randomUUID()]
  expect(await run(command, { PARLEY_DATA_DIR: keyless, PARLEY_SECRET_KEY: '' })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `${join(keyless, 'secret.key')} can't be used (EISDIR). Run this as the service's user`,
    ),
  })
  const env = { PARLEY_DATA_DIR: import.meta.filename, DATABASE_URL: '' }
  const reason = `${import.meta.filename} can't be used (EEXIST). Run this as the service's user`
  expect(await run(command, env)).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) })
  const { checks } = JSON.parse((await run(['doctor', '--json'], env)).stdout)
  const ofDatabase = (checks as { name: string; detail: string }[]).filter(({ name }) => name === 'database')
  expect(ofDatabase).toEqual([
    expect.objectContaining({ detail: expect.stringMatching(/^PARLEY_DATA_DIR: .* can't be used/) }),
  ])
})

test('without a server a command starts the embedded database, migrates it, and stops it', async () => {
  const embedded = join(dataDir, 'embedded')
  chmodSync(dataDir, 0o755)
  const env = { PARLEY_DATA_DIR: embedded, DATABASE_URL: '' }
  const created = await spawnParley(['workspace', 'create', '--name', 'Alone', '--json'], env)
  expect(created.code).toBe(0)
  const listed = await spawnParley(['workspace', 'list', '--json'], env)
  expect(listed.stderr).toBe('')
  expect(JSON.parse(listed.stdout).workspaces).toEqual([expect.objectContaining({ name: 'Alone' })])
})
