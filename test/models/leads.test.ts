/**
 * Compares leads with their model: captured, changed, noted, erased, listed, and counted (spec 2.2, 3, 4.5,
 * 6.3).
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { timeFor } from '../support/fault-run.ts'
import { playModel } from '../support/play-model.ts'
import { VIEWS } from './lead-lists-model.ts'
import { commands, compareList, type Real, shown } from './leads-commands.ts'
import type { Lead, LeadsModel, Reported, Words } from './leads-model.ts'
import { addTeam } from './people.ts'

const HOUR_MS = 3_600_000
let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

/** Returns a zone where it is about noon, so that no run crosses midnight. */
const findZoneAtNoon = (): string => {
  const hours = 12 - new Date().getUTCHours()
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

async function wordsOf(shop: TestWorkspace): Promise<Words> {
  const [pipeline, team] = await Promise.all([shop.get('/pipeline'), shop.get('/team')])
  return {
    stages: pipeline.body.stages.map(({ id, name, kind }: Body) => ({ id, name, kind })),
    reasons: pipeline.body.lostReasons.map(({ id, label }: Body) => ({ id, label })),
    members: team.body.members.map(({ id, name, email }: Body) => ({ id, name, email })),
  }
}

/** Compares the log with the expected events; events of one command come in any order. */
async function compareEvents({ shop }: Real, model: LeadsModel): Promise<void> {
  const events: Body[] = (await shop.get('/events?limit=100')).body.events.toReversed()
  expect(events.map((event) => event.event).toSorted()).toEqual(
    model.reported
      .flat()
      .map((event) => event.event)
      .toSorted(),
  )
  const sortByEvent = <One extends { event: string }>(events: One[]) =>
    events.toSorted((a, b) => a.event.localeCompare(b.event))
  let position = 0
  for (const group of model.reported) {
    const actual = sortByEvent(events.slice(position, position + group.length))
    position += group.length
    for (const [i, reported] of sortByEvent(group).entries()) compareEvent(actual[i]!, reported)
  }
}

function compareEvent(
  { event, data }: Body,
  { event: expectedName, contact, data: expectedData, erased }: Reported,
): void {
  expect(event).toBe(expectedName)
  if (data.contactId) expect(data.contactId).toBe(contact.id)
  if (data.lead) expect(data.lead.id).toBe(contact.leadId)
  if (erased) expect(JSON.stringify(data)).not.toMatch(/asha|ravi|fair|@|91\d{10}|4155550104/i)
  else if (expectedData) expect(data).toMatchObject(expectedData)
}

/** Compares a lead's timeline, newest first, with the model's; entries of one command come in any order. */
async function compareStory({ shop }: Real, lead: Lead): Promise<void> {
  const { entries } = (await shop.get(`/leads/${lead.id}/timeline?limit=100`)).body
  const kinds: string[] = entries.map((entry: Body) => entry.kind).toReversed()
  expect(kinds.toSorted()).toEqual(lead.story.flat().toSorted())
  let position = 0
  for (const group of lead.story) {
    expect(kinds.slice(position, position + group.length).toSorted()).toEqual(group.toSorted())
    position += group.length
  }
}

test(
  'leads behave as their model: answers, lists, totals, timelines, and exactly the expected events',
  () =>
    playModel({
      name: 'leads',
      commands,
      longest: 24,
      runs: 4,
      setting: fc.integer({ min: 2, max: 4 }),
      begin: async (contactLimit) => {
        const shop = await parley.workspace({ sandbox: true, timezone: findZoneAtNoon() })
        await addTeam(parley, shop)
        await shop.set({ contactLimit })
        const now = Date.now()
        const real = {
          shop,
          today: new Date(now).toISOString(),
          endOfToday: new Date(now + 13 * HOUR_MS).toISOString(),
        }
        return {
          model: { words: await wordsOf(shop), contacts: [], leads: [], reported: [], max: contactLimit },
          real,
        }
      },
      end: async (model, real) => {
        for (const view of VIEWS)
          await compareList(model, real, { view, conditions: [], match: 'all', q: null })
        for (const lead of model.leads) {
          expect((await real.shop.get(`/leads/${lead.id}`)).body.lead).toMatchObject(shown(lead))
          await compareStory(real, lead)
        }
        await compareEvents(real, model)
      },
    }),
  timeFor(240_000),
)
