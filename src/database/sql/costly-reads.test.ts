/** Reads without a narrowing index in a workspace of many rows: a few at a time (docs/decisions/rate-limits.md). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../test/support/boot.ts'
import { whileReadsAreFull } from '../../../test/support/costly-reads.ts'
import { addMember } from '../../modules/platform/workspaces/operations/workspace-members.ts'

const MANY = 6_000

let parley: TestParley
let shop: TestWorkspace
let small: TestWorkspace
let ravi: string
let phone: string
beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace()
  small = await parley.workspace()
  ;({ memberId: ravi } = await parley.system((tx) =>
    addMember(
      tx,
      { workspaceId: shop.workspaceId, email: 'ravi@example.com', name: 'Ravi', role: 'agent' },
      new Date(),
    ),
  ))
  phone = '+919812345678'
  for (const workspace of [shop, small]) {
    const response = await workspace.post('/leads', { phone, name: 'Asha Rao', email: 'asha@example.com' })
    expect(response.status, response.text).toBe(201)
    await workspace.post('/tasks', {
      leadId: phone,
      type: 'call',
      title: 'Call',
      dueAt: '2030-06-02T10:00:00Z',
    })
  }
  await parley.system(async (tx) => {
    const copies = `generate_series(1, ${MANY}) n`
    await tx.sql(
      `insert into contacts (workspace_id, id, phone, created_at, updated_at)
       select $1, gen_random_uuid(), '+9170' || lpad(n::text, 8, '0'), now(), now() from ${copies}`,
      [shop.workspaceId],
    )
    await tx.sql(
      `insert into leads (workspace_id, id, contact_id, phone, name, stage_id, last_captured_at, stage_changed_at, created_at, updated_at)
       select l.workspace_id, gen_random_uuid(), gen_random_uuid(), '9170' || lpad(n::text, 8, '0'), 'Lead', l.stage_id, now(), now(), now(), now()
       from leads l, ${copies} where l.workspace_id = $1`,
      [shop.workspaceId],
    )
    await tx.sql(
      `insert into tasks (workspace_id, id, lead_id, type, title, due_at, priority, status, created_at, updated_at)
       select t.workspace_id, gen_random_uuid(), t.lead_id, 'call', 'Call', now(), 'normal', 'done', now(), now()
       from tasks t, ${copies} where t.workspace_id = $1`,
      [shop.workspaceId],
    )
  })
}, 120_000)
afterAll(() => parley.close())

const filter = (...conditions: object[]) =>
  `/leads?filter=${encodeURIComponent(JSON.stringify({ match: 'all', conditions }))}`
const COSTLY: [string, () => string][] = [
  ['contacts by two letters', () => '/contacts?search=zq'],
  ['contacts by no letter at all', () => '/contacts?search=%3F%3F%3F%3F'],
  ['leads by words', () => '/leads?q=nobody'],
  ['leads by a custom field', () => filter({ field: 'attributes.size', op: 'contains', value: 'x' })],
  ['leads by an e-mail address', () => filter({ field: 'email', op: 'eq', value: 'a@example.com' })],
  ['leads far down a list', () => '/leads?page=200&pageSize=100'],
  ['what one person has done among all that is done', () => `/tasks?status=done&assignee=${ravi}`],
  ['tasks far down a list', () => '/tasks?page=200&pageSize=100'],
]
const CHEAP: [string, () => string][] = [
  ['contacts', () => '/contacts'],
  ['contacts by three letters', () => '/contacts?search=zqx'],
  ['contacts by two letters and a number', () => `/contacts?search=zq&phone=${encodeURIComponent(phone)}`],
  ['leads', () => '/leads'],
  ['leads of a view', () => '/leads?view=sys:open'],
  ['leads by number', () => filter({ field: 'phone', op: 'eq', value: phone })],
  ['leads by the beginning of their number', () => filter({ field: 'phone', op: 'starts', value: '98123' })],
  ['tasks', () => '/tasks'],
  ['what is done', () => '/tasks?status=done'],
  ['what one person has to do', () => `/tasks?status=open&assignee=${ravi}`],
  ['tasks of a lead', () => `/tasks?leadId=${encodeURIComponent(phone)}`],
]

describe('while all places are taken', () => {
  test.each(COSTLY)('%s are rejected for a second', async (_, path) => {
    expect((await shop.get(path())).status).toBe(200)
    const refused = await whileReadsAreFull(parley, shop.workspaceId, () => shop.get(path()))
    expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limited' } })
    expect(refused.headers['retry-after']).toBe('1')
    expect((await shop.get(path())).status).toBe(200)
  })

  test.each(CHEAP)('%s are read as usual', async (_, path) => {
    const answer = await whileReadsAreFull(parley, shop.workspaceId, () => shop.get(path()))
    expect(answer.status, answer.text).toBe(200)
  })

  test.each([...COSTLY, ...CHEAP])('%s are read as usual if there are few rows', async (_, path) => {
    const ownPath = path().replace(ravi, small.ownerId)
    const answer = await whileReadsAreFull(parley, small.workspaceId, () => small.get(ownPath))
    expect(answer.status, answer.text).toBe(200)
  })

  test('another workspace has its own places', async () => {
    const [, path] = COSTLY[0]!
    const answer = await whileReadsAreFull(parley, small.workspaceId, () => shop.get(path()))
    expect(answer.status).toBe(200)
  })
})

describe('counts of tasks', () => {
  const countsOf = async (query = '') => (await shop.get(`/tasks${query}`)).body.counts
  const sumChanges = () =>
    parley.system((tx) =>
      tx.sql('select count(*) from task_changes where workspace_id = $1', [shop.workspaceId]),
    )

  test('are exact before and after background work sums them, for all teammates and for one', async () => {
    expect(await countsOf()).toMatchObject({ done: MANY, cancelled: 0, upcoming: 1 })
    expect(await countsOf(`?assignee=${ravi}`)).toMatchObject({ done: 0, upcoming: 0 })
    const taskIds = []
    for (let i = 0; i < 3; i++)
      taskIds.push(
        (
          await shop.post('/tasks', {
            leadId: phone,
            type: 'call',
            title: 'Call',
            dueAt: '2030-06-02T10:00:00Z',
            assignee: ravi,
          })
        ).body.task.id,
      )
    await shop.patch(`/tasks/${taskIds[0]}`, { status: 'done', outcome: 'Sold' })
    await shop.patch(`/tasks/${taskIds[1]}`, { status: 'cancelled' })
    await shop.patch(`/tasks/${taskIds[2]}`, { status: 'done', assignee: shop.ownerId })
    const expected = {
      allTeammates: { done: MANY + 2, cancelled: 1, upcoming: 1 },
      ravi: { done: 1, cancelled: 1 },
    }
    const readCounts = async () => ({
      allTeammates: await countsOf(),
      ravi: await countsOf(`?assignee=${ravi}`),
    })
    expect(await readCounts()).toMatchObject(expected)
    await expect.poll(sumChanges, { timeout: 30_000 }).toEqual([{ count: 0 }])
    expect(await readCounts()).toMatchObject(expected)
    expect((await shop.get('/tasks?status=done')).body.total).toBe(MANY + 2)
    expect((await shop.get('/tasks')).body.total).toBe(MANY + 4)
  })

  test('shrink when a lead is erased', async () => {
    const contact = (await shop.get(`/contacts?phone=${encodeURIComponent(phone)}`)).body.contacts[0]
    expect((await shop.delete(`/contacts/${contact.id}`)).status).toBe(200)
    expect(await countsOf()).toEqual({ open: 0, overdue: 0, today: 0, upcoming: 0, done: 0, cancelled: 0 })
  })
})
