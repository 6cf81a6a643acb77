import { describe, expect, test } from 'vitest'
import { CONTACTED, LEAD_WORDS, LOST, NOW, PRICE, RAVI, WON } from '../../../../../test/support/lead-rows.ts'
import { leadCreated, leadStageChanged } from '../../../selling/crm/events.ts'
import { Action, Conditions } from '../action-schema.ts'
import { judgeDefinition } from './judge-definition.ts'

const ctx = { now: NOW, workspace: { countryCode: '91', timezone: 'Asia/Kolkata' } }
const KINDS = [leadCreated, leadStageChanged]
const onEvent = { event: leadCreated.name }
const hourly = { every: 'day', at: '09:00' } as const

type Trigger = Parameters<typeof judgeDefinition>[3]['trigger']
const judge = (actions: object[], conditions: object[] = [], trigger = onEvent as Trigger) =>
  judgeDefinition(ctx, LEAD_WORDS, KINDS, {
    trigger,
    conditions: Conditions.parse({ conditions }),
    actions: actions.map((action) => Action.parse(action)),
  })
const wait = { type: 'wait', minutes: 5 }
const issuesOf = (actions: object[], conditions: object[] = [], trigger?: Trigger) =>
  judge(actions, conditions, trigger).issues.map(({ path, message }) => [path, message])

describe('names become ids', () => {
  test.each<[object, object, Record<string, string>]>([
    [{ type: 'assign_lead', member: 'ravi' }, { member: RAVI.id }, { [RAVI.id]: 'Ravi' }],
    [{ type: 'assign_conversation', member: null }, { member: null }, {}],
    [{ type: 'set_stage', stage: 'won' }, { stage: WON.id }, { [WON.id]: 'Won' }],
    [
      { type: 'set_stage', stage: 'Lost', lostReason: 'price' },
      { stage: LOST.id, lostReason: PRICE.id },
      { [LOST.id]: 'Lost', [PRICE.id]: 'Price' },
    ],
    [
      { type: 'create_lead', stage: 'Contacted', owner: 'ravi@example.com' },
      { stage: CONTACTED.id, owner: RAVI.id },
      { [CONTACTED.id]: 'Contacted', [RAVI.id]: 'Ravi' },
    ],
    [
      { type: 'create_task', dueInMinutes: 5, assignee: 'Ravi' },
      { assignee: RAVI.id },
      { [RAVI.id]: 'Ravi' },
    ],
    [{ type: 'create_task', dueInMinutes: 5 }, { dueInMinutes: 5 }, {}],
  ])('of the action %j', (action, expected, names) => {
    expect(judge([action])).toMatchObject({ issues: [], actions: [expected], names })
  })

  test('of conditions, also in an action', () => {
    const condition = { field: 'lead.stage', op: 'eq', value: 'won' }
    const { conditions, actions } = judge(
      [{ type: 'stop_if', conditions: { conditions: [condition] } }],
      [condition],
    )
    const withId = { ...condition, value: WON.id }
    expect([conditions, actions]).toMatchObject([
      { conditions: [withId] },
      [{ conditions: { conditions: [withId] } }],
    ])
  })
})

test.each<[string, object[], string]>([
  ['an unknown member', [{ type: 'assign_lead', member: 'Ravvi' }], 'actions[0].member'],
  ['an unknown stage', [wait, { type: 'set_stage', stage: 'Nowhere' }], 'actions[1].stage'],
  ['a lost stage without a reason', [{ type: 'set_stage', stage: 'Lost' }], 'actions[0].lostReason'],
  [
    'a reason with another stage',
    [{ type: 'set_stage', stage: 'Won', lostReason: 'Price' }],
    'actions[0].lostReason',
  ],
  ['an unknown reason', [{ type: 'set_stage', stage: 'Lost', lostReason: 'x' }], 'actions[0].lostReason'],
  ['an unknown owner', [{ type: 'create_lead', owner: 'x' }], 'actions[0].owner'],
  ['an unknown assignee', [{ type: 'create_task', dueInMinutes: 5, assignee: 'x' }], 'actions[0].assignee'],
  ['an unknown placeholder', [{ type: 'add_note', text: '{{lead.nam}}' }], 'actions[0].text'],
  ['a field that can’t be set', [{ type: 'set_field', field: 'lead.phone', value: '1' }], 'actions[0].field'],
  ['a field of nothing', [{ type: 'set_field', field: 'name', value: '1' }], 'actions[0].field'],
  [
    'a value that the field can’t have',
    [{ type: 'set_field', field: 'lead.rating', value: 9 }],
    'actions[0].value',
  ],
])('an action with %s is invalid', (_title, actions, path) => {
  expect(issuesOf(actions).map(([found]) => found)).toEqual([path])
})

test('a value with placeholders is not checked, because it differs by customer', () => {
  expect(
    issuesOf([{ type: 'set_field', field: 'lead.email', value: '{{contact.attributes.mail}}' }]),
  ).toEqual([])
})

test.each<[string, string, unknown, [string, string][], Trigger?]>([
  ['lead.rating', 'gte', 3, []],
  ['event.lead.name', 'eq', 'Asha', []],
  ['contact.tags', 'eq', 'vip', []],
  ['contact.attributes.city', 'eq', 'Pune', []],
  ['now.open', 'eq', true, []],
  ['rating', 'eq', 3, [['field', 'Must be lead.FIELD']]],
  ['event.led', 'eq', 3, [['field', 'Must be a field of lead.created: event.lead']]],
  [
    'event.lead.name',
    'eq',
    'x',
    [['field', 'Must be left out unless the trigger is an event']],
    hourly as unknown as Trigger,
  ],
  ['lead.stage', 'eq', 'Wn', [['value', 'Did you mean "Won"']]],
  ['lead.ratng', 'eq', 3, [['field', 'Must be one of']]],
  ['contact.displayName', 'gte', 'A', [['op', 'for contact.displayName.']]],
])('the condition %s %s %j', (field, op, value, issues, trigger) => {
  expect(issuesOf([wait], [{ field, op, value }], trigger)).toEqual(
    issues.map(([part, message]) => [`conditions.conditions[0].${part}`, expect.stringContaining(message)]),
  )
})

test('an unknown event is invalid, and the known ones are named', () => {
  expect(issuesOf([wait], [], { event: 'lead.lost' } as Trigger)).toEqual([
    ['trigger.event', expect.stringContaining('lead.created, lead.stage_changed')],
  ])
})
