import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'
import { addMember, setMember } from '../../../platform/workspaces/operations/workspace-members.ts'

let parley: TestParley
let shop: TestWorkspace
let next = 20_000_000
const newPhone = (): string => `+9197${next++}`
const HOUR = 3_600_000

beforeAll(async () => {
  parley = await boot()
  shop = await parley.workspace({ sandbox: true })
  await parley.system((tx) =>
    addMember(
      tx,
      { workspaceId: shop.workspaceId, email: 'ravi@example.com', name: 'Ravi Iyer', role: 'agent' },
      new Date(),
    ),
  )
})
afterAll(() => parley.close())

async function lead(workspace: TestWorkspace, more: object = {}): Promise<string> {
  const phone = newPhone()
  const { status } = await workspace.post('/leads', { phone, name: 'Asha Rao', ...more })
  expect(status).toBe(201)
  return phone
}

/** Returns the sandbox's time plus some hours. */
async function inHours(workspace: TestWorkspace, hours: number): Promise<string> {
  const { body } = await workspace.get('/sandbox/clock')
  return new Date(new Date(body.now).getTime() + hours * HOUR).toISOString()
}

const task = async (workspace: TestWorkspace, body: object) =>
  (await workspace.post('/tasks', body)).body.task

describe('POST /tasks (spec 2.4, 4.5)', () => {
  test('returns 201 with a pending task that belongs to the owner of the lead', async () => {
    const phone = await lead(shop, { owner: 'Ravi Iyer' })
    const { status, body } = await shop.post('/tasks', {
      leadId: phone,
      type: 'call',
      title: 'Call about delivery',
      dueAt: '2030-06-02T10:00:00+05:30',
      priority: 'high',
    })
    expect(status).toBe(201)
    expect(body.task).toMatchObject({
      lead: { name: 'Asha Rao', phone: phone.slice(1) },
      type: 'call',
      title: 'Call about delivery',
      dueAt: '2030-06-02T04:30:00.000Z',
      priority: 'high',
      status: 'pending',
      state: 'pending',
      assignee: { name: 'Ravi Iyer' },
      completedAt: null,
      outcome: null,
    })
  })

  test('a missing lead returns 404', async () => {
    const body = { title: 'Call', dueAt: '2030-06-02T10:00:00Z' }
    expect(await shop.post('/tasks', { leadId: newPhone(), ...body })).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    })
  })

  test.each([
    ['title', { title: ' ' }],
    ['dueAt', { dueAt: '2030-06-02' }],
    ['dueAt', { dueAt: '0000-06-02T10:00:00Z' }],
    ['dueAt', { dueAt: '9999-12-31T23:00:00-14:00' }],
    ['type', { type: 'fax' }],
    ['priority', { priority: 'huge' }],
    ['assignee', { assignee: 'Nobody' }],
  ])('the error names an invalid %s', async (field, change) => {
    const body = { leadId: await lead(shop), title: 'Call', dueAt: '2030-06-02T10:00:00Z', ...change }
    const answer = await shop.post('/tasks', body)
    expect(answer.status).toBe(400)
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toEqual([field])
  })
})

describe('PATCH /tasks/{id} (spec 3)', () => {
  test('done with an outcome sets completedAt and fires task.completed once', async () => {
    const { id } = await task(shop, {
      leadId: await lead(shop),
      title: 'Call',
      dueAt: '2030-06-02T10:00:00Z',
    })
    const { status, body } = await shop.patch(`/tasks/${id}`, { status: 'done', outcome: 'Will pay' })
    expect(status).toBe(200)
    expect(body.task).toMatchObject({ status: 'done', state: 'done', outcome: 'Will pay' })
    expect(body.task.completedAt).not.toBeNull()
    await shop.patch(`/tasks/${id}`, { status: 'done', outcome: 'Paid' })
    const { body: log } = await shop.get('/events?limit=100')
    const completions = log.events.filter(
      (event: { event: string; data: { task?: { id: string } } }) =>
        event.event === 'task.completed' && event.data.task?.id === id,
    )
    expect(completions).toMatchObject([{ data: { outcome: 'Will pay' } }])
  })

  test('cancels, reopens, reschedules and reassigns', async () => {
    const { id } = await task(shop, {
      leadId: await lead(shop),
      title: 'Call',
      dueAt: '2030-06-02T10:00:00Z',
    })
    expect((await shop.patch(`/tasks/${id}`, { status: 'cancelled' })).body.task.state).toBe('cancelled')
    expect((await shop.patch(`/tasks/${id}`, { status: 'done' })).body.error).toBe('conflict')
    expect((await shop.patch(`/tasks/${id}`, { status: 'pending' })).body.task.state).toBe('upcoming')
    const moveAnswer = await shop.patch(`/tasks/${id}`, {
      dueAt: '2031-01-01T00:00:00Z',
      assignee: 'ravi@example.com',
    })
    expect(moveAnswer.body.task).toMatchObject({
      status: 'pending',
      dueAt: '2031-01-01T00:00:00.000Z',
      assignee: { name: 'Ravi Iyer' },
    })
    expect((await shop.patch(`/tasks/${id}`, { assignee: null })).body.task.assignee).toBeNull()
    expect((await shop.patch(`/tasks/${id}`, { outcome: 'x' })).status).toBe(400)
  })

  test('clearing the assignee of a task of a former member is no change', async () => {
    const { memberId } = await parley.system((tx) =>
      addMember(
        tx,
        { workspaceId: shop.workspaceId, email: 'meera@example.com', name: 'Meera', role: 'agent' },
        new Date(),
      ),
    )
    const leadId = await lead(shop)
    const due = { title: 'Call', dueAt: '2030-06-02T10:00:00Z' }
    const { id } = await task(shop, { leadId, ...due, assignee: 'Meera' })
    await parley.system((tx) => setMember(tx, memberId, { leave: true }, new Date()))
    const { body } = await shop.patch(`/tasks/${id}`, { assignee: null })
    expect(body.task.assignee).toBeNull()
    const kinds = async () =>
      (await shop.get(`/leads/${leadId}/timeline`)).body.entries.map((entry: { kind: string }) => entry.kind)
    expect(await kinds()).not.toContain('task_changed')
    await shop.patch(`/tasks/${id}`, { assignee: 'Ravi Iyer' })
    expect(await kinds()).toContain('task_changed')
  })

  test('the response equals the stored task, to the millisecond and to the word', async () => {
    const leadId = await lead(shop)
    const { id } = await task(shop, { leadId, title: 'Call', dueAt: '2030-06-02T10:00:00Z' })
    await shop.patch(`/tasks/${id}`, { dueAt: '2030-06-02T10:00:00.250Z' })
    await shop.patch(`/tasks/${id}`, { status: 'done' })
    const { body } = await shop.patch(`/tasks/${id}`, { outcome: 'null' })
    expect(body.task).toMatchObject({ dueAt: '2030-06-02T10:00:00.250Z', outcome: 'null' })
    expect((await shop.get(`/tasks?leadId=${leadId}`)).body.tasks).toEqual([body.task])
  })

  test("another workspace's task gets the same answer as a missing task", async () => {
    const { id } = await task(shop, {
      leadId: await lead(shop),
      title: 'Call',
      dueAt: '2030-06-02T10:00:00Z',
    })
    const other = await parley.workspace({ sandbox: true })
    const foreign = await other.patch(`/tasks/${id}`, { title: 'Mine' })
    const missing = await other.patch('/tasks/nothing', { title: 'Mine' })
    expect([foreign.status, foreign.body.error]).toEqual([404, 'not_found'])
    expect(missing.body).toEqual(foreign.body)
  })
})

test('nextFollowUpAt is the due time of the earliest pending task, or the manually set time (docs/clarifications.md)', async () => {
  const byHand = '2032-01-01T00:00:00.000Z'
  const phone = await lead(shop, { nextFollowUpAt: byHand })
  const followUp = async () => (await shop.get(`/leads/${phone}`)).body.lead.nextFollowUpAt
  const early = await task(shop, { leadId: phone, title: 'Early', dueAt: '2030-01-01T00:00:00Z' })
  const late = await task(shop, { leadId: phone, title: 'Late', dueAt: '2031-01-01T00:00:00Z' })
  expect(await followUp()).toBe('2030-01-01T00:00:00.000Z')
  await shop.patch(`/leads/${phone}`, { nextFollowUpAt: '2029-01-01T00:00:00Z' })
  expect(await followUp()).toBe('2030-01-01T00:00:00.000Z')
  await shop.patch(`/tasks/${early.id}`, { status: 'done' })
  expect(await followUp()).toBe('2031-01-01T00:00:00.000Z')
  await shop.patch(`/tasks/${late.id}`, { status: 'cancelled' })
  expect(await followUp()).toBe('2029-01-01T00:00:00.000Z')
})

describe('GET /tasks (spec 4.5)', () => {
  test("groups and counts follow the workspace's time zone and its midnight", async () => {
    const own = await parley.workspace({ sandbox: true, timezone: 'Asia/Kolkata' })
    const phone = await lead(own)
    // To ten in the morning in Kolkata.
    const { body: clock } = await own.get('/sandbox/clock')
    const now = new Date(clock.now)
    const ten = new Date(now)
    ten.setUTCHours(4, 30, 0, 0)
    if (ten <= now) ten.setUTCDate(ten.getUTCDate() + 1)
    await own.advance(Math.round((ten.getTime() - now.getTime()) / 1000))
    const titles = { 'in an hour': 1, 'before midnight': 13.9, 'after midnight': 14.1 }
    for (const [title, hours] of Object.entries(titles))
      await task(own, { leadId: phone, title, dueAt: await inHours(own, hours) })
    const listTitles = async (status: string) =>
      (await own.get(`/tasks?status=${status}`)).body.tasks.map((task: { title: string }) => task.title)
    expect(await listTitles('today')).toEqual(['in an hour', 'before midnight'])
    expect(await listTitles('upcoming')).toEqual(['after midnight'])
    await own.advance(2 * 3600)
    expect(await listTitles('overdue')).toEqual(['in an hour'])
    expect(await listTitles('today')).toEqual(['before midnight'])
    await own.advance(12.05 * 3600)
    expect(await listTitles('overdue')).toEqual(['in an hour', 'before midnight'])
    expect(await listTitles('today')).toEqual(['after midnight'])
    const { body } = await own.get('/tasks')
    expect(body).toMatchObject({
      total: 3,
      page: 1,
      pageSize: 50,
      counts: { open: 3, overdue: 2, today: 1, upcoming: 0, done: 0, cancelled: 0 },
    })
    expect(await listTitles('open')).toEqual(['in an hour', 'before midnight', 'after midnight'])
  })

  test("a time without an offset is a time in the workspace's zone", async () => {
    const own = await parley.workspace({ timezone: 'Asia/Kolkata' })
    const phone = '+919812399001'
    await own.post('/leads', { phone })
    const created = await own.post('/tasks', {
      leadId: phone,
      title: 'Call',
      type: 'call',
      dueAt: '2027-01-01T10:00',
    })
    expect(created.body.task.dueAt).toBe('2027-01-01T04:30:00.000Z')
    const odd = await own.post('/tasks', {
      leadId: phone,
      title: 'Call',
      type: 'call',
      dueAt: '2027-02-30T10:00',
    })
    expect([odd.status, odd.body.issues[0].path]).toEqual([400, 'dueAt'])
  })

  test('has numbered pages', async () => {
    const own = await parley.workspace({ sandbox: true })
    const phone = await lead(own)
    for (let i = 0; i < 5; i++)
      await task(own, { leadId: phone, title: `Task ${i}`, dueAt: `2030-01-0${i + 1}T00:00:00Z` })
    const { body } = await own.get('/tasks?status=open&page=2&pageSize=2')
    expect(body.tasks.map((task: { title: string }) => task.title)).toEqual(['Task 2', 'Task 3'])
    expect(body).toMatchObject({ total: 5, page: 2, pageSize: 2 })
    for (const bad of ['page=0', 'pageSize=101', 'status=late', 'page=99999&pageSize=100'])
      expect((await own.get(`/tasks?${bad}`)).status).toBe(400)
  })

  test('can be limited to a lead and to a teammate', async () => {
    const phone = await lead(shop, { owner: 'Ravi Iyer' })
    const ownTask = await task(shop, { leadId: phone, title: 'Mine', dueAt: '2030-06-02T10:00:00Z' })
    await task(shop, { leadId: phone, title: 'Nobody', dueAt: '2030-06-02T10:00:00Z', assignee: null })
    const tooLong = await shop.get(`/tasks?assignee=${'x'.repeat(201)}`)
    expect([tooLong.status, tooLong.body.issues[0].message]).toEqual([400, 'Must be at most 200 characters.'])
    const { body } = await shop.get(`/tasks?leadId=${encodeURIComponent(phone)}&assignee=Ravi%20Iyer`)
    expect(body.tasks.map((task: { id: string }) => task.id)).toEqual([ownTask.id])
    expect(body.total).toBe(1)
  })
})

test('GET /leads/{id}/timeline returns all entries in order, in pages', async () => {
  const phone = await lead(shop, { note: 'Asked about delivery.' })
  await shop.patch(`/leads/${phone}`, { stage: 'Contacted', owner: 'Ravi Iyer' })
  await shop.inbound(phone, 'Is the blue one in stock?')
  const { id } = await task(shop, { leadId: phone, title: 'Call', dueAt: '2030-06-02T10:00:00Z' })
  await shop.patch(`/tasks/${id}`, { status: 'done', outcome: 'Will pay' })
  const kinds: string[] = []
  let cursor = ''
  for (;;) {
    const { body } = await shop.get(`/leads/${phone}/timeline?limit=3${cursor}`)
    kinds.push(...body.entries.map((entry: { kind: string }) => entry.kind))
    if (body.nextCursor === null) break
    cursor = `&cursor=${body.nextCursor}`
  }
  expect(kinds).toEqual([
    'task_completed',
    'task_created',
    'message_received',
    'owner_changed',
    'stage_changed',
    'note',
    'captured',
  ])
  const narrow = await shop.as('viewer', { scopes: ['crm:read'] })
  const { body } = await narrow.get(`/leads/${phone}/timeline`)
  const message = body.entries.find((entry: { kind: string }) => entry.kind === 'message_received')
  expect(message.data).toEqual({ messageId: expect.any(String), type: 'text' })
})
