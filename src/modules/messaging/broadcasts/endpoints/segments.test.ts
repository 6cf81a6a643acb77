import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { campaignsOf, makeContacts } from '../../../../../test/support/campaigns.ts'
import { whileReadsAreFull } from '../../../../../test/support/costly-reads.ts'
import { until } from '../../../../../test/support/until.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace()
})
afterAll(() => parley.close())

const saved = async (client: TestWorkspace, name: string, segment: object = {}): Promise<Body> => {
  const answer = await client.post('/segments', { name, segment })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.segment
}

describe('/segments (spec 4.10)', () => {
  test('a saved segment has a name, a definition, and its number of contacts', async () => {
    const client = await parley.workspace()
    await makeContacts(client, 3, { tags: ['vip'] })
    const definition = { tags: ['vip'], excludeTags: ['staff'], lastSeenWithinDays: 30 }
    const segment = await saved(client, ' Regulars ', { tags: ['vip', ' vip '] })
    expect(segment).toEqual({
      id: expect.any(String),
      name: 'Regulars',
      segment: { tags: ['vip'] },
      matched: 3,
      matchedAt: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await saved(client, 'Seen', definition)).toMatchObject({ segment: definition, matched: 0 })
  })

  test('GET counts again and changes nothing; the list shows the count from the last save', async () => {
    const client = await parley.workspace()
    const { id, matchedAt } = await saved(client, 'Everybody')
    await makeContacts(client, 2)
    const stored = () =>
      parley.system((tx) =>
        tx.sql('select xmin, * from segments where workspace_id = $1', [client.workspaceId]),
      )
    const before = await stored()
    const { segment } = (await client.get(`/segments/${id}`)).body
    expect(segment.matched).toBe(2)
    expect(Date.parse(segment.matchedAt)).toBeGreaterThan(Date.parse(matchedAt))
    expect((await client.get('/segments')).body.segments).toMatchObject([{ id, matched: 0, matchedAt }])
    expect(await stored()).toEqual(before)
    await client.patch(`/segments/${id}`, { segment: {} })
    expect((await client.get('/segments')).body.segments).toMatchObject([{ id, matched: 2 }])
  })

  test('POST /segments/count counts conditions without saving them, and those who can be messaged', async () => {
    const client = await parley.workspace()
    const ids = await makeContacts(client, 4, { tags: ['vip'] })
    await makeContacts(client, 1, {}, 10)
    await client.patch(`/contacts/${ids[0]}`, { optInStatus: 'opted_out' })
    const count = async (segment: object) => (await client.post('/segments/count', { segment })).body
    expect(await count({ tags: ['vip'] })).toEqual({ matched: 4, reachable: 3 })
    expect(await count({})).toEqual({ matched: 5, reachable: 4 })
    expect(await count({ contactIds: [ids[0], ids[1], ids[1]] })).toEqual({ matched: 2, reachable: 1 })
    expect((await client.get('/segments')).body.segments).toEqual([])
    const agent = await client.as('agent')
    expect((await agent.post('/segments/count', { segment: {} })).status).toBe(200)
    expect((await client.post('/segments/count', { segment: { tags: [] } })).status).toBe(400)
    const unknown = await client.post('/segments/count', { segment: { contactIds: [client.workspaceId] } })
    expect(unknown.body.error).toBe('invalid_reference')
  })

  test('newest first, cursor-paginated', async () => {
    const client = await parley.workspace()
    const ids: string[] = []
    for (const name of ['one', 'two', 'three']) ids.unshift((await saved(client, name)).id)
    const first = (await client.get('/segments?limit=2')).body
    const second = (await client.get(`/segments?limit=2&cursor=${first.nextCursor}`)).body
    expect([...first.segments, ...second.segments].map((segment: Body) => segment.id)).toEqual(ids)
    expect(second.nextCursor).toBeNull()
  })

  test('renaming a tag also renames it in saved segments and in future campaigns', async () => {
    const client = await parley.workspace({ sandbox: true })
    const campaigns = await campaignsOf(parley, client)
    const customers = await makeContacts(client, 2, { tags: ['pune'], optInStatus: 'opted_in' })
    await makeContacts(client, 1, { tags: ['pune', 'staff'], optInStatus: 'opted_in' }, 10)
    const definition = { tags: ['pune', 'goa'], excludeTags: ['staff'] }
    const segment = await saved(client, 'Customers', definition)
    const { now } = (await client.get('/sandbox/clock')).body
    const scheduledAt = new Date(Date.parse(now) + 3_600_000).toISOString()
    const { id } = (await campaigns.create({ segment: definition, scheduledAt })).body
    const over = (await campaigns.create({ segment: definition })).body.id
    await client.delete(`/broadcasts/${over}`)
    const { tags } = (await client.get('/tags')).body
    for (const [from, to] of [
      ['staff', 'team'],
      ['pune', 'puné'],
    ])
      expect(
        (await client.patch(`/tags/${tags.find((tag: Body) => tag.name === from).id}`, { name: to })).status,
      ).toBe(200)
    const renamed = { tags: ['goa', 'puné'], excludeTags: ['team'] }
    await until(async () => {
      const shown = (await client.get(`/segments/${segment.id}`)).body.segment
      expect(shown.matched, JSON.stringify(shown)).toBe(2)
      return JSON.stringify(shown.segment.tags) === JSON.stringify(renamed.tags) && shown
    }, 'only the new names are left')
    expect((await client.get(`/segments/${segment.id}`)).body.segment.segment).toEqual(renamed)
    expect((await campaigns.of(over)).segment).toEqual(definition)
    await client.advance(3_700)
    expect((await campaigns.of(id)).segment).toEqual(renamed)
    expect([...(await campaigns.people(id)).keys()]).toEqual(customers)
  })

  test('a tag renamed while a campaign to a saved segment is being created is renamed in the campaign too', async () => {
    const client = await parley.workspace({ sandbox: true })
    const campaigns = await campaignsOf(parley, client)
    await makeContacts(client, 1, { optInStatus: 'opted_in' })
    const { tag } = (await client.post('/tags', { name: 'staff' })).body
    const segmentId = (await saved(client, 'Customers', { excludeTags: ['staff'] })).id
    const hasRows = (text: string, values: unknown[] = []) =>
      parley.system((tx) => tx.sql(text, values)).then((rows) => rows.length > 0)
    const { making, renaming } = await parley.system(async (tx) => {
      await tx.sql('lock table templates in access exclusive mode')
      const making = campaigns.create({ segment: { segmentId } })
      await until(
        () => hasRows("select 1 from pg_locks where not granted and relation = 'templates'::regclass"),
        'the campaign has its segment and waits for its template',
      )
      const renaming = client.patch(`/tags/${tag.id}`, { name: 'team' })
      await Promise.race([
        renaming,
        until(
          () =>
            hasRows("select 1 from pg_locks where not granted and locktype in ('transactionid', 'tuple')"),
          'the new name waits for the campaign',
        ),
      ])
      return { making, renaming }
    })
    const [created, renamed] = await Promise.all([making, renaming])
    expect([created.status, renamed.status]).toEqual([201, 200])
    // Both names remain until all contacts are updated, so that no excluded person is messaged.
    expect((await campaigns.of(created.body.id)).segment.excludeTags).toContain('team')
  })

  test('a name is unique in the workspace, regardless of case and Unicode form; 409 conflict names the other segment', async () => {
    const [first, other] = [await saved(shop, 'Summer'), await saved(shop, 'Winter')]
    await saved(shop, 'Été'.normalize('NFD'))
    expect((await shop.post('/segments', { name: 'été'.normalize('NFC'), segment: {} })).status).toBe(409)
    const conflict = { status: 409, body: { error: 'conflict', segmentId: first.id } }
    expect(await shop.post('/segments', { name: 'SUMMER', segment: {} })).toMatchObject(conflict)
    expect(await shop.patch(`/segments/${other.id}`, { name: 'summer ' })).toMatchObject(conflict)
    expect((await shop.patch(`/segments/${first.id}`, { name: 'SUMMER' })).body.segment.name).toBe('SUMMER')
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => shop.post('/segments', { name: 'duplicate', segment: {} })),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(5).fill(409)])
  })

  test('PATCH renames, or replaces the whole definition; an empty body changes nothing', async () => {
    const client = await parley.workspace()
    await makeContacts(client, 2, { tags: ['pune'] })
    const before = await saved(client, 'Pune', { tags: ['pune'], excludeTags: ['staff'] })
    const path = `/segments/${before.id}`
    const renamed = (await client.patch(path, { name: 'Poona' })).body.segment
    expect(renamed).toMatchObject({ name: 'Poona', segment: before.segment, matched: 2 })
    const changed = (await client.patch(path, { segment: { optInStatus: 'opted_in' } })).body.segment
    expect(changed).toMatchObject({ name: 'Poona', segment: { optInStatus: 'opted_in' }, matched: 0 })
    expect((await client.patch(path, {})).body.segment).toEqual(changed)
  })

  test('DELETE removes it; a second time it is 404', async () => {
    const path = `/segments/${(await saved(shop, 'gone')).id}`
    expect(await shop.delete(path)).toMatchObject({ status: 200, body: { ok: true, deleted: true } })
    const answers = [await shop.delete(path), await shop.get(path), await shop.patch(path, { name: 'x' })]
    for (const answer of [...answers, await shop.get('/segments/gone')])
      expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } })
  })

  test('a list keeps its remaining contacts; unknown contacts are an error', async () => {
    const client = await parley.workspace()
    const contactIds = await makeContacts(client, 3)
    const { id } = await saved(client, 'Jury', { contactIds })
    await client.delete(`/contacts/${contactIds[0]}`)
    expect((await client.get(`/segments/${id}`)).body.segment).toMatchObject({
      segment: { contactIds },
      matched: 2,
    })
    const answer = await client.post('/segments', { name: 'Late', segment: { contactIds } })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_reference' } })
    expect(answer.body.issues).toMatchObject([{ path: 'segment.contactIds[0]' }])
  })

  test('a contact that a list names twice counts once', async () => {
    const client = await parley.workspace()
    const [first, second] = await makeContacts(client, 2)
    const { id, matched } = await saved(client, 'Twice', { contactIds: [first, second, first] })
    expect(matched).toBe(2)
    expect((await client.get(`/segments/${id}`)).body.segment.matched).toBe(2)
    expect((await client.get(`/contacts?segmentId=${id}`)).body.contacts).toHaveLength(2)
  })

  test('an invalid field returns 400 naming it', async () => {
    const cases: [object, string][] = [
      [{ segment: {} }, 'name'],
      [{ name: '  ', segment: {} }, 'name'],
      [{ name: 'x'.repeat(201), segment: {} }, 'name'],
      [{ name: 'x' }, 'segment'],
      [{ name: 'x', segment: { segmentId: shop.ownerId } }, 'segment.segmentId'],
      [{ name: 'x', segment: { tags: [] } }, 'segment.tags'],
    ]
    for (const [body, field] of cases) {
      const answer = await shop.post('/segments', body)
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 400, body: { error: 'invalid' } })
      expect(answer.body.issues[0].path).toBe(field)
    }
  })

  test('while the many contacts of a workspace are counted, other reads get the last count and writes get none', async () => {
    const client = await parley.workspace()
    const { id } = await saved(client, 'Crowd')
    await parley.system((tx) =>
      tx.sql(
        `insert into contacts (workspace_id, id, phone, created_at, updated_at)
         select $1, gen_random_uuid(), '+91' || n, $2, $2 from generate_series(1, 20001) n`,
        [client.workspaceId, new Date()],
      ),
    )
    const read = async () => (await client.get(`/segments/${id}`)).body.segment.matched
    await whileReadsAreFull(parley, client.workspaceId, async () => {
      expect(await read()).toBe(0)
      expect(await saved(client, 'More')).toMatchObject({ matched: null, matchedAt: null })
    })
    expect(await read()).toBe(20_001)
  })
})

describe('a saved segment in a campaign', () => {
  test('segmentId uses the definition of the saved segment; the campaign keeps this definition', async () => {
    const client = await parley.workspace({ sandbox: true })
    const campaigns = await campaignsOf(parley, client)
    const [vip] = await makeContacts(client, 1, { tags: ['vip'], optInStatus: 'opted_in' })
    await makeContacts(client, 1, { optInStatus: 'opted_in' }, 10)
    const { id } = await saved(client, 'Vips', { tags: ['vip'] })
    const created = await campaigns.create({ segment: { segmentId: id } })
    expect(created.body.audience).toEqual({ matched: 1, willSend: 1, suppressed: 0 })
    await client.patch(`/segments/${id}`, { segment: {} })
    await client.post(`/broadcasts/${created.body.id}/start`, {})
    await client.advance(60)
    expect([...(await campaigns.people(created.body.id)).keys()]).toEqual([vip])
  })

  test('an unknown segment is 400 invalid_reference', async () => {
    const client = await parley.workspace({ sandbox: true })
    const campaigns = await campaignsOf(parley, client)
    const foreign = (await saved(shop, 'Foreign')).id
    const answer = await campaigns.create({ segment: { segmentId: foreign } })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_reference' } })
    expect(answer.body.message).toContain('segment.segmentId')
  })
})
