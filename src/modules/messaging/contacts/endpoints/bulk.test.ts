import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { deadlocksIn } from '../../../../../test/support/deadlocks.ts'

let parley: TestParley
let shop: TestWorkspace

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace()
})
afterAll(() => parley?.close())

let lastNumber = 9822300000
const freshNumber = (): string => `+91${++lastNumber}`

const eventsOf = (workspace: TestWorkspace, name: string): Promise<Body[]> =>
  parley.system((tx) =>
    tx.sql<{ data: Body }>('select data from events where workspace_id = $1 and name = $2 order by id', [
      workspace.workspaceId,
      name,
    ]),
  )
const countOf = async (workspace: TestWorkspace): Promise<{ rows: number; counted: number }> =>
  parley.system(async (tx) => {
    const [row] = await tx.sql<{ rows: number; counted: number }>(
      `select (select count(*) from contacts where workspace_id = $1) as rows,
              (select contacts from workspace_usage where workspace_id = $1) as counted`,
      [workspace.workspaceId],
    )
    return row!
  })

describe('POST /contacts/bulk', () => {
  test('every row gets a result in order: created, updated or refused; a refused row affects no other row', async () => {
    const [existing, fresh, optedOut] = [freshNumber(), freshNumber(), freshNumber()]
    const { contact } = (await shop.post('/contacts', { phone: existing, tags: ['old'] })).body
    await shop.post('/contacts', { phone: optedOut })
    await parley.system((tx) =>
      tx.sql("update contacts set opt_in_status = 'opted_out', refused_by_customer = true where phone = $1", [
        optedOut,
      ]),
    )
    const answer = await shop.post('/contacts/bulk', {
      contacts: [
        { phone: existing.slice(3), tags: ['new'], attributes: { city: 'Pune' } },
        { phone: fresh, displayName: 'Asha Rao' },
        { phone: 'nobody' },
        { e164: optedOut, optInStatus: 'opted_in' },
        { phone: freshNumber(), tags: Array.from({ length: 51 }, (_, i) => `t${i}`), oddField: 1 },
        'text',
        { phone: 'chan:IN.123' },
      ],
    })
    expect(answer.status).toBe(200)
    const { results, ...counts } = answer.body
    expect(counts).toEqual({ created: 1, updated: 1, refused: 5 })
    expect(results.map((row: Body) => [row.index, row.status, row.error])).toEqual([
      [0, 'updated', undefined],
      [1, 'created', undefined],
      [2, 'refused', 'invalid'],
      [3, 'refused', 'contact_opted_out'],
      [4, 'refused', 'invalid'],
      [5, 'refused', 'invalid'],
      [6, 'refused', 'invalid'],
    ])
    expect(results[0].contactId).toBe(contact.id)
    expect(results[2].issues).toEqual([
      {
        path: 'phone',
        message: expect.stringContaining('Must be a phone number in E.164 format'),
      },
    ])
    expect(results[4].issues.map((issue: Body) => issue.path).sort()).toEqual(['oddField', 'tags'])
    expect((await shop.get(`/contacts/${existing}`)).body.contact).toMatchObject({
      tags: ['new'],
      attributes: { city: 'Pune' },
    })
  })

  test('new rows fire contact.created with source api; changed rows fire contact.updated with via api', async () => {
    const workspace = await parley.workspace()
    const [existing, fresh] = [freshNumber(), freshNumber()]
    await workspace.post('/contacts', { phone: existing })
    const { body } = await workspace.post('/contacts/bulk', {
      contacts: [
        { phone: existing, displayName: 'Ravi' },
        { phone: fresh },
        { phone: existing, displayName: 'Ravi' },
      ],
    })
    const created = await eventsOf(workspace, 'contact.created')
    expect(created).toHaveLength(2)
    expect(created[1].data).toMatchObject({ contactId: body.results[1].contactId, source: 'api' })
    const updated = await eventsOf(workspace, 'contact.updated')
    expect(updated).toHaveLength(1)
    expect(updated[0].data).toMatchObject({ phone: existing, changed: ['displayName'], via: 'api' })
  })

  test('rows for one number are applied one after the other', async () => {
    const phone = freshNumber()
    const { body } = await shop.post('/contacts/bulk', {
      contacts: [
        { phone, tags: ['a'], attributes: { x: 1 } },
        { phone: phone.slice(1), tags: ['b'], attributes: { y: 2 } },
        { phone, displayName: 'Third' },
      ],
    })
    expect(body.results.map((row: Body) => row.status)).toEqual(['created', 'updated', 'updated'])
    expect(new Set(body.results.map((row: Body) => row.contactId)).size).toBe(1)
    expect((await shop.get(`/contacts/${phone}`)).body.contact).toMatchObject({
      tags: ['b'],
      attributes: { x: 1, y: 2 },
      displayName: 'Third',
    })
  })

  test('the contact limit is exact: new rows past it are rejected, known numbers are updated', async () => {
    const workspace = await parley.workspace({ plan: 'pro' })
    await workspace.set({ contactLimit: 10 })
    const existing = freshNumber()
    await workspace.post('/contacts', { phone: existing })
    const bodies = Array.from({ length: 4 }, () => ({
      contacts: [
        ...Array.from({ length: 5 }, () => ({ phone: freshNumber() })),
        { phone: existing, tags: ['x'] },
      ],
    }))
    const answers = await Promise.all(bodies.map((body) => workspace.post('/contacts/bulk', body)))
    const rows = answers.flatMap(({ body }) => body.results)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(rows.filter((row) => row.status === 'created')).toHaveLength(9)
    expect(rows.filter((row) => row.status === 'updated')).toHaveLength(4)
    expect(new Set(rows.filter((row) => row.status === 'refused').map((row) => row.error))).toEqual(
      new Set(['plan_limit_reached']),
    )
    expect(await countOf(workspace)).toEqual({ rows: 10, counted: 10 })
  })

  test('a retry with its idempotency key gets the first answer and stores nothing again', async () => {
    const workspace = await parley.workspace()
    const body = { contacts: Array.from({ length: 500 }, () => ({ phone: freshNumber(), tags: ['import'] })) }
    const first = await workspace.post('/contacts/bulk', body, { idempotencyKey: 'import-1' })
    const repeated = await workspace.post('/contacts/bulk', body, { idempotencyKey: 'import-1' })
    expect(first.body.created).toBe(500)
    expect(repeated.text).toBe(first.text)
    expect(repeated.headers['idempotent-replayed']).toBe('true')
    expect(await eventsOf(workspace, 'contact.created')).toHaveLength(500)
  })

  test('concurrent duplicates without a key create each contact once', async () => {
    const workspace = await parley.workspace()
    const contacts = Array.from({ length: 60 }, () => ({ phone: freshNumber() }))
    const answers = await Promise.all([
      workspace.post('/contacts/bulk', { contacts }),
      workspace.post('/contacts/bulk', { contacts: contacts.toReversed() }),
      ...contacts.slice(0, 10).map((body) => workspace.post('/contacts', body)),
    ])
    expect(answers.filter(({ status }) => status >= 300)).toEqual([])
    expect(await eventsOf(workspace, 'contact.created')).toHaveLength(60)
    expect((await countOf(workspace)).rows).toBe(60)
  })

  test.each([
    [{ contacts: [] }, 'contacts'],
    [{ contacts: Array.from({ length: 501 }, () => ({ phone: '+919800000000' })) }, 'contacts'],
    [{ contacts: { phone: '+919800000000' } }, 'contacts'],
    [{}, 'contacts'],
  ])("a body that isn't a list of 1 to 500 rows returns 400 (%#)", async (body, path) => {
    const answer = await shop.post('/contacts/bulk', body)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid', issues: [{ path }] } })
  })
})

describe('POST /contacts/bulk-tags', () => {
  const contact = async (tags: string[] = []): Promise<Body> =>
    (await shop.post('/contacts', { phone: freshNumber(), tags })).body.contact

  test('tags are added and removed by contact id, and each change is reported once', async () => {
    const [first, second] = [await contact(['a', 'b']), await contact(['c'])]
    const reported = (await eventsOf(shop, 'contact.updated')).length
    const { status, body } = await shop.post('/contacts/bulk-tags', {
      contactIds: [first.id, second.id.toUpperCase(), first.id, crypto.randomUUID(), 'nonsense'],
      addTags: ['c', 'd'],
      removeTags: ['a'],
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ updated: 3, refused: 2 })
    expect(body.results.map((row: Body) => [row.contactId, row.error])).toEqual([
      [first.id, undefined],
      [second.id, undefined],
      [first.id, undefined],
      [null, 'not_found'],
      [null, 'not_found'],
    ])
    expect((await shop.get(`/contacts/${first.id}`)).body.contact.tags).toEqual(['b', 'c', 'd'])
    expect((await shop.get(`/contacts/${second.id}`)).body.contact.tags).toEqual(['c', 'd'])
    const news = (await eventsOf(shop, 'contact.updated')).slice(reported)
    expect(news.map(({ data }) => [data.contactId, data.changed, data.via])).toEqual([
      [first.id, ['tags'], 'api'],
      [second.id, ['tags'], 'api'],
    ])
  })

  test('a row can name its contact by phone in any spelling', async () => {
    const tagged = await contact()
    const { body } = await shop.post('/contacts/bulk-tags', {
      phones: [tagged.phone.slice(3), '+919899999999', 'nobody', 'chan:IN.404'],
      addTags: ['summer'],
    })
    expect(body.results.map((row: Body) => row.error ?? row.contactId)).toEqual([
      tagged.id,
      'not_found',
      'invalid',
      'not_found',
    ])
    expect(body.results[2].issues[0].path).toBe('phones[2]')
  })

  test('a contact has at most 50 tags; only the row that would exceed the limit is rejected', async () => {
    const full = await contact(Array.from({ length: 50 }, (_, i) => `t${i}`))
    const other = await contact()
    const ids = { contactIds: [full.id, other.id] }
    const { body } = await shop.post('/contacts/bulk-tags', { ...ids, addTags: ['one more'] })
    expect(body.results.map((row: Body) => row.status)).toEqual(['refused', 'updated'])
    expect(body.results[0]).toMatchObject({ error: 'invalid', issues: [{ path: 'addTags' }] })
    const response = await shop.post('/contacts/bulk-tags', {
      ...ids,
      addTags: ['one more'],
      removeTags: ['t0'],
    })
    expect(response.body.updated).toBe(2)
  })

  test("another workspace's contacts get the same answer as missing contacts", async () => {
    const foreign = (await (await parley.workspace()).post('/contacts', { phone: freshNumber() })).body
      .contact
    const { body } = await shop.post('/contacts/bulk-tags', { contactIds: [foreign.id], addTags: ['mine'] })
    expect(body.results[0].error).toBe('not_found')
  })

  test.each([
    [{ addTags: ['a'] }, 'contactIds'],
    [{ contactIds: ['x'], phones: ['y'], addTags: ['a'] }, 'contactIds'],
    [{ contactIds: ['x'] }, 'addTags'],
    [{ contactIds: ['x'], addTags: ['a'], removeTags: ['a'] }, 'removeTags'],
    [{ contactIds: Array(501).fill('x'), addTags: ['a'] }, 'contactIds'],
    [{ contactIds: ['x'], addTags: [' '] }, 'addTags[0]'],
  ])('an invalid body returns 400 and names the field (%#)', async (body, path) => {
    const answer = await shop.post('/contacts/bulk-tags', body)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid', issues: [{ path }] } })
  })
})

describe('concurrent bulk writes and bulk tags', () => {
  test('lists of the same contacts never deadlock, in any order', async () => {
    const workspace = await parley.workspace({ plan: 'unlimited' })
    const phones = Array.from({ length: 200 }, freshNumber).reverse()
    const contacts = phones.map((phone) => ({ phone }))
    expect((await workspace.post('/contacts/bulk', { contacts })).body.created).toBe(200)
    const before = await deadlocksIn(parley)
    for (let round = 0; round < 3; round++) {
      const requests = Array.from({ length: 8 }, (_, i) =>
        i % 2
          ? workspace.post('/contacts/bulk', {
              contacts: contacts.map((contact) => ({ ...contact, attributes: { i } })),
            })
          : workspace.post('/contacts/bulk-tags', {
              phones,
              addTags: [`round ${round}`],
              removeTags: ['other'],
            }),
      )
      for (const answer of await Promise.all(requests)) expect(answer.status, answer.text).toBe(200)
    }
    expect(await deadlocksIn(parley)).toBe(before)
  })
})
