import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../test/support/boot.ts'
import { whileReadsAreFull } from '../../../../test/support/costly-reads.ts'
import { MANY_ROWS } from '../../../database/sql/costly-reads.ts'

let parley: TestParley
let shop: TestWorkspace
let stages: { id: string; name: string }[]

beforeAll(async () => {
  parley = await boot()
})
beforeEach(async () => {
  shop = await parley.workspace()
  stages = (await shop.get('/pipeline')).body.stages
})
afterAll(() => parley?.close())

let phoneCount = 0
const lead = async (body: object): Promise<Body> =>
  (await shop.post('/leads', { phone: `+9198124${String(++phoneCount).padStart(5, '0')}`, ...body })).body
    .lead
const summary = async (query = '') => {
  const { status, body, text } = await shop.get(`/leads/summary${query}`)
  expect(status, text).toBe(200)
  return body as { stageId: string; count: number; dealValue: number }[]
}

test('a board shows for every stage the number of leads and their value', async () => {
  const [first, second] = stages as [Body, Body]
  await lead({ dealValue: 0.1 })
  await lead({ dealValue: 0.2, rating: 4 })
  await lead({ dealValue: 1_000, rating: 5, stage: second.name })
  expect(await summary()).toEqual(
    stages.map(({ id: stageId }) => ({
      stageId,
      count: stageId === first.id ? 2 : stageId === second.id ? 1 : 0,
      dealValue: stageId === first.id ? 0.3 : stageId === second.id ? 1_000 : 0,
    })),
  )
})

test('the sums match the leads that the same query lists', async () => {
  const namedLead = await lead({ name: 'Asha Rao', dealValue: 10, rating: 4 })
  await lead({ name: 'Ravi', dealValue: 20, rating: 2 })
  const filter = encodeURIComponent(
    JSON.stringify({ match: 'all', conditions: [{ field: 'rating', op: 'gte', value: 3 }] }),
  )
  for (const query of [`?filter=${filter}`, '?q=asha', `?ids=${namedLead.id}`])
    expect((await summary(query))[0], query).toMatchObject({ count: 1, dealValue: 10 })
  expect((await summary('?view=sys:won')).every((stage) => stage.count === 0)).toBe(true)
  expect((await shop.get('/leads/summary?view=sys:none')).status).toBe(400)
})

test('leads of a removed stage appear in its replacement', async () => {
  const { stage } = (await shop.post('/pipeline/stages', { name: 'Visit' })).body
  await lead({ dealValue: 7, stage: 'Visit' })
  expect((await shop.delete(`/pipeline/stages/${stage.id}?moveTo=New`)).status).toBe(200)
  const found = await summary()
  expect(found.map((column) => column.stageId)).not.toContain(stage.id)
  expect(found.find((column) => column.stageId === stages[0]!.id)).toMatchObject({ count: 1, dealValue: 7 })
})

test('the number of concurrent sums over many leads is limited', async () => {
  await lead({ dealValue: 7 })
  await parley.system((tx) =>
    tx.sql(
      `insert into leads (workspace_id, id, contact_id, phone, stage_id, stage_changed_at, created_at, updated_at, last_captured_at)
       select $1, gen_random_uuid(), gen_random_uuid(), '9177' || lpad(i::text, 8, '0'), $2, now(), now(), now(), now()
       from generate_series(1, $3::int) i`,
      [shop.workspaceId, stages[0]!.id, MANY_ROWS],
    ),
  )
  expect((await summary())[0]).toMatchObject({ count: MANY_ROWS + 1, dealValue: 7 })
  await whileReadsAreFull(parley, shop.workspaceId, async () => {
    expect((await shop.get('/leads/summary')).body.error).toBe('rate_limited')
  })
})
