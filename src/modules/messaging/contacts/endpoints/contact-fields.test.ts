import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'

let parley: TestParley
let shop: TestWorkspace

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace()
})
afterAll(() => parley?.close())

let lastNumber = 9842300000
const freshNumber = (): string => `+91${++lastNumber}`
const declare = (body: object): Promise<Body> => shop.post('/contact-fields', body)
const write = (attributes: object): Promise<Body> =>
  shop.post('/contacts', { phone: freshNumber(), attributes })

test('a field is declared (201), listed, relabelled and deleted', async () => {
  const created = await declare({ key: 'size', label: 'Shirt size', type: 'select', options: ['S', 'M'] })
  expect(created.status).toBe(201)
  const { contactField } = created.body
  expect(contactField).toEqual({
    id: expect.any(String),
    key: 'size',
    label: 'Shirt size',
    type: 'select',
    options: ['S', 'M'],
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  const path = `/contact-fields/${contactField.id}`
  const changed = await shop.patch(path, { label: 'Size', options: ['S', 'M', 'L'] })
  expect(changed.body.contactField).toMatchObject({ label: 'Size', options: ['S', 'M', 'L'] })
  expect((await shop.get('/contact-fields')).body.contactFields).toEqual([changed.body.contactField])
  expect((await shop.delete(path)).body).toEqual({ ok: true, deleted: true })
  expect((await shop.get('/contact-fields')).body).toEqual({ contactFields: [], nextCursor: null })
  expect((await shop.delete(path)).status).toBe(404)
})

test('later writes of attributes must match the declared type; the error names the field', async () => {
  for (const type of ['text', 'number', 'date', 'boolean']) await declare({ key: `a ${type}`, type })
  await declare({ key: 'a select', type: 'select', options: ['S', 'M'] })
  const validValues = {
    'a text': 'x',
    'a number': 1.5,
    'a date': '2026-06-01',
    'a boolean': false,
    'a select': 'M',
    undeclared: { free: [1] },
  }
  const created = await write(validValues)
  expect(created).toMatchObject({ status: 201, body: { contact: { attributes: validValues } } })
  const invalidValues = {
    'a text': 1,
    'a number': '1',
    'a date': '1 June',
    'a boolean': 'yes',
    'a select': 'XL',
    undeclared: 1,
  }
  const paths = Object.keys(validValues)
    .filter((key) => key !== 'undeclared')
    .map((key) => `attributes.${key}`)
  const { id, phone } = created.body.contact
  for (const answer of [
    await write(invalidValues),
    await shop.post('/contacts', { phone, attributes: invalidValues }),
    await shop.patch(`/contacts/${id}`, { attributes: invalidValues }),
  ]) {
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid' } })
    expect(answer.body.issues.map((issue: Body) => issue.path)).toEqual(paths)
  }
  const bulk = await shop.post('/contacts/bulk', {
    contacts: [{ phone, attributes: invalidValues }, { phone }],
  })
  expect(bulk.body.results.map((row: Body) => row.status)).toEqual(['refused', 'updated'])
  expect(bulk.body.results[0].issues.map((issue: Body) => issue.path)).toEqual(paths)
  const time = await shop.patch(`/contacts/${id}`, {
    attributes: { 'a date': '2026-06-01T10:00:00+05:30', 'a number': null },
  })
  expect(time.body.contact.attributes).not.toHaveProperty('a number')
})

test("values stored before the declaration stay as they are and don't cause errors", async () => {
  const { contact } = (await write({ joined: 'last year' })).body
  await declare({ key: 'joined', type: 'date' })
  const answer = await shop.patch(`/contacts/${contact.id}`, {
    displayName: 'Asha',
    attributes: { city: 'Pune' },
  })
  expect(answer.body.contact.attributes).toEqual({ joined: 'last year', city: 'Pune' })
  expect((await shop.patch(`/contacts/${contact.id}`, { attributes: { joined: 'now' } })).status).toBe(400)
})

test('a declaration applies only to its own workspace', async () => {
  await declare({ key: 'ours', type: 'number' })
  const other = await parley.workspace()
  expect((await other.post('/contacts', { phone: freshNumber(), attributes: { ours: 'text' } })).status).toBe(
    201,
  )
  const { contactFields } = (await shop.get('/contact-fields')).body
  expect((await other.patch(`/contact-fields/${contactFields[0].id}`, { label: 'x' })).body.error).toBe(
    'not_found',
  )
})

test('a key is declared once, also by concurrent duplicates, and a workspace declares at most 100 fields', async () => {
  const workspace = await parley.workspace()
  const duplicates = await Promise.all(
    Array.from({ length: 5 }, () => workspace.post('/contact-fields', { key: 'k', type: 'text' })),
  )
  expect(duplicates.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
  const rest: Body[] = []
  for (let i = 0; i < 102; i += 6)
    rest.push(
      ...(await Promise.all(
        Array.from({ length: 6 }, (_, j) =>
          workspace.post('/contact-fields', { key: `k${i + j}`, type: 'text' }),
        ),
      )),
    )
  expect(rest.filter(({ status }) => status === 201)).toHaveLength(99)
  expect(rest.find(({ status }) => status === 409)?.body.error).toBe('conflict')
})

test.each([
  [{ type: 'text' }, 'key'],
  [{ key: '', type: 'text' }, 'key'],
  // No contact can store this key: request bodies reject it.
  [{ key: '__proto__', type: 'text' }, 'key'],
  [{ key: 'k', type: 'colour' }, 'type'],
  [{ key: 'k', type: 'select' }, 'options'],
  [{ key: 'k', type: 'text', options: ['a'] }, 'options'],
  [{ key: 'k', type: 'select', options: [] }, 'options'],
  [{ key: 'k', type: 'select', options: ['a', 'a'] }, 'options'],
])('an invalid declaration returns 400 and names the field (%#)', async (body, path) => {
  expect(await declare(body)).toMatchObject({ status: 400, body: { issues: [{ path }] } })
})

test("only a select field accepts options, and key and type can't change", async () => {
  const { contactField } = (await declare({ key: 'fixed', type: 'text' })).body
  for (const [body, path] of [
    [{ options: ['a'] }, 'options'],
    [{ key: 'other' }, 'key'],
    [{ type: 'number' }, 'type'],
  ] as const)
    expect(await shop.patch(`/contact-fields/${contactField.id}`, body)).toMatchObject({
      status: 400,
      body: { issues: [{ path }] },
    })
})
