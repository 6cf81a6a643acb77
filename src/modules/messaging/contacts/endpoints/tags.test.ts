import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { until } from '../../../../../test/support/until.ts'

let parley: TestParley
let shop: TestWorkspace

beforeAll(async () => {
  parley = await boot()
})
beforeEach(async () => {
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley?.close())

let lastNumber = 9832300000
const contact = async (tags: string[]): Promise<Body> =>
  (await shop.post('/contacts', { phone: `+91${++lastNumber}`, tags })).body.contact
const tagsOf = async (id: string): Promise<string[]> => (await shop.get(`/contacts/${id}`)).body.contact.tags
const tagNames = async (): Promise<string[]> =>
  (await shop.get('/tags')).body.tags.map((tag: Body) => tag.name).sort()
const tagNamed = async (name: string): Promise<Body> =>
  (await shop.get('/tags')).body.tags.find((tag: Body) => tag.name === name)
const countChanges = async (): Promise<number> =>
  parley.system(async (tx) => {
    const rows = await tx.sql('select id from tag_changes where workspace_id = $1', [shop.workspaceId])
    return rows.length
  })
const carried = () => until(async () => (await countChanges()) === 0, 'the tag change reaches every contact')

test('a tag is declared (201), listed and recolored; a known name returns 409', async () => {
  const created = await shop.post('/tags', { name: ' vip ', color: '#1F9D55' })
  expect(created).toMatchObject({ status: 201, body: { tag: { name: 'vip', color: '#1f9d55' } } })
  const { tag } = created.body
  const duplicate = await shop.post('/tags', { name: 'vip' })
  expect(duplicate).toMatchObject({ status: 409, body: { error: 'conflict', tagId: tag.id } })
  const recolored = await shop.patch(`/tags/${tag.id}`, { color: null })
  expect(recolored).toMatchObject({ status: 200, body: { tag: { id: tag.id, name: 'vip', color: null } } })
  expect(await countChanges()).toBe(0)
  expect((await shop.get('/tags')).body).toMatchObject({ tags: [{ id: tag.id }], nextCursor: null })
})

test('a tag on a contact is stored, from every endpoint', async () => {
  const { id, phone } = await contact(['posted'])
  await shop.patch(`/contacts/${id}`, { tags: ['patched', 'posted'] })
  await shop.post('/contacts', { phone, tags: ['posted again'] })
  await shop.post('/contacts/bulk', {
    contacts: [
      { phone, tags: ['in bulk'] },
      { phone: 'x', tags: ['refused'] },
    ],
  })
  await shop.post('/contacts/bulk-tags', { contactIds: [id], addTags: ['put on'] })
  expect(await tagNames()).toEqual(['in bulk', 'patched', 'posted', 'posted again', 'put on'])
})

test('a hundred concurrent contacts with the same new tags store each tag once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      shop.post('/contacts', {
        phone: `+91${++lastNumber}`,
        tags: i % 2 ? ['x', 'y', 'z'] : ['z', 'y', 'x'],
      }),
    ),
  )
  expect(answers.filter(({ status }) => status !== 201)).toEqual([])
  expect(await tagNames()).toEqual(['x', 'y', 'z'])
})

test('a renamed tag is renamed on every contact that has it, without events', async () => {
  const [onlyVip, withAnother, untagged] = [
    await contact(['vip', 'a']),
    await contact(['gold', 'vip']),
    await contact(['a']),
  ]
  const tag = await tagNamed('vip')
  const gold = await tagNamed('gold')
  expect(await shop.patch(`/tags/${tag.id}`, { name: 'gold' })).toMatchObject({
    status: 409,
    body: { error: 'conflict', tagId: gold.id },
  })
  await shop.delete(`/tags/${gold.id}`)
  await carried()
  expect(await tagsOf(withAnother.id)).toEqual(['vip'])
  const renamed = await shop.patch(`/tags/${tag.id}`, { name: 'platinum' })
  expect(renamed).toMatchObject({ status: 200, body: { tag: { id: tag.id, name: 'platinum' } } })
  await carried()
  expect(await Promise.all([onlyVip, withAnother, untagged].map(({ id }) => tagsOf(id)))).toEqual([
    ['platinum', 'a'],
    ['platinum'],
    ['a'],
  ])
  const reported = await parley.system((tx) =>
    tx.sql("select id from events where workspace_id = $1 and name = 'contact.updated'", [shop.workspaceId]),
  )
  expect(reported).toEqual([])
  expect(await tagNames()).toEqual(['a', 'platinum'])
})

test('two tags renamed to one name leave that name once on a contact', async () => {
  const { id } = await contact(['b', 'a'])
  const b = await tagNamed('b')
  // On contacts only, as when a recent write isn't listed yet.
  await parley.system((tx) =>
    tx.sql("delete from tags where workspace_id = $1 and name = 'a'", [shop.workspaceId]),
  )
  await shop.patch(`/tags/${b.id}`, { name: 'a' })
  await carried()
  expect(await tagsOf(id)).toEqual(['a'])
})

test('changes one after the other are applied in order', async () => {
  const { id } = await contact(['vip'])
  const tag = await tagNamed('vip')
  await shop.patch(`/tags/${tag.id}`, { name: 'gold' })
  await shop.patch(`/tags/${tag.id}`, { name: 'platinum' })
  await carried()
  expect(await tagsOf(id)).toEqual(['platinum'])
})

test('many contacts are processed in steps, and none is left out', async () => {
  await shop.set({ contactLimit: 10_000 })
  for (let page = 0; page < 5; page++)
    await shop.post('/contacts/bulk', {
      contacts: Array.from({ length: 500 }, () => ({ phone: `+91${++lastNumber}`, tags: ['vip'] })),
    })
  await shop.patch(`/tags/${(await tagNamed('vip')).id}`, { name: 'gold' })
  await carried()
  const counts = await parley.system((tx) =>
    tx.sql('select tags, count(*) as count from contacts where workspace_id = $1 group by tags', [
      shop.workspaceId,
    ]),
  )
  expect(counts).toEqual([{ tags: ['gold'], count: 2_500 }])
})

test('a contact stored in a transaction that was open when the tag was removed loses the tag too', async () => {
  await contact(['vip'])
  const tag = await tagNamed('vip')
  let removed = 0
  await parley.system(async (tx) => {
    // A slow writer has written the old name and not committed.
    const id = '01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10'
    await tx.sql(
      `insert into contacts (workspace_id, id, phone, tags, created_at, updated_at)
       select workspace_id, $2, '+919800000001', '{vip}', created_at, updated_at from contacts where workspace_id = $1`,
      [shop.workspaceId, id],
    )
    removed = (await shop.delete(`/tags/${tag.id}`)).status
    await until(async () => {
      const [change] = await tx.sql<{ fence: number | null }>(
        'select fence from tag_changes where workspace_id = $1',
        [shop.workspaceId],
      )
      return typeof change?.fence === 'number'
    }, 'the background change starts, and waits')
  })
  expect(removed).toBe(200)
  await carried()
  expect(await tagsOf('01978f2e-9c1b-7d30-8a44-3f5f0e6b9a10')).toEqual([])
})

test('a former name is free again once no contact has it', async () => {
  await contact(['vip'])
  const tag = await tagNamed('vip')
  let refused: Body
  await parley.system(async (tx) => {
    // Delays the walk.
    await tx.sql('select id from contacts where workspace_id = $1 for update', [shop.workspaceId])
    await shop.delete(`/tags/${tag.id}`)
    refused = (await shop.post('/tags', { name: 'vip' })).body
  })
  expect(refused.error).toBe('conflict')
  await carried()
  expect((await shop.post('/tags', { name: 'vip' })).status).toBe(201)
})

test("a rename doesn't hide a tag from a concurrent change", async () => {
  const { id } = (await shop.post('/tags', { name: 'at once 0' })).body.tag
  for (let round = 1; round <= 8; round++) {
    const changed = await Promise.all([
      shop.patch(`/tags/${id}`, { name: `at once ${round}` }),
      shop.patch(`/tags/${id}`, { color: `#00000${round}` }),
    ])
    expect(changed.map(({ status }) => status)).toEqual([200, 200])
    expect(await tagNamed(`at once ${round}`)).toMatchObject({ id, color: `#00000${round}` })
  }
})

test('a missing tag, or a tag of another workspace, returns 404', async () => {
  const foreign = (await (await parley.workspace()).post('/tags', { name: 'theirs' })).body.tag
  for (const id of [foreign.id, crypto.randomUUID(), 'nonsense']) {
    expect((await shop.patch(`/tags/${id}`, { name: 'mine' })).body.error).toBe('not_found')
    expect((await shop.delete(`/tags/${id}`)).body.error).toBe('not_found')
  }
})

describe('an invalid body returns 400 and names the field', () => {
  test.each([
    [{}, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'x', color: 'red' }, 'color'],
    [{ name: 'x', shade: '#000000' }, 'shade'],
  ])('%j', async (body, path) => {
    expect(await shop.post('/tags', body)).toMatchObject({ status: 400, body: { issues: [{ path }] } })
  })
})
