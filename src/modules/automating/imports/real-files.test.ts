/** Tests files of our users' programs: address books, shops, other messaging tools, spreadsheets. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Answered,
  type Body,
  boot,
  type TestParley,
  type TestWorkspace,
} from '../../../../test/support/boot.ts'
import { type Browser, DASHBOARD, signIn } from '../../../../test/support/sessions.ts'
import { until } from '../../../../test/support/until.ts'

const IMPORTS = `${DASHBOARD}/imports`
let parley: TestParley

beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

/** Each test has a separate workspace with its full rate limit. */
type Shop = TestWorkspace & { by: Browser }
async function newShop(countryCode = '91'): Promise<Shop> {
  const shop = await parley.workspace({ sandbox: true })
  if (countryCode !== '91') await shop.set({ countryCode })
  return { ...shop, by: await signIn(parley, shop, 'agent') }
}

async function upload({ by }: Shop, content: string | Buffer, more: Body = {}): Promise<Body> {
  const { filename = 'people.csv', ...choices } = more
  const fileBase64 = Buffer.from(content).toString('base64')
  const answer = await by.post(IMPORTS, { filename, fileBase64, ...choices })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.import
}

const start = ({ by }: Shop, id: string, order: object): Promise<Answered> =>
  by.patch(`${IMPORTS}/${id}`, order)

async function finish(shop: Shop, id: string, order: object): Promise<Body> {
  const answer = await start(shop, id, order)
  expect(answer.status, answer.text).toBe(200)
  let last: Body
  await until(async () => {
    last = (await shop.by.get(`${IMPORTS}/${id}`)).body.import
    return !['checking', 'running'].includes(last.state)
  }, 'the import is over')
  return last
}

/** Imports a file as contacts with the guessed mapping, overridden by `mapping`. */
async function importContacts(
  shop: Shop,
  content: string | Buffer,
  {
    mapping = {},
    upload: options = {},
    ...choices
  }: { mapping?: Body; upload?: Body; [more: string]: unknown } = {},
): Promise<Body> {
  const file = await upload(shop, content, options)
  return finish(shop, file.id, {
    kind: 'contacts',
    mapping: { ...file.guess.contacts, ...mapping },
    ...choices,
  })
}

const refusedOf = async ({ by }: Shop, { id }: Body): Promise<string> =>
  (await by.get(`${IMPORTS}/${id}/refused`)).text
const contact = async (shop: Shop, phone: string): Promise<Body> =>
  (await shop.get(`/contacts/${encodeURIComponent(phone)}`)).body.contact
const people = async (shop: Shop): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await shop.get('/contacts?limit=100')).body.contacts.map((contact: Body) => [
      contact.displayName ?? '',
      contact.phone,
    ]),
  )
const field = (shop: Shop, key: string, type: string) =>
  shop.post('/contact-fields', { key, label: key, type })

const GOOGLE =
  'First Name,Middle Name,Last Name,Phonetic First Name,Phonetic Middle Name,Phonetic Last Name,Name Prefix,Name Suffix,Nickname,File As,' +
  'Organization Name,Organization Title,Organization Department,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,' +
  'Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value,Address 1 - Label,Address 1 - Country'

test('a Google Contacts file gives each person their mobile number, from any column or joined value', async () => {
  const shop = await newShop()
  const row = (name: string, ...phones: string[]) =>
    `${name},,Rao,,,,,,,,Blue Lotus,,,,,,* myContacts ::: Family,* Home,${name}@example.com,${phones.join(',')},,`
  const done = await importContacts(
    shop,
    [
      GOOGLE,
      row('Asha', 'Mobile', '020 2567 1234 ::: +91 98123 00001', '', ''),
      row('Bina', 'Home', '020 2567 1235', '* Mobile', '98123 00002'),
      row('Chand', '', '', 'Mobile', '+91 98123-00003'),
      row('Dev', 'Mobile', 'NA', 'Work', '+919812300004'),
      row('Esha', 'Home Fax', '+912025671236', 'Work', '+91 20 2567 1237'),
      row('Firoz', 'Main', '+1 312 555 0142', 'Mobile', '+1 312-555-0143'),
    ].join('\r\n'),
  )
  expect(done).toMatchObject({ created: 6, refused: 0 })
  expect(await people(shop)).toEqual({
    'Asha Rao': '+919812300001',
    'Bina Rao': '+919812300002',
    'Chand Rao': '+919812300003',
    'Dev Rao': '+919812300004',
    'Esha Rao': '+912025671237',
    'Firoz Rao': '+13125550143',
  })
  expect(await contact(shop, '+919812300001')).toMatchObject({ tags: ['Family'] })
})

test('an Outlook file gives the mobile number before business and home, and never the fax', async () => {
  const shop = await newShop()
  const heading =
    "First Name,Last Name,Company,Home Country/Region,Assistant's Phone,Business Fax,Business Phone,Business Phone 2,Car Phone,Company Main Phone,Home Fax,Home Phone,Mobile Phone,Other Phone,Pager,Primary Phone,Categories"
  const done = await importContacts(
    shop,
    `${heading}\r\nAsha,,Lotus,,,+912025670001,+912025670002,,,,,,+919812300001,,,,Blue category;VIP\r\nBina,,,,,+912025670003,+912025670004,,,,,,,,,,\r\n`,
  )
  expect(done).toMatchObject({ created: 2, refused: 0 })
  expect(await people(shop)).toEqual({ Asha: '+919812300001', Bina: '+912025670004' })
  expect(await contact(shop, '+919812300001')).toMatchObject({ tags: ['Blue category', 'VIP'] })
})

test.each([
  ['CountryCode', '1', '3125550142', '+13125550142'],
  ['CountryCode', '+1', '3125550142', '+13125550142'],
  ['Country Code', '001', '(312) 555-0142', '+13125550142'],
  ['Country', 'US', '312 555 0142', '+13125550142'],
  ['Country', 'USA', '3125550142', '+13125550142'],
  ['Country/Region', 'United States', '3125550142', '+13125550142'],
  ['Mailing Country', 'united arab emirates', '050 123 4567', '+971501234567'],
  ['Default Address Country Code', 'AE', "'0501234567", '+971501234567'],
  ['País', 'Brasil', '11987654321', '+5511987654321'],
  ['CountryCode', '971', '971501234567', '+971501234567'],
  ['CountryCode', '65', '6591234567', '+6591234567'],
  ['Country', 'US', '+919812300001', '+919812300001'],
  ['Country', '', '9812300001', '+919812300001'],
])('a national number gets the country next to it: %s %s, %s', async (column, country, phone, expected) => {
  const shop = await newShop()
  const text = `Name,${column},Phone\nAsha,${country},${phone}\nRavi,India,9812300009\n`
  expect(await importContacts(shop, text)).toMatchObject({ created: 2, refused: 0 })
  expect(await people(shop)).toEqual({ Asha: expected, Ravi: '+919812300009' })
})

test('the country column is found, can be chosen, and can be left out', async () => {
  const shop = await newShop()
  const text = 'Name,Country,Phone,Desk\nAsha,US,3125550142,Dubai\n'
  const file = await upload(shop, text)
  expect(file.countryColumn).toBe('Country')
  const order = {
    kind: 'contacts',
    mapping: { Name: 'displayName', Phone: 'phone', Country: 'attributes.country' },
  }
  await finish(shop, file.id, order)
  expect((await contact(shop, '+13125550142')).attributes).toEqual({ country: 'US' })
  const other = await newShop()
  await finish(other, (await upload(other, text)).id, { ...order, countryColumn: null })
  expect(await contact(other, '+913125550142')).toMatchObject({ displayName: 'Asha' })
  const chosen = await upload(shop, 'Name,Where,Phone\nAsha,Elsewhere,3125550143\nRavi,US,3125550144\n')
  const done = await finish(shop, chosen.id, {
    ...order,
    mapping: { Phone: 'phone' },
    countryColumn: 'Where',
  })
  expect(done).toMatchObject({ created: 1, refused: 1 })
  expect(await refusedOf(shop, done)).toMatch(/2,"?Where: ""Elsewhere"" isn't a country/)
  const unknown = await start(shop, (await upload(shop, text)).id, { ...order, countryColumn: 'Nowhere' })
  expect([unknown.status, unknown.body.issues[0].path]).toEqual([400, 'countryColumn'])
})

test('the second phone column is used if the first is empty or has no number', async () => {
  const shop = await newShop()
  const text = 'Name,Main,Spare\nAsha,,9812300001\nBina,NA,9812300002\nChand,9812300003,9812300004\nDev,-,-\n'
  const done = await importContacts(shop, text, {
    mapping: { Name: 'displayName', Main: 'phone', Spare: 'phone2' },
  })
  expect(done).toMatchObject({ created: 3, refused: 1 })
  expect(await people(shop)).toEqual({ Asha: '+919812300001', Bina: '+919812300002', Chand: '+919812300003' })
  expect(await refusedOf(shop, done)).toMatch(/5,"?Main: ""-"" isn't a phone number/)
})

test('the number format of a column is decided by all its values', async () => {
  const shop = await newShop()
  for (const key of ['german', 'english', 'open']) await field(shop, key, 'number')
  const rows = [
    ['1.250', '1.250', '1,250'],
    ['1.250,00', '12.5', '48,000'],
    ['7,5', '1,250.00', '900'],
    ['-1.000', '1,25,000', '₹ 1,200/-'],
  ]
  const text = `Phone;german;english;open\n${rows.map((row, n) => `981230000${n};${row.join(';')}\n`).join('')}`
  const mapping = { german: 'attributes.german', english: 'attributes.english', open: 'attributes.open' }
  expect(await importContacts(shop, text, { mapping })).toMatchObject({ created: 4, refused: 0 })
  const read = await Promise.all(
    rows.map(async (_, n) => (await contact(shop, `+91981230000${n}`)).attributes),
  )
  expect(read.map(({ german }) => german)).toEqual([1250, 1250, 7.5, -1000])
  expect(read.map(({ english }) => english)).toEqual([1.25, 12.5, 1250, 125_000])
  expect(read.map(({ open }) => open)).toEqual([1250, 48_000, 900, 1200])
})

test('an ambiguous number is rejected with instructions, and is read once the format is chosen', async () => {
  const shop = await newShop()
  await field(shop, 'size', 'number')
  const text = 'Phone;Size\n9812300001;1.250\n9812300002;2.500\n9812300003;9\n'
  const mapping = { Size: 'attributes.size' }
  const done = await importContacts(shop, text, { mapping })
  expect(done).toMatchObject({ created: 1, refused: 2 })
  const refusedCsv = await refusedOf(shop, done)
  expect(refusedCsv).toContain('Size: ""1.250"" can be 1250 or 1.25. Choose the number format of this column')
  const chosen = await importContacts(shop, refusedCsv, { mapping, formats: { Size: 'decimalComma' } })
  expect(chosen).toMatchObject({ created: 2, refused: 0 })
  expect((await contact(shop, '+919812300001')).attributes).toEqual({ size: 1250 })
  const mixed = 'Phone;Size\n9812300011;1.250,50\n9812300012;1,250.50\n9812300013;1.250\n9812300014;7\n'
  const imported = await importContacts(shop, mixed, { mapping })
  expect(imported).toMatchObject({ created: 3, refused: 1 })
  expect((await contact(shop, '+919812300012')).attributes).toEqual({ size: 1250.5 })
})

test.each([
  ['1,25,000', 125_000],
  ['₹1,25,000.50', 125_000.5],
  ['Rs. 500', 500],
  ['500 INR', 500],
  ['1 250 000,50', 1_250_000.5],
  ['1\u00a0250', 1250],
  ['1\u2009250,75', 1250.75],
  ["1'250.50", 1250.5],
  ['500-', -500],
  ['(1,234.50)', -1234.5],
  ['\u2212 12', -12],
  ['50%', 50],
  ['१,२५,०००', 125_000],
  ['١٢٫٥', 12.5],
  ['1.2E+05', 120_000],
  ['0.125', 0.125],
])('%s is read as a number', async (cell, value) => {
  const shop = await newShop()
  await field(shop, 'size', 'number')
  const done = await importContacts(shop, `Phone\tSize\n9812300001\t${cell}\n`, {
    mapping: { Size: 'attributes.size' },
  })
  expect(await refusedOf(shop, done)).toBe('Line,Reason,Phone,Size\r\n')
  expect((await contact(shop, '+919812300001')).attributes).toEqual({ size: value })
})

test("all dates of a column decide the order of day and month, then the workspace's country", async () => {
  const rows = ['03/04/2025', '25/12/2024']
  const read = async (shop: Shop, cells: string[], formats = {}) => {
    await field(shop, 'born', 'date')
    const text = `Phone,Born\n${cells.map((cell, n) => `+9198123000${10 + n},"${cell}"\n`).join('')}`
    const done = await importContacts(shop, text, { mapping: { Born: 'attributes.born' }, formats })
    expect(await refusedOf(shop, done)).toBe('Line,Reason,Phone,Born\r\n')
    return Promise.all(
      cells.map(async (_, n) => (await contact(shop, `+9198123000${10 + n}`)).attributes.born),
    )
  }
  expect(await read(await newShop('1'), rows)).toEqual(['2025-04-03', '2024-12-25'])
  expect(await read(await newShop(), ['03/04/2025', '12/25/2024'])).toEqual(['2025-03-04', '2024-12-25'])
  expect(await read(await newShop(), ['03/04/2025'])).toEqual(['2025-04-03'])
  expect(await read(await newShop('1'), ['03/04/2025'])).toEqual(['2025-03-04'])
  expect(await read(await newShop('1'), ['03/04/2025'], { Born: 'dayFirst' })).toEqual(['2025-04-03'])
})

test.each([
  ['2025-01-12', '2025-01-12'],
  ['2025/1/12', '2025-01-12'],
  ['12-Jan-2025', '2025-01-12'],
  ['12 January 2025', '2025-01-12'],
  ['Jan 12, 2025', '2025-01-12'],
  ['Sunday, January 12, 2025', '2025-01-12'],
  ['12.01.25', '2025-01-12'],
  ['12-JAN-98', '1998-01-12'],
  ['45669', '2025-01-12'],
  ['20250112', '2025-01-12'],
  ['१२/०१/२०२५', '2025-01-12'],
  ['13/01/2025 03:45 PM', '2025-01-13T10:15:00.000Z'],
  ['13/01/2025, 3:45:10 pm', '2025-01-13T10:15:10.000Z'],
  ['2025-01-13 15:45:00 +0530', '2025-01-13T10:15:00.000Z'],
  ['2025-01-13T10:15:00Z', '2025-01-13T10:15:00.000Z'],
  ['Mon, 13 Jan 2025 10:15:00 GMT', '2025-01-13T10:15:00.000Z'],
  ['45670.65625', '2025-01-13T10:15:00.000Z'],
])('%s is read as a date', async (cell, value) => {
  const shop = await newShop()
  await shop.set({ timezone: 'Asia/Kolkata' })
  await field(shop, 'born', 'date')
  const done = await importContacts(shop, `Phone;Born\n9812300001;${cell}\n`, {
    mapping: { Born: 'attributes.born' },
  })
  expect(await refusedOf(shop, done)).toBe('Line,Reason,Phone,Born\r\n')
  expect((await contact(shop, '+919812300001')).attributes).toEqual({ born: value })
})

test('dates of both orders in one column are rejected only if they are ambiguous', async () => {
  const shop = await newShop()
  await field(shop, 'born', 'date')
  const text =
    'Phone,Born\n9812300001,13/01/2025\n9812300002,01/13/2025\n9812300003,03/04/2025\n9812300004,31/02/2025\n'
  const done = await importContacts(shop, text, { mapping: { Born: 'attributes.born' } })
  expect(done).toMatchObject({ created: 2, refused: 2 })
  const refusedCsv = await refusedOf(shop, done)
  expect(refusedCsv).toContain(
    'Born: ""03/04/2025"" can be 3 April 2025 or 4 March 2025. Choose the date format of this column',
  )
  expect(refusedCsv).toContain(`Born: ""31/02/2025"" isn't a date`)
})

const accented = 'Phone;Name\r\n+919812300001;José “Pepe” Muñoz\r\n+919812300002;Zoë\r\n'
const WINDOWS = Buffer.from(accented.replaceAll('“', '\x93').replaceAll('”', '\x94'), 'latin1')
const MAC = Buffer.from(
  accented
    .replaceAll('“', '\xd2')
    .replaceAll('”', '\xd3')
    .replaceAll('é', '\x8e')
    .replaceAll('ñ', '\x96')
    .replaceAll('ë', '\x91'),
  'latin1',
)
test.each([
  ['utf-8', Buffer.from(accented)],
  ['utf-8', Buffer.from(`\ufeff${accented}`)],
  ['utf-16le', Buffer.from(`\ufeff${accented}`, 'utf16le')],
  ['utf-16le', Buffer.from(accented, 'utf16le')],
  ['utf-16be', Buffer.from(`\ufeff${accented}`, 'utf16le').swap16()],
  ['utf-16be', Buffer.from(accented, 'utf16le').swap16()],
  ['windows-1252', WINDOWS],
  ['macintosh', MAC],
])('a file in %s is read, and the response has the encoding (%#)', async (encoding, content) => {
  const shop = await newShop()
  const file = await upload(shop, content)
  expect(file).toMatchObject({ encoding, columns: ['Phone', 'Name'], rows: 2 })
  await finish(shop, file.id, { kind: 'contacts', mapping: file.guess.contacts })
  expect(Object.keys(await people(shop)).sort()).toEqual(['José “Pepe” Muñoz', 'Zoë'])
})

test('an undetected encoding must be chosen, and the file is read when it is chosen', async () => {
  const shop = await newShop()
  const text = 'Phone;Name\r\n+919812300001;'
  const cyrillic = Buffer.concat([Buffer.from(text), Buffer.from([0xc8, 0xe2, 0xe0, 0xed, 0x0d, 0x0a])])
  const body = { filename: 'people.csv', fileBase64: cyrillic.toString('base64') }
  const refusalAnswer = await shop.by.post(IMPORTS, body)
  expect([refusalAnswer.status, refusalAnswer.body.issues?.[0].message]).toEqual([
    400,
    expect.stringContaining('Choose its encoding'),
  ])
  const file = await upload(shop, cyrillic, { encoding: 'windows-1251' })
  expect(file.sample[0]).toMatchObject({ Name: 'Иван' })
  const damagedFile = Buffer.concat([Buffer.from(accented), Buffer.from([0xe9, 0x0a])])
  const broken = await shop.by.post(IMPORTS, { ...body, fileBase64: damagedFile.toString('base64') })
  expect([broken.status, broken.body.issues?.[0].message]).toEqual([400, expect.stringContaining('line 4')])
})

test('a file without a heading is detected, and its first row is imported', async () => {
  const shop = await newShop()
  const file = await upload(shop, 'Asha,9812300001,asha@example.com\nBina,9812300002,bina@example.com\n')
  expect(file).toMatchObject({ headingLine: null, rows: 2, columns: ['column 1', 'column 2', 'column 3'] })
  expect(file.guess.contacts).toEqual({ 'column 2': 'phone' })
  const mapping = { 'column 1': 'displayName' }
  expect(await importContacts(shop, 'Asha,9812300001\nBina,9812300002\n', { mapping })).toMatchObject({
    created: 2,
  })
  expect(await people(shop)).toEqual({ Asha: '+919812300001', Bina: '+919812300002' })
})

test('title lines above the heading are skipped, and another line can be chosen as the heading', async () => {
  const shop = await newShop()
  const text =
    'Customer list, all shops\nExported on 12/01/2025\n\nName;Phone;City\nAsha;9812300001;Pune\nBina;9812300002\n'
  const file = await upload(shop, text)
  expect(file).toMatchObject({ headingLine: 4, rows: 2, columns: ['Name', 'Phone', 'City'] })
  expect(await finish(shop, file.id, { kind: 'contacts', mapping: file.guess.contacts })).toMatchObject({
    created: 2,
    done: 2,
    refused: 0,
  })
  const other = await upload(shop, 'Code,Town\nName,Phone\nChand,9812300003\n')
  const order = { kind: 'contacts', mapping: { Name: 'displayName', Phone: 'phone' }, headingLine: 2 }
  expect(await finish(shop, other.id, order)).toMatchObject({
    headingLine: 2,
    rows: 1,
    done: 1,
    created: 1,
    columns: ['Name', 'Phone'],
  })
  const unnamed = await upload(shop, 'Name,9812300004\nDev,9812300005\n', {})
  const asData = { kind: 'contacts', mapping: { 'column 2': 'phone' }, headingLine: null }
  expect(await finish(shop, unnamed.id, asData)).toMatchObject({ rows: 2, created: 2 })
  const wrong = await start(shop, (await upload(shop, text)).id, {
    kind: 'contacts',
    mapping: { Asha: 'phone' },
    headingLine: 5,
  })
  expect([wrong.status, wrong.body.issues[0].path]).toEqual([400, 'headingLine'])
})

test('rows can end early, have one extra empty cell, and have several lines in a cell', async () => {
  const shop = await newShop()
  const text =
    'Phone,Name,City,,Name\r\n\r\n9812300001,Asha\r\n9812300002,Bina,Pune,,,,\r\n,,,,\r\n9812300003,"Chand\r\n""the second"", of Pune"\r\n9812300004,Dev;Rao,"Pune, ""old"" city",x,y\r\n'
  const file = await upload(shop, text)
  expect(file).toMatchObject({ columns: ['Phone', 'Name', 'City', 'column 4', 'Name (5)'], rows: 4 })
  const done = await finish(shop, file.id, {
    kind: 'contacts',
    mapping: { ...file.guess.contacts, City: 'attributes.city' },
  })
  expect(done).toMatchObject({ created: 4, refused: 0 })
  expect(await contact(shop, '+919812300003')).toMatchObject({
    displayName: 'Chand\r\n"the second", of Pune',
  })
  expect((await contact(shop, '+919812300004')).attributes).toEqual({ city: 'Pune, "old" city' })
})

test('numbers that a spreadsheet kept as text are read', async () => {
  const shop = await newShop()
  const cells = [
    '="09812300001"',
    "'9812300002",
    '919812300003.0',
    '9.19812300004E+11',
    '98123 00005 (WhatsApp)',
    'p:+919812300006',
    '9812300007, 9812300008',
    '९८१२३००००९',
  ]
  const text = `sep=;\r\nPhone;Name\r\n${cells.map((cell, n) => `"${cell.replaceAll('"', '""')}";P${n + 1}\r\n`).join('')}`
  expect(await importContacts(shop, text)).toMatchObject({ created: cells.length, refused: 0 })
  expect(Object.values(await people(shop)).sort()).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 9].map((n) => `+91981230000${n}`),
  )
})

test('an address book of a phone (.vcf) is read', async () => {
  const shop = await newShop()
  const cards = [
    'BEGIN:VCARD\r\nVERSION:3.0\r\nN:Rao;Asha;;;\r\nFN:Asha Rao\r\nORG:Blue Lotus;\r\nEMAIL;type=INTERNET;type=HOME:asha@example.com',
    'item1.TEL;type=HOME;type=VOICE:020 2567 1234\r\nTEL;type=CELL;type=VOICE;type=pref:+91 98123\r\n  00001',
    'PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD\r\n /2wBDAAgGBgcGBQgHBwcJCQgKDBQ',
    'NOTE:Wants blue\\, not green\\nCall after five\r\nCATEGORIES:VIP,Pune\r\nEND:VCARD',
    'BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:;=E0=A4=AE=E0=A5=80=\r\n=E0=A4=B0=E0=A4=BE;;;\r\nTEL;CELL:98123-00002\r\nEND:VCARD',
    'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Zoya\r\nTEL;VALUE=uri;TYPE="voice,cell":tel:+91-98123-00003\r\nEND:VCARD',
    'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:No number\r\nEND:VCARD\r\n',
  ].join('\r\n')
  const file = await upload(shop, cards, { filename: 'contacts.vcf' })
  expect(file.guess.leads).toMatchObject({ Phone: 'phone', 'E-mail': 'email', Note: 'note' })
  const done = await finish(shop, file.id, {
    kind: 'contacts',
    mapping: { ...file.guess.contacts, Note: 'attributes.note' },
  })
  expect(done).toMatchObject({ rows: 4, created: 3, refused: 1 })
  expect(await people(shop)).toEqual({
    'Asha Rao': '+919812300001',
    मीरा: '+919812300002',
    Zoya: '+919812300003',
  })
  expect(await contact(shop, '+919812300001')).toMatchObject({
    tags: ['VIP', 'Pune'],
    attributes: { note: 'Wants blue, not green\nCall after five' },
  })
})

test('the preview shows the first rows as they will be read with the choices', async () => {
  const shop = await newShop()
  await field(shop, 'size', 'number')
  await field(shop, 'born', 'date')
  const file = await upload(
    shop,
    'Name,Country,Phone,Size,Born\nAsha,US,3125550142,"1,250",03/04/2025\nBina,,9812300002,"2,500",05/04/2025\nChand,,12,x,\n',
  )
  const mapping = { Name: 'displayName', Phone: 'phone', Size: 'attributes.size', Born: 'attributes.born' }
  const preview = async (more: object) => {
    const answer = await shop.by.post(`${IMPORTS}/${file.id}/preview`, { kind: 'contacts', mapping, ...more })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.preview
  }
  const first = await preview({})
  expect(first).toMatchObject({
    columns: ['Name', 'Country', 'Phone', 'Size', 'Born'],
    countryColumn: 'Country',
    formats: {
      Size: { kind: 'number', format: 'decimalPoint', basis: 'country' },
      Born: { kind: 'date', format: 'dayFirst', basis: 'country' },
    },
    lines: [
      { line: 1, cells: ['Name', 'Country', 'Phone', 'Size', 'Born'] },
      { line: 2, cells: ['Asha', 'US', '3125550142', '1,250', '03/04/2025'] },
      expect.anything(),
      expect.anything(),
    ],
    rows: [
      {
        line: 2,
        phone: '+13125550142',
        country: 'US',
        values: { displayName: 'Asha', 'attributes.size': 1250, 'attributes.born': '2025-04-03' },
        reason: null,
      },
      { line: 3, phone: '+919812300002', country: 'IN', reason: null },
      {
        line: 4,
        phone: null,
        country: null,
        reason: expect.stringContaining('Phone: "12" isn\'t a phone number'),
      },
    ],
  })
  const chosen = await preview({ countryColumn: null, formats: { Size: 'decimalComma', Born: 'monthFirst' } })
  expect(chosen.formats).toMatchObject({ Size: { basis: 'chosen' }, Born: { basis: 'chosen' } })
  expect(chosen.rows[0]).toMatchObject({
    phone: '+913125550142',
    values: { 'attributes.size': 1.25, 'attributes.born': '2025-03-04' },
  })
  const movedPreview = await preview({ mapping: undefined, headingLine: null })
  expect(movedPreview).toMatchObject({
    columns: ['column 1', 'column 2', 'column 3', 'column 4', 'column 5'],
    rowCount: 4,
  })
  expect((await shop.get('/contacts?limit=5')).body.contacts).toEqual([])
})

test("a row is erased with the person whose number it has in the row's country, or among others in a cell", async () => {
  const shop = await newShop()
  for (const phone of ['+13125550142', '+919812300002']) await shop.post('/contacts', { phone })
  const text =
    'Name,Country,Phone\nAsha,US,3125550142\nBina,,020 2567 1234 ::: 98123 00002 (mobile)\nChand,,9812300003\n'
  const file = await upload(shop, text)
  for (const phone of ['+13125550142', '+919812300002'])
    expect((await shop.delete(`/contacts/${encodeURIComponent(phone)}`)).status).toBe(200)
  const left = await parley.system((tx) =>
    tx.sql<{ number: number }>('select number from import_rows where import_id = $1 and number > 0', [
      file.id,
    ]),
  )
  expect(left).toEqual([{ number: 3 }])
})

test('a number outside every numbering plan is read if a contact has it, as our own exports show it', async () => {
  const shop = await newShop()
  await shop.inbound('+5215512345678', 'Hola')
  const text = "phone,name\n'+5215512345678,Ana\n5215512345678,Ana again\n+99912345678901,Nobody\n"
  const done = await importContacts(shop, text)
  expect(done).toMatchObject({ created: 0, updated: 2, refused: 1 })
  expect(await contact(shop, '+5215512345678')).toMatchObject({ displayName: 'Ana again' })
  expect(await refusedOf(shop, done)).toContain("isn't a phone number")
})

test.each<[tool: string, heading: string, row: string, phone: string, name: string]>([
  [
    'a shop',
    'Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address Address1,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Default Address Phone,Phone,Accepts SMS Marketing,Total Spent,Total Orders,Note,Tax Exempt,Tags',
    "'7210448301122,Asha,Rao,a@example.com,no,,1 Main St,Portland,OR,US,'97201,(312) 555-0142,,no,150.00,3,,no,vip",
    '+13125550142',
    'Asha Rao',
  ],
  [
    'a marketing CRM',
    'Record ID,First Name,Last Name,Email,Phone Number,Mobile Phone Number,Contact owner,Country/Region,Create Date',
    '100451,Asha,Rao,a@example.com,020 2567 1234,9812300001,Ravi,India,2025-01-12 10:30',
    '+919812300001',
    'Asha Rao',
  ],
  [
    'a sales CRM',
    '"Record Id","Lead Owner","First Name","Last Name","Email","Phone","Mobile","Lead Source","Mailing Country"',
    '"zcrm_4150868000000376008","Ravi","Asha","Rao","a@example.com","","050 123 4567","Web","United Arab Emirates"',
    '+971501234567',
    'Asha Rao',
  ],
  [
    'a chat tool',
    'Name,CountryCode,Phone,AllowBroadcast,city',
    'Asha Rao,44,7400123456,TRUE,Leeds',
    '+447400123456',
    'Asha Rao',
  ],
  [
    'another chat tool',
    'Country Code,Phone Number,Name,Email,WhatsApp Opted',
    '91,9812300001,Asha Rao,a@example.com,TRUE',
    '+919812300001',
    'Asha Rao',
  ],
  [
    'an inbox',
    'First Name,Last Name,Phone Number,Email,Country,Language,Tags',
    'Asha,Rao,0412 345 678,a@example.com,AU,en,"vip, gold"',
    '+61412345678',
    'Asha Rao',
  ],
])('the export of %s is imported with the guessed mapping', async (_, heading, row, phone, name) => {
  const shop = await newShop()
  const done = await importContacts(shop, `${heading}\r\n${row}\r\n`)
  expect(done).toMatchObject({ created: 1, refused: 0 })
  expect(await people(shop)).toEqual({ [name]: phone })
})
