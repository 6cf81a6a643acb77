import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type Body,
  boot,
  SECRET_KEY,
  type TestParley,
  type TestWorkspace,
} from '../../../../test/support/boot.ts'
import { runParley } from '../../../../test/support/command-line.ts'
import { makeReceivers } from '../../../../test/support/receiver.ts'
import { signIn } from '../../../../test/support/sessions.ts'
import { until } from '../../../../test/support/until.ts'
import { zipOf } from '../../../../test/support/zip.ts'
import { systemClock } from '../../../core/clock.ts'
import { historyImportsRetentionSource } from './work/history-imports-retention-source.ts'

const PATH = '/api/dashboard/history-imports'
const CUSTOMER = '+919812345678'

let receivers: Awaited<ReturnType<typeof makeReceivers>>
let parley: TestParley
beforeAll(async () => {
  receivers = await makeReceivers()
  parley = await boot({ env: receivers.env })
})
afterAll(async () => {
  await parley.close()
  await receivers.close()
})

async function open(shop?: TestWorkspace) {
  const workspace = shop ?? (await parley.workspace({ sandbox: true }))
  const admin = await signIn(parley, workspace, 'admin')
  const upload = (filename: string, content: string | Buffer, more: object = {}) =>
    admin.post(`${PATH}/files`, {
      source:
        filename.startsWith('WhatsApp') || filename === '_chat.txt' ? 'whatsapp_export' : 'history_file',
      filename,
      fileBase64: Buffer.from(content).toString('base64'),
      ...more,
    })
  const get = async (id: string): Promise<Body> => (await admin.get(`${PATH}/${id}`)).body.import
  const settled = async (id: string): Promise<Body> => {
    await until(async () => !['running', 'checking'].includes((await get(id)).state), 'the import ends')
    return get(id)
  }
  const run = async (filename: string, content: string | Buffer, more: object = {}): Promise<Body> => {
    const answer = await upload(filename, content, more)
    expect(answer.status, answer.text).toBe(201)
    return settled(answer.body.import.id)
  }
  const messages = async (): Promise<Body[]> => (await workspace.get('/messages?limit=100')).body.messages
  return { shop: workspace, admin, upload, get, settled, run, messages }
}

const textsOf = (messages: Body[]) =>
  messages.map(({ direction, text }) => `${direction === 'inbound' ? '<' : '>'} ${text}`)

const CSV = `Phone;Direction;Date;Message;Status;Agent email
0091 98123 45678;in;13.05.2024 10:00;Hello;;
+919812345678;out;13.05.2024 10:01;"Good morning;
how can we help?";read;nobody@example.com
12;in;13.05.2024 10:02;No number;;
+919812345678;sideways;13.05.2024 10:02;No direction;;
+919812345678;in;soon;No date;;
`

test('a CSV file is imported in the background, and each row that is left out has its cause', async () => {
  const { shop, admin, run, messages } = await open()
  const done = await run('messages.csv', CSV, { timeZone: 'Europe/Berlin' })
  expect(done).toMatchObject({
    state: 'done',
    source: 'history_file',
    total: 5,
    read: 5,
    stored: 2,
    known: 0,
    contacts: 1,
    leftOut: 3,
    causes: { no_phone: 1, no_direction: 1, no_date: 1 },
    error: null,
  })
  expect(await messages()).toMatchObject([
    { text: 'Good morning;\nhow can we help?', status: 'read', createdAt: '2024-05-13T08:01:00.000Z' },
    { text: 'Hello', direction: 'inbound', importedFrom: 'history_file' },
  ])
  // The customer wrote, but not lately: the refusal says so.
  const { body } = await shop.post('/send/preview', { to: CUSTOMER, type: 'text', text: 'Hi' })
  expect(body.preview.refusals).toMatchObject([
    { message: expect.stringContaining("hasn't written to this number within 24 hours") },
  ])
  const report = await admin.get(`${PATH}/${done.id}/left-out`)
  expect(report.text.split('\r\n').slice(0, 2)).toEqual(['Kind,Place,Cause', 'message,line 5,no_phone'])
  expect(await run('messages.csv', CSV, { timeZone: 'Europe/Berlin' })).toMatchObject({ stored: 0, known: 2 })
})

test.each([
  ['[{"phone":"+919812345678","direction":"in","createdAt":"2024-05-01T10:00:00Z","text":"a"}]'],
  ['[\n  {\n    "phone": "+919812345678",\n    "text": "a"\n  }\n]'],
])('a JSON list returns 400, and the error says how to write the file', async (content) => {
  const { upload } = await open()
  const answer = await upload('messages.json', content)
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('one object in each line')])
})

test('a JSONL file is imported with ids, members, and times in seconds', async () => {
  const { shop, run, messages } = await open()
  const { email } = (await shop.get('/team')).body.members[0]
  const lines = [
    { id: 'a', phone: CUSTOMER, name: 'Asha', direction: 'inbound', timestamp: 1_700_000_000, text: 'one' },
    {
      id: 'b',
      phone: CUSTOMER,
      direction: 'outbound',
      timestamp: 1_700_000_060_000,
      text: 'two',
      agentEmail: email,
    },
    'not json',
  ]
  const content = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  expect(await run('messages.jsonl', content)).toMatchObject({ stored: 2, causes: { row_unreadable: 1 } })
  expect(await messages()).toMatchObject([
    { text: 'two', sentBy: shop.ownerId, createdAt: '2023-11-14T22:14:20.000Z' },
    { text: 'one' },
  ])
})

const ANDROID = `31/12/23, 22:14 - Messages and calls are end-to-end encrypted. No one outside of this chat can read them.
31/12/23, 22:15 - Asha Rao: Hello
is the blue one in stock?
31/12/23, 22:15 - Acme Store: Yes: in every size
31/12/23, 22:15 - Asha Rao: Hello
01/01/24, 09:05 - Acme Store: <Media omitted>
01/01/24, 09:06 - Asha Rao: This message was deleted
`

test('an exported chat keeps its order, lines, and sides, and asks for the number', async () => {
  const { shop, upload, run, messages } = await open()
  const refused = await upload('WhatsApp Chat with Asha Rao.txt', ANDROID)
  expect(refused).toMatchObject({ status: 400, body: { issues: [{ path: 'phone' }] } })
  expect(await run('WhatsApp Chat with Asha Rao.txt', ANDROID, { phone: CUSTOMER })).toMatchObject({
    stored: 5,
    causes: { system_line: 1 },
  })
  expect(textsOf(await messages())).toEqual([
    '< This message was deleted',
    '> <Media omitted>',
    '< Hello',
    '> Yes: in every size',
    '< Hello\nis the blue one in stock?',
  ])
  expect((await messages())[4].createdAt).toBe('2023-12-31T16:45:00.000Z')
  expect((await shop.get('/contacts')).body.contacts).toMatchObject([
    { displayName: 'Asha Rao', phone: CUSTOMER },
  ])
  const longer = `${ANDROID}01/01/24, 09:07 - Asha Rao: Thanks\n`
  expect(await run('WhatsApp Chat with Asha Rao.txt', longer, { phone: CUSTOMER })).toMatchObject({
    stored: 1,
    known: 5,
  })
})

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const IOS = `[31/12/2023, 10:15:03\u202fPM] +91 98123 45678: \u200eMessages and calls are end-to-end encrypted.
\u200e[31/12/2023, 10:15:04\u202fPM] +91 98123 45678: \u200e<attached: 00000002-PHOTO-2023.png>
[31/12/2023, 10:15:05\u202fPM] Acme: \u200e<attached: missing.png>
[01/01/2024, 12:00:00\u202fAM] Acme: Happy new year
`

test('a zip file of an exported chat is imported with its files', async () => {
  const { shop, run, messages } = await open()
  const zip = zipOf({ '_chat.txt': IOS, '00000002-PHOTO-2023.png': PNG })
  const done = await run('WhatsApp Chat - Asha.zip', zip)
  expect(done).toMatchObject({ state: 'done', stored: 3, causes: { system_line: 1 } })
  const found = await messages()
  expect(found).toMatchObject([
    { text: 'Happy new year', direction: 'outbound', createdAt: '2023-12-31T18:30:00.000Z' },
    { text: '<attached: missing.png>' },
    { type: 'image', direction: 'inbound' },
  ])
  const media = await shop.get(`/messages/${found[2].id}/media`)
  expect(media.status, media.text).toBe(200)
  const { pathname, search } = new URL(media.body.url)
  const bytes = await fetch(`${parley.url}${pathname}${search}`)
  expect(Buffer.from(await bytes.arrayBuffer())).toEqual(PNG)
})

test('a group, an unknown file, a damaged zip, and an unsafe name in one are rejected with the reason', async () => {
  const { shop, upload } = await open()
  const group = ['A', 'B', 'C'].map((name) => `31/12/23, 22:15 - ${name}: hi\n`).join('')
  const messageOf = (answer: Body) => answer.body.issues?.[0]?.message
  const zip = zipOf({ '_chat.txt': IOS })
  const unsafe = Buffer.from(zip.toString('latin1').replaceAll('_chat.txt', '../ab.txt'), 'latin1')
  for (const [name, content, reason] of [
    ['WhatsApp group.txt', group, 'group'],
    ['WhatsApp.txt', 'nothing of a chat', 'no messages'],
    ['WhatsApp.zip', zip.subarray(0, 60), 'damaged'],
    ['WhatsApp.zip', unsafe, 'damaged'],
    ['messages.csv', 'a,b\n1,2\n', 'no column'],
    ['messages.csv', '', 'empty'],
  ] as const) {
    const answer = await upload(name, content)
    expect(answer.status, `${name}: ${answer.text}`).toBe(400)
    expect(messageOf(answer), name).toContain(reason)
  }
  expect((await shop.get('/messages')).body.messages).toEqual([])
})

test('a dry run stores nothing, and the same import can then be started', async () => {
  const { admin, run, settled, messages } = await open()
  const checked = await run('messages.csv', CSV, { dryRun: true })
  expect(checked).toMatchObject({ state: 'checked', read: 5, stored: 2, leftOut: 3 })
  expect(await messages()).toEqual([])
  expect((await admin.post(`${PATH}/${checked.id}/start`)).status).toBe(200)
  expect(await settled(checked.id)).toMatchObject({ state: 'done', read: 5, stored: 2, leftOut: 3 })
  expect(await admin.post(`${PATH}/${checked.id}/start`)).toMatchObject({ status: 409 })
})

test('a dry run reports known messages, and the causes of the import after it', async () => {
  const { run, messages } = await open()
  await run('messages.csv', CSV)
  const future = '+919812345678;in;2999-01-01T00:00:00Z;Later;;\n'
  const checked = await run('messages.csv', CSV + future, { dryRun: true })
  const done = await run('messages.csv', CSV + future)
  const report = ({ stored, known, leftOut, causes }: Body) => ({ stored, known, leftOut, causes })
  expect(report(checked)).toEqual(report(done))
  expect(done).toMatchObject({ stored: 0, known: 2, causes: { future: 1 } })
  expect(await messages()).toHaveLength(2)
})

test('a canceled import stops, keeps its messages, and forgets its file', async () => {
  const { admin, run, messages } = await open()
  const checked = await run('messages.csv', CSV, { dryRun: true })
  expect((await admin.post(`${PATH}/${checked.id}/cancel`)).body.import.state).toBe('cancelled')
  expect(await admin.post(`${PATH}/${checked.id}/start`)).toMatchObject({ status: 409 })
  const [row] = await parley.system((tx) =>
    tx.sql<Body>('select settings, has_file from history_imports where id = $1', [checked.id]),
  )
  expect(row).toMatchObject({ settings: null, hasFile: false })
  expect(await messages()).toEqual([])
})

test('only admins import past messages', async () => {
  const { shop } = await open()
  const agent = await signIn(parley, shop, 'agent')
  expect((await agent.get(PATH)).status).toBe(403)
})

test('10,000 messages are imported in bounded time, and nothing else happens', {
  timeout: 120_000,
}, async () => {
  const { shop, run } = await open()
  const receiver = await receivers.open()
  await shop.post('/webhooks', {
    url: receiver.url,
    events: ['message.received', 'contact.created', 'conversation.opened'],
  })
  const rows = Array.from({ length: 10_000 }, (_, n) =>
    JSON.stringify({
      id: `m${n}`,
      phone: `+9198${String(n % 500).padStart(8, '0')}`,
      direction: n % 3 === 0 ? 'outbound' : 'inbound',
      createdAt: new Date(Date.UTC(2023, 0, 1) + n * 60_000).toISOString(),
      text: `message ${n}`,
    }),
  )
  const before = (await shop.get('/usage')).body
  const done = await run('messages.jsonl', rows.join('\n'))
  expect(done).toMatchObject({ state: 'done', stored: 10_000, contacts: 500, leftOut: 0 })
  expect((await shop.get('/usage')).body.messages).toEqual(before.messages)
  await shop.post('/contacts', { phone: '+919812345670' })
  await receiver.wait(1)
  expect(receiver.received).toHaveLength(1)
})

test('a customer who is erased during an import does not come back', async () => {
  const { shop, run } = await open()
  await run('messages.csv', CSV)
  const [{ id }] = (await shop.get('/contacts')).body.contacts
  expect((await shop.delete(`/contacts/${id}`)).status).toBe(200)
  expect(await run('messages.csv', CSV)).toMatchObject({ stored: 0, causes: { erased: 2 } })
  expect((await shop.get('/contacts')).body.contacts).toEqual([])
})

test('the erasure of a customer ends the import of their exported chat, with its file and its name', async () => {
  const { shop, admin, run, get } = await open()
  const filename = 'WhatsApp Chat with Asha Rao.txt'
  const done = await run(filename, ANDROID, { phone: CUSTOMER })
  const other = await run('WhatsApp Chat with Ravi.txt', ANDROID, {
    phone: '+919812345699',
    ownName: 'Acme Store',
  })
  const waiting = await run(filename, ANDROID, { phone: CUSTOMER, dryRun: true })
  expect((await shop.delete(`/contacts/${CUSTOMER}`)).status).toBe(200)
  expect(await get(done.id)).toMatchObject({ state: 'done', title: null, stored: 5 })
  expect(await get(other.id)).toMatchObject({ state: 'done', title: 'WhatsApp Chat with Ravi.txt' })
  expect(await get(waiting.id)).toMatchObject({ state: 'cancelled', title: null })
  expect(await admin.post(`${PATH}/${waiting.id}/start`)).toMatchObject({ status: 409 })
  const path = join(parley.config.dataDir, 'media', shop.workspaceId)
  await until(
    async () => (await readdir(path, { recursive: true })).every((name) => !name.includes(waiting.id)),
    'the file is deleted',
  )
})

test('an erasure amid an import keeps everything of the customer out, and the others are imported', async () => {
  const { shop, admin, upload, get, settled } = await open()
  const people = [CUSTOMER, '+919812345601', '+919812345602']
  const count = 6_000
  const lines = Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      phone: people[n % people.length],
      name: 'Imported',
      direction: n % 2 === 0 ? 'inbound' : 'outbound',
      createdAt: new Date(Date.UTC(2023, 0, 1) + n * 60_000).toISOString(),
      text: `message ${n}`,
    }),
  )
  const { id } = (await upload('messages.jsonl', lines.join('\n'))).body.import
  await until(async () => (await get(id)).stored > 0, 'the first messages are stored')
  expect((await shop.delete(`/contacts/${CUSTOMER}`)).status).toBe(200)
  expect((await get(id)).read).toBeLessThan(count)
  const done = await settled(id)
  expect(done).toMatchObject({ state: 'done', read: count })
  expect(done.stored + done.leftOut).toBe(count)
  expect(done.causes.erased).toBeGreaterThan(0)
  const counts = await parley.system((tx) =>
    tx.sql<Body>(
      `select c.phone, count(*)::int as messages from messages m join contacts c on c.workspace_id = m.workspace_id and c.id = m.contact_id
       where m.workspace_id = $1 group by 1 order by 1`,
      [shop.workspaceId],
    ),
  )
  expect(counts).toEqual(people.slice(1).map((phone) => ({ phone, messages: count / people.length })))
  expect((await admin.get(`${PATH}/${id}/left-out`)).text).not.toContain(CUSTOMER.slice(1))
})

test('an import that waits for a person is deleted before Parley forgets erased customers', async () => {
  const { admin, run, get } = await open()
  const waiting = await run('messages.csv', CSV, { dryRun: true })
  const done = await run('messages.csv', CSV)
  await parley.system((tx) =>
    tx.sql(
      `update history_imports set created_at = created_at - interval '7 days' where id = any ($1::uuid[])`,
      [[waiting.id, done.id]],
    ),
  )
  await parley.system((tx) =>
    historyImportsRetentionSource({ database: { query: tx.sql }, clock: systemClock }).runDue({}),
  )
  expect((await admin.get(`${PATH}/${waiting.id}`)).status).toBe(404)
  expect(await get(done.id)).toMatchObject({ state: 'done' })
})

test('the command imports a file, reports, continues a stopped run, and doubles nothing', async () => {
  const { shop, admin, messages } = await open()
  const folder = await mkdtemp(join(tmpdir(), 'parley-history-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'WhatsApp Chat with Asha.txt')
  await writeFile(path, ANDROID)
  const run = async (...flags: string[]) => {
    const words = [
      'import-from',
      'whatsapp-export',
      path,
      '--workspace',
      shop.workspaceId,
      '--json',
      ...flags,
    ]
    const env = {
      DATABASE_URL: parley.databaseUrl,
      PARLEY_DATA_DIR: parley.config.dataDir,
      PARLEY_SECRET_KEY: SECRET_KEY,
    }
    const { code, stdout, stderr } = await runParley(words, env)
    return { code, stderr, report: stdout === '' ? undefined : JSON.parse(stdout) }
  }
  const incomplete = await run('--own-name', 'Acme Store')
  expect(incomplete.code, incomplete.stderr).toBe(1)
  expect(incomplete.stderr).toContain("customer's phone number")
  const flags = ['--own-name', 'Acme Store', '--phone', CUSTOMER]
  expect((await run(...flags, '--dry-run')).report).toMatchObject({ state: 'checked', read: 6, stored: 5 })
  expect(await messages()).toEqual([])
  const done = await run(...flags)
  expect(done.report, done.stderr).toMatchObject({ ok: true, state: 'done', stored: 5, leftOut: 1 })
  expect((await run(...flags)).report).toMatchObject({ stored: 0, known: 5 })
  expect((await run(...flags, '--resume')).code).toBe(1)
  // A killed command leaves its import running, at its position.
  const { imports } = (await admin.get(PATH)).body
  const settings = JSON.stringify(await settingsOf(path))
  await parley.system((tx) =>
    tx.sql(
      `update history_imports set state = 'running', position = '{"items": 4}', read = 4, settings = $2 where id = $1`,
      [imports[0].id, settings],
    ),
  )
  expect((await run(...flags)).stderr).toContain('Another import')
  expect((await run('--resume')).report).toMatchObject({ ok: true, id: imports[0].id, read: 6, known: 7 })
  expect(await messages()).toHaveLength(5)
})

const settingsOf = async (path: string) => ({
  digest: createHash('sha256')
    .update(await readFile(path))
    .digest('hex'),
  customer: 'Asha Rao',
  phone: CUSTOMER,
  name: 'Asha Rao',
  order: 'dayFirst',
  timeZone: 'Asia/Kolkata',
  before: null,
  total: 6,
})
