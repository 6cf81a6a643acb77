/**
 * Compares automations with a plain interpreter: which runs start, in which order, their effects, and where
 * chains end.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { automate, listRuns, newPhone, notesOf } from '../support/automations.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { timeFor } from '../support/fault-run.ts'
import { command, playModel } from '../support/play-model.ts'
import { until } from '../support/until.ts'
import { type Action, type AutomationsModel, type Conditions, happen, STAGES } from './automations-model.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

const TAGS = ['hot', 'cold']
const stage = fc.constantFrom(...STAGES)
const tags = fc.subarray(TAGS, { minLength: 1 })
const condition = fc.oneof(
  fc.record({ field: fc.constant('lead.stage' as const), op: fc.constantFrom('eq', 'neq'), value: stage }),
  fc.record({
    field: fc.constant('lead.rating' as const),
    op: fc.constantFrom('gte', 'lt'),
    value: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ field: fc.constant('lead.tags' as const), op: fc.constantFrom('empty', 'notEmpty') }),
)
const conditions: fc.Arbitrary<Conditions> = fc.record({
  match: fc.constantFrom('all', 'any'),
  conditions: fc.array(condition, { maxLength: 2 }),
})
const ofMove = fc.record({
  field: fc.constant('event.to.name' as const),
  op: fc.constant('eq' as const),
  value: stage,
})
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('set_stage' as const), stage }) },
  fc.record({ type: fc.constant('add_tags' as const), tags, on: fc.constant('lead' as const) }),
  fc.record({ type: fc.constant('remove_tags' as const), tags, on: fc.constant('lead' as const) }),
  fc.record({
    type: fc.constant('add_note' as const),
    text: fc.constantFrom('a', 'b', 'c'),
    on: fc.constant('lead' as const),
  }),
  fc.record({ type: fc.constant('stop_if' as const), conditions }),
)
const actions = fc.array(action, { minLength: 1, maxLength: 3 })

/** Waits until all runs that the model expects exist and have finished. */
const waitForRuns = (model: AutomationsModel, shop: TestWorkspace): Promise<unknown> =>
  until(async () => {
    const finished = (await Promise.all(model.automations.map(({ id }) => listRuns(shop, id)))).flat()
    const expected = model.automations.flatMap(({ runs }) => [...runs.values()].flat())
    return finished.length >= expected.length && finished.every(({ finishedAt }) => finishedAt !== null)
  }, 'all runs are over')

type Real = TestWorkspace
const make = command<
  { trigger: string; conditions: Conditions; ofMove: Conditions['conditions']; actions: Action[] },
  AutomationsModel,
  Real
>(
  'automation',
  fc.record({
    trigger: fc.constantFrom('lead.created', 'lead.stage_changed', 'lead.stage_changed'),
    conditions,
    ofMove: fc.array(ofMove, { maxLength: 1 }),
    actions,
  }),
  async (model, shop, input) => {
    const trigger = input.trigger as 'lead.created' | 'lead.stage_changed'
    const conditions =
      trigger === 'lead.created'
        ? input.conditions
        : { ...input.conditions, conditions: [...input.conditions.conditions, ...input.ofMove] }
    const { id } = await automate(shop, {
      trigger: { event: trigger },
      conditions,
      actions: input.actions,
    })
    model.automations.push({
      id,
      trigger,
      conditions,
      actions: input.actions,
      enabled: true,
      runs: new Map(),
    })
  },
  (model) => model.automations.length < 6,
)
const add = command<number, AutomationsModel, Real>(
  'lead',
  fc.integer({ min: 0, max: 5 }),
  async (model, shop, rating) => {
    const { lead } = (await shop.post('/leads', { phone: newPhone(), rating })).body
    const modelLead = { id: lead.id, stage: 'New' as const, rating, tags: [], notes: [] }
    model.leads.push(modelLead)
    happen(model, modelLead, { name: 'lead.created', to: null, causes: [] })
    await waitForRuns(model, shop)
  },
  (model) => model.leads.length < 3,
)
const move = command<{ index: number; to: (typeof STAGES)[number] }, AutomationsModel, Real>(
  'move',
  fc.record({ index: fc.nat({ max: 2 }), to: stage }),
  async (model, shop, { index, to }) => {
    const lead = model.leads[index % model.leads.length]!
    await shop.patch(`/leads/${lead.id}`, { stage: to })
    if (lead.stage !== to) {
      lead.stage = to
      happen(model, lead, { name: 'lead.stage_changed', to, causes: [] })
    }
    await waitForRuns(model, shop)
  },
  (model) => model.leads.length > 0,
)
const toggle = command<number, AutomationsModel, Real>(
  'toggle',
  fc.nat({ max: 5 }),
  async (model, shop, index) => {
    const automation = model.automations[index % model.automations.length]!
    automation.enabled = !automation.enabled
    await shop.patch(`/automations/${automation.id}`, { enabled: automation.enabled })
  },
  (model) => model.automations.length > 0,
)

async function compare(model: AutomationsModel, shop: TestWorkspace): Promise<void> {
  for (const lead of model.leads) {
    const shown: Body = (await shop.get(`/leads/${lead.id}`)).body.lead
    expect({ stage: shown.stage.name, tags: shown.tags.toSorted() }).toEqual({
      stage: lead.stage,
      tags: lead.tags.toSorted(),
    })
    expect((await notesOf(shop, lead.id)).map(({ data }) => data.body)).toEqual(lead.notes)
  }
  for (const { id, runs } of model.automations) {
    const leadRuns = (await listRuns(shop, id)).reverse()
    const byLead = Map.groupBy(leadRuns, ({ subject }) => subject.contactId)
    const expectedStatuses = [...runs.values()].map((statuses) => statuses.join()).toSorted()
    expect(
      [...byLead.values()].map((runsOfLead) => runsOfLead.map(({ status }) => status).join()).toSorted(),
    ).toEqual(expectedStatuses)
  }
}

test(
  'automations behave as their interpreter: runs, their order, and where chains end',
  () =>
    playModel<AutomationsModel, Real, null>({
      name: 'automations',
      commands: [make, make, add, move, move, move, toggle],
      longest: 18,
      runs: 4,
      setting: fc.constant(null),
      begin: async () => {
        const shop = await parley.workspace()
        for (const name of TAGS) await shop.post('/tags', { name })
        return { model: { leads: [], automations: [] }, real: shop }
      },
      end: compare,
    }),
  timeFor(240_000),
)
