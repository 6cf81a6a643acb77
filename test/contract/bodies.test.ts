/** Valid bodies and addresses (spec 2.1, 4.1.2, 8.2; docs/decisions/requests.md). */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { METHODS } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { arranging, equippedSandbox, newPhone } from './arrange.ts'

const ARRANGING = await arranging()

import { ask, KEYED, named, probe, WRITES } from './requests.ts'

const CORPORA = join(import.meta.dirname, '../corpora')
const WITH_BODY = WRITES.filter((value) => value.body)

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot(ARRANGING)
  shop = await equippedSandbox(parley)
})
afterAll(() => parley.close())

/** One workspace accepts a hundred concurrent writes; a corpus needs several workspaces. */
const shops = new Map<number, Promise<TestWorkspace>>()
const shopFor = (index: number): Promise<TestWorkspace> => {
  const number = Math.floor(index / 100)
  const shop = shops.get(number) ?? equippedSandbox(parley)
  shops.set(number, shop)
  return shop
}

describe.each(named(WITH_BODY))('%s', (_, value) => {
  // An unknown name is rejected before the body is read.
  const path = value.path.endsWith('/:name') ? value.path.replace(':name', 'simulator') : probe(value).path
  const limit = value.bodyLimit ?? 64 * 1024

  test('a body that is not JSON is 400 invalid_json', async () => {
    const client = await equippedSandbox(parley)
    const emptyBodies = value.bodyOptional ? [] : ['']
    for (const body of [
      '{',
      '{"a":1,}',
      "{'a':1}",
      'nonsense',
      Buffer.from([0x7b, 0xff, 0x7d]),
      ...emptyBodies,
    ])
      expect(await ask(client, value, { path, body })).toMatchObject({
        status: 400,
        body: { error: 'invalid_json' },
      })
  })

  test('a body at the limit is read, one byte more is 413', async () => {
    const client = await equippedSandbox(parley)
    const bodyOfLength = (length: number) => `{"padding":"${'x'.repeat(length - 14)}"}`
    const read = await ask(client, value, { path, body: bodyOfLength(limit) })
    expect(read).toMatchObject({ status: 400, body: { error: 'invalid' } })
    expect(await ask(client, value, { path, body: bodyOfLength(limit + 1) })).toMatchObject({
      status: 413,
      body: { error: 'payload_too_large' },
    })
  })

  test('content types other than JSON, and compressed bodies, are 415', async () => {
    const client = await equippedSandbox(parley)
    const others: [string | Buffer, Record<string, string>][] = [
      ['Hello', { 'content-type': 'text/plain' }],
      ['a=1', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['{}', { 'content-type': 'application/xml' }],
      [gzipSync('{}'), { 'content-encoding': 'gzip' }],
    ]
    for (const [body, headers] of others)
      expect(await ask(client, value, { path, body }, { headers })).toMatchObject({
        status: 415,
        body: { error: 'unsupported_media_type' },
      })
  })

  // An upload states how its file is sent.
  if (value.kind !== 'upload')
    test("JSON without its type, or with a library's default type, is read as JSON", async () => {
      const client = await equippedSandbox(parley)
      for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
        expect(
          await ask(client, value, { path, body: '{"notAField":1}' }, { headers: { 'content-type': type } }),
        ).toMatchObject({ status: 400, body: { error: 'invalid' } })
    })

  test('an unknown field is named', async () => {
    const client = await equippedSandbox(parley)
    const answer = await ask(client, value, { path, body: { notAField: 1 } })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid' } })
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toContain('notAField')
  })

  test('nesting past 32 levels is 400', async () => {
    const client = await equippedSandbox(parley)
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    for (const levels of [32, 30_000])
      expect(await ask(client, value, { path, body: `{"a":${nested(levels)}}` })).toMatchObject({
        status: 400,
        body: { error: 'invalid' },
      })
  })

  test('a body that is not an object is 400', async () => {
    const client = await equippedSandbox(parley)
    for (const body of ['null', '[]', '1', '"text"', 'true'])
      expect(await ask(client, value, { path, body })).toMatchObject({
        status: 400,
        body: { error: 'invalid', message: expect.stringMatching(/^The body must be an object\.$/) },
      })
  })
})

test.each(named(WRITES.filter((value) => !value.body)))(
  '%s needs no body, but a body that is not JSON is 400 (spec 2.1)',
  async (_, value) => {
    const client = await equippedSandbox(parley)
    const path = value.path.replace(':name', 'simulator').replace(/:\w+/g, randomUUID())
    // The parts of the address are checked first.
    const address = value.query.safeParse({}).success ? path : `${path}?moveTo=Lost`
    for (const body of ['{', '{"a":1,}', 'nonsense', Buffer.from([0x7b, 0xff, 0x7d])])
      expect(await ask(client, value, { path: address, body })).toMatchObject({
        status: 400,
        body: { error: 'invalid_json' },
      })
    const { body } = await ask(client, value, { path: address, body: '{"note":"of whoever called"}' })
    expect(body.error).not.toBe('invalid')
  },
)

test('field errors are in plain words', async () => {
  const answer = await shop.post('/leads', { stage: 1, tags: 'vip', attributes: [] })
  expect(answer.body.issues).toEqual([
    { path: 'phone', message: 'Required.' },
    { path: 'stage', message: 'Must be text.' },
    { path: 'tags', message: 'Must be a list.' },
    { path: 'attributes', message: 'Must be an object.' },
  ])
  const { body } = await shop.post('/contacts', { phone: '+919812345678', optInStatus: 'maybe' })
  expect(body.message).toBe('optInStatus: Must be one of unknown, opted_in, opted_out.')
})

test('a repeated query parameter is rejected by its name', async () => {
  expect((await shop.get('/contacts?limit=1&limit=2')).body.issues).toEqual([
    { path: 'limit', message: 'Must be sent once.' },
  ])
})

test('the error for a body over its limit contains the limit', async () => {
  const refusal = (path: string, bytes: number) => shop.post(path, ' '.repeat(bytes))
  expect((await refusal('/contacts', 64 * 1024 + 1)).body.message).toBe(
    'The body is larger than 64 KB. Send less in one request.',
  )
  expect((await refusal('/contacts/bulk', 1024 * 1024 + 1)).body.message).toBe(
    'The body is larger than 1024 KB. Send less in one request.',
  )
})

test('the error for invalid JSON contains the position', async () => {
  expect((await shop.post('/contacts', '{"phone":"+919812345678",}')).body).toMatchObject({
    error: 'invalid_json',
    message: expect.stringContaining('position 25'),
  })
})

test('a request without a body may have any type, as command lines and libraries send it', async () => {
  const { id } = (await shop.post('/contacts', { phone: newPhone() })).body.contact
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect(await shop.post(`/contacts/${id}/block`, '', { headers })).toMatchObject({ status: 200 })
  expect(await shop.call('DELETE', `/contacts/${id}`, undefined, { headers })).toMatchObject({ status: 200 })
  expect(await shop.post('/contacts', '', { headers })).toMatchObject({
    status: 400,
    body: { error: 'invalid_json', message: 'The body is empty. Send JSON.' },
  })
})

describe("text that can't be stored", () => {
  test.each([
    ['NUL in a value', '{"phone":"+919812345678","displayName":"a\\u0000b"}', 'displayName'],
    [
      'half of a surrogate pair',
      '{"phone":"+919812345678","attributes":{"city":"\\ud800"}}',
      'attributes.city',
    ],
    ['NUL in a name', '{"phone":"+919812345678","attributes":{"a\\u0000":1}}', 'attributes.a\ufffd'],
    ['an overflowing number', '{"phone":"+919812345678","attributes":{"n":1e400}}', 'attributes.n'],
    ['__proto__', '{"phone":"+919812345678","attributes":{"__proto__":{"a":1}}}', 'attributes.__proto__'],
  ])('%s is rejected, naming the field', async (_, body, path) => {
    const answer = await shop.post('/contacts', body)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid' } })
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toEqual([path])
    expect(answer.body.message).toMatch(new RegExp(`^${path.replaceAll('.', '\\.')}: Must`))
  })

  test('31 levels below a field are stored unchanged', async () => {
    const deep = JSON.parse(`${'['.repeat(30)}"x"${']'.repeat(30)}`)
    const answer = await shop.post('/contacts', { phone: newPhone(), attributes: { deep } })
    expect(answer.body.contact.attributes.deep).toEqual(deep)
  })
})

describe('the corpus of JSON texts', () => {
  const folder = join(CORPORA, 'json/test_parsing')
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const bytesOf = (name: string): Buffer => readFileSync(join(folder, name))

  test('exists', () => expect(files.length).toBeGreaterThan(300))

  test('texts that must be rejected are invalid_json, texts that must be read are not, and none causes a server error', async () => {
    const problems = await Promise.all(
      files.map(async (name, index) => {
        const answer = await (await shopFor(index)).post('/contacts', bytesOf(name))
        const { error } = answer.body
        const isExpected = {
          y: answer.status === 400 && error === 'invalid',
          n: error === 'invalid_json' || error === 'payload_too_large',
          i: answer.status >= 400 && answer.status < 500,
        }[name[0] as 'y' | 'n' | 'i']
        return isExpected ? [] : [`${name}: ${answer.status} ${answer.text.slice(0, 200)}`]
      }),
    )
    expect(problems.flat()).toEqual([])
  })

  test('a value read inside a custom field is returned unchanged, or rejected', async () => {
    const readable = files.filter((name) => name.startsWith('y_'))
    const problems = await Promise.all(
      readable.map(async (name, index) => {
        const client = await shopFor(1000 + index)
        const inner = bytesOf(name).toString('utf8')
        const answer = await client.post(
          '/contacts',
          `{"phone":"${newPhone()}","attributes":{"it":${inner}}}`,
        )
        if (answer.status === 400 && answer.body.error === 'invalid' && answer.body.issues.length > 0)
          return []
        // A null removes its key (src/modules/messaging/contacts/DECISIONS.md "Contacts").
        const sent = JSON.parse(inner) ?? undefined
        const isUnchanged = answer.status === 201 && sameJson(answer.body.contact.attributes.it, sent)
        return isUnchanged ? [] : [`${name}: ${answer.status} ${answer.text.slice(0, 200)}`]
      }),
    )
    expect(problems.flat()).toEqual([])
  })
})

/** Compares as JSON, ignoring the order of keys. */
function sameJson(a: unknown, b: unknown): boolean {
  const sortKeys = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sortKeys)
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(
            Object.entries(value)
              .sort(([x], [y]) => (x < y ? -1 : 1))
              .map(([key, inner]) => [key, sortKeys(inner)]),
          )
        : value
  return JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b))
}

describe('addresses', () => {
  test.each(['/', '/nothing', '/contacts/a/b/c', '/openapi', '/me/'.repeat(50)])(
    '%s is 404',
    async (path) => {
      const answer = await shop.get(path)
      expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } })
    },
  )

  test.each(named(KEYED))('%s: another method is 405 and lists the allowed methods', async (_, value) => {
    const { path } = probe(value)
    const has = (method: string) =>
      KEYED.some((endpoint) => endpoint.method === method && endpoint.path === value.path)
    const other = ['PUT', 'DELETE', 'PATCH'].find((method) => !has(method))!
    const answer = await shop.call(other, path, {})
    expect(answer).toMatchObject({ status: 405, body: { error: 'method_not_allowed' } })
    expect(answer.headers.allow?.split(', ')).toContain(value.method)
  })

  describe('of any method', () => {
    // This many requests would use up the buckets of the other tests.
    let other: TestWorkspace
    beforeAll(async () => {
      other = await parley.workspace()
    })
    // CONNECT has no path (test/platform/raw-http.test.ts).
    test.each(METHODS.filter((method) => method !== 'CONNECT'))(
      '%s of a path that does not allow it is 405, of an unknown path 404',
      async (method) => {
        const [knownPath, allow] = ['GET', 'HEAD'].includes(method) ? ['/send', 'POST'] : ['/me', 'GET, HEAD']
        const answers = [await other.call(method, knownPath), await other.call(method, '/nothing')]
        expect(answers.map((answer) => answer.status)).toEqual([405, 404])
        expect(answers[0]?.headers.allow).toBe(allow)
        if (method !== 'HEAD')
          expect(answers.map((answer) => answer.body.error)).toEqual(['method_not_allowed', 'not_found'])
      },
    )
  })

  test.each([
    ['/openapi.json', 200],
    ['/me', 200],
    ['/contacts?limit=1', 200],
    ['/contacts?limit=0', 400],
    [`/contacts/${randomUUID()}`, 404],
  ])('HEAD %s is answered like GET, without the body (RFC 9110 section 9.3.2)', async (path, status) => {
    const [full, head] = [await shop.get(path), await shop.call('HEAD', path)]
    expect([full.status, head.status, head.text]).toEqual([status, status, ''])
    for (const name of ['content-type', 'content-length', 'etag', 'ratelimit-limit'])
      expect([name, head.headers[name]]).toEqual([name, full.headers[name]])
  })

  test('HEAD requires a key where GET does', async () => {
    const answer = await parley.anonymous.call('HEAD', '/me')
    expect(answer).toMatchObject({ status: 401, text: '', headers: { 'www-authenticate': 'Bearer' } })
  })

  test("an address that can't be decoded is 400", async () => {
    expect(await shop.get('/contacts/%zz')).toMatchObject({ status: 400, body: { error: 'invalid' } })
  })

  test('NUL in an address is never a 500', async () => {
    for (const value of KEYED) {
      const answer = await shop.call(
        value.method,
        value.path.replace(/:\w+/g, 'a%00b'),
        value.body ? {} : undefined,
      )
      expect([value.path, answer.status < 500]).toEqual([value.path, true])
    }
    for (const query of ['search=%00', 'phone=%00', 'cursor=%00', 'limit=%00', 'status=%00'])
      for (const path of ['/contacts', '/messages', '/conversations'])
        expect([path, query, (await shop.get(`${path}?${query}`)).status < 500]).toEqual([path, query, true])
  })

  test('pages reject an invalid limit or cursor (spec 2.1)', async () => {
    const paged = KEYED.filter(
      (value) => value.query instanceof z.ZodObject && 'cursor' in value.query.shape && !value.subject,
    )
    expect(paged.length).toBeGreaterThan(1)
    // With buckets of its own: these are hundreds of reads.
    const reader = await equippedSandbox(parley)
    for (const value of paged)
      for (const query of [
        'limit=0',
        'limit=101',
        'limit=-1',
        'limit=1.5',
        'limit=x',
        'limit=',
        'cursor=x',
        'cursor=',
      ])
        expect(
          await ask(reader, value, { path: `${value.path.replace(':name', 'simulator')}?${query}` }),
          query,
        ).toMatchObject({
          status: 400,
          body: { error: 'invalid' },
        })
  })
})

describe('X-Request-Id', () => {
  let reader: TestWorkspace
  beforeAll(async () => {
    reader = await equippedSandbox(parley)
  })

  test('is returned, or created', async () => {
    const answer = await reader.get('/me', { headers: { 'x-request-id': 'order-4711:retry.2' } })
    expect(answer.headers['x-request-id']).toBe('order-4711:retry.2')
    const [first, second] = [await reader.get('/me'), await reader.get('/me')]
    expect(first.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id'])
  })

  test.each(['with space', 'x'.repeat(129), '"quoted"', '<b>'])('%j is replaced', async (id) => {
    const answer = await reader.get('/me', { headers: { 'x-request-id': id } })
    expect(answer.status).toBe(200)
    expect(answer.headers['x-request-id']).not.toBe(id)
  })

  test('is on errors too', async () => {
    for (const answer of [await parley.anonymous.get('/me'), await reader.get('/nothing')])
      expect(answer.headers['x-request-id']).toBeTruthy()
  })
})
