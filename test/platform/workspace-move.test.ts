/** `parley workspace move`: a workspace lives in another cell or installation afterwards, with everything that it has. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { withCell } from '../../src/core/values/cell.ts'
import { onDatabase } from '../../src/database/on-database.ts'
import { arrange, arranging } from '../contract/arrange.ts'
import { KEYED, nameOf } from '../contract/requests.ts'
import {
  type Body,
  boot,
  clientOf,
  SECRET_KEY,
  type TestParley,
  type TestWorkspace,
} from '../support/boot.ts'
import { joinAuthorities } from '../support/certificates.ts'
import { runParley } from '../support/command-line.ts'
import { createTestDatabase } from '../support/database.ts'
import { uploadOf } from '../support/files.ts'
import { fillChat } from '../support/many-chats.ts'
import { connectNumber } from '../support/operator-webhooks.ts'
import { makeReceivers, signatureBy } from '../support/receiver.ts'
import { rowCountsOf } from '../support/records.ts'
import { compareReads, fillRelease, readAll } from '../support/release-data.ts'
import { browserOf, DASHBOARD, signIn } from '../support/sessions.ts'
import { addCloudNumber, inbound, standInOperator } from '../support/stand-in-operator.ts'
import { until } from '../support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-move-'))
const OTHER_KEY = 'another key, of another installation'
const CUSTOMER = '+919812345678'
const options = await arranging()
const receivers = await makeReceivers()
const operator = await standInOperator()
const env = {
  ...operator.env,
  ...options.env,
  ...receivers.env,
  PARLEY_EGRESS_CA: joinAuthorities(options.env, receivers.env),
}

/** Two installations with a database each, and a cell in the database of the first. */
let home: TestParley
let away: TestParley
beforeAll(async () => {
  home = await boot({ ...options, env })
  away = await boot({ ...options, env })
}, 120_000)
afterAll(async () => {
  await home.close()
  await away.close()
  await receivers.close()
  await operator.close()
  rmSync(folder, { recursive: true })
})

const envOf = (parley: TestParley) => ({
  DATABASE_URL: parley.databaseUrl,
  PARLEY_DATA_DIR: parley.config.dataDir,
  PARLEY_SECRET_KEY: SECRET_KEY,
  PARLEY_SCHEMA: parley.config.cell,
})
const move = (from: TestParley, words: string[], more: Record<string, string> = {}) =>
  runParley(['workspace', 'move', ...words, '--json'], { ...envOf(from), ...more })
const moved = async (from: TestParley, words: string[], more?: Record<string, string>): Promise<Body> => {
  const { code, stdout, stderr } = await move(from, words, more)
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}
const answerOf = async (parley: TestParley, words: string[]): Promise<Body> => {
  const { code, stdout, stderr } = await runParley([...words, '--json'], envOf(parley))
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}
/** The row of a workspace in `parley workspace list`. */
const listedIn = async (parley: TestParley, { workspaceId }: TestWorkspace): Promise<Body> =>
  (await answerOf(parley, ['workspace', 'list'])).workspaces.find(({ id }: Body) => id === workspaceId)
/** The flags of a move to another database. */
const to = (parley: TestParley): string[] => [
  '--to-database',
  parley.databaseUrl,
  '--to-address',
  parley.url,
  '--to-data-dir',
  parley.config.dataDir,
]
const at = (parley: TestParley, shop: TestWorkspace) => clientOf(parley.url, shop.key)

const CONCURRENT_MOVES = 3
const FEWEST_READS = 250

/** Moves workspaces, some at the same time; returns the answers of the commands. */
async function moveAll(from: TestParley, newPlace: TestParley, shops: TestWorkspace[]): Promise<Body[]> {
  const answers: Body[] = []
  const waiting = [...shops]
  const movers = Array.from({ length: CONCURRENT_MOVES }, async () => {
    for (let shop = waiting.shift(); shop; shop = waiting.shift())
      answers.push(await moved(from, [shop.workspaceId, ...to(newPlace)]))
  })
  await Promise.all(movers)
  return answers
}

test('every read of the API has the same answer in the new installation, and the old one names its address', async () => {
  const { filled, rejected } = await fillRelease({ arrange, endpoints: KEYED, nameOf }, () =>
    home.workspace({ sandbox: true }),
  )
  expect(rejected).toEqual([])
  const before = await readAll(filled, (shop) => shop)
  expect(before.size).toBeGreaterThan(FEWEST_READS)
  const answers = await moveAll(
    home,
    away,
    filled.map(({ shop }) => shop),
  )
  for (const answer of answers)
    expect(answer).toMatchObject({ movedTo: { address: away.url, local: false }, invite: [] })
  console.info(`paused for ${Math.max(...answers.map(({ pausedMs }) => pausedMs))} ms at most`)
  expect(compareReads(before, await readAll(filled, (shop) => at(away, shop)))).toEqual([])
  for (const { shop } of filled)
    for (const call of [shop.get('/contacts'), shop.post('/contacts', { phone: CUSTOMER })])
      expect(await call).toMatchObject({
        status: 421,
        body: { error: 'workspace_moved', address: away.url, cell: away.config.cell },
      })
}, 400_000)

test('an import of past messages continues in the new installation, and a checked file can be started there', async () => {
  const shop = await home.workspace({ sandbox: true, plan: 'unlimited' })
  const path = `${DASHBOARD}/history-imports`
  const admin = await signIn(home, shop, 'admin')
  const upload = async (body: object, content: string): Promise<string> => {
    const fileBase64 = Buffer.from(content).toString('base64')
    const answer = await admin.post(`${path}/files`, { ...body, fileBase64 })
    expect(answer.status, answer.text).toBe(201)
    return answer.body.import.id
  }
  const chat = '[31/12/2023, 22:15:03] +91 98123 45678: Hello\n'
  const chatFile = { source: 'whatsapp_export', filename: 'WhatsApp Chat.txt', dryRun: true }
  const checked = await upload(chatFile, chat)
  const count = 12_000
  const lines = Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      phone: `+9180${String(n % 300).padStart(8, '0')}`,
      direction: 'inbound',
      createdAt: new Date(Date.UTC(2023, 0, 1) + n * 1_000).toISOString(),
      text: `message ${n}`,
    }),
  )
  const running = await upload({ source: 'history_file', filename: 'messages.jsonl' }, lines.join('\n'))
  const stateOf = async (parley: TestParley, id: string) => {
    const [row] = await parley.system((tx) =>
      tx.sql<{ state: string; read: number; stored: number; known: number; hasFile: boolean }>(
        'select state, read, stored, known, has_file from history_imports where id = $1',
        [id],
      ),
    )
    return row!
  }
  await until(async () => (await stateOf(home, running)).read > 0, 'the import runs')
  const answer = await moved(home, [shop.workspaceId, ...to(away)])
  expect(answer.files).toBe(2)
  expect((await stateOf(home, running)).read).toBeLessThan(count)
  await until(async () => (await stateOf(away, running)).state === 'done', 'the import is done')
  expect(await stateOf(away, running)).toMatchObject({ read: count, stored: count, known: 0, hasFile: false })
  const [stored] = await away.system((tx) =>
    tx.sql<{ messages: number }>('select count(*)::int as messages from messages where workspace_id = $1', [
      shop.workspaceId,
    ]),
  )
  expect(stored).toEqual({ messages: count })

  const browser = await signIn(away, shop, 'admin')
  expect((await browser.post(`${path}/${checked}/start`)).status).toBe(200)
  await until(async () => (await stateOf(away, checked)).state === 'done', 'the chat is imported')
  const { messages } = (await at(away, shop).get('/messages?phone=%2B919812345678')).body
  expect(messages).toMatchObject([{ text: 'Hello', importedFrom: 'whatsapp_export' }])
}, 120_000)

/** A message, a webhook, and a customer's message that wait, because the process has no worker. */
async function waitingShop(quiet: TestParley) {
  const receiver = await receivers.open()
  const shop = await quiet.workspace()
  const number = await connectNumber(quiet, shop)
  const hook = await shop.post('/webhooks', { url: receiver.url, events: ['contact.created'] })
  expect(hook.status, hook.text).toBe(201)
  const create = (client: Pick<TestWorkspace, 'post'>) =>
    client.post('/contacts', { phone: '+919812345600', optInStatus: 'opted_in' }, { idempotencyKey: 'once' })
  const created = await create(shop)
  expect(created.status, created.text).toBe(201)
  const reportOf = (text: string) => ({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: number.accountId,
        changes: [
          {
            field: 'messages',
            value: {
              metadata: { display_phone_number: number.displayNumber, phone_number_id: number.operatorId },
              contacts: [{ wa_id: CUSTOMER.slice(1), profile: { name: 'Asha' } }],
              ...inbound(CUSTOMER, text),
            },
          },
        ],
      },
    ],
  })
  expect((await number.post(reportOf('before the move'))).status).toBe(200)
  return { shop, number, receiver, secret: hook.body.secret as string, create, created, reportOf }
}

const tablesWithRows = async (parley: TestParley, shop: TestWorkspace): Promise<string[]> =>
  Object.entries(await rowCountsOf(parley, shop.workspaceId))
    .filter(([, count]) => count > 0)
    .map(([name]) => name)

const textsOf = async (client: Pick<TestWorkspace, 'get'>): Promise<string[]> =>
  (await client.get('/messages?limit=100')).body.messages.map((message: Body) => message.text).sort()

test('waiting work is done once, in the new installation, and later callbacks and forms arrive there too', async () => {
  const quiet = await boot({ env: { ...env, PARLEY_ROLES: 'web' } })
  onTestFinished(() => quiet.close())
  const { shop, number, receiver, secret, create, created, reportOf } = await waitingShop(quiet)
  await shop.set({ leadCapture: true })
  const agent = await signIn(quiet, shop, 'agent')
  const member = (await agent.get(`${DASHBOARD}/session`)).body
  const password = 'a long enough password'
  expect((await agent.patch(`${DASHBOARD}/account`, { password })).status).toBe(200)
  expect(receiver.received).toEqual([])

  await moved(quiet, [shop.workspaceId, ...to(away)])
  const client = at(away, shop)
  const [delivery] = await receiver.wait(1)
  expect(delivery!.headers['x-webhook-signature']).toContain(signatureBy(secret, delivery!))
  // A retry gets the first answer, and creates nothing.
  const again = await create(client)
  expect([again.status, again.body]).toEqual([created.status, created.body])
  expect(again.headers['idempotent-replayed']).toBe('true')
  await until(async () => (await textsOf(client)).includes('before the move'), 'the stored report is applied')
  const sent = await client.post('/send', { to: CUSTOMER, type: 'text', text: 'hello from the new place' })
  expect(sent.status, sent.text).toBe(200)
  await until(
    () => operator.taken.some(({ body }) => body.text?.body === 'hello from the new place'),
    'the operator gets the message, so its token opens',
  )

  // Calls to the old address are answered as usual, and applied in the new installation.
  expect(await number.post(reportOf('after the move'))).toMatchObject({ status: 200, body: { ok: true } })
  const capture = `/api/leads/capture/${shop.captureToken}`
  expect(await quiet.anonymous.post(capture, { phone: '+919812345611', name: 'Ravi' })).toMatchObject({
    status: 200,
    body: { ok: true },
  })
  const waiting = () => quiet.system((tx) => tx.sql('select 1 from kept_callbacks'))
  expect(await waiting()).toHaveLength(2)
  const early = await move(quiet, [shop.workspaceId, '--finish', '--keep', '0d'])
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('2 callbacks still wait') })
  const worker = await boot({ env, databaseUrl: quiet.databaseUrl })
  await until(async () => (await waiting()).length === 0, 'the callbacks are passed on')
  await until(async () => (await textsOf(client)).includes('after the move'), 'the callback is applied')
  await until(async () => (await client.get('/leads')).body.leads.length === 1, 'the form is a lead')
  await worker.close()

  // The member signs in there, with the same password.
  const browser = browserOf(away, { workspaceId: shop.workspaceId })
  const email = member.account?.email ?? member.email
  const signedIn = await browser.post(`${DASHBOARD}/sign-in`, { email, password })
  expect(signedIn.status, signedIn.text).toBe(200)
  expect((await browser.get('/contacts')).status).toBe(200)
  expect((await agent.get('/contacts')).body.error).toBe('workspace_moved')

  expect(await moved(quiet, [shop.workspaceId, '--finish', '--keep', '0d'])).toMatchObject({ erased: true })
  expect(await tablesWithRows(quiet, shop)).toEqual(['api_keys'])
  expect((await shop.get('/contacts')).body).toMatchObject({ error: 'workspace_moved', address: away.url })
  const first = receiver.received.filter(({ body }) => body.data.contactId === created.body.contact.id)
  expect(first).toHaveLength(1)
}, 120_000)

test('a large table arrives in transactions of limited size, so that the events of other workspaces do not wait', async () => {
  const shop = await home.workspace({ sandbox: true })
  await shop.inbound(CUSTOMER, 'hello')
  const [conversation] = (await shop.get('/conversations')).body.conversations
  const count = 40_000
  await fillChat(home, shop, { conversationId: conversation.id, count })
  await moved(home, [shop.workspaceId, ...to(away)])
  const [stored] = await away.system((tx) =>
    tx.sql<{ messages: number; transactions: number }>(
      `select count(*)::int as messages, count(distinct xmin::text)::int as transactions from messages where workspace_id = $1`,
      [shop.workspaceId],
    ),
  )
  expect(stored!.messages).toBe(count)
  expect(stored!.transactions).toBeGreaterThan(2)
})

describe('cells of one database', () => {
  let near: TestParley
  beforeAll(async () => {
    const created = await runParley(['cell', 'create', 'near'], envOf(home))
    expect(created.code, created.stderr).toBe(0)
    near = await boot({
      ...options,
      env: { ...env, PARLEY_SCHEMA: 'near' },
      databaseUrl: withCell(home.databaseUrl, 'near'),
    })
  }, 60_000)
  afterAll(() => near.close())
  const toNear = () => ['--to', 'near', '--to-data-dir', near.config.dataDir]

  test('a sandbox moves to a cell and back, with its clock, its files, and its simulated customers', async () => {
    const shop = await home.workspace({ sandbox: true })
    await shop.inbound(CUSTOMER, 'hello')
    await shop.advance(5 * 3_600)
    const upload = await shop.post('/media', uploadOf('image/png', 5_000))
    expect(upload.status).toBe(200)
    const clockBefore = Date.parse((await shop.get('/sandbox/clock')).body.now)
    const answer = await moved(home, [shop.workspaceId, ...toNear()])
    expect(answer).toMatchObject({ movedTo: { cell: 'near', address: null, local: true }, files: 1 })
    expect((await shop.get('/contacts')).body).toMatchObject({
      error: 'workspace_moved',
      cell: 'near',
      message: 'The workspace moved to the cell near. Send requests there, with the same key.',
    })
    const client = at(near, shop)
    const clockAfter = Date.parse((await client.get('/sandbox/clock')).body.now)
    expect(clockAfter - clockBefore).toBeGreaterThanOrEqual(0)
    expect(clockAfter - clockBefore).toBeLessThan(60_000)
    expect(await textsOf(client)).toEqual(['hello'])
    const { phone } = (await client.get('/contacts')).body.contacts[0]
    expect(phone).toBe(CUSTOMER)
    const inboundAnswer = await client.post('/sandbox/inbound', { from: CUSTOMER, text: 'again' })
    expect(inboundAnswer.status, inboundAnswer.text).toBe(202)
    await until(async () => (await textsOf(client)).includes('again'), "the simulator's message arrives")
    // The tombstone of the first cell makes room again.
    await moved(near, [shop.workspaceId, '--to', home.config.cell, '--to-data-dir', home.config.dataDir])
    expect(await textsOf(shop)).toEqual(['again', 'hello'])
    expect((await client.get('/contacts')).status).toBe(421)
    expect(await listedIn(near, shop)).toMatchObject({ movedTo: `cell ${home.config.cell}` })
    expect(await listedIn(home, shop)).toMatchObject({ movedTo: null })
    const { cells } = await answerOf(near, ['cell', 'list'])
    expect(cells).toContainEqual(expect.objectContaining({ name: 'near', workspaces: 0 }))
    expect(await moved(near, [shop.workspaceId, '--finish', '--keep', '0d'])).toMatchObject({ erased: true })
    const media = join(home.config.dataDir, 'media', shop.workspaceId)
    expect(readdirSync(media, { recursive: true }).length).toBeGreaterThan(0)
  }, 120_000)

  test('callbacks at the old cell are applied in the new one', async () => {
    const shop = await home.workspace({})
    const number = await connectNumber(home, shop)
    await moved(home, [shop.workspaceId, ...toNear()])
    const body = {
      object: 'whatsapp_business_account',
      entry: [
        {
          id: number.accountId,
          changes: [
            {
              field: 'messages',
              value: {
                metadata: { display_phone_number: number.displayNumber, phone_number_id: number.operatorId },
                contacts: [{ wa_id: CUSTOMER.slice(1), profile: { name: 'Asha' } }],
                ...inbound(CUSTOMER, 'to the old cell'),
              },
            },
          ],
        },
      ],
    }
    expect((await number.post(body)).status).toBe(200)
    const client = at(near, shop)
    await until(async () => (await textsOf(client)).includes('to the old cell'), 'the callback is applied')
  }, 60_000)
})

describe('by a file', () => {
  let other: TestParley
  beforeAll(async () => {
    other = await boot({ env, secretKey: OTHER_KEY })
  }, 60_000)
  afterAll(() => other.close())

  const load = (file: string, key: string) =>
    runParley(['workspace', 'move', '--from-file', file, '--file-key', key, '--json'], {
      ...envOf(other),
      PARLEY_SECRET_KEY: OTHER_KEY,
    })

  test('a workspace moves to an installation with another secret key', async () => {
    const { shop, number, receiver, secret, create } = await waitingShop(home)
    await receiver.wait(1)
    const agent = await signIn(home, shop, 'agent')
    await agent.patch(`${DASHBOARD}/account`, { password: 'a long enough password', language: 'hi' })
    const { account } = (await agent.get(`${DASHBOARD}/session`)).body
    const identity = { issuer: 'https://id.example.com', subject: randomUUID() }
    await home.system((tx) =>
      tx.sql(
        'insert into account_identities (issuer, subject, account_id, created_at) select $1, $2, id, now() from accounts where email = $3',
        [identity.issuer, identity.subject, account.email],
      ),
    )
    const file = join(folder, `${randomUUID()}.parley`)
    const written = await moved(home, [shop.workspaceId, '--to-file', file])
    expect(written).toMatchObject({
      workspaceId: shop.workspaceId,
      file,
      fileKey: expect.any(String),
    })
    expect(await shop.get('/contacts')).toMatchObject({
      status: 503,
      body: { error: 'workspace_moving' },
      headers: { 'retry-after': '5' },
    })
    // Paused, and still answered as usual.
    expect((await number.post('{"object": "whatsapp_business_account", "entry": []}')).status).toBe(200)

    expect(await load(file, 'a wrong key')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("isn't the key of the file"),
    })
    const damaged = join(folder, 'damaged.parley')
    writeFileSync(damaged, readFileSync(file).subarray(0, -20))
    expect(await load(damaged, written.fileKey)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is damaged'),
    })
    expect(await load(join(folder, 'none.parley'), written.fileKey)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("can't be read"),
    })
    const loaded = await load(file, written.fileKey)
    expect(loaded.code, loaded.stderr).toBe(0)
    expect(JSON.parse(loaded.stdout)).toMatchObject({ workspaceId: shop.workspaceId, invite: [] })
    const twice = await load(file, written.fileKey)
    expect(twice).toMatchObject({ code: 1, stderr: expect.stringContaining('already has a workspace') })

    const client = at(other, shop)
    expect((await client.get('/contacts')).status).toBe(200)
    // The signing secret and the operator's token came along.
    await client.post('/contacts', { phone: '+919812345622' })
    const [, delivery] = await receiver.wait(2)
    expect(delivery!.headers['x-webhook-signature']).toContain(signatureBy(secret, delivery!))
    const sent = await client.post('/send', { to: CUSTOMER, type: 'text', text: 'from a file' })
    expect(sent.status, sent.text).toBe(200)
    await until(() => operator.taken.some(({ body }) => body.text?.body === 'from a file'), 'the token opens')
    // The first answer can't be read here; the contact is not created again.
    const again = await create(client)
    expect(again.status === 201 || again.body.error === 'conflict', again.text).toBe(true)
    const browser = browserOf(other, { workspaceId: shop.workspaceId })
    const signedIn = await browser.post(`${DASHBOARD}/sign-in`, {
      email: account.email,
      password: 'a long enough password',
    })
    expect(signedIn.status, signedIn.text).toBe(200)
    expect((await browser.get(`${DASHBOARD}/session`)).body.account.language).toBe('hi')
    const identities = await other.system((tx) =>
      tx.sql('select issuer, subject from account_identities where subject = $1', [identity.subject]),
    )
    expect(identities).toEqual([identity])

    expect(await move(home, [shop.workspaceId, '--finish'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--to-address'),
    })
    expect(await moved(home, [shop.workspaceId, '--finish', '--to-address', other.url])).toMatchObject({
      erased: false,
      movedTo: { address: other.url },
    })
    expect((await shop.get('/contacts')).body).toMatchObject({
      error: 'workspace_moved',
      address: other.url,
    })
  }, 120_000)

  test('the files of a workspace come along', async () => {
    const shop = await home.workspace({ sandbox: true })
    expect((await shop.post('/media', uploadOf('image/png', 5_000))).status).toBe(200)
    await shop.inbound(CUSTOMER, 'hello')
    const file = join(folder, `${shop.workspaceId}.parley`)
    const { fileKey, files } = await moved(home, [shop.workspaceId, '--to-file', file])
    expect(files).toBe(1)
    const loaded = await load(file, fileKey)
    expect(loaded.code, loaded.stderr).toBe(0)
    const folderOf = (parley: TestParley) => join(parley.config.dataDir, 'media', shop.workspaceId)
    expect(readdirSync(folderOf(other), { recursive: true })).toEqual(
      readdirSync(folderOf(home), { recursive: true }),
    )
    const client = at(other, shop)
    expect(await textsOf(client)).toEqual(['hello'])
    const answer = await client.post('/sandbox/inbound', { from: CUSTOMER, text: 'again' })
    expect(answer.status, answer.text).toBe(202)
    await until(async () => (await textsOf(client)).includes('again'), "the simulator's message arrives")
  }, 60_000)

  test('a written file can be given up, after a confirmation', async () => {
    const shop = await home.workspace({ name: 'Stays here' })
    await moved(home, [shop.workspaceId, '--to-file', join(folder, 'stays.parley')])
    expect((await shop.get('/contacts')).status).toBe(503)
    expect(await move(home, [shop.workspaceId, '--cancel'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--confirm "Stays here"'),
    })
    await moved(home, [shop.workspaceId, '--cancel', '--confirm', 'Stays here'])
    expect((await shop.get('/contacts')).status).toBe(200)
  }, 60_000)
})

describe('a move does not start', () => {
  const refused = async (words: string[], reason: string, code = 1) =>
    expect(await move(home, words)).toMatchObject({ code, stderr: expect.stringContaining(reason) })

  test('to a cell that does not exist, to the same cell, and for an unknown workspace', async () => {
    const shop = await home.workspace({})
    const place = ['--to-data-dir', away.config.dataDir]
    await refused([shop.workspaceId, '--to', 'nowhere', ...place], 'has no cell nowhere')
    await refused([shop.workspaceId, '--to', home.config.cell, ...place], 'already lives in this cell')
    await refused([shop.workspaceId, '--to', 'near'], '--to-data-dir: Required', 2)
    await refused([randomUUID(), ...to(away)], 'not found')
    await refused([shop.workspaceId], 'Give one of --to', 2)
    await refused([shop.workspaceId, '--cancel'], 'no unfinished move')
    expect((await shop.get('/contacts')).status).toBe(200)
  }, 60_000)

  test('to an installation with a workspace of this id, and to one of another version', async () => {
    const shop = await home.workspace({})
    const copy = await createTestDatabase()
    onTestFinished(copy.drop)
    const target = { ...away, databaseUrl: copy.url }
    await onDatabase(copy.url, (client) =>
      client.query(
        "insert into workspaces (id, name, plan, capture_token, created_at) values ($1, 'A', 'pro', 'x', now())",
        [shop.workspaceId],
      ),
    )
    await refused([shop.workspaceId, ...to(target)], 'already has a workspace')
    await onDatabase(copy.url, (client) =>
      client.query("delete from schema_migrations where name like '0077%'"),
    )
    await refused([shop.workspaceId, ...to(target)], 'has an older version')
    expect((await shop.get('/contacts')).status).toBe(200)
  }, 60_000)

  test('if another workspace there has the same number, and everything continues here', async () => {
    const [shop, rival] = [await home.workspace({}), await away.workspace({})]
    const number = await addCloudNumber(home, shop.workspaceId)
    const rivals = await addCloudNumber(away, rival.workspaceId)
    await away.system((tx) =>
      tx.sql('update phone_numbers set operator_id = $2 where id = $1', [
        rivals.phoneNumberId,
        number.operatorId,
      ]),
    )
    await refused([shop.workspaceId, ...to(away)], 'Another workspace of the new cell has the same value')
    expect((await shop.post('/contacts', { phone: CUSTOMER })).status).toBe(201)
    await moved(home, [shop.workspaceId, '--cancel', ...to(away)])
  }, 60_000)
})
