/**
 * Compares follow-ups with their model: created, completed, canceled, reopened, and moved while days pass
 * (spec 2.4, 3, 4.5, 6.3).
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { timeFor } from '../support/fault-run.ts'
import { playModel } from '../support/play-model.ts'
import { standingClock } from '../support/standing-clock.ts'
import { addTeam } from './people.ts'
import { commands, compareFollowUps, compareTasks } from './tasks-commands.ts'
import type { Reported, TasksModel } from './tasks-model.ts'

const DAY_SECONDS = 86_400
let parley: TestParley
beforeAll(async () => {
  // A fixed clock, so that a task due now is due exactly now.
  parley = await boot({ clock: standingClock() })
})
afterAll(() => parley.close())

/**
 * Zones with half-hour and quarter-hour offsets, days of 23 and 25 hours, and days that don't start at
 * midnight.
 */
const ZONES = [
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'America/New_York',
  'America/Santiago',
  'Africa/Cairo',
  'Pacific/Apia',
  'Australia/Lord_Howe',
  'UTC',
]

async function beginModel(
  timezone: string,
  days: number,
): Promise<{ model: TasksModel; real: TestWorkspace }> {
  const shop = await parley.workspace({ sandbox: true, timezone })
  await addTeam(parley, shop)
  if (days > 0) await shop.advance(days * DAY_SECONDS)
  const { members } = (await shop.get('/team')).body
  const model: TasksModel = {
    timezone,
    now: new Date((await shop.get('/sandbox/clock')).body.now),
    movedHours: 0,
    members: members.map(({ id, name, email }: Body) => ({ id, name, email })),
    leads: [],
    tasks: [],
    reported: [],
  }
  for (const [name, phone, owner] of [
    ['Asha Rao', '919812300001', 'Ravi Iyer'],
    ['Zoya', '919812300002', null],
  ] as const) {
    const { lead } = (await shop.post('/leads', { phone, name, owner })).body
    const modelLead = {
      id: lead.id,
      contactId: lead.contactId,
      name,
      phone,
      owner: lead.owner,
      open: true,
      byHand: null,
    }
    model.leads.push(modelLead)
    model.reported.push({ event: 'lead.created', lead: modelLead, task: null, data: {} })
  }
  return { model, real: shop }
}

/** Compares the log with the expected events, for each task in order. */
async function compareEvents(model: TasksModel, shop: TestWorkspace): Promise<void> {
  const log: Body[] = (await shop.get('/events?limit=100')).body.events.toReversed()
  expect(log.map((event) => event.event).toSorted()).toEqual(
    model.reported.map((event) => event.event).toSorted(),
  )
  const reported = Map.groupBy(
    model.reported.filter(({ task }) => task !== null),
    ({ event, task }) => `${event} ${task!.id}`,
  )
  const events = Map.groupBy(log, ({ event, data }) => `${event} ${data.task?.id}`)
  for (const [key, expectedList] of reported)
    for (const [i, expected] of expectedList.entries()) compareEvent(events.get(key)?.[i]?.data, expected)
}

function compareEvent(data: Body, { data: expected, erased, lead }: Reported): void {
  expect(data).toBeDefined()
  if (erased) expect(JSON.stringify(data)).not.toMatch(/asha|zoya|call|visit|9198123|@/i)
  else expect(data).toMatchObject({ ...expected, lead: { ...expected.lead, id: lead.id } })
}

test(
  'follow-ups behave as their model: answers, groups, counts, next follow-ups, and exactly the expected events',
  () =>
    playModel({
      name: 'tasks',
      commands,
      longest: 24,
      runs: 3,
      setting: fc.record({ timezone: fc.constantFrom(...ZONES), days: fc.nat({ max: 300 }) }),
      begin: ({ timezone, days }) => beginModel(timezone, days),
      end: async (model, shop) => {
        await compareTasks(model, shop, { status: null, lead: null, assignee: null })
        await compareFollowUps(model, shop)
        await compareEvents(model, shop)
      },
    }),
  timeFor(240_000),
)
