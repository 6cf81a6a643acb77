import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { addMember, setMember } from '../../../platform/workspaces/operations/workspace-members.ts'

let parley: TestParley
let shop: TestWorkspace
let next = 50_000_000
const newPhone = (): string => `+9197${next++}`

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true, timezone: 'Asia/Kolkata' })
  await teammate(shop, 'Ravi Iyer', 'ravi@example.com')
})
afterAll(() => parley.close())

async function teammate(workspace: TestWorkspace, name: string, email: string): Promise<string> {
  const added = await parley.system((tx) =>
    addMember(tx, { workspaceId: workspace.workspaceId, email, name, role: 'agent' }, new Date()),
  )
  return added.memberId
}

async function lead(workspace: TestWorkspace, more: object = {}): Promise<string> {
  const { status, body } = await workspace.post('/leads', { phone: newPhone(), ...more })
  expect(status).toBe(201)
  return body.lead.id
}

type Query = Record<string, unknown>
const address = (query: Query): string =>
  `/leads?${new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )}`

/** Returns the names in a list, after comparing its total with them. */
async function namesOf(workspace: TestWorkspace, query: Query): Promise<string[]> {
  const { status, body } = await workspace.get(address(query))
  expect([status, body.issues]).toEqual([200, undefined])
  if (query.page === undefined && query.pageSize === undefined) expect(body.total).toBe(body.leads.length)
  return body.leads.map((lead: { name: string }) => lead.name)
}

const where = (field: string, op: string, value?: unknown) => ({
  filter: { match: 'all', conditions: [{ field, op, ...(value === undefined ? {} : { value }) }] },
})

describe('views of GET /leads (spec 4.5)', () => {
  let own: TestWorkspace
  beforeAll(async () => {
    own = await parley.workspace({ sandbox: true, timezone: 'Asia/Kolkata' })
    await teammate(own, 'Ravi Iyer', 'ravi@example.com')
    await lead(own, { name: 'New', owner: null })
    await lead(own, { name: 'Contacted', stage: 'Contacted', owner: 'Ravi Iyer' })
    await lead(own, { name: 'Won', stage: 'Won', owner: 'Ravi Iyer' })
    await lead(own, { name: 'Lost', stage: 'Lost', lostReason: 'Price' })
  })

  test.each([
    ['sys:all', ['Lost', 'Won', 'Contacted', 'New']],
    ['sys:open', ['Contacted', 'New']],
    ['sys:unassigned', ['Lost', 'New']],
    ['sys:won', ['Won']],
    ['sys:lost', ['Lost']],
    ['sys:new_today', ['Lost', 'Won', 'Contacted', 'New']],
    ['sys:followups', []],
  ])('%s', async (view, names) => {
    expect(await namesOf(own, { view })).toEqual(names)
  })

  test('without a view all leads are listed, newest first', async () => {
    expect(await namesOf(own, {})).toEqual(['Lost', 'Won', 'Contacted', 'New'])
  })

  test('an unknown view is rejected, and the error lists the views', async () => {
    const { status, body } = await own.get('/leads?view=sys:mine')
    expect([status, body.error]).toEqual([400, 'invalid'])
    expect(body.issues[0]).toMatchObject({
      path: 'view',
      message: expect.stringContaining('sys:open, sys:all, sys:unassigned, sys:new_today'),
    })
  })

  test('a lead whose owner left the workspace is unassigned', async () => {
    const workspace = await parley.workspace({ sandbox: true })
    const meera = await teammate(workspace, 'Meera', 'meera@example.com')
    await lead(workspace, { name: 'Hers', owner: 'Meera' })
    expect(await namesOf(workspace, { view: 'sys:unassigned' })).toEqual([])
    await parley.system((tx) => setMember(tx, meera, { leave: true }, new Date()))
    expect(await namesOf(workspace, { view: 'sys:unassigned' })).toEqual(['Hers'])
    expect(await namesOf(workspace, where('owner', 'empty'))).toEqual(['Hers'])
    // Nothing changes, so no event fires.
    const { id } = (await workspace.get('/leads')).body.leads[0]
    expect((await workspace.patch(`/leads/${id}`, { owner: null })).body.changed).toEqual([])
    const { body } = await workspace.get('/events')
    expect(body.events.map((event: { event: string }) => event.event)).toEqual(['lead.created'])
  })

  test("new today and follow-ups are separated at the workspace's midnight", async () => {
    const workspace = await parley.workspace({ sandbox: true, timezone: 'Asia/Kolkata' })
    const { body: clock } = await workspace.get('/sandbox/clock')
    const ten = new Date(clock.now)
    ten.setUTCHours(4, 30, 0, 0)
    if (ten <= new Date(clock.now)) ten.setUTCDate(ten.getUTCDate() + 1)
    await workspace.advance(Math.round((ten.getTime() - new Date(clock.now).getTime()) / 1000) + 1)
    const due = (hours: number) => new Date(ten.getTime() + hours * 3_600_000).toISOString()
    await lead(workspace, { name: 'tonight', nextFollowUpAt: due(13.9) })
    await lead(workspace, { name: 'tomorrow', nextFollowUpAt: due(14.1) })
    await lead(workspace, { name: 'earlier', nextFollowUpAt: due(-50) })
    await lead(workspace, { name: 'won', stage: 'Won', nextFollowUpAt: due(1) })
    expect(await namesOf(workspace, { view: 'sys:followups' })).toEqual(['earlier', 'tonight'])
    expect(await namesOf(workspace, { view: 'sys:new_today' })).toHaveLength(4)
    await workspace.advance(14.05 * 3600)
    expect(await namesOf(workspace, { view: 'sys:new_today' })).toEqual([])
    expect(await namesOf(workspace, { view: 'sys:followups' })).toEqual(['earlier', 'tonight', 'tomorrow'])
  })

  test('leads of a removed stage are listed, filtered and counted in its replacement', async () => {
    const workspace = await parley.workspace({ sandbox: true })
    const { body: created } = await workspace.post('/pipeline/stages', { name: 'Demo' })
    await lead(workspace, { name: 'Asha', stage: 'Demo' })
    expect((await workspace.delete(`/pipeline/stages/${created.stage.id}?moveTo=Won`)).status).toBe(200)
    expect(await namesOf(workspace, { view: 'sys:won' })).toEqual(['Asha'])
    expect(await namesOf(workspace, { view: 'sys:open' })).toEqual([])
    expect(await namesOf(workspace, where('stage', 'eq', 'Won'))).toEqual(['Asha'])
    expect(await namesOf(workspace, where('stage', 'neq', 'Won'))).toEqual([])
    expect(await namesOf(workspace, where('stageKind', 'in', ['won']))).toEqual(['Asha'])
  })
})

describe('filters of GET /leads (spec 4.5)', () => {
  beforeAll(async () => {
    await lead(shop, {
      name: 'Asha Rao',
      phone: '+919812345678',
      email: 'asha@example.com',
      source: 'Website',
      rating: 4,
      dealValue: 48_000,
      tags: ['vip', 'pune'],
      attributes: { city: 'Pune', size: 12 },
      owner: 'Ravi Iyer',
      nextFollowUpAt: '2020-03-01T00:00:00Z',
    })
    await lead(shop, {
      name: 'Meera 100%',
      phone: '+14155550100',
      source: 'referral',
      rating: 1,
      tags: ['pune'],
      attributes: { city: 'Delhi', size: '12' },
      stage: 'Contacted',
    })
    await lead(shop, { name: 'Zoya', stage: 'Lost', lostReason: 'Price' })
  })

  test.each([
    ['name', 'eq', 'asha rao', ['Asha Rao']],
    ['name', 'contains', '0%', ['Meera 100%']],
    ['name', 'starts', 'a', ['Asha Rao']],
    ['phone', 'eq', '98123 45678', ['Asha Rao']],
    // The country of the sandbox's own number, without its code.
    ['phone', 'eq', '415 555 0100', ['Meera 100%']],
    ['phone', 'starts', '98123', ['Asha Rao']],
    ['phone', 'starts', '+1', ['Meera 100%']],
    ['phone', 'contains', '5550', ['Meera 100%']],
    ['email', 'empty', undefined, ['Zoya', 'Meera 100%']],
    ['email', 'notEmpty', undefined, ['Asha Rao']],
    ['source', 'eq', 'website', ['Asha Rao']],
    ['source', 'neq', 'website', ['Zoya', 'Meera 100%']],
    ['source', 'contains', 'fer', ['Meera 100%']],
    ['stage', 'in', ['contacted', 'Lost'], ['Zoya', 'Meera 100%']],
    ['stage', 'nin', ['Lost'], ['Meera 100%', 'Asha Rao']],
    ['stageKind', 'eq', 'lost', ['Zoya']],
    ['lostReason', 'eq', 'price', ['Zoya']],
    ['lostReason', 'empty', undefined, ['Meera 100%', 'Asha Rao']],
    ['owner', 'eq', 'ravi@example.com', ['Asha Rao']],
    ['owner', 'neq', 'Ravi Iyer', ['Zoya', 'Meera 100%']],
    ['rating', 'gte', 3, ['Asha Rao']],
    ['rating', 'lt', 0.5, ['Zoya']],
    ['rating', 'in', [0, 1], ['Zoya', 'Meera 100%']],
    ['rating', 'between', [1, 4], ['Meera 100%', 'Asha Rao']],
    ['rating', 'lte', 1e12, ['Zoya', 'Meera 100%', 'Asha Rao']],
    ['dealValue', 'gt', 47_999.99, ['Asha Rao']],
    ['captureCount', 'eq', 1, ['Zoya', 'Meera 100%', 'Asha Rao']],
    ['tags', 'eq', 'pune', ['Meera 100%', 'Asha Rao']],
    ['tags', 'in', ['vip', 'x"y\\'], ['Asha Rao']],
    ['tags', 'nin', ['vip'], ['Zoya', 'Meera 100%']],
    ['tags', 'empty', undefined, ['Zoya']],
    ['attributes.city', 'eq', 'Pune', ['Asha Rao']],
    ['attributes.city', 'starts', 'del', ['Meera 100%']],
    ['attributes.city', 'empty', undefined, ['Zoya']],
    ['attributes.size', 'eq', 12, ['Meera 100%', 'Asha Rao']],
    ['attributes.size', 'gt', 11, ['Meera 100%', 'Asha Rao']],
    ['attributes.size', 'gt', '9', ['Meera 100%', 'Asha Rao']],
    ['attributes.size', 'lt', '2026-01-01', ['Meera 100%']],
    ['attributes.city', 'gte', 'p', ['Asha Rao']],
    ['nextFollowUpAt', 'lt', '2020-03-02', ['Asha Rao']],
    ['nextFollowUpAt', 'eq', '2020-03-01', ['Asha Rao']],
    ['nextFollowUpAt', 'between', ['2020-02-01', '2020-03-01'], ['Asha Rao']],
    ['nextFollowUpAt', 'empty', undefined, ['Zoya', 'Meera 100%']],
    ['createdAt', 'within', { last: 7 }, ['Zoya', 'Meera 100%', 'Asha Rao']],
    ['createdAt', 'lt', '2020-01-01T00:00:00+05:30', []],
    ['createdAt', 'gte', '0000-01-01', ['Zoya', 'Meera 100%', 'Asha Rao']],
    ['createdAt', 'gt', '9999-12-31', []],
  ])('%s %s %j', async (field, op, value, names) => {
    expect(await namesOf(shop, where(field, op, value))).toEqual(names)
  })

  test.each([
    ['lt', '1965-01-01', ['long ago']],
    ['gte', '1965-01-01', ['now']],
    ['lt', '1970-01-01T00:00:00Z', ['long ago']],
    ['gte', '1970-01-01T00:00:00Z', ['now']],
    ['lt', '1970-01-01T00:15:00Z', ['long ago']],
    ['eq', '1960-03-01', ['long ago']],
  ])('a due time before 1970 is counted too: %s %s', async (op, value, names) => {
    const workspace = await parley.workspace({ sandbox: true })
    await lead(workspace, { name: 'long ago', nextFollowUpAt: '1960-03-01T00:00:00Z' })
    await lead(workspace, { name: 'now', nextFollowUpAt: '2030-03-01T00:00:00Z' })
    expect(await namesOf(workspace, where('nextFollowUpAt', op, value))).toEqual(names)
  })

  test('text comparison ignores case in every language', async () => {
    const workspace = await parley.workspace({ sandbox: true })
    const name = 'İZMİR ΔΡΟΜΟΣ'
    await lead(workspace, { name, source: name, attributes: { city: name }, note: name })
    const conditions = ['name', 'source', 'attributes.city'].flatMap((field) => [
      where(field, 'contains', name),
      where(field, 'starts', 'İ'),
    ])
    const exact = [
      where('name', 'eq', name),
      where('source', 'in', [name]),
      where('attributes.city', 'lte', name),
    ]
    for (const query of [...conditions, ...exact, { q: name }, { q: 'ΔΡΟΜΟΣ' }])
      expect(await namesOf(workspace, query), JSON.stringify(query)).toEqual([name])
    expect(await namesOf(workspace, where('source', 'neq', name))).toEqual([])
  })

  test('match any needs one matching condition', async () => {
    const conditions = [
      { field: 'rating', op: 'gte', value: 4 },
      { field: 'stage', op: 'eq', value: 'Lost' },
    ]
    expect(await namesOf(shop, { filter: { match: 'any', conditions } })).toEqual(['Zoya', 'Asha Rao'])
    expect(await namesOf(shop, { filter: { conditions } })).toEqual([])
  })

  test.each([
    [where('ratng', 'eq', 1), 'filter.conditions[0].field', 'name, phone, email, source, stage'],
    [where('stage', 'gte', 1), 'filter.conditions[0].op', 'eq, neq, in, nin'],
    [where('stage', 'like', 1), 'filter.conditions[0].op', 'eq, neq, in, nin'],
    [where('stage', 'eq', 'Contactd'), 'filter.conditions[0].value', 'Did you mean "Contacted"'],
    [where('name', 'eq', 'a\0'), 'filter.conditions[0].value', ''],
    [where('name', 'eq', '\ud800'), 'filter.conditions[0].value', ''],
    [{ filter: '{' }, 'filter', 'JSON'],
    [{ filter: { conditions: {} } }, 'filter.conditions', ''],
    [{ filter: { match: 'some', conditions: [] } }, 'filter.match', 'all or any'],
    [{ sort: 'shoeSize' }, 'sort', 'createdAt, updatedAt, name, phone'],
    [{ dir: 'up' }, 'dir', 'asc, desc'],
    [{ q: 'x'.repeat(201) }, 'q', '200'],
    [{ q: '\0' }, 'q', 'NUL'],
    [{ pageSize: 101 }, 'pageSize', '100'],
    [{ page: 2_000, pageSize: 100 }, 'page', '100000'],
  ])('%j is rejected, and the error names %s', async (query, path, message) => {
    const { status, body } = await shop.get(address(query))
    expect([status, body.error]).toEqual([400, 'invalid'])
    expect(body.issues.map((issue: { path: string }) => issue.path)).toContain(path)
    expect(body.message).toContain(message)
  })

  test.each(["'; drop table leads; --", '$1', '%', '_', '\\', '"', '{', '}', "' or '1'='1"])(
    'a query is never run as SQL: %s',
    async (value) => {
      for (const field of ['name', 'email', 'source', `attributes.${value}`])
        for (const op of ['eq', 'contains', 'starts', 'gte']) {
          if (op === 'gte' && !field.startsWith('attributes')) continue
          expect(await namesOf(shop, where(field, op, value))).toEqual(
            value === '%' && field === 'name' && op === 'contains' ? ['Meera 100%'] : [],
          )
        }
      expect((await shop.get(address(where('tags', 'eq', value)))).status).toBe(200)
      expect((await shop.get(address({ q: value }))).status).toBe(200)
    },
  )
})

describe('the search of GET /leads', () => {
  test('finds name, email and notes, and the beginning of a number with and without its country code', async () => {
    const workspace = await parley.workspace({ sandbox: true })
    const id = await lead(workspace, { name: 'Asha Rao', phone: '+919812345678', email: 'asha@shop.example' })
    await lead(workspace, { name: 'Meera', phone: '+919898123456', note: 'Wants the 98123 model in Teal' })
    await workspace.post(`/leads/${id}/notes`, { body: 'Prefers calls after six' })
    for (const q of [
      'asha',
      'RAO',
      'shop.ex',
      'after SIX',
      '98123 45',
      '+91 98123-45',
      '919812',
      '098123 45',
    ])
      expect(await namesOf(workspace, { q }), q).toEqual(['Asha Rao'])
    expect(await namesOf(workspace, { q: '98123' })).toEqual(['Meera', 'Asha Rao'])
    expect(await namesOf(workspace, { q: 'teal' })).toEqual(['Meera'])
    expect(await namesOf(workspace, { q: '9198' })).toEqual(['Meera', 'Asha Rao'])
    expect(await namesOf(workspace, { q: '9198', view: 'sys:won' })).toEqual([])
    expect(await namesOf(workspace, { q: 'nobody' })).toEqual([])
    expect(await namesOf(workspace, { q: ' ' })).toEqual(['Meera', 'Asha Rao'])
  })

  test('an erased contact disappears from the list and its counts', async () => {
    const workspace = await parley.workspace({ sandbox: true })
    await lead(workspace, { name: 'Asha', phone: '+919812345678', tags: ['vip'], source: 'x' })
    expect((await workspace.delete(`/contacts/${encodeURIComponent('+919812345678')}`)).status).toBe(200)
    for (const query of [{}, { q: '91' }, where('tags', 'eq', 'vip'), where('source', 'eq', 'x')])
      expect(await namesOf(workspace, query)).toEqual([])
  })
})

describe('order and pages (spec 2.1)', () => {
  test('sorts by every sortable field, empty values last, and returns pages', async () => {
    const workspace = await parley.workspace({ sandbox: true })
    await lead(workspace, { name: 'b', phone: '+919700000003', rating: 1, dealValue: 5 })
    await lead(workspace, {
      name: 'C',
      phone: '+919700000001',
      rating: 3,
      nextFollowUpAt: '2030-01-02T00:00:00Z',
    })
    await lead(workspace, {
      name: 'a',
      phone: '+919700000002',
      rating: 2,
      nextFollowUpAt: '2030-01-01T00:00:00Z',
    })
    await lead(workspace, { phone: '+919700000004', dealValue: 7 })
    const anon = null as unknown as string
    expect(await namesOf(workspace, { sort: 'name' })).toEqual(['a', 'b', 'C', anon])
    expect(await namesOf(workspace, { sort: 'name', dir: 'desc' })).toEqual(['C', 'b', 'a', anon])
    expect(await namesOf(workspace, { sort: 'phone' })).toEqual(['C', 'a', 'b', anon])
    expect(await namesOf(workspace, { sort: 'rating' })).toEqual(['C', 'a', 'b', anon])
    expect(await namesOf(workspace, { sort: 'dealValue', dir: 'desc' })).toEqual([anon, 'b', 'a', 'C'])
    expect(await namesOf(workspace, { sort: 'createdAt', dir: 'asc' })).toEqual(['b', 'C', 'a', anon])
    expect(await namesOf(workspace, { sort: 'updatedAt' })).toEqual([anon, 'a', 'C', 'b'])
    expect(await namesOf(workspace, { sort: 'nextFollowUpAt' })).toEqual(['a', 'C', 'b', anon])
    expect(await namesOf(workspace, { sort: 'nextFollowUpAt', dir: 'desc' })).toEqual(['C', 'a', anon, 'b'])
    for (const sort of ['nextFollowUpAt', 'name', 'createdAt', 'rating']) {
      const whole = await namesOf(workspace, { sort })
      const pages = []
      for (const page of [1, 2, 3, 4, 5])
        pages.push(...(await namesOf(workspace, { sort, page, pageSize: 1 })))
      expect(pages, sort).toEqual(whole)
    }
    const { body } = await workspace.get('/leads?page=2&pageSize=3')
    expect(body).toMatchObject({ total: 4, page: 2, pageSize: 3 })
    expect(body.leads).toHaveLength(1)
  })

  test('sorts by the time in the stage, which only a move to another stage restarts', async () => {
    const workspace = await parley.workspace({ sandbox: true })
    const phones = { a: newPhone(), b: newPhone(), c: newPhone(), d: newPhone() }
    for (const [name, phone] of Object.entries(phones))
      await lead(workspace, { name, phone, stage: name === 'd' ? 'Qualified' : 'New' })
    await workspace.advance(86_400)
    const entered = async (phone: string) => (await workspace.get(`/leads/${phone}`)).body.lead.stageChangedAt
    const before = await entered(phones.b)
    await workspace.patch(`/leads/${phones.b}`, { rating: 5 })
    await workspace.post('/leads', { phone: phones.b })
    expect(await entered(phones.b)).toBe(before)
    const { body } = await workspace.patch(`/leads/${phones.a}`, { stage: 'Contacted' })
    expect(Date.parse(body.lead.stageChangedAt) - Date.parse(before)).toBeGreaterThanOrEqual(86_400_000)
    await workspace.patch(`/leads/${phones.a}`, { stage: 'New' })

    const sort = 'stageChangedAt'
    expect(await namesOf(workspace, { sort })).toEqual(['b', 'c', 'd', 'a'])
    expect(await namesOf(workspace, { sort, dir: 'desc' })).toEqual(['a', 'd', 'c', 'b'])
    expect(await namesOf(workspace, { sort, ...where('stage', 'eq', 'New') })).toEqual(['b', 'c', 'a'])
    expect(await namesOf(workspace, { sort, view: 'sys:won' })).toEqual([])
    expect(await namesOf(workspace, { sort, view: 'sys:open', ...where('rating', 'lt', 5) })).toEqual([
      'c',
      'd',
      'a',
    ])
    expect(await namesOf(workspace, { sort, page: 2, pageSize: 3 })).toEqual(['a'])

    // The leads of a removed stage keep the time of their move.
    const { stages } = (await workspace.get('/pipeline')).body
    const { id } = stages.find((stage: { name: string }) => stage.name === 'Qualified')
    await workspace.delete(`/pipeline/stages/${id}?moveTo=New`)
    expect(await namesOf(workspace, { sort, ...where('stage', 'eq', 'New') })).toEqual(['b', 'c', 'd', 'a'])
  })
})

describe('saved views', () => {
  test('contain a filter, a search and an order, and are used by their id', async () => {
    const workspace = await parley.workspace({ sandbox: true })
    await lead(workspace, { name: 'Asha', rating: 5, dealValue: 1, stage: 'Contacted' })
    await lead(workspace, { name: 'Asif', rating: 4, dealValue: 2, stage: 'Contacted' })
    await lead(workspace, { name: 'Zoya', rating: 5, stage: 'Contacted' })
    const { status, body } = await workspace.post('/views', {
      name: 'Hot',
      filter: { match: 'all', conditions: [{ field: 'stage', op: 'in', value: ['contacted'] }] },
      q: 'as',
      sort: 'dealValue',
      dir: 'desc',
    })
    expect(status).toBe(201)
    const view = body.view.id
    expect(await namesOf(workspace, { view })).toEqual(['Asif', 'Asha'])
    expect(await namesOf(workspace, { view, ...where('rating', 'eq', 5) })).toEqual(['Asha'])
    expect(await namesOf(workspace, { view, sort: 'name' })).toEqual(['Asha', 'Asif'])
    const { body: pipeline } = await workspace.get('/pipeline')
    const stage = pipeline.stages.find((savedStage: { name: string }) => savedStage.name === 'Contacted')
    await workspace.patch(`/pipeline/stages/${stage.id}`, { name: 'Spoken to' })
    expect(await namesOf(workspace, { view })).toEqual(['Asif', 'Asha'])
    expect((await workspace.get('/views')).body.views).toMatchObject([
      { id: view, name: 'Hot', shared: true },
    ])
    expect((await workspace.patch(`/views/${view}`, { q: null, name: 'Warm' })).body.view).toMatchObject({
      name: 'Warm',
      q: null,
      sort: 'dealValue',
    })
    expect(await namesOf(workspace, { view })).toHaveLength(3)
    expect((await workspace.delete(`/views/${view}`)).body).toEqual({ ok: true, deleted: true })
    expect((await workspace.get(`/leads?view=${view}`)).status).toBe(400)
    expect((await workspace.delete(`/views/${view}`)).status).toBe(404)
  })

  test('a name is unique ignoring case, and an invalid filter is rejected with its path', async () => {
    const workspace = await parley.workspace({ sandbox: true })
    const answers = await Promise.all(['Hot', 'hot', 'HOT'].map((name) => workspace.post('/views', { name })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const { status, body } = await workspace.post('/views', {
      name: 'Bad',
      ...where('stage', 'eq', 'Nowhere'),
    })
    expect([status, body.issues[0].path]).toEqual([400, 'filter.conditions[0].value'])
  })

  test('a private view is visible only to its member; a key without a member has no private views', async () => {
    const workspace = await parley.workspace({ sandbox: true })
    const memberId = await teammate(workspace, 'Meera', 'meera@example.com')
    const meera = await workspace.as('agent', { memberId })
    const { body } = await meera.post('/views', { name: 'Mine', shared: false })
    expect(body.view.shared).toBe(false)
    expect((await meera.get('/views')).body.views).toHaveLength(1)
    expect((await workspace.get('/views')).body.views).toEqual([])
    expect((await workspace.get(`/leads?view=${body.view.id}`)).status).toBe(400)
    expect((await meera.get(`/leads?view=${body.view.id}`)).status).toBe(200)
    expect((await workspace.patch(`/views/${body.view.id}`, { name: 'Ours' })).status).toBe(404)
    const unlinkedKey = await workspace.as('agent')
    expect((await unlinkedKey.post('/views', { name: 'Mine', shared: false })).body.issues[0].path).toBe(
      'shared',
    )
  })

  test('of the inbox are separate from views of leads, and accept the filters of GET /conversations', async () => {
    const workspace = await parley.workspace({ sandbox: true })
    const chats = { assignee: 'me', state: ['open', 'pending'], unread: true, tag: 'vip', sort: 'waiting' }
    const { status, body } = await workspace.post('/views', {
      page: 'inbox',
      name: 'Urgent',
      chats,
      q: 'asha',
    })
    expect([status, body.view]).toMatchObject([
      201,
      { page: 'inbox', chats, q: 'asha', filter: null, shared: true },
    ])
    // The name is taken only in the inbox.
    expect((await workspace.post('/views', { page: 'inbox', name: 'urgent' })).status).toBe(409)
    const { view: ofLeads } = (await workspace.post('/views', { name: 'Urgent' })).body
    expect((await workspace.get('/views?page=inbox')).body.views).toEqual([body.view])
    expect((await workspace.get('/views')).body.views).toEqual([ofLeads])
    expect((await workspace.get(`/leads?view=${body.view.id}`)).status).toBe(400)
    const path = `/views/${body.view.id}`
    const changed = await workspace.patch(path, { name: 'Waiting', chats: { priority: 'urgent' } })
    expect(changed.body.view).toMatchObject({ name: 'Waiting', chats: { priority: 'urgent' }, q: 'asha' })
    const refusals = [
      await workspace.patch(path, { sort: 'name' }),
      await workspace.patch(`/views/${ofLeads.id}`, { chats: {} }),
      await workspace.post('/views', { page: 'inbox', name: 'Hot', ...where('rating', 'gte', 4) }),
      await workspace.post('/views', { page: 'inbox', name: 'Hot', chats: { assignee: 'nobody' } }),
      await workspace.post('/views', { page: 'tasks', name: 'Hot' }),
    ]
    expect(refusals.map((response) => [response.status, response.body.issues[0].path])).toEqual([
      [400, 'sort'],
      [400, 'chats'],
      [400, 'filter'],
      [400, 'chats.assignee'],
      [400, 'page'],
    ])
    expect((await workspace.delete(path)).status).toBe(200)
    expect((await workspace.get('/views?page=inbox')).body.views).toEqual([])
  })

  test("a view that uses a former member as owner lists no leads and doesn't fail", async () => {
    const workspace = await parley.workspace({ sandbox: true })
    const meera = await teammate(workspace, 'Meera', 'meera@example.com')
    await lead(workspace, { owner: 'Meera' })
    const { body } = await workspace.post('/views', { name: 'Hers', ...where('owner', 'eq', 'Meera') })
    expect(await namesOf(workspace, { view: body.view.id })).toHaveLength(1)
    await parley.system((tx) => setMember(tx, meera, { leave: true }, new Date()))
    expect(await namesOf(workspace, { view: body.view.id })).toEqual([])
  })
})

test('the look-ups return no rows of another workspace', async () => {
  const own = await parley.workspace()
  const other = await parley.workspace()
  await lead(own, { name: 'Asha', note: 'Prefers calls' })
  const readCounts = (workspaceId: string) =>
    parley.system(async (tx) => {
      await tx.sql('set local role parley_tenant')
      await tx.sql(`set local parley.workspaces = '${other.workspaceId}'`)
      const counts = `(select count(*) from list_leads($1, '["all"]', '[]', null, 'createdAt', true, null, null, 10, 0)) as listed,
        count_leads($1, '["all"]', '[]', null) as counted, (select count(*) from noted_leads($1, '%calls%', 10)) as noted`
      return (await tx.sql(`select ${counts}`, [workspaceId]))[0]
    })
  expect(await readCounts(own.workspaceId)).toEqual({ listed: 0, counted: 0, noted: 0 })
  await lead(other, { note: 'Prefers calls' })
  expect(await readCounts(other.workspaceId)).toEqual({ listed: 1, counted: 1, noted: 1 })
})
