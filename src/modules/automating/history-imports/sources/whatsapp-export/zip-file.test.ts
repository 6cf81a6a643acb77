/** Zip files that are made to do harm, or that other programs have changed, by the API. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../../test/support/boot.ts'
import { DASHBOARD, signIn } from '../../../../../../test/support/sessions.ts'
import { until } from '../../../../../../test/support/until.ts'
import { zipOf } from '../../../../../../test/support/zip.ts'

const PATH = `${DASHBOARD}/history-imports`
const CHAT = '[31/12/2023, 22:15:03] +91 98123 45678: Hello\n'
const PDF = Buffer.from('%PDF-1.4\n%%EOF\n')

let parley: TestParley
let shop: TestWorkspace
let admin: Awaited<ReturnType<typeof signIn>>
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  admin = await signIn(parley, shop, 'admin')
})
afterAll(() => parley?.close())

const upload = (zip: Buffer, filename = 'WhatsApp Chat - Asha.zip') =>
  admin.post(`${PATH}/files`, { source: 'whatsapp_export', filename, fileBase64: zip.toString('base64') })
const run = async (zip: Buffer, filename?: string): Promise<Body> => {
  const answer = await upload(zip, filename)
  expect(answer.status, answer.text).toBe(201)
  const get = async (): Promise<Body> => (await admin.get(`${PATH}/${answer.body.import.id}`)).body.import
  await until(async () => (await get()).state !== 'running', 'the import ends')
  return get()
}
/** Replaces a name of an entry by another of the same length, which a program for zip files would refuse to write. */
const renamed = (zip: Buffer, from: string, to: string): Buffer => {
  expect(to).toHaveLength(from.length)
  return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1')
}
const MIB = 1024 * 1024

test.each<[name: string, zip: () => Buffer, message: string]>([
  ['more entries than 20,000', () => zipOf({ '_chat.txt': CHAT, ...manyEntries(20_000) }), 'more than 20000'],
  [
    'a text that unpacks to more than 256 MB',
    () => zipOf({ '_chat.txt': CHAT }, { declares: { '_chat.txt': 257 * MIB } }),
    'larger than 256 MB',
  ],
  [
    'entries that declare more than 8 GB',
    () => {
      const names = ['a.pdf', 'b.pdf', 'c.pdf']
      const declares = Object.fromEntries(names.map((name) => [name, 3 * 1024 * MIB]))
      return zipOf(
        { '_chat.txt': CHAT, ...Object.fromEntries(names.map((name) => [name, PDF])) },
        { declares },
      )
    },
    'too large when it is unpacked',
  ],
  [
    'a text that unpacks to more than it declares',
    () => zipOf({ '_chat.txt': CHAT.repeat(1_000) }, { declares: { '_chat.txt': 100 } }),
    'damaged',
  ],
  [
    'a text that unpacks to less than it declares',
    () => zipOf({ '_chat.txt': CHAT }, { declares: { '_chat.txt': 1_000 } }),
    'damaged',
  ],
  ['an encrypted text', () => zipOf({ '_chat.txt': CHAT }, { flags: 0x0801 }), 'encrypted'],
  ['a path to a folder above', () => renamed(zipOf({ 'aa/_chat.txt': CHAT }), 'aa/', '../'), 'damaged'],
  ['a path from the root', () => renamed(zipOf({ 'a/_chat.txt': CHAT }), 'a/_', '/a_'), 'damaged'],
  ['a path of a drive', () => renamed(zipOf({ 'abc_chat.txt': CHAT }), 'abc', 'C:/'), 'damaged'],
  ['a damaged middle', () => damaged(zipOf({ '_chat.txt': CHAT.repeat(1_000) })), 'damaged'],
  ['no chat', () => zipOf({ 'photo.pdf': PDF, 'a.txt': 'a', 'b.txt': 'b' }), 'no chat'],
])('%s: the upload fails with the reason, and stores nothing', async (_, zip, message) => {
  const answer = await upload(zip())
  expect(answer.status, answer.text).toBe(400)
  expect(answer.body.issues).toMatchObject([
    { path: 'fileBase64', message: expect.stringContaining(message) },
  ])
  expect((await admin.get(PATH)).body.imports).toEqual([])
})

const manyEntries = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.pdf`, '']))

function damaged(zip: Buffer): Buffer {
  const copy = Buffer.from(zip)
  copy.fill(0xff, 60, 80)
  return copy
}

test('a file that unpacks to more than it declares stays a text, and the other files are stored', async () => {
  const chat = ['big.pdf', 'good.pdf', 'Bill (2).pdf']
    .map((name, i) => `[31/12/2023, 22:16:0${i}] +91 98123 45678: <attached: ${name}>\n`)
    .join('')
  const zip = zipOf(
    {
      '_chat.txt': chat,
      'big.pdf': Buffer.concat([PDF, Buffer.alloc(MIB)]),
      'good.pdf': PDF,
      'Bill (2).pdf': PDF,
    },
    { declares: { 'big.pdf': 100 } },
  )
  expect(await run(zip)).toMatchObject({ state: 'done', stored: 3, causes: { file_damaged: 1 } })
  const { messages } = (await shop.get('/messages?limit=100')).body
  const kinds = messages.map(({ type, text, content }: Body) => content.filename ?? `${type} ${text}`)
  expect(kinds).toEqual(['Bill (2).pdf', 'good.pdf', 'text big.pdf'])
})

test('a file that many messages name is stored once', async () => {
  const timeOf = (i: number) => new Date(Date.UTC(2024, 1, 13, 10) + i * 1_000).toISOString().slice(11, 19)
  const chat = Array.from(
    { length: 500 },
    (_, i) => `[13/02/2024, ${timeOf(i)}] +91 98123 45671: <attached: bill.pdf>\n`,
  ).join('')
  const before = await storedFiles()
  const done = await run(zipOf({ '_chat.txt': chat, 'bill.pdf': PDF }), 'WhatsApp Chat - Ravi.zip')
  expect(done).toMatchObject({ state: 'done', stored: 500 })
  expect((await storedFiles()) - before).toBe(1)
})

const storedFiles = async (): Promise<number> =>
  parley.system(async (tx) => {
    const [row] = await tx.sql<{ count: number }>(
      'select count(*)::int as count from media where workspace_id = $1',
      [shop.workspaceId],
    )
    return row!.count
  })

test.each([
  [
    'packed again in a folder by another program',
    (text: string) => ({
      'WhatsApp Chat - Meera/_chat.txt': text,
      '__MACOSX/WhatsApp Chat - Meera/._chat.txt': '\0\0\0\0',
      'WhatsApp Chat - Meera/Preisliste f\u00fcr M\u00e4rz.pdf': PDF,
    }),
    0x0800,
    '+919812345672',
  ],
  [
    'with names in UTF-8 without their mark, in parts',
    (text: string) => ({
      'WhatsApp Chat mit Meera.txt': text,
      'Preisliste fu\u0308r Ma\u0308rz.pdf': PDF,
    }),
    0,
    '+919812345673',
  ],
])('a chat %s is imported with its file', async (_, entries, flags, phone) => {
  const text = `[31/12/2023, 22:15:03] ${phone}: <Anhang: Preisliste f\u00fcr M\u00e4rz.pdf>\n`
  const done = await run(zipOf(entries(text), { flags }), 'WhatsApp Chat - Meera.zip')
  expect(done).toMatchObject({ state: 'done', stored: 1, leftOut: 0 })
  const { messages } = (await shop.get(`/messages?phone=${encodeURIComponent(phone)}`)).body
  expect(messages).toMatchObject([{ type: 'document', content: { filename: 'Preisliste für März.pdf' } }])
})

test.each([
  ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16 without a byte order mark', (text: string) => Buffer.from(text, 'utf16le')],
  ['Windows-1252', (text: string) => Buffer.from(text, 'latin1')],
])('a text in %s keeps its letters', async (name, encoded) => {
  const phone = `+9198123461${String(name.length).padStart(2, '0')}`
  const line = (second: number, body: string) => `[31/12/2023, 22:15:0${second}] ${phone}: ${body}\r\n`
  const text = line(1, 'Grüße aus Köln') + line(2, 'Schön, daß es geht')
  const done = await run(zipOf({ '_chat.txt': encoded(text) }))
  expect(done).toMatchObject({ state: 'done', stored: 2 })
  const { messages } = (await shop.get(`/messages?phone=${encodeURIComponent(phone)}`)).body
  expect(messages.map((message: Body) => message.text)).toEqual(['Schön, daß es geht', 'Grüße aus Köln'])
})
