/** `parley export`: a workspace's data for its owner. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, SECRET_KEY, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { runParley } from '../support/command-line.ts'
import { uploadOf } from '../support/files.ts'
import { madeInvoice } from '../support/sales.ts'
import { DASHBOARD, signIn } from '../support/sessions.ts'
import { ownShop } from '../support/shops.ts'
import { until } from '../support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-export-'))
const TEXT = 'Back\\slash "quote" \t tab \n line \u{1f600}'

let parley: TestParley
let shop: TestWorkspace
let other: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true, name: 'Ours' })
  other = await parley.workspace({ sandbox: true, name: 'Theirs' })
  for (const workspace of [shop, other]) await workspace.inbound('+919812345678', TEXT)
  await shop.post('/media', uploadOf('image/png', 5_000))
  await shop.post('/webhooks', { url: 'https://example.com/hook' })
})
afterAll(async () => {
  await parley.close()
  rmSync(folder, { recursive: true })
})

const exportTo = (name: string, workspaceId: string) =>
  runParley(['export', '--workspace', workspaceId, '--to', join(folder, name), '--json'], {
    DATABASE_URL: parley.databaseUrl,
    PARLEY_DATA_DIR: parley.config.dataDir,
    PARLEY_SECRET_KEY: SECRET_KEY,
  })
// biome-ignore lint/suspicious/noExplicitAny: records as their reader sees them
const linesOf = (name: string, kind: string): any[] =>
  readFileSync(join(folder, name, `${kind}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

test('every record is a line of JSON, exactly as it is stored', async () => {
  const { code, stdout, stderr } = await exportTo('whole', shop.workspaceId)
  expect(stderr).toBe('')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    workspaceId: shop.workspaceId,
    records: { contacts: 1, messages: 1, workspaces: 1 },
    files: 1,
    missingFiles: 0,
  })
  const [message] = linesOf('whole', 'messages')
  expect(message).toMatchObject({ workspaceId: shop.workspaceId, direction: 'inbound' })
  expect(JSON.stringify(message)).toContain(JSON.stringify(TEXT).slice(1, -1))
  const [file] = linesOf('whole', 'files')
  expect(readFileSync(join(folder, 'whole/files', file.key))).toHaveLength(5_000)
})

test('it contains no data of another workspace and no secret', () => {
  const texts = readdirSync(join(folder, 'whole')).filter((name) => name.endsWith('.jsonl'))
  expect(texts).toContain('webhook-endpoints.jsonl')
  for (const name of texts) {
    const text = readFileSync(join(folder, 'whole', name), 'utf8')
    expect(text).not.toContain(other.workspaceId)
    expect(text).not.toMatch(/sealed|"hash"|captureToken|\\\\x[0-9a-f]{16}/i)
  }
})

test('the last parts of addresses of shops and of pages for customers are secrets, and are not exported', async () => {
  const live = await parley.workspace()
  await live.set({ modules: ['invoicing'] })
  const { path } = await ownShop(parley, live)
  const { id } = await madeInvoice(live, { issue: true })
  const { url } = (await live.get(`/sales-invoices/${id}`)).body.invoice
  expect((await exportTo('live', live.workspaceId)).code).toBe(0)
  expect(linesOf('live', 'sales-documents')).toEqual([expect.objectContaining({ id })])
  const texts = ['integrations', 'sales-documents', 'sales-document-versions'].map((kind) =>
    JSON.stringify(linesOf('live', kind)),
  )
  for (const address of [path, url as string]) expect(texts.join()).not.toContain(address.split('/').at(-1))
})

test('an import of past messages that waits is exported with its file, and without its token', async () => {
  const own = await parley.workspace({ sandbox: true })
  const admin = await signIn(parley, own, 'admin')
  const content = 'phone,direction,createdAt,text\n+919812345678,inbound,2024-05-13T10:00:00Z,Hello\n'
  const answer = await admin.post(`${DASHBOARD}/history-imports/files`, {
    source: 'history_file',
    filename: 'messages.csv',
    fileBase64: Buffer.from(content).toString('base64'),
    dryRun: true,
  })
  expect(answer.status, answer.text).toBe(201)
  const { id } = answer.body.import
  await until(
    async () => (await admin.get(`${DASHBOARD}/history-imports/${id}`)).body.import.state === 'checked',
    'the file is checked',
  )
  expect((await exportTo('importing', own.workspaceId)).code).toBe(0)
  const [exported] = linesOf('importing', 'history-imports')
  expect(exported).toMatchObject({ id, title: 'messages.csv', state: 'checked' })
  expect(exported).not.toHaveProperty('secretSealed')
  const [file] = linesOf('importing', 'files')
  expect(readFileSync(join(folder, 'importing/files', file.key), 'utf8')).toBe(content)
})

test('an unknown workspace is an error', async () => {
  const missing = await exportTo('missing', '00000000-0000-7000-8000-000000000000')
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringMatching(/Workspace .* not found/) })
})
