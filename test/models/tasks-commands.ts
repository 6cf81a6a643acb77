/** Actions of a team on its follow-ups; each is compared with the model. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Answered, Body, TestWorkspace } from '../support/boot.ts'
import { command } from '../support/play-model.ts'
import {
  change,
  create,
  erase,
  type Fields,
  followUpOf,
  followUps,
  GROUPS,
  groupOf,
  type Lead,
  memberOf,
  type Outcome,
  type Patch,
  setLead,
  type Task,
  type TasksModel,
} from './tasks-model.ts'

const HOUR_MS = 3_600_000
/** The event log keeps seven days. */
const MAX_MOVED_HOURS = 160

/** Hours from now, plus milliseconds, because days start on the hour. */
const due = fc.tuple(fc.constantFrom(-30, -1, 0, 1, 5, 9, 13, 18, 24, 72), fc.constantFrom(0, -1, 250))
type Due = [hours: number, ms: number]
const assignee = fc.constantFrom('Ravi Iyer', 'MEERA nair', '#Meera Nair', 'ravi@EXAMPLE.com', 'Nobody', null)
const fields = {
  type: fc.constantFrom('call', 'visit'),
  priority: fc.constantFrom('low', 'urgent'),
  assignee,
}
type Given = Omit<Patch, 'dueAt'> & { due?: Due }

/** Leads 0 and 1 exist until they are erased; lead 2 never exists. */
const whichLead = fc.constantFrom(0, 0, 0, 1, 2)
/** Counted from the newest task. */
const whichTask = fc.nat({ max: 3 })

const patchOf = (model: TasksModel, { due, ...input }: Given): Patch =>
  due ? { ...input, dueAt: new Date(model.now.getTime() + due[0] * HOUR_MS + due[1]).toISOString() } : input

const requestOf = (model: TasksModel, input: Given) => {
  const patch = patchOf(model, input)
  return typeof patch.assignee === 'string' && patch.assignee.startsWith('#')
    ? { ...patch, assignee: memberOf(model, patch.assignee)!.id }
    : patch
}

const viewOf = (model: TasksModel, task: Task) => ({
  id: task.id,
  lead: { id: task.lead.id, name: task.lead.name, phone: task.lead.phone },
  type: task.type,
  title: task.title,
  dueAt: task.dueAt,
  priority: task.priority,
  status: task.status,
  state: groupOf(model, task),
  assignee: task.assignee && { id: task.assignee.id, name: task.assignee.name },
  completedAt: task.completedAt,
  outcome: task.outcome,
})

function compare(model: TasksModel, answer: Answered, outcome: Outcome): void {
  const error = 'error' in outcome ? outcome.error : undefined
  expect([answer.status, answer.body.error], answer.text).toEqual([outcome.status, error])
  if ('field' in outcome) expect(answer.body.issues[0].path).toBe(outcome.field)
  if (!('task' in outcome)) return
  if (outcome.status === 201) {
    outcome.task.id = answer.body.task.id
    expect(answer.body.task).toMatchObject({ ...viewOf(model, outcome.task), state: 'pending' })
  } else expect(answer.body.task).toMatchObject(viewOf(model, outcome.task))
}

/** Returns one of the newest tasks with its path; if there is none, the path has an unknown ID. */
function taskAt(model: TasksModel, index: number): { task: Task | undefined; path: string } {
  const task = model.tasks.at(-1 - index)
  return { task, path: `/tasks/${task?.id ?? randomUUID()}` }
}

const phoneOf = (model: TasksModel, index: number): string => model.leads[index]?.phone ?? '919812399999'

type Asked = { status: string | null; lead: number | null; assignee: string | null }

/** Requests a list of tasks, three a page, and compares its pages, total, and counts with the model. */
export async function compareTasks(model: TasksModel, shop: TestWorkspace, filter: Asked): Promise<void> {
  const query = new URLSearchParams({ pageSize: '3' })
  const lead = filter.lead === null ? undefined : model.leads[filter.lead]
  if (filter.status !== null) query.set('status', filter.status)
  if (lead) query.set('leadId', lead.phone)
  if (filter.assignee !== null) query.set('assignee', filter.assignee)
  const member = filter.assignee === null ? undefined : memberOf(model, filter.assignee)!
  const tasks = model.tasks.filter(
    (task) => (!lead || task.lead === lead) && (!member || task.assignee?.id === member.id),
  )
  const listGroup = (group: string) => tasks.filter((task) => groupOf(model, task) === group)
  const open = tasks.filter((task) => task.status === 'pending')
  const counts = {
    open: open.length,
    ...Object.fromEntries(GROUPS.map((group) => [group, listGroup(group).length])),
  }
  const expected = filter.status === null ? tasks : filter.status === 'open' ? open : listGroup(filter.status)
  const rows: Body[] = []
  for (let page = 1; page <= Math.ceil(expected.length / 3) + 1; page++) {
    query.set('page', String(page))
    const { status, body } = await shop.get(`/tasks?${query}`)
    expect([status, body.total, body.counts], String(query)).toEqual([200, expected.length, counts])
    rows.push(...body.tasks)
  }
  expect(rows.map((row) => row.id).toSorted()).toEqual(expected.map((task) => task.id).toSorted())
  for (const row of rows)
    expect(row).toMatchObject(viewOf(model, expected.find((task) => task.id === row.id)!))
  if (filter.status === 'done' || filter.status === 'cancelled') return
  // Open tasks are sorted by due time ascending; a list of all tasks descending.
  const times = rows.map((row) => row.dueAt)
  expect(times).toEqual(filter.status === null ? times.toSorted().toReversed() : times.toSorted())
}

/** Compares the leads' next follow-ups, and the list of due leads, with the model. */
export async function compareFollowUps(model: TasksModel, shop: TestWorkspace): Promise<void> {
  const { leads } = (await shop.get('/leads')).body
  const expectedFollowUps = (leads: Lead[]) =>
    leads.map((lead) => [lead.id, followUpOf(model, lead)]).toSorted()
  const read = (rows: Body[]) => rows.map((lead) => [lead.id, lead.nextFollowUpAt]).toSorted()
  expect(read(leads)).toEqual(expectedFollowUps(model.leads))
  const { body } = await shop.get('/leads?view=sys:followups')
  expect(read(body.leads)).toEqual(expectedFollowUps(followUps(model)))
  expect(body.total).toBe(body.leads.length)
}

export const commands = [
  command<{ lead: number; due: Due; body: Fields }, TasksModel, TestWorkspace>(
    'POST /tasks',
    fc.record({ lead: whichLead, due, body: fc.record(fields, { requiredKeys: [] }) }),
    async (model, shop, { lead, due, body }) => {
      const input = { title: 'Call back', due, ...body }
      const phone = phoneOf(model, lead)
      const fields = patchOf(model, input) as Fields & { title: string; dueAt: string }
      const answer = await shop.post('/tasks', { leadId: phone, ...requestOf(model, input) })
      compare(model, answer, create(model, phone, fields))
    },
  ),
  command<{ task: number; body: Given }, TasksModel, TestWorkspace>(
    'PATCH /tasks/{id}',
    fc.record({
      task: whichTask,
      body: fc.record(
        {
          ...fields,
          due,
          title: fc.constantFrom('Call again', 'Visit'),
          status: fc.constantFrom('pending', 'done', 'cancelled'),
          outcome: fc.constantFrom('Will pay', 'null', '', null),
        },
        { requiredKeys: [] },
      ),
    }),
    async (model, shop, { task: index, body }) => {
      const { task, path } = taskAt(model, index)
      const patch = patchOf(model, body)
      const answer = await shop.patch(path, requestOf(model, body))
      compare(model, answer, change(model, task, patch))
    },
  ),
  command<{ task: number; body: Patch }, TasksModel, TestWorkspace>(
    'PATCH /tasks/{id} with a status',
    fc.record({
      task: whichTask,
      body: fc.record(
        { status: fc.constantFrom('pending', 'done', 'done', 'cancelled'), outcome: fc.constant('Will pay') },
        { requiredKeys: ['status'] },
      ),
    }),
    async (model, shop, { task: index, body }) => {
      const { task, path } = taskAt(model, index)
      compare(model, await shop.patch(path, body), change(model, task, body))
    },
  ),
  command<number, TasksModel, TestWorkspace>(
    'a task is done three times at once',
    whichTask,
    async (model, shop, index) => {
      const { task, path } = taskAt(model, index)
      const patch: Patch = { status: 'done', outcome: 'Paid' }
      const answers = await Promise.all([1, 2, 3].map(() => shop.patch(path, patch)))
      for (const answer of answers) compare(model, answer, change(model, task, patch))
    },
  ),
  command<number, TasksModel, TestWorkspace>(
    'a task is done and canceled at once',
    whichTask,
    async (model, shop, index) => {
      const { task, path } = taskAt(model, index)
      const patches: Patch[] = [{ status: 'done' }, { status: 'cancelled' }]
      const answers = await Promise.all(patches.map((patch) => shop.patch(path, patch)))
      const order = answers[0]!.status === 200 ? [0, 1] : [1, 0]
      for (const i of order) compare(model, answers[i]!, change(model, task, patches[i]!))
    },
  ),
  command<{ lead: number; dues: Due[] }, TasksModel, TestWorkspace>(
    'follow-ups of one lead made at once',
    fc.record({ lead: whichLead, dues: fc.array(due, { minLength: 2, maxLength: 3 }) }),
    async (model, shop, { lead, dues }) => {
      const phone = phoneOf(model, lead)
      // The titles distinguish the answers and the events.
      const bodies = dues.map(
        (due, i) =>
          ({ title: `At once ${i}`, ...patchOf(model, { due }) }) as Fields & {
            title: string
            dueAt: string
          },
      )
      const answers = await Promise.all(bodies.map((body) => shop.post('/tasks', { leadId: phone, ...body })))
      for (const [i, body] of bodies.entries()) compare(model, answers[i]!, create(model, phone, body))
    },
  ),
  command<{ lead: number; due: Due | null }, TasksModel, TestWorkspace>(
    'nextFollowUpAt by hand',
    fc.record({ lead: whichLead, due: fc.option(due) }),
    async (model, shop, { lead: index, due }) => {
      const lead = model.leads[index]
      const byHand = due === null ? null : patchOf(model, { due }).dueAt!
      const answer = await shop.patch(`/leads/${phoneOf(model, index)}`, { nextFollowUpAt: byHand })
      expect(answer.status).toBe(lead ? 200 : 404)
      if (!lead) return
      setLead(model, lead, { byHand })
      expect(answer.body.lead.nextFollowUpAt).toBe(followUpOf(model, lead))
    },
  ),
  command<{ lead: number; owner: string | null; isOpen: boolean }, TasksModel, TestWorkspace>(
    'a lead has another owner and stage',
    fc.record({
      lead: whichLead,
      owner: fc.constantFrom('Ravi Iyer', 'Meera Nair', null),
      isOpen: fc.boolean(),
    }),
    async (model, shop, { lead: index, owner, isOpen }) => {
      const lead = model.leads[index]
      const body = { owner, stage: isOpen ? 'New' : 'Won' }
      expect((await shop.patch(`/leads/${phoneOf(model, index)}`, body)).status).toBe(lead ? 200 : 404)
      if (lead) setLead(model, lead, { owner: owner === null ? null : memberOf(model, owner)!, open: isOpen })
    },
  ),
  command<number, TasksModel, TestWorkspace>(
    'DELETE /contacts/{id}',
    fc.constantFrom(0, 1),
    async (model, shop, index) => {
      const lead = model.leads[index]!
      expect((await shop.delete(`/contacts/${lead.contactId}`)).status).toBe(200)
      erase(model, lead)
    },
    (model, index) => model.leads.length > index,
  ),
  command<number, TasksModel, TestWorkspace>(
    'time passes (hours)',
    fc.constantFrom(1, 4, 9, 24),
    async (model, shop, hours) => {
      model.now = await shop.advance(hours * 3_600)
      model.movedHours += hours
    },
    (model, hours) => model.movedHours + hours <= MAX_MOVED_HOURS,
  ),
  command<Asked, TasksModel, TestWorkspace>(
    'GET /tasks',
    fc.record({
      status: fc.constantFrom('open', ...GROUPS, null),
      lead: fc.constantFrom(0, 1, null),
      assignee: fc.constantFrom('ravi@example.com', 'Meera Nair', null),
    }),
    compareTasks,
  ),
  command<null, TasksModel, TestWorkspace>('GET /leads', fc.constant(null), compareFollowUps),
]
