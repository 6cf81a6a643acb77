import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Answered,
  type Body,
  boot,
  type TestParley,
  type TestWorkspace,
} from '../../../../test/support/boot.ts'
import { movingClock } from '../../../../test/support/moving-clock.ts'
import { type Browser, DASHBOARD, signIn } from '../../../../test/support/sessions.ts'
import { until } from '../../../../test/support/until.ts'
import { DAY_MS } from '../../../core/clock.ts'

const IMPORTS = `${DASHBOARD}/imports`
const clock = movingClock()
let parley: TestParley
let shop: TestWorkspace
let asha: Browser

beforeAll(async () => {
  parley = await boot({ clock })
  shop = await parley.workspace({ sandbox: true })
  asha = await signIn(parley, shop, 'agent')
})
afterAll(() => parley?.close())

const body = (text: string | Buffer, filename = 'people.csv') => ({
  filename,
  fileBase64: Buffer.from(text).toString('base64'),
})

async function upload(text: string | Buffer, client = asha): Promise<Body> {
  const answer = await client.post(IMPORTS, body(text))
  expect(answer.status, answer.text).toBe(201)
  return answer.body.import
}

const start = (id: string, more: object, client = asha): Promise<Answered> =>
  client.patch(`${IMPORTS}/${id}`, more)

/** Starts the import and waits until it has ended. */
async function finish(id: string, more: object, client = asha): Promise<Body> {
  const answer = await start(id, more, client)
  expect(answer.status, answer.text).toBe(200)
  let last: Body
  await until(async () => {
    last = (await client.get(`${IMPORTS}/${id}`)).body.import
    return !['checking', 'running'].includes(last.state)
  }, 'the import is finished')
  return last
}

const contact = async (phone: string, workspace = shop) =>
  (await workspace.get(`/contacts/${phone}`)).body.contact
const refusedOf = async (id: string, client = asha) => (await client.get(`${IMPORTS}/${id}/refused`)).text
const rowsLeft = (id: string) =>
  parley.system((tx) =>
    tx.sql<{ number: number }>(
      'select number from import_rows where import_id = $1 and number > 0 order by number',
      [id],
    ),
  )

test('a column with languages has tags or names of languages', async () => {
  const file = await upload(
    'Mobile,Language\n9812300011,Spanish\n9812300012,pt_BR\n9812300013,हिन्दी\n9812300014,Marathi\n',
  )
  const mapping = file.guess.contacts
  expect(mapping).toEqual({ Mobile: 'phone', Language: 'language' })
  await finish(file.id, { kind: 'contacts', mapping })
  const languages = await Promise.all(
    [11, 12, 13].map(async (end) => (await contact(`+9198123000${end}`)).language),
  )
  expect(languages).toEqual(['es', 'pt-BR', 'hi'])
  expect(await refusedOf(file.id)).toContain("isn't a language")
})

test('contacts are imported by the mapping of the columns, and the guessed mapping is right', async () => {
  await shop.post('/contact-fields', { key: 'size', label: 'Shirt size', type: 'number' })
  await shop.post('/contacts', { phone: '+919812300002', tags: ['old'], displayName: 'Meera' })
  const file = await upload(
    `\ufeffFirst name;Last name;Mobile;Tags;Shirt Size;Opt-in;City\r
"Asha; the first";Rao;98123 00001;"vip, pune";42;yes;Pune\r
;;+919812300002;new;;;\r
"Two
lines";;'+919812300003;;7,5;no;\r
`,
  )
  expect(file).toMatchObject({
    state: 'ready',
    rows: 3,
    columns: ['First name', 'Last name', 'Mobile', 'Tags', 'Shirt Size', 'Opt-in', 'City'],
  })
  expect(file.sample[0]).toEqual({
    'First name': 'Asha; the first',
    'Last name': 'Rao',
    Mobile: '98123 00001',
    Tags: 'vip, pune',
    'Shirt Size': '42',
    'Opt-in': 'yes',
    City: 'Pune',
  })
  const guess = file.guess.contacts
  expect(guess).toEqual({
    'First name': 'firstName',
    'Last name': 'lastName',
    Mobile: 'phone',
    Tags: 'tags',
    'Shirt Size': 'attributes.size',
    'Opt-in': 'optInStatus',
  })
  const mapping = { ...guess, City: 'attributes.city' }
  const done = await finish(file.id, { kind: 'contacts', mapping, constants: { tags: 'expo' } })
  expect(done).toMatchObject({ state: 'done', done: 3, created: 2, updated: 1, refused: 0 })
  expect(await contact('+919812300001')).toMatchObject({
    displayName: 'Asha; the first Rao',
    tags: ['expo', 'vip', 'pune'],
    attributes: { size: 42, city: 'Pune' },
    optInStatus: 'opted_in',
  })
  expect(await contact('+919812300002')).toMatchObject({ displayName: 'Meera', tags: ['old', 'expo', 'new'] })
  expect(await contact('+919812300003')).toMatchObject({
    attributes: { size: 7.5 },
    optInStatus: 'opted_out',
  })
  expect(await rowsLeft(file.id)).toEqual([])
})

test('a number that a spreadsheet formatted as a quantity is read, or refused when digits are lost', async () => {
  const own = await parley.workspace({ sandbox: true })
  const client = await signIn(parley, own, 'agent')
  const text =
    'phone,name\n919812300021.0,Asha\n9812300022.0,Meera\n9.19812300023E+11,Ravi\n9.19812E+11,Zoya\n'
  const mapping = { phone: 'phone', name: 'displayName' }
  const done = await finish((await upload(text, client)).id, { kind: 'contacts', mapping }, client)
  expect(done).toMatchObject({ created: 3, refused: 1 })
  expect((await own.get('/contacts')).body.contacts.map((contact: Body) => contact.phone).sort()).toEqual([
    '+919812300021',
    '+919812300022',
    '+919812300023',
  ])
  expect(await refusedOf(done.id, client)).toMatch(/shortened the number to 9\.19812E\+11.*Zoya/)
})

test('a spreadsheet file with its delimiter in the first line, and numbers as text, is imported', async () => {
  const own = await parley.workspace({ sandbox: true })
  const client = await signIn(parley, own, 'agent')
  const file = await upload('\ufeffsep=;\r\nPhone;Name\r\n="919812300031";Asha, Rao\r\n', client)
  expect(file).toMatchObject({ rows: 1, columns: ['Phone', 'Name'] })
  const mapping = { Phone: 'phone', Name: 'displayName' }
  expect(await finish(file.id, { kind: 'contacts', mapping }, client)).toMatchObject({
    created: 1,
    refused: 0,
  })
  expect(await contact('+919812300031', own)).toMatchObject({ displayName: 'Asha, Rao' })
  const waiting = await upload('sep=,\nname,other\nA,="919812300031"\nB,\n', client)
  expect((await own.delete('/contacts/+919812300031')).status).toBe(200)
  expect(await rowsLeft(waiting.id)).toEqual([{ number: 2 }])
})

test('amounts are read with either decimal separator, or the row is rejected', async () => {
  const own = await parley.workspace({ sandbox: true })
  await own.post('/contact-fields', { key: 'size', label: 'Size', type: 'number' })
  const client = await signIn(parley, own, 'agent')
  const sizes = {
    '7,5': 7.5,
    '1.250,50': 1250.5,
    '1.25.000,50': 125_000.5,
    '2.000': 2000,
    '-0,25': -0.25,
    '900': 900,
    "'12": 12,
  }
  const wrong = ['1,2,3', '1.2.3', '12,34.5']
  const cells = [...Object.keys(sizes), ...wrong]
  const file = await upload(
    `Phone;Size\n${cells.map((cell, i) => `'9198123002${10 + i};${cell}\n`).join('')}`,
    client,
  )
  const mapping = { Phone: 'phone', Size: 'attributes.size' }
  const done = await finish(file.id, { kind: 'contacts', mapping }, client)
  expect(done).toMatchObject({ created: Object.keys(sizes).length, refused: wrong.length })
  for (const [i, size] of Object.values(sizes).entries())
    expect((await contact(`+9198123002${10 + i}`, own)).attributes).toEqual({ size })
})

test("a file of the photo network's lead forms, which prefixes its numbers, is imported", async () => {
  const own = await parley.workspace({ sandbox: true })
  const client = await signIn(parley, own, 'agent')
  const text =
    'id\tfull_name\tphone_number\treach_me_at\nl:901\tAsha Rao\tp:+919812300041\tp:+91 98123 00042\n'
  const file = await upload(text, client)
  expect(file.guess).toMatchObject({ leads: { phone_number: 'phone', full_name: 'name' } })
  const mapping = { phone_number: 'phone', full_name: 'name' }
  expect(await finish(file.id, { kind: 'leads', mapping }, client)).toMatchObject({ created: 1, refused: 0 })
  expect((await own.get('/leads/919812300041')).body.lead).toMatchObject({ name: 'Asha Rao' })
  const unnamed = await upload('who\treach me\nAsha\tp:+919812300042\n', client)
  expect(unnamed.guess.contacts).toMatchObject({ 'reach me': 'phone' })
})

test('leads are imported once each, with one event each and via import', async () => {
  const file = await upload(
    'name,phone,deal value,stage\nRavi,+919812300011,"48,000",Contacted\nMeera,+919812300012,,\nRavi,+919812300011,,\n',
  )
  const done = await finish(file.id, {
    kind: 'leads',
    mapping: file.guess.leads,
    constants: { source: 'Trade fair' },
  })
  expect(done).toMatchObject({ created: 2, updated: 1, refused: 0 })
  const { lead } = (await shop.get('/leads/+919812300011')).body
  expect(lead).toMatchObject({ name: 'Ravi', dealValue: 48_000, source: 'Trade fair', captureCount: 2 })
  const events = (await shop.get('/events?limit=100')).body.events.filter(
    ({ data }: Body) => data.via === 'import' && data.lead?.phone === '919812300011',
  )
  expect(events.map(({ event }: Body) => event).sort()).toEqual(['lead.created', 'lead.recaptured'])
})

test('a dry run returns the result of the import, writes nothing, and applies the limit', async () => {
  const small = await parley.workspace({ sandbox: true })
  await small.set({ contactLimit: 303 })
  const ravi = await signIn(parley, small, 'agent')
  await small.post('/contacts', { phone: '+919812301000' })
  const knownRow = '+919812301000,Known\n'
  const fresh = (n: number) => `+9198124${String(n).padStart(5, '0')},New ${n}\n`
  // The first person again, in a later batch.
  const rows = [knownRow, ...Array.from({ length: 310 }, (_, n) => fresh(n)), fresh(0), '12,Nobody\n'].join(
    '',
  )
  const file = await upload(`phone,name\n${rows}`, ravi)
  const order = { kind: 'contacts', mapping: file.guess.contacts }
  const checkedImport = await finish(file.id, { ...order, dryRun: true }, ravi)
  const counts = { rows: 313, done: 313, created: 302, updated: 2, refused: 9 }
  expect(checkedImport).toMatchObject({ state: 'checked', ...counts })
  const limit = 'Contact limit reached (303). Delete contacts or raise the limit.'
  expect(await refusedOf(file.id, ravi)).toContain(`${limit},'+919812400302,New 302`)
  expect((await small.get('/contacts?limit=5')).body.contacts).toHaveLength(1)
  expect((await small.get('/events?limit=100')).body.events).toHaveLength(1)
  const done = await finish(file.id, order, ravi)
  expect(done).toMatchObject({ state: 'done', ...counts })
  const refusedCsv = await refusedOf(file.id, ravi)
  expect(refusedCsv.split('\r\n')).toHaveLength(1 + 9 + 1)
  expect(refusedCsv).toContain(
    '314,"phone: ""12"" isn\'t a phone number. Write it with its country code, like +919812345678.",12,Nobody',
  )
  const left = (await rowsLeft(file.id)).length
  expect(left).toBe(9)
})

test('an opted-out contact is rejected with the reason, and no other contact is affected', async () => {
  const number = '+919812300021'
  await shop.inbound(number, 'STOP')
  const file = await upload(`phone,opt in\n${number},yes\n+919812300022,yes\n+919812300023,perhaps\n`)
  const done = await finish(file.id, { kind: 'contacts', mapping: file.guess.contacts })
  expect(done).toMatchObject({ created: 1, updated: 0, refused: 2 })
  const refusedCsv = await refusedOf(file.id)
  expect(refusedCsv).toContain('2,The customer opted out. Only the customer can opt back in.')
  expect(refusedCsv).toMatch(/4,"opt in: ""perhaps"" isn't yes or no\.",'\+919812300023,perhaps/)
})

test('the CSV of refused rows can be corrected and uploaded again as it is', async () => {
  const file = await upload('phone,note\n+91981,"=HYPERLINK(""x"")"\n')
  await finish(file.id, { kind: 'contacts', mapping: { phone: 'phone', note: 'attributes.note' } })
  const text = await refusedOf(file.id)
  expect(text).toBe(
    'Line,Reason,phone,note\r\n2,"phone: ""+91981"" isn\'t a phone number. Write it with its country code, like +919812345678.",\'+91981,"\'=HYPERLINK(""x"")"\r\n',
  )
  const corrected = await upload(text.replaceAll('+91981', '+919812300031'))
  const mapping = { ...corrected.guess.contacts, note: 'attributes.note' }
  expect(await finish(corrected.id, { kind: 'contacts', mapping })).toMatchObject({ created: 1 })
  expect((await contact('+919812300031')).attributes).toEqual({ note: '=HYPERLINK("x")' })
})

test('an unreadable file is rejected and stores nothing', async () => {
  const damagedFile = Buffer.concat([
    Buffer.from('name,phone\nJosé,'),
    Buffer.from([0xe9]),
    Buffer.from(',1\n'),
  ])
  for (const [file, why] of [
    [damagedFile, 'damaged UTF-8 character in line 2'],
    ['Phone,Na\0me\n+919812300001,Asha\n', 'contains NUL'],
    ['name,phone\n', 'no rows'],
    [`${Array.from({ length: 201 }, (_, n) => `c${n}`).join()}\n1\n`, 'more than 200 columns'],
    [`n\n${'1\n'.repeat(50_001)}`, 'more than 50,000 rows'],
  ] as const) {
    const before = (await asha.get(IMPORTS)).body.imports.length
    const answer = await asha.post(IMPORTS, body(file))
    expect([answer.status, answer.body.issues?.[0].path]).toEqual([400, 'fileBase64'])
    expect(answer.body.issues[0].message).toContain(why)
    expect((await asha.get(IMPORTS)).body.imports).toHaveLength(before)
  }
  const left = await parley.system((tx) => tx.sql(`select 1 from import_files where state = 'reading'`))
  expect(left).toEqual([])
})

/** Returns the header of a file in a ZIP archive, with uncompressed content. */
const zipped = (name: string, content = ''): Buffer => {
  const head = Buffer.alloc(30)
  head.write('PK\x03\x04', 'latin1')
  head.writeUInt32LE(content.length, 18)
  head.writeUInt32LE(content.length, 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name + content)])
}
const HTML = '<html><head><meta charset="utf-8"></head><table><tr><td>Phone</td></tr></table></html>'
const SAVE_AS = 'Save it as CSV: File → Save as → CSV UTF-8'

test.each<[kind: string, bytes: Buffer, advice: string]>([
  ['.xlsx', Buffer.concat([zipped('[Content_Types].xml', '<x/>'), zipped('xl/workbook.xml')]), SAVE_AS],
  ['.xlsx', Buffer.concat([zipped('docProps/app.xml', '<x/>'), zipped('xl/workbook.xml')]), SAVE_AS],
  ['.xls', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1_024)]), SAVE_AS],
  ['.xls', Buffer.concat([Buffer.from('0908100000060500', 'hex'), Buffer.alloc(1_024)]), SAVE_AS],
  ['.xls', Buffer.from(HTML), SAVE_AS],
  ['.xls', Buffer.from(`\ufeff${HTML}`, 'utf16le'), SAVE_AS],
  [
    '.xls',
    Buffer.from('<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook>\n</Workbook>'),
    SAVE_AS,
  ],
  ['.ods', zipped('mimetype', 'application/vnd.oasis.opendocument.spreadsheet'), SAVE_AS],
  [
    '.numbers',
    Buffer.concat([zipped('Index/Document.iwa', 'x'), zipped('preview.jpg')]),
    'File → Export to → CSV',
  ],
  [
    '.numbers',
    Buffer.concat([zipped('preview.jpg', 'x'), zipped('Index/Tables/Tile.iwa')]),
    'File → Export to → CSV',
  ],
  ['a ZIP archive', zipped('people.csv', 'Phone\n+919812300001\n'), SAVE_AS],
])(
  'a file of a spreadsheet program is recognized by its bytes and rejected with instructions: %s',
  async (kind, bytes, advice) => {
    const own = await signIn(parley, await parley.workspace({ sandbox: true }), 'agent')
    const answer = await own.post(IMPORTS, body(bytes))
    expect(answer.status).toBe(400)
    const [issue] = answer.body.issues
    expect(issue.path).toBe('fileBase64')
    expect(issue.message).toContain(kind)
    expect(issue.message).toContain(advice)
    expect((await own.get(IMPORTS)).body.imports).toEqual([])
  },
)

test('a file that only looks like a spreadsheet is read: UTF-16 text that begins with a tab, a name in symbols', async () => {
  const own = await signIn(parley, await parley.workspace({ sandbox: true }), 'agent')
  const wide = Buffer.from('\tName\tPhone\n1\tAsha\t+919812300001\n', 'utf16le')
  expect((await upload(wide, own)).rows).toBe(1)
  expect((await upload('<Name>,Phone\nAsha,+919812300001\n', own)).columns).toEqual(['<Name>', 'Phone'])
})

test.each([
  ['"Name, full";Phone\nAsha;+919812300081\n', ['Name, full', 'Phone']],
  ['"Name\nor ""firm"", or both";Phone\nAsha;+919812300081\n', ['Name\nor "firm", or both', 'Phone']],
  ['\n \r\nName;Phone\nAsha;+919812300081\n', ['Name', 'Phone']],
  ['Size 12";Phone\nAsha;"+919812300081"\n', ['Size 12"', 'Phone']],
  ['"Phone"\n+919812300081\n', ['Phone']],
  ['Phone;Name\r+919812300081;"Two\nlines"\r', ['Phone', 'Name']],
])('the delimiter between cells is the delimiter between column names: %j', async (text, columns) => {
  // A separate workspace has its full rate limit.
  const own = await signIn(parley, await parley.workspace({ sandbox: true }), 'agent')
  const file = await upload(text, own)
  expect(file).toMatchObject({ columns, rows: 1 })
  expect(file.sample[0].Phone).toBe('+919812300081')
})

test('the error for a refused file names its type, in any script', async () => {
  for (const [filename, name] of [
    [
      'ग्राहक सूची.csv',
      `"______ ____ refused.csv"; filename*=UTF-8''${encodeURIComponent('ग्राहक सूची refused.csv')}`,
    ],
    ['a"b;\u202ec.csv', '"abc refused.csv"'],
  ] as const) {
    const own = await signIn(parley, await parley.workspace({ sandbox: true }), 'agent')
    const created = await own.post(IMPORTS, body('Phone\nnone\n', filename))
    expect(created.status, created.text).toBe(201)
    const { id } = await finish(
      created.body.import.id,
      { kind: 'contacts', mapping: { Phone: 'phone' } },
      own,
    )
    const answer = await own.get(`${IMPORTS}/${id}/refused`)
    expect([answer.status, answer.headers['content-disposition']]).toEqual([
      200,
      `attachment; filename=${name}`,
    ])
  }
})

test('an invalid mapping is rejected with the name of the column', async () => {
  const file = await upload('phone,name\n+919812300041,Asha\n')
  const issuesOf = async (more: object) =>
    (await start(file.id, { kind: 'contacts', ...more })).body.issues.map((issue: Body) => issue.path)
  expect(await issuesOf({ mapping: { name: 'displayName' } })).toEqual(['mapping'])
  expect(await issuesOf({ mapping: { phone: 'phone', name: 'phone' } })).toEqual(['mapping.name'])
  expect(await issuesOf({ mapping: { phone: 'phone', colour: 'tags', name: 'stage' } })).toEqual([
    'mapping.colour',
    'mapping.name',
  ])
  expect(await issuesOf({ mapping: { phone: 'phone', name: 'attributes.__proto__' } })).toEqual([
    'mapping.name',
  ])
  expect(await issuesOf({ mapping: { phone: 'phone' }, constants: { phone: '1' } })).toEqual([
    'constants.phone',
  ])
})

test('a column can have any name, and a row can end before the last column', async () => {
  // A separate workspace has its full rate limit.
  const own = await parley.workspace({ sandbox: true })
  const ownAsha = await signIn(parley, own, 'agent')
  const text =
    'phone,__proto__,constructor,toString\n+919812300071,x\n+919812300072,y,marble,B\n12,z\n"1"2,z\n'
  const file = await upload(text, ownAsha)
  expect(file.columns).toEqual(['phone', 'column 2', 'constructor', 'toString'])
  const mapping = {
    phone: 'phone',
    'column 2': 'attributes.letter',
    constructor: 'attributes.constructor',
    toString: 'displayName',
  }
  const done = await finish(file.id, { kind: 'contacts', mapping }, ownAsha)
  expect(done).toMatchObject({ state: 'done', created: 2, refused: 2 })
  expect((await contact('+919812300071', own)).attributes).toEqual({ letter: 'x' })
  expect(await contact('+919812300072', own)).toMatchObject({
    displayName: 'B',
    attributes: { letter: 'y', constructor: 'marble' },
  })
  const refusedCsv = await refusedOf(file.id, ownAsha)
  expect(refusedCsv).toMatch(/^4,.*,12,z,,\r$/m)
  expect(refusedCsv).toMatch(/^5,.*,,,,\r$/m)
})

test('an import belongs to its workspace and requires the agent role', async () => {
  const file = await upload('phone\n+919812300051\n')
  const viewer = await signIn(parley, shop, 'viewer')
  expect((await viewer.get(`${IMPORTS}/${file.id}`)).status).toBe(403)
  expect((await shop.get(IMPORTS)).status).toBe(401)
  const outsider = await signIn(parley, await parley.workspace(), 'agent')
  for (const path of [file.id, `${file.id}/refused`])
    expect((await outsider.get(`${IMPORTS}/${path}`)).status).toBe(404)
  expect((await start(file.id, { kind: 'contacts', mapping: { phone: 'phone' } }, outsider)).status).toBe(404)
  expect((await asha.get(IMPORTS)).body.imports[0]).toMatchObject({ id: file.id, state: 'ready' })
  expect((await asha.delete(`${IMPORTS}/${file.id}`)).status).toBe(200)
  expect(await rowsLeft(file.id)).toEqual([])
})

test("a batch that can't be written stops the import with an error; starting it again continues", async () => {
  await parley.system((tx) =>
    tx.sql(
      `alter table contacts add constraint no_poison check (not starts_with(display_name, 'poison')) not valid`,
    ),
  )
  const rows = Array.from({ length: 251 }, (_, n) => `+9198125${String(n).padStart(5, '0')},P ${n}`)
  const file = await upload(`phone,name\n${rows.join('\n')}\n+919812599999,poison\n`)
  const order = { kind: 'contacts', mapping: file.guess.contacts }
  expect((await start(file.id, order)).status).toBe(200)
  const readImport = async () => (await asha.get(`${IMPORTS}/${file.id}`)).body.import
  await until(async () => (await readImport()).done === 250, 'the first batch is stored')
  expect((await start(file.id, order)).status).toBe(409)
  await shop.advance(3_600)
  await until(async () => (await readImport()).state === 'failed', 'the import has failed')
  expect(await readImport()).toMatchObject({ created: 250, error: expect.stringContaining('after row 250') })
  await parley.system((tx) => tx.sql('alter table contacts drop constraint no_poison'))
  expect(await finish(file.id, order)).toMatchObject({ state: 'done', created: 252, done: 252 })
  expect((await start(file.id, order)).status).toBe(409)
})

test('erasing a person deletes their waiting rows too', async () => {
  // A separate workspace has its full rate limit.
  const own = await parley.workspace({ sandbox: true })
  const ownAsha = await signIn(parley, own, 'agent')
  await own.post('/contacts', { phone: '+919812300061' })
  const text = 'phone,other,name\n+919812300069,98123 00061,A friend of hers\n12,+919812300061,Asha\n13,,B\n'
  const waiting = await upload(text, ownAsha)
  const done = await upload(text, ownAsha)
  const order = { kind: 'contacts', mapping: { phone: 'phone' } }
  await finish(done.id, order, ownAsha)
  expect((await own.delete('/contacts/+919812300061')).status).toBe(200)
  expect(await rowsLeft(waiting.id)).toEqual([{ number: 3 }])
  expect(await rowsLeft(done.id)).toEqual([{ number: 3 }])
  expect(await finish(waiting.id, order, ownAsha)).toMatchObject({ state: 'done', created: 0, refused: 1 })
})

test('erasing a person deletes their rows in any spelling of the number', async () => {
  const own = await parley.workspace({ sandbox: true })
  const ownAsha = await signIn(parley, own, 'agent')
  await own.post('/contacts', { phone: '+919812300062' })
  const spellings = ['[+91] 98123 00062', '98123‑00062', '+91—98123—00062', "'0091 98123 00062"]
  const file = await upload(
    `name,other\n${spellings.map((spelling) => `A friend,${spelling}\n`).join('')}B,\n`,
    ownAsha,
  )
  expect((await own.delete('/contacts/+919812300062')).status).toBe(200)
  expect(await rowsLeft(file.id)).toEqual([{ number: spellings.length + 1 }])
})

test('imports are deleted after seven days', async () => {
  // A separate workspace has its full rate limit.
  const other = await signIn(parley, await parley.workspace({ sandbox: true }), 'agent')
  const file = await upload('phone\n12\n', other)
  clock.aheadMs = 8 * DAY_MS
  try {
    await parley.restart()
    const storedRows = () =>
      parley.system((tx) => tx.sql('select 1 from import_files where id = $1', [file.id]))
    await until(async () => (await storedRows()).length === 0, 'the import is deleted')
    expect(await rowsLeft(file.id)).toEqual([])
  } finally {
    clock.aheadMs = 0
  }
})

test("a file that is still being read isn't deleted as old, after any number of uploads", async () => {
  const own = await parley.workspace({ sandbox: true })
  const client = await signIn(parley, own, 'agent')
  const people = Array.from(
    { length: 50_000 },
    (_, n) => `+91981${1_000_000 + n},${'name '.repeat(30)}${n}\n`,
  )
  const large = client.post(IMPORTS, body(`Mobile,Name\n${people.join('')}`, 'large.csv'))
  const reading = () =>
    parley.system((tx) =>
      tx.sql(`select 1 from import_files where workspace_id = $1 and state = 'reading'`, [own.workspaceId]),
    )
  await until(async () => (await reading()).length > 0, 'the large file is being read')
  for (let n = 0; n < 21; n++) await upload('Mobile\n+919812345678\n', client)
  const answer = await large
  expect(answer.status, answer.text).toBe(201)
  expect(answer.body.import).toMatchObject({ filename: 'large.csv', rows: people.length })
})

test('a member from whom numbers are hidden sees masked cells: in the sample, the preview, and the rejected rows', async () => {
  const own = await parley.workspace({ sandbox: true })
  await own.set({ detailsHiddenFrom: ['agent'] })
  const agent = await signIn(parley, own, 'agent')
  const file = await upload('Mobile,Language\n9812300011,Spanish\n9812300014,Marathi\n', agent)
  expect(JSON.stringify(file)).not.toContain('98123000')
  const mapping = file.guess.contacts
  const preview = await agent.post(`${IMPORTS}/${file.id}/preview`, { kind: 'contacts', mapping })
  expect(preview.status, preview.text).toBe(200)
  expect(preview.text).not.toContain('98123000')
  await finish(file.id, { kind: 'contacts', mapping }, agent)
  const refused = await refusedOf(file.id, agent)
  expect(refused).toContain('••••••••14')
  expect(refused).not.toContain('98123000')
  // The import itself reads the whole file.
  expect(await contact('+919812300011', own)).toMatchObject({ phone: '+919812300011', language: 'es' })
})
