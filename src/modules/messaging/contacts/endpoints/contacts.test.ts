import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type Answered,
  type Body,
  boot,
  type TestParley,
  type TestWorkspace,
} from '../../../../../test/support/boot.ts'
import { lockWaits } from '../../../../../test/support/lock-waits.ts'
import { until } from '../../../../../test/support/until.ts'

let parley: TestParley
let shop: TestWorkspace

beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

let lastNumber = 9812300000
/** Returns an Indian number that no other test in this file uses. */
const freshNumber = (): string => `+91${++lastNumber}`

const eventsOf = (workspace: TestWorkspace, name: string): Promise<Body[]> =>
  parley.system((tx) =>
    tx.sql<{ data: Body }>('select data from events where workspace_id = $1 and name = $2 order by id', [
      workspace.workspaceId,
      name,
    ]),
  )

/** Marks a contact as opted out by the customer, as STOP does. */
const refuseByCustomer = (id: string) =>
  parley.system((tx) =>
    tx.sql("update contacts set opt_in_status = 'opted_out', refused_by_customer = true where id = $1", [id]),
  )

describe('POST /contacts', () => {
  beforeAll(async () => {
    shop = await parley.workspace()
  })

  test('a new number creates a contact (201) and fires contact.created with source api', async () => {
    const phone = freshNumber()
    const answer = await shop.post('/contacts', {
      phone,
      displayName: 'Asha Rao',
      tags: ['vip', ' vip ', 'pune'],
      attributes: { city: 'Pune', orders: 3 },
      optInStatus: 'opted_in',
      optInSource: 'checkout',
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      created: true,
      contact: {
        id: expect.any(String),
        e164: phone,
        phone,
        userId: null,
        username: null,
        displayName: 'Asha Rao',
        language: null,
        tags: ['vip', 'pune'],
        attributes: { city: 'Pune', orders: 3 },
        optInStatus: 'opted_in',
        optInSource: 'checkout',
        blocked: false,
        channel: 'chat',
        lastSeenAt: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    })
    const { id, createdAt } = answer.body.contact
    expect(await eventsOf(shop, 'contact.created')).toContainEqual({
      data: { contactId: id, phone, name: 'Asha Rao', source: 'api', createdAt },
    })
  })

  test('a known number updates the contact (200): tags are replaced, attributes merged', async () => {
    const phone = freshNumber()
    const first = await shop.post('/contacts', {
      phone,
      tags: ['a', 'b'],
      attributes: { city: 'Pune', age: 3 },
    })
    const second = await shop.post('/contacts', {
      e164: phone.slice(1),
      tags: ['c'],
      attributes: { city: 'Goa', age: null },
    })
    expect(second.status).toBe(200)
    expect(second.body.created).toBe(false)
    expect(second.body.contact).toMatchObject({
      id: first.body.contact.id,
      tags: ['c'],
      attributes: { city: 'Goa' },
    })
    const reported = await eventsOf(shop, 'contact.updated')
    expect(reported.at(-1)?.data).toMatchObject({
      contactId: first.body.contact.id,
      changed: ['tags', 'attributes'],
      via: 'api',
    })
  })

  test('a body that changes nothing fires no event', async () => {
    const phone = freshNumber()
    await shop.post('/contacts', { phone, displayName: 'Same', attributes: { a: { b: 1, c: 2 } } })
    const before = (await eventsOf(shop, 'contact.updated')).length
    const repeated = await shop.post('/contacts', {
      phone,
      displayName: 'Same',
      attributes: { a: { c: 2, b: 1 } },
    })
    expect(repeated.status).toBe(200)
    expect(await eventsOf(shop, 'contact.updated')).toHaveLength(before)
  })

  test('language: a BCP 47 tag, kept as written; null and blank text clear it (DECISIONS.md "Languages")', async () => {
    // A workspace of its own, with its own rate limit.
    const own = await parley.workspace()
    const phone = freshNumber()
    const created = await own.post('/contacts', { phone, language: 'es-MX' })
    expect(created.body.contact).toMatchObject({ language: 'es-MX' })
    const changed = await own.patch(`/contacts/${phone}`, { language: 'hi' })
    expect(changed.body.contact).toMatchObject({ language: 'hi' })
    expect((await eventsOf(own, 'contact.updated')).at(-1)?.data).toMatchObject({ changed: ['language'] })
    expect((await own.patch(`/contacts/${phone}`, { language: ' ' })).body.contact.language).toBeNull()
    for (const language of [
      'Spanish',
      'e',
      'es_MX',
      `en-x-${'a'.repeat(8)}-${'b'.repeat(8)}-${'c'.repeat(12)}`,
    ])
      expect(await own.patch(`/contacts/${phone}`, { language })).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'language' }] },
      })
  })

  test('every spelling of a number finds the same contact', async () => {
    const phone = freshNumber()
    const national = phone.slice(3)
    const created = await shop.post('/contacts', { phone: national })
    expect(created.status).toBe(201)
    expect(created.body.contact.e164).toBe(phone)
    for (const spelling of [
      phone,
      phone.slice(1),
      `+91 ${national.slice(0, 5)} ${national.slice(5)}`,
      `0091${national}`,
      // As a phone copies it, with invisible direction marks.
      `\u202a${phone}\u202c`,
    ]) {
      const repeated = await shop.post('/contacts', { phone: spelling })
      expect([spelling, repeated.status, repeated.body.contact.id]).toEqual([
        spelling,
        200,
        created.body.contact.id,
      ])
    }
  })

  test('phone and e164 can name one number in two spellings, also in bulk', async () => {
    const number = freshNumber()
    const bodies = [
      { phone: number, e164: number.slice(1) },
      { e164: number.slice(1), phone: number.slice(3) },
    ]
    const answers = await Promise.all(bodies.map((body) => shop.post('/contacts', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201])
    expect(answers.map(({ body }) => body.contact.e164)).toEqual([number, number])
    const other = { phone: number, e164: freshNumber() }
    const { results } = (await shop.post('/contacts/bulk', { contacts: [...bodies, other] })).body
    expect(results.map((row: Body) => row.status)).toEqual(['updated', 'updated', 'refused'])
    expect(results[2].issues[0].path).toBe('e164')
  })

  test('two identical concurrent requests create one contact', async () => {
    const phone = freshNumber()
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => shop.post('/contacts', { phone, tags: ['x'] })),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(39).fill(200), 201])
    expect(new Set(answers.map((answer) => answer.body.contact.id)).size).toBe(1)
    const reported = await eventsOf(shop, 'contact.created')
    expect(reported.filter((event) => event.data.phone === phone)).toHaveLength(1)
  })

  test('POST /contacts never creates a customer without a number', async () => {
    for (const phone of ['chan:IN.123', 'sx:123', 'hello', '', '+91']) {
      const answer = await shop.post('/contacts', { phone })
      expect([phone, answer.status, answer.body.error]).toEqual([phone, 400, 'invalid'])
      expect(answer.body.issues[0].path).toBe('phone')
    }
  })

  test('a blank name or source is stored as null; other text is stored as written', async () => {
    const phone = freshNumber()
    const created = await shop.post('/contacts', { phone, displayName: '  ', optInSource: '' })
    expect(created.body.contact).toMatchObject({ displayName: null, optInSource: null })
    const { id } = created.body.contact
    const named = await shop.patch(`/contacts/${id}`, { displayName: ' Asha ', optInSource: 'fair' })
    expect(named.body.contact).toMatchObject({ displayName: ' Asha ', optInSource: 'fair' })
    const cleared = await shop.patch(`/contacts/${id}`, { displayName: '\t', optInSource: ' ' })
    expect(cleared.body.contact).toMatchObject({ displayName: null, optInSource: null })
  })

  test('an invalid body returns 400 and names the field', async () => {
    const phone = freshNumber()
    const cases: [string, object][] = [
      ['phone', {}],
      ['e164', { phone, e164: freshNumber() }],
      ['e164', { phone, e164: 'hello' }],
      ['displayName', { phone, displayName: 'x'.repeat(201) }],
      ['tags', { phone, tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }],
      ['tags[1]', { phone, tags: ['a', ' '] }],
      ['optInStatus', { phone, optInStatus: 'maybe' }],
      ['optInSource', { phone, optInSource: 'x'.repeat(121) }],
      [
        'attributes',
        { phone, attributes: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`k${i}`, i])) },
      ],
      ['nickname', { phone, nickname: 'Ash' }],
    ]
    for (const [path, body] of cases) {
      const answer = await shop.post('/contacts', body)
      expect([path, answer.status, answer.body.error, answer.body.issues?.[0]?.path]).toEqual([
        path,
        400,
        'invalid',
        path,
      ])
    }
    const unknown = await shop.post('/contacts', { phone, nickname: 'Ash' })
    expect(unknown.body.message).toContain('displayName')
  })

  test('text can be any Unicode and is returned as sent', async () => {
    for (const displayName of [
      '😀'.repeat(200),
      'नमस्ते',
      '‮desrever‬',
      "Robert'); DROP TABLE contacts;--",
      ' spaced ',
    ]) {
      const answer = await shop.post('/contacts', {
        phone: freshNumber(),
        displayName,
        attributes: { [displayName.slice(0, 50)]: displayName },
      })
      expect(answer.status).toBe(201)
      const read = await shop.get(`/contacts/${answer.body.contact.id}`)
      expect(read.body.contact.displayName).toBe(displayName)
      expect(read.body.contact.attributes[displayName.slice(0, 50)]).toBe(displayName)
    }
  })
})

describe('Consent (spec 2.6)', () => {
  test("the API can't opt in a contact who sent STOP", async () => {
    const { body } = await shop.post('/contacts', { phone: freshNumber() })
    await refuseByCustomer(body.contact.id)
    for (const optInStatus of ['opted_in', 'unknown']) {
      const patched = await shop.patch(`/contacts/${body.contact.id}`, { optInStatus, displayName: 'New' })
      expect([patched.status, patched.body.error]).toEqual([409, 'contact_opted_out'])
      const posted = await shop.post('/contacts', { phone: body.contact.phone, optInStatus })
      expect([posted.status, posted.body.error]).toEqual([409, 'contact_opted_out'])
    }
    const optedOut = await shop.patch(`/contacts/${body.contact.id}`, {
      optInStatus: 'opted_out',
      tags: ['quiet'],
    })
    expect(optedOut.status).toBe(200)
    expect(optedOut.body.contact).toMatchObject({
      optInStatus: 'opted_out',
      tags: ['quiet'],
      displayName: null,
    })
  })

  test("the source of a customer's own opt-out stays after later opt-outs; START replaces it", async () => {
    const sandbox = await parley.workspace({ sandbox: true })
    const phone = freshNumber()
    const source = async () => (await sandbox.get(`/contacts/${phone}`)).body.contact.optInSource
    await sandbox.inbound(phone, 'STOP')
    const proof = await source()
    expect(proof).toMatch(/^message ./)
    for (const overrides of [{ optInSource: 'me' }, { optInStatus: 'opted_out', optInSource: null }]) {
      const patched = await sandbox.patch(`/contacts/${phone}`, overrides)
      expect([patched.status, patched.body.contact.optInSource]).toEqual([200, proof])
      const posted = await sandbox.post('/contacts', { phone, ...overrides, displayName: 'Asha' })
      expect([posted.status, posted.body.contact.optInSource]).toEqual([200, proof])
      const bulk = await sandbox.post('/contacts/bulk', { contacts: [{ phone, ...overrides }] })
      expect([bulk.body.updated, await source()]).toEqual([1, proof])
    }
    const changes = (await eventsOf(sandbox, 'contact.updated')).map(({ data }) => data.changed)
    expect(changes).toEqual([['displayName']])
    await sandbox.inbound(phone, 'START')
    expect(await source()).not.toBe(proof)
    const after = await sandbox.patch(`/contacts/${phone}`, { optInSource: 'me' })
    expect(after.body.contact.optInSource).toBe('me')
  })

  test('the API can lift an opt-out that was made through the API', async () => {
    const { body } = await shop.post('/contacts', { phone: freshNumber(), optInStatus: 'opted_out' })
    const lifted = await shop.patch(`/contacts/${body.contact.id}`, { optInStatus: 'opted_in' })
    expect([lifted.status, lifted.body.contact.optInStatus]).toEqual([200, 'opted_in'])
  })

  test('an error of one item affects no other item of the batch', async () => {
    const { body } = await shop.post('/contacts', { phone: freshNumber() })
    await refuseByCustomer(body.contact.id)
    const [refused, ...others] = await Promise.all([
      shop.post('/contacts', { phone: body.contact.phone, optInStatus: 'opted_in' }),
      ...Array.from({ length: 5 }, () => shop.post('/contacts', { phone: freshNumber() })),
    ])
    expect(refused?.status).toBe(409)
    expect(others.map((answer) => answer.status)).toEqual([201, 201, 201, 201, 201])
  })

  test('an exception affects no other item: a batch that fails over one item runs again item by item', async () => {
    const other = await parley.workspace()
    const change = (clause: string) => parley.system((tx) => tx.sql(`alter table contacts ${clause}`))
    await change("add constraint breaks check (display_name <> 'Breaks the list') not valid")
    onTestFinished(async () => void (await change('drop constraint breaks')))
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        other.post('/contacts', {
          phone: `+9198123400${10 + i}`,
          displayName: i === 5 ? 'Breaks the list' : `Neighbor ${i}`,
        }),
      ),
    )
    expect(answers.map((answer) => answer.status)).toEqual(answers.map((_, i) => (i === 5 ? 500 : 201)))
  })
})

describe("Contacts count toward the workspace's contact limit (spec 2.6)", () => {
  test('a new number past the limit returns 402; updating a known number still works', async () => {
    const small = await parley.workspace()
    await small.set({ contactLimit: 3 })
    const existing = freshNumber()
    await small.post('/contacts', { phone: existing })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => small.post('/contacts', { phone: freshNumber() })),
    )
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(2)
    const refused = answers.filter((answer) => answer.status !== 201)
    expect(new Set(refused.map((answer) => `${answer.status} ${answer.body.error}`))).toEqual(
      new Set(['402 plan_limit_reached']),
    )
    expect((await small.post('/contacts', { phone: existing, tags: ['x'] })).status).toBe(200)
  })

  test('erasing a contact frees its place in the limit', async () => {
    const small = await parley.workspace()
    await small.set({ contactLimit: 1 })
    const { body } = await small.post('/contacts', { phone: freshNumber() })
    expect((await small.post('/contacts', { phone: freshNumber() })).status).toBe(402)
    await small.delete(`/contacts/${body.contact.id}`)
    expect((await small.post('/contacts', { phone: freshNumber() })).status).toBe(201)
  })

  /**
   * Runs `during` while a transaction holds the lock of `lock`, so that its requests wait in the queue;
   * returns their answers.
   */
  const runBehindLock = async (
    lock: [text: string, parameters: unknown[]],
    during: (waiting: (count: number) => Promise<unknown>) => Promise<Promise<Answered>[]>,
  ): Promise<Answered[]> => {
    const waiting = (count: number) =>
      until(async () => (await parley.system((tx) => lockWaits(tx.sql))).length >= count, `${count} wait`)
    const [locked, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = parley.system(async (tx) => {
      await tx.sql(...lock)
      locked.resolve()
      await done.promise
    })
    await locked.promise
    const answers = await during(waiting)
    done.resolve()
    await holding
    return Promise.all(answers)
  }

  test('of concurrent duplicates for the last place, the first is stored and the second updates it', async () => {
    const small = await parley.workspace()
    await small.set({ contactLimit: 2 })
    await small.post('/contacts', { phone: freshNumber() })
    const phone = freshNumber()
    const count = 'select from workspace_usage where workspace_id = $1 for update'
    const answers = await runBehindLock([count, [small.workspaceId]], async (waiting) => {
      const first = small.post('/contacts', { phone })
      await waiting(1)
      const second = small.post('/contacts', { phone })
      await waiting(2)
      return [first, second]
    })
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201])
  })

  test('a contact that is erased while it is stored again keeps its place in the limit', async () => {
    const small = await parley.workspace()
    await small.set({ contactLimit: 2 })
    const phones = [freshNumber(), freshNumber()]
    for (const phone of phones) await small.post('/contacts', { phone })
    const row = 'select from contacts where workspace_id = $1 and phone = $2 for update'
    const answers = await runBehindLock([row, [small.workspaceId, phones[0]]], async (waiting) => {
      const erased = small.delete(`/contacts/${encodeURIComponent(phones[0]!)}`)
      await waiting(1)
      // Enough requests that they arrive in one batch.
      const stored = [...phones, ...phones].map((phone) => small.post('/contacts', { phone }))
      await waiting(2)
      return [erased, ...stored]
    })
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
  })

  test('contacts stored without a limit count once the workspace has a limit', async () => {
    const small = await parley.workspace()
    await small.set({ contactLimit: 5 })
    await small.post('/contacts', { phone: freshNumber() })
    await small.set({ contactLimit: 1000, plan: 'pro' })
    await small.post('/contacts', { phone: freshNumber() })
    await small.set({ contactLimit: 2 })
    expect(await small.post('/contacts', { phone: freshNumber() })).toMatchObject({
      status: 402,
      body: { error: 'plan_limit_reached' },
    })
  })
})

describe('GET, PATCH and DELETE /contacts/{id}', () => {
  test('the path accepts our id, a phone number in any spelling, or chan:<user id>', async () => {
    const phone = freshNumber()
    const { body } = await shop.post('/contacts', { phone })
    await parley.system((tx) =>
      tx.sql('update contacts set user_id = $2 where id = $1', [body.contact.id, 'IN.77']),
    )
    for (const ref of [
      body.contact.id,
      body.contact.id.toUpperCase(),
      phone,
      phone.slice(1),
      phone.slice(3),
      'chan:IN.77',
    ]) {
      const answer = await shop.get(`/contacts/${encodeURIComponent(ref)}`)
      expect([ref, answer.status, answer.body.contact?.id]).toEqual([ref, 200, body.contact.id])
    }
  })

  test("another workspace's contact gets the same answer as a missing contact", async () => {
    const other = await parley.workspace()
    const { body } = await shop.post('/contacts', { phone: freshNumber() })
    const outsiders = [body.contact.id, body.contact.phone, crypto.randomUUID(), 'chan:IN.404', 'nonsense']
    for (const ref of outsiders) {
      const path = `/contacts/${encodeURIComponent(ref)}`
      const answers = [await other.get(path), await other.patch(path, { tags: [] }), await other.delete(path)]
      for (const answer of answers)
        expect([ref, answer.status, answer.body.error]).toEqual([ref, 404, 'not_found'])
    }
  })

  test('PATCH merges attributes and never replaces all of them; null removes a key; null clears the name', async () => {
    const { body } = await shop.post('/contacts', {
      phone: freshNumber(),
      displayName: 'A',
      attributes: { a: 1, b: 2 },
    })
    const answer = await shop.patch(`/contacts/${body.contact.id}`, {
      displayName: null,
      attributes: { b: null, c: [3] },
    })
    expect(answer.body.contact).toMatchObject({ displayName: null, attributes: { a: 1, c: [3] } })
    const reported = await eventsOf(shop, 'contact.updated')
    expect(reported.at(-1)?.data).toEqual({
      contactId: body.contact.id,
      phone: body.contact.phone,
      name: null,
      changed: ['displayName', 'attributes'],
      tags: [],
      optInStatus: 'unknown',
      blocked: false,
      via: 'api',
      updatedAt: answer.body.contact.updatedAt,
    })
  })

  test('PATCH without a change returns 200 and fires no event', async () => {
    const { body } = await shop.post('/contacts', { phone: freshNumber(), tags: ['a'] })
    const before = (await eventsOf(shop, 'contact.updated')).length
    for (const patch of [{}, { tags: ['a'] }, { attributes: { gone: null } }]) {
      const answer = await shop.patch(`/contacts/${body.contact.id}`, patch)
      expect([answer.status, answer.body.contact]).toEqual([200, body.contact])
    }
    expect(await eventsOf(shop, 'contact.updated')).toHaveLength(before)
  })

  test("PATCH accepts the contact's own phone and e164, in any spelling, as a client read them", async () => {
    const phone = freshNumber()
    const { contact } = (await shop.post('/contacts', { phone })).body
    const before = (await eventsOf(shop, 'contact.updated')).length
    for (const own of [
      { phone: contact.phone, e164: contact.e164 },
      { phone: phone.slice(1) },
      { e164: phone.slice(3) },
    ])
      expect(await shop.patch(`/contacts/${contact.id}`, own)).toMatchObject({
        status: 200,
        body: { contact },
      })
    expect(await eventsOf(shop, 'contact.updated')).toHaveLength(before)
    const { body } = await shop.patch(`/contacts/${phone}`, { phone, e164: phone, displayName: 'Asha' })
    expect(body.contact).toMatchObject({ phone, displayName: 'Asha' })
    await parley.system((tx) =>
      tx.sql("update contacts set phone = 'chan:IN.1a', user_id = 'IN.1a' where id = $1", [contact.id]),
    )
    expect((await shop.patch('/contacts/chan:IN.1a', { e164: 'chan:IN.1a' })).status).toBe(200)
    expect((await shop.patch('/contacts/chan:IN.1a', { e164: 'chan:IN.1A' })).status).toBe(400)
    await parley.system((tx) =>
      tx.sql("update contacts set phone = 'sx:9', user_id = null, channel = 'social' where id = $1", [
        contact.id,
      ]),
    )
    expect((await shop.patch('/contacts/sx:9', { phone: 'sx:9', e164: 'sx:9' })).status).toBe(200)
    expect((await shop.patch('/contacts/sx:9', { phone: 'sx:8' })).status).toBe(400)
  })

  test("PATCH can't change the number", async () => {
    const phone = freshNumber()
    const { contact } = (await shop.post('/contacts', { phone })).body
    const other = (await shop.post('/contacts', { phone: freshNumber() })).body.contact
    const cases: [string, object][] = [
      ['phone', { phone: freshNumber() }],
      ['phone', { phone: other.phone, displayName: 'Asha' }],
      ['e164', { phone, e164: other.phone }],
      ['phone', { phone: '' }],
      ['e164', { e164: 'hello' }],
      ['phone', { phone: contact.id }],
    ]
    for (const [path, body] of cases) {
      const answer = await shop.patch(`/contacts/${contact.id}`, body)
      expect([path, answer.status, answer.body.error]).toEqual([path, 400, 'invalid'])
      expect(answer.body.issues).toEqual([{ path, message: expect.stringContaining("can't be changed") }])
    }
    expect((await shop.get(`/contacts/${contact.id}`)).body.contact).toEqual(contact)
  })

  test('a contact has at most 100 attributes, over all endpoints that write them', async () => {
    const fields = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${from + i}`, i]))
    const { body } = await shop.post('/contacts', { phone: freshNumber(), attributes: fields(0, 60) })
    const over = await shop.patch(`/contacts/${body.contact.id}`, { attributes: fields(60, 41) })
    expect([over.status, over.body.issues[0].path]).toEqual([400, 'attributes'])
    expect((await shop.patch(`/contacts/${body.contact.id}`, { attributes: fields(60, 40) })).status).toBe(
      200,
    )
  })

  test('the attributes of a contact or a lead have at most 64 KB together, over all endpoints that write them', async () => {
    const phone = freshNumber()
    await shop.post('/leads', { phone })
    const large = (key: string) => ({ attributes: { [key]: 'é'.repeat(20_000) } })
    for (const path of [`/contacts/${phone}`, `/leads/${phone}`]) {
      expect((await shop.patch(path, large('a'))).status).toBe(200)
      const over = await shop.patch(path, large('b'))
      expect([over.status, over.body.issues[0].path]).toEqual([400, 'attributes'])
      expect((await shop.patch(path, { attributes: { a: null, ...large('b').attributes } })).status).toBe(200)
    }
  })

  test('DELETE erases the contact with its chats, messages and notes; its events keep only ids', async () => {
    const phone = freshNumber()
    const { body } = await shop.post('/contacts', { phone, displayName: 'To be forgotten' })
    const id = body.contact.id
    const chat = crypto.randomUUID()
    await parley.system(async (tx) => {
      const now = new Date()
      await tx.sql(
        `insert into conversations (workspace_id, id, contact_id, phone_number_id, created_at, updated_at)
         values ($1, $2, $3, $2, $4, $4)`,
        [shop.workspaceId, chat, id, now],
      )
      await tx.sql(
        `insert into conversation_notes (workspace_id, id, conversation_id, author_name, body, created_at)
         values ($1, $2, $2, 'A', 'a note', $3)`,
        [shop.workspaceId, chat, now],
      )
      await tx.sql(
        `insert into messages (workspace_id, id, conversation_id, contact_id, phone_number_id, direction, type, content, status, created_at)
         values ($1, $2, $2, $3, $2, 'inbound', 'text', '{}', 'received', $4)`,
        [shop.workspaceId, chat, id, now],
      )
    })
    const answer = await shop.delete(`/contacts/${encodeURIComponent(phone)}`)
    expect([answer.status, answer.body]).toEqual([200, { ok: true, deleted: true }])
    expect((await shop.get(`/contacts/${id}`)).status).toBe(404)
    for (const [table, column] of [
      ['conversations', 'id'],
      ['conversation_notes', 'id'],
      ['messages', 'id'],
      ['contacts', 'id'],
    ] as const) {
      const left = await parley.system((tx) =>
        tx.sql(`select 1 from ${table} where ${column} in ($1, $2)`, [chat, id]),
      )
      expect([table, left]).toEqual([table, []])
    }
    const created = (await eventsOf(shop, 'contact.created')).filter((event) => event.data.contactId === id)
    expect(created).toEqual([{ data: { contactId: id } }])
    const deleted = (await eventsOf(shop, 'contact.deleted')).at(-1)
    expect(deleted?.data).toEqual({ contactId: id, phone, via: 'api', deletedAt: expect.any(String) })
    expect((await shop.delete(`/contacts/${id}`)).status).toBe(404)
  })
})

describe('GET /contacts', () => {
  let book: TestWorkspace
  const find = async (query: string): Promise<string[]> => {
    const answer = await book.get(`/contacts?${query}`)
    expect(answer.status).toBe(200)
    return answer.body.contacts.map((contact: Body) => contact.displayName ?? contact.phone)
  }

  beforeAll(async () => {
    book = await parley.workspace()
    await book.post('/contacts', { phone: '+919812345678', displayName: 'Asha Rao' })
    await book.post('/contacts', { phone: '+919812399999', displayName: 'ÉMILE 100%_sure' })
    await book.post('/contacts', { phone: '+14155550100', displayName: 'Bob \\ Backslash' })
    await parley.system((tx) =>
      tx.sql(
        "update contacts set username = 'ravi.k', profile_name = 'Ravi' where workspace_id = $1 and phone = '+14155550100'",
        [book.workspaceId],
      ),
    )
  })

  test('lists newest first and pages by creation time so that a sync skips no row', async () => {
    const paged = await parley.workspace()
    const phones = Array.from({ length: 7 }, freshNumber)
    for (const phone of phones) await paged.post('/contacts', { phone })
    const listed: string[] = []
    let cursor: string | null = null
    do {
      const page: Body = (await paged.get(`/contacts?limit=3${cursor ? `&cursor=${cursor}` : ''}`)).body
      listed.push(...page.contacts.map((contact: Body) => contact.phone))
      cursor = page.nextCursor
    } while (cursor)
    expect(listed).toEqual(phones.reverse())
  })

  test('search finds part of a number, name or username, in any case', async () => {
    expect(await find('search=ash')).toEqual(['Bob \\ Backslash', 'Asha Rao'])
    expect(await find('search=%C3%A9mile')).toEqual(['ÉMILE 100%_sure'])
    expect(await find('search=RAVI.k')).toEqual(['Bob \\ Backslash'])
    expect(await find('search=98123')).toEqual(['ÉMILE 100%_sure', 'Asha Rao'])
    expect(await find(`search=${encodeURIComponent('+91 98123 45')}`)).toEqual(['Asha Rao'])
    expect(await find('search=nobody')).toEqual([])
  })

  test("search text is trimmed, and blank text doesn't filter", async () => {
    expect(await find(`search=${encodeURIComponent(' asha ')}`)).toEqual(['Asha Rao'])
    const names = await find('')
    expect(names.length).toBeGreaterThan(2)
    for (const blank of ['search=', 'search=%20%20']) expect(await find(blank)).toEqual(names)
  })

  test('wildcards in search text match themselves', async () => {
    expect(await find(`search=${encodeURIComponent('100%_s')}`)).toEqual(['ÉMILE 100%_sure'])
    expect(await find(`search=${encodeURIComponent('%')}`)).toEqual(['ÉMILE 100%_sure'])
    expect(await find(`search=${encodeURIComponent('_')}`)).toEqual(['ÉMILE 100%_sure'])
    expect(await find(`search=${encodeURIComponent('\\')}`)).toEqual(['Bob \\ Backslash'])
    expect(await find(`search=${encodeURIComponent('a%r')}`)).toEqual([])
  })

  test('search results have the same pages as the list', async () => {
    const first = (await book.get('/contacts?search=a&limit=1')).body
    const second = (await book.get(`/contacts?search=a&limit=1&cursor=${first.nextCursor}`)).body
    expect([first.contacts[0].displayName, second.contacts[0].displayName]).toEqual([
      'Bob \\ Backslash',
      'Asha Rao',
    ])
    expect(second.nextCursor).toBeNull()
  })

  test('phone finds one exact number', async () => {
    expect(await find('phone=%2B919812345678')).toEqual(['Asha Rao'])
    expect(await find('phone=9812345678')).toEqual(['Asha Rao'])
    expect(await find('phone=98123456')).toEqual([])
    expect((await book.get('/contacts?phone=hello')).status).toBe(400)
  })

  test('phone and search together find one exact number, also past the first page of the search', async () => {
    expect(await find('search=a&phone=9812345678&limit=1')).toEqual(['Asha Rao'])
    expect(await find('search=bob&phone=9812345678&limit=1')).toEqual([])
  })

  test('lists contain only chat-network contacts unless channel=social is set', async () => {
    await parley.system((tx) =>
      tx.sql(
        `insert into contacts (workspace_id, id, channel, phone, username, created_at, updated_at)
         values ($1, $2, 'social', 'sx:1', 'insta.ann', now(), now())`,
        [book.workspaceId, crypto.randomUUID()],
      ),
    )
    expect(await find('limit=100')).toHaveLength(3)
    expect(await find('channel=social')).toEqual(['sx:1'])
    expect(await find('channel=social&search=ann')).toEqual(['sx:1'])
    expect(await find('search=insta')).toEqual([])
  })

  test('an invalid cursor, limit or search returns 400', async () => {
    for (const query of [
      'cursor=x',
      `cursor=${crypto.randomUUID()}`,
      'limit=0',
      'limit=101',
      'limit=x',
      `search=${'x'.repeat(201)}`,
      'channel=sms',
    ])
      expect([query, (await book.get(`/contacts?${query}`)).status]).toEqual([query, 400])
  })

  test('a search finds only contacts of its own workspace', async () => {
    const other = await parley.workspace()
    expect((await other.get('/contacts?search=asha')).body.contacts).toEqual([])
  })
})
