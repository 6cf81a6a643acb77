import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { automate, listRuns, runsOf } from '../support/automations.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { withCellSetting } from '../support/cell.ts'
import { runParley, spawnParley } from '../support/command-line.ts'

const program = join(import.meta.dirname, '../../bin/parley')
const dir = mkdtempSync(join(tmpdir(), 'parley-import-'))
let parley: TestParley

beforeAll(async () => {
  parley = await boot()
})
afterAll(async () => {
  await parley.close()
  rmSync(dir, { recursive: true })
})

const settings = () => ({ PARLEY_DATA_DIR: dir, DATABASE_URL: parley.databaseUrl })
const run = (words: string[]) => runParley(['import', ...words, '--json'], settings())

/** Runs `parley import …` as a process, and kills it as soon as its output matches `stopAt`. */
function runUntil(
  stopAt: RegExp,
  words: string[],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(program, ['import', ...words, '--json'], {
    env: withCellSetting({ ...process.env, ...settings() }),
    detached: true,
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
    if (stopAt.test(stderr)) process.kill(-child.pid!, 'SIGKILL')
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}

function file(name: string, text: string | Buffer): string {
  const path = join(dir, name)
  writeFileSync(path, text)
  return path
}

const leadsOf = async (shop: TestWorkspace, query = '') =>
  (await shop.get(`/leads?pageSize=100${query}`)).body
const eventsOf = async (shop: TestWorkspace) =>
  (await shop.get('/events?limit=100')).body.events.map(
    ({ event, data }: { event: string; data: { via?: string } }) => [event, data.via],
  )

test('leads are imported from a CSV file, with our column names in any spelling, via import', async () => {
  const shop = await parley.workspace()
  const csv = file(
    'leads.csv',
    `\ufeffFull Name;Mobile;E-mail;Stage;Rating;Deal value;Tags;City\r
"Rao; Asha";98123 45678;asha@example.com;contacted;4;48,000;vip, pune;Pune\r
Meera;+919812345679;;;;;;\r
\r
"Two
lines";+919812345670;;;;;;\r
`,
  )
  const { code, stdout, stderr } = await run([
    'leads',
    csv,
    '--workspace',
    shop.workspaceId,
    '--source',
    'fair',
  ])
  expect([code, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout)).toEqual({
    rows: 3,
    created: 3,
    known: 0,
    refused: 0,
    resumedAt: 0,
    report: null,
  })
  const { body } = await shop.get('/leads/+919812345678')
  expect(body.lead).toMatchObject({
    name: 'Rao; Asha',
    email: 'asha@example.com',
    stage: { name: 'Contacted' },
    rating: 4,
    dealValue: 48_000,
    tags: ['vip', 'pune'],
    attributes: { City: 'Pune' },
    source: 'fair',
  })
  // A lead that an import creates is announced; its contact is not (spec 6.3).
  expect(await eventsOf(shop)).toEqual(Array(3).fill(['lead.created', 'import']))
})

test('automations that include imports also start for a file of the CLI', async () => {
  const shop = await parley.workspace()
  const listening = await automate(shop, { trigger: { event: 'lead.created', includeImports: true } })
  const unmatched = await automate(shop, { trigger: { event: 'lead.created' } })
  const csv = file('heard.csv', 'name,phone\nAsha,+919812345650\nMeera,+919812345651\n')
  expect((await run(['leads', csv, '--workspace', shop.workspaceId])).code).toBe(0)
  expect((await runsOf(shop, listening.id, 2)).map(({ status }) => status)).toEqual(['done', 'done'])
  expect(await listRuns(shop, unmatched.id)).toEqual([])
})

test('rejected rows are reported with line and reason, and the others are imported', async () => {
  const shop = await parley.workspace()
  const csv = file(
    'refused.csv',
    'Kontakt,name,stage,rating\nsoon,A,,\n+919812345671,B,Nowhere,\n+919812345672,C,,9\n,D,,\n+919812345673,=E(),,\n',
  )
  const report = join(dir, 'report.csv')
  const { code, stdout } = await run([
    'leads',
    csv,
    '--workspace',
    shop.workspaceId,
    '--map',
    'phone=Kontakt',
    '--report',
    report,
  ])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ rows: 5, created: 1, refused: 4, report })
  const lines = readFileSync(report, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => line.split(',')[0])).toEqual(['2', '3', '4', '5'])
  expect(lines[0]).toContain(`Kontakt: ""soon"" isn't a phone number`)
  expect(lines[1]).toContain('No stage is called')
  expect(lines[2]).toContain('rating')
  // Rows with personal data: readable only by the user who imports them.
  expect(statSync(report).mode & 0o777).toBe(0o600)
})

test("every cell of a file is read as its column's type, or its row is rejected", async () => {
  const shop = await parley.workspace()
  const csv = file(
    'cells.csv',
    `phone,name,phone,phone (3),${'q'.repeat(120)},
+919812345681,Asha,12,loose,long,
+919812345682,Rao, Meera,,,,
+919812345683,Zoya,,,,Pune
+919812345684,Rao,Kiran,,,,Pune
`,
  )
  const report = join(dir, 'cells-report.csv')
  const { stdout } = await run(['leads', csv, '--workspace', shop.workspaceId, '--report', report])
  expect(JSON.parse(stdout)).toMatchObject({ rows: 4, created: 3, refused: 1 })
  expect((await shop.get('/leads/+919812345681')).body.lead.attributes).toEqual({
    'phone (3)': '12',
    'phone (3) (4)': 'loose',
    ['q'.repeat(100)]: 'long',
  })
  expect((await shop.get('/leads/+919812345683')).body.lead.attributes).toEqual({ 'column 6': 'Pune' })
  expect(readFileSync(report, 'utf8')).toMatch(/^5,has more cells than the file's 6 columns.*Pune/)
})

test('a malformed quote rejects its own row, with line and reason, and the rest of the file is imported', async () => {
  const shop = await parley.workspace()
  const filler = Array.from({ length: 120 }, (_, i) => `+9198${String(12_340_000 + i)},Filler,`)
  const csv = file(
    'quotes.csv',
    [
      'phone,name,city',
      '+919812345601,"Asha" Rao,Pune',
      '+919812345602,"Meera,Pune',
      '+919812345603,"Zoya",Delhi',
      '+919812345604,12" pipe,Delhi',
      '+919812345605,"Open,Delhi',
      '+919812345606,Kiran,5"',
      '+919812345607,"Two\nlines",Pune',
      '+919812345608,"Never closed',
      ...filler,
      '+919812345609,"Nor at the end',
      '+919812345610,Last,Pune',
    ].join('\n'),
  )
  const report = join(dir, 'quotes-report.csv')
  const { code, stdout } = await run(['leads', csv, '--workspace', shop.workspaceId, '--report', report])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ rows: 130, created: 125, refused: 5 })
  const refused = readFileSync(report, 'utf8').trimEnd().split('\r\n')
  expect(refused.map((line) => line.slice(0, line.indexOf(',')))).toEqual(['2', '3', '6', '10', '131'])
  expect(refused[0]).toContain('text follows a closing quote')
  expect(refused[1]).toContain("isn't closed on its line")
  expect(refused[3]).toContain("isn't closed within 100 lines")
  expect(refused[4]).toContain("isn't closed before the end of the file")
  expect(refused[4]).toContain('Nor at the end')
  expect((await shop.get('/leads/+919812345604')).body.lead.name).toBe('12" pipe')
  expect((await shop.get('/leads/+919812345607')).body.lead.name).toBe('Two\nlines')
  expect((await shop.get('/leads/+919812345610')).body.lead.name).toBe('Last')
})

test('an unreadable first line stops the import before it begins', async () => {
  const shop = await parley.workspace()
  const { code, stderr } = await run([
    'leads',
    file('head.csv', '"phone,name\n+919812345678,Asha\n'),
    '--workspace',
    shop.workspaceId,
  ])
  expect([code, stderr]).toEqual([1, expect.stringContaining('The first line, which names the columns')])
})

test('a spreadsheet is rejected with the next step', async () => {
  const shop = await parley.workspace()
  const workbook = Buffer.from('PK\x03\x04\x14\0\x06\0[Content_Types].xml', 'latin1')
  const { code, stderr } = await run([
    'contacts',
    file('people.csv', workbook),
    '--workspace',
    shop.workspaceId,
  ])
  expect([code, stderr]).toEqual([1, expect.stringContaining('Save it as CSV: File → Save as → CSV UTF-8')])
})

test('a file is read in the encoding that its bytes show; a damaged file is rejected as a whole, naming the line', async () => {
  const shop = await parley.workspace()
  const text = `Phone\tName\n+919812345678\tAsha\n+919812345679\tJosé\n`
  const take = (name: string, content: Buffer) =>
    run(['leads', file(name, content), '--workspace', shop.workspaceId])
  const cut = await take('cut.csv', Buffer.from(text.trimEnd()).subarray(0, -1))
  expect([cut.code, cut.stderr]).toEqual([
    1,
    expect.stringMatching(/damaged UTF-8 character in line 3.*Save it again/),
  ])
  expect((await leadsOf(shop)).total).toBe(0)
  const latin = await take('latin.csv', Buffer.from(text, 'latin1'))
  expect(JSON.parse(latin.stdout)).toMatchObject({ created: 2, refused: 0 })
  expect((await leadsOf(shop)).leads[0].name).toBe('José')
  const spreadsheet = await take('utf16.csv', Buffer.from(`\ufeff${text}`, 'utf16le'))
  expect(JSON.parse(spreadsheet.stdout)).toMatchObject({ created: 0, known: 2, refused: 0 })
  expect((await leadsOf(shop)).leads[0].name).toBe('José')
})

test('contacts are imported without contact.created; known numbers are updated', async () => {
  const shop = await parley.workspace()
  await shop.post('/contacts', { phone: '+919812345678', displayName: 'Asha' })
  const csv = file(
    'contacts.csv',
    'phone,name,tags,city\n+919812345678,Asha Rao,vip,Pune\n+14155550100,Ann,,\n',
  )
  const { stdout } = await run(['contacts', csv, '--workspace', shop.workspaceId])
  expect(JSON.parse(stdout)).toMatchObject({ rows: 2, created: 1, known: 1, refused: 0 })
  const { body } = await shop.get(`/contacts/${encodeURIComponent('+919812345678')}`)
  expect(body.contact).toMatchObject({ displayName: 'Asha Rao', tags: ['vip'], attributes: { city: 'Pune' } })
  expect((await eventsOf(shop)).filter(([event]: [string]) => event === 'contact.created')).toHaveLength(1)
})

test('the exported recipients of a campaign, in their spreadsheet format, can be imported again', async () => {
  const shop = await parley.workspace()
  const csv = file('recipients.csv', "contactId,phone,name\r\n1,'+919812345678,'=Asha\r\n")
  const { stdout } = await run(['contacts', csv, '--workspace', shop.workspaceId])
  expect(JSON.parse(stdout)).toMatchObject({ rows: 1, created: 1, refused: 0 })
  expect((await shop.get('/contacts/+919812345678')).body.contact.displayName).toBe('=Asha')
})

test('a killed import continues where it stopped; a completed file imports no row again', async () => {
  const shop = await parley.workspace()
  const path = join(dir, 'many.csv')
  const out = createWriteStream(path)
  out.write('phone,name\n')
  for (let i = 0; i < 12_000; i++) out.write(`+9197${70_000_000 + i},Lead ${i}\n`)
  out.end()
  await finished(out)
  const words = ['leads', path, '--workspace', shop.workspaceId]
  const killed = await runUntil(/5000 rows/, words)
  expect(killed.stdout).toBe('')
  const duplicates = ['import', ...words, '--json']
  const [first, duplicate] = await Promise.all([
    spawnParley(duplicates, settings()),
    spawnParley(duplicates, settings()),
  ])
  // Two at the same time: one imports, the other stops or finds everything done.
  const done = [first, duplicate].filter(({ code }) => code === 0).map(({ stdout }) => JSON.parse(stdout))
  expect(done.length).toBeGreaterThan(0)
  expect(done[0]).toMatchObject({ rows: 12_000, created: 12_000, known: 0, refused: 0 })
  expect(done[0].resumedAt).toBeGreaterThanOrEqual(4_000)
  expect(JSON.parse((await run(words)).stdout)).toMatchObject({ created: 12_000, resumedAt: 12_000 })
  const { total, leads } = await leadsOf(shop)
  expect(total).toBe(12_000)
  expect(leads.every(({ captureCount }: { captureCount: number }) => captureCount === 1)).toBe(true)
})

test('wrong usage exits with 2; a missing file or workspace with 1', async () => {
  const shop = await parley.workspace()
  expect((await run(['leads', '--workspace', shop.workspaceId])).code).toBe(2)
  expect((await run(['leads', 'x.csv', '--workspace', shop.workspaceId, '--map', 'shoe=Size'])).code).toBe(2)
  const missing = await run(['leads', join(dir, 'none.csv'), '--workspace', shop.workspaceId])
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('no such file')])
})

test("numbers, countries, and dates are read as on the page, and the page's choices are flags", async () => {
  const shop = await parley.workspace()
  await shop.post('/contact-fields', { key: 'Size', label: 'Size', type: 'number' })
  await shop.post('/contact-fields', { key: 'Born', label: 'Born', type: 'date' })
  const csv = file(
    'choices.csv',
    [
      'Exported on 12/01/2025',
      'Who;Where;Number;Spare;Size;Born',
      'Asha;US;3125550142;;1.250;03/04/2025',
      'Bina;;NA;98123 00002;7;13/04/2025',
    ].join('\n'),
  )
  const take = (...words: string[]) => run(['contacts', csv, '--workspace', shop.workspaceId, ...words])
  const mapped = ['--map', 'displayName=Who', '--map', 'phone=Number', '--map', 'phone2=Spare']
  const unsure = await take(...mapped, '--country-column', 'Where')
  expect(JSON.parse(unsure.stdout)).toMatchObject({ rows: 2, created: 1, refused: 1 })
  expect(readFileSync(`${csv}.refused.csv`, 'utf8')).toContain('can be 1250 or 1.25')
  const chosen = ['--format', 'Size=decimalComma', '--format', 'Born=monthFirst', '--heading', '2']
  const done = await take(
    ...mapped,
    '--country-column',
    'Where',
    ...chosen,
    '--encoding',
    'latin1',
    '--delimiter',
    'semicolon',
  )
  expect(JSON.parse(done.stdout)).toMatchObject({ rows: 2, created: 1, known: 1, refused: 0 })
  const contact = async (phone: string) =>
    (await shop.get(`/contacts/${encodeURIComponent(phone)}`)).body.contact
  expect(await contact('+13125550142')).toMatchObject({
    displayName: 'Asha',
    attributes: { Where: 'US', Size: 1250, Born: '2025-03-04' },
  })
  expect(await contact('+919812300002')).toMatchObject({
    displayName: 'Bina',
    attributes: { Spare: '98123 00002', Born: '2025-04-13' },
  })
  for (const badFlags of [
    ['--heading', 'first'],
    ['--format', 'Size=roman'],
    ['--encoding', 'klingon'],
    ['--delimiter', 'dash'],
  ])
    expect((await take(...mapped, ...badFlags)).code, badFlags.join(' ')).toBe(2)
  const unknownColumn = await take(...mapped, '--country-column', 'Nowhere')
  expect([unknownColumn.code, unknownColumn.stderr]).toEqual([
    1,
    expect.stringContaining('Must be a column of the file.'),
  ])
})

test('the CLI imports an address book and a file without a heading', async () => {
  const shop = await parley.workspace()
  const cards = file(
    'people.vcf',
    'BEGIN:VCARD\nVERSION:3.0\nFN:Asha\nTEL;TYPE=CELL:98123 00001\nEMAIL:asha@example.com\nEND:VCARD\n',
  )
  const leads = await run(['leads', cards, '--workspace', shop.workspaceId])
  expect(JSON.parse(leads.stdout)).toMatchObject({ rows: 1, created: 1, refused: 0 })
  expect((await shop.get('/leads/+919812300001')).body.lead).toMatchObject({
    name: 'Asha',
    email: 'asha@example.com',
  })
  const bare = file('bare.csv', 'Bina,9812300002\nChand,9812300003\n')
  const contacts = await run([
    'contacts',
    bare,
    '--workspace',
    shop.workspaceId,
    '--map',
    'displayName=column 1',
  ])
  expect(JSON.parse(contacts.stdout)).toMatchObject({ rows: 2, created: 2, refused: 0 })
})
