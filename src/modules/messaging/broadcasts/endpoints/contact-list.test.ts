import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { whileReadsAreFull } from '../../../../../test/support/costly-reads.ts'
import { MANY_ROWS } from '../../../../database/sql/costly-reads.ts'

let parley: TestParley
let shop: TestWorkspace

const ASHA = '+919812300001'
const RAVI = '+919812300002'
const MEERA = '+919812300003'

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  await shop.post('/contacts', {
    phone: ASHA,
    displayName: 'Asha',
    tags: ['vip', 'it\'s {a} "tag", %s'],
    optInStatus: 'opted_in',
  })
  await shop.post('/contacts', { phone: RAVI, displayName: 'Ravi', tags: ['vip', 'staff'] })
  await shop.inbound(MEERA, 'Hello')
})
afterAll(() => parley?.close())

const phones = async (query: string): Promise<string[]> => {
  const { status, body, text } = await shop.get(`/contacts?${query}`)
  expect(status, text).toBe(200)
  return body.contacts.map((contact: Body) => contact.phone)
}
const segment = async (definition: object): Promise<string> =>
  (await shop.post('/segments', { name: crypto.randomUUID(), segment: definition })).body.segment.id

test('contacts are listed by tag, by consent, and by both with a search', async () => {
  expect(await phones('tag=vip')).toEqual([RAVI, ASHA])
  expect(await phones(`tag=${encodeURIComponent('it\'s {a} "tag", %s')}`)).toEqual([ASHA])
  expect(await phones('tag=none')).toEqual([])
  expect(await phones('optInStatus=opted_in')).toEqual([ASHA])
  expect(await phones('tag=vip&search=ravi')).toEqual([RAVI])
  expect(await phones('tag=vip&search=meera')).toEqual([])
  expect(await phones(`tag=staff&phone=${encodeURIComponent(RAVI)}`)).toEqual([RAVI])
  expect((await shop.get('/contacts?optInStatus=maybe')).status).toBe(400)
})

test('contacts are listed by segment: by its conditions, or its list of contacts', async () => {
  const { body } = await shop.get(`/contacts/${encodeURIComponent(RAVI)}`)
  expect(await phones(`segmentId=${await segment({ tags: ['vip'], excludeTags: ['staff'] })}`)).toEqual([
    ASHA,
  ])
  expect(await phones(`segmentId=${await segment({ lastSeenWithinDays: 1 })}`)).toEqual([MEERA])
  expect(await phones(`segmentId=${await segment({ contactIds: [body.contact.id] })}`)).toEqual([RAVI])
  expect(await phones(`segmentId=${await segment({})}`)).toEqual([MEERA, RAVI, ASHA])
  expect(await phones(`segmentId=${await segment({ tags: ['vip'] })}&tag=staff&search=ra`)).toEqual([RAVI])
  expect((await shop.get(`/contacts?segmentId=${shop.workspaceId}`)).status).toBe(404)
})

test('pages of a filtered list continue after the cursor', async () => {
  const first = (await shop.get('/contacts?tag=vip&limit=1')).body
  expect(first.contacts.map((contact: Body) => contact.phone)).toEqual([RAVI])
  expect(await phones(`tag=vip&limit=1&cursor=${first.nextCursor}`)).toEqual([ASHA])
})

test('only a limited number of long reads of contacts run at the same time', async () => {
  const bigWorkspace = await parley.workspace()
  const { contact } = (await bigWorkspace.post('/contacts', { phone: ASHA, tags: ['vip'] })).body
  await parley.system((tx) =>
    tx.sql(
      `insert into contacts (workspace_id, id, phone, created_at, updated_at)
       select $1, gen_random_uuid(), '+9177' || lpad(i::text, 8, '0'), now(), now() from generate_series(1, $2::int) i`,
      [bigWorkspace.workspaceId, MANY_ROWS],
    ),
  )
  expect((await bigWorkspace.get('/contacts?tag=vip')).body.contacts).toHaveLength(1)
  await whileReadsAreFull(parley, bigWorkspace.workspaceId, async () => {
    expect((await bigWorkspace.get('/contacts?tag=vip')).body.error).toBe('rate_limited')
    expect((await bigWorkspace.get(`/contacts?tag=vip&ids=${contact.id}`)).body.contacts).toHaveLength(1)
    expect((await bigWorkspace.get('/contacts')).status).toBe(200)
  })
})
