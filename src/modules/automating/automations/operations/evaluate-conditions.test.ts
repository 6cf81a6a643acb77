import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPhone } from '../../../../../test/support/automations.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../../../test/support/boot.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

const trigger = { event: 'lead.stage_changed' }
const actions = [{ type: 'add_note', text: 'x', on: 'lead' }]

/** Returns the result of each condition and of all together. */
async function evaluate(workspace: TestWorkspace, conditions: object, more: object): Promise<Body> {
  const { status, body } = await workspace.post('/automations/test', {
    automation: { trigger, actions, conditions },
    ...more,
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

const LEADS = [
  {
    name: 'Asha Rao',
    email: 'asha@example.com',
    rating: 5,
    dealValue: 48_000.5,
    source: 'Expo',
    tags: ['vip', 'pune'],
    attributes: { city: 'Pune', size: 42, member: true },
  },
  { name: 'ÄRGER İstanbul', rating: 0, tags: [], attributes: { city: 'pune', size: '7.5' } },
  { rating: 3, source: 'expo 2026', tags: ['vip'], attributes: { size: 'large', note: '100%_\\' } },
  { name: '', dealValue: 0, attributes: { city: '' } },
]
const text = fc.constantFrom('asha rao', 'Asha', 'rao', 'expo', 'ärger', 'i̇stanbul', '%', '_', '\\', '', 'e')
const word = (op: string) => fc.record({ op: fc.constant(op), value: text })
const texts = fc.oneof(
  ...['eq', 'neq', 'contains', 'starts'].map(word),
  fc.record({ op: fc.constantFrom('in', 'nin'), value: fc.array(text, { maxLength: 3 }) }),
  fc.record({ op: fc.constantFrom('empty', 'notEmpty') }),
)
const number = fc.constantFrom(0, 3, 4.5, 5, 48_000.5, 1e9)
const numbers = fc.oneof(
  fc.record({ op: fc.constantFrom('eq', 'neq', 'gte', 'lte', 'gt', 'lt'), value: number }),
  fc.record({ op: fc.constant('between'), value: fc.tuple(number, number) }),
)
const tag = fc.constantFrom('vip', 'pune', 'none')
const tags = fc.oneof(
  fc.record({ op: fc.constantFrom('eq', 'neq', 'contains'), value: tag }),
  fc.record({ op: fc.constantFrom('in', 'nin'), value: fc.array(tag, { minLength: 1, maxLength: 2 }) }),
  fc.record({ op: fc.constantFrom('empty', 'notEmpty') }),
)
const attribute = fc.oneof(
  fc.record({
    op: fc.constantFrom('eq', 'neq'),
    value: fc.constantFrom<unknown>('Pune', 42, '42', true, 7.5, ''),
  }),
  fc.record({ op: fc.constantFrom('gte', 'lt'), value: fc.constantFrom<unknown>(7, 42, 'l', 'pune') }),
  fc.record({ op: fc.constantFrom('contains', 'starts'), value: text }),
  fc.record({ op: fc.constantFrom('empty', 'notEmpty') }),
)
const conditionOn = <Value extends object>(field: string, arbitrary: fc.Arbitrary<Value>) =>
  arbitrary.map((value) => ({ field, ...value }))
const condition = fc.oneof(
  conditionOn('name', texts),
  conditionOn('email', texts),
  conditionOn('source', texts),
  conditionOn('rating', numbers),
  conditionOn('dealValue', numbers),
  conditionOn('tags', tags),
  conditionOn('attributes.city', attribute),
  conditionOn('attributes.size', attribute),
  conditionOn(
    'createdAt',
    fc.constantFrom({ op: 'within', value: { last: 7 } }, { op: 'lt', value: '2020-01-01' }),
  ),
  conditionOn('owner', fc.constantFrom({ op: 'empty' }, { op: 'notEmpty' })),
  conditionOn('stage', fc.constantFrom({ op: 'eq', value: 'New' }, { op: 'nin', value: ['New', 'Won'] })),
)

test('conditions agree with GET /leads', async () => {
  shop = await parley.workspace()
  const leads: Body[] = []
  for (const fields of LEADS)
    leads.push((await shop.post('/leads', { phone: newPhone(), ...fields })).body.lead)
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('all', 'any'),
      fc.array(condition, { minLength: 1, maxLength: 3 }),
      fc.nat({ max: LEADS.length - 1 }),
      async (match, conditions, index) => {
        const filter = encodeURIComponent(JSON.stringify({ match, conditions }))
        const listed = await shop.get(`/leads?filter=${filter}`)
        const lead = leads[index]!
        const ofLead = conditions.map((condition) => ({ ...condition, field: `lead.${condition.field}` }))
        const { status, body } = await shop.post('/automations/test', {
          automation: { trigger, actions, conditions: { match, conditions: ofLead } },
          contactId: lead.contactId,
          data: {},
        })
        expect(status).toBe(listed.status)
        if (status === 200) expect(body.starts).toBe(listed.body.leads.some(({ id }: Body) => id === lead.id))
      },
    ),
    { numRuns: 60 },
  )
})

test('conditions on contacts, chats, events and the hour use the same language', async () => {
  const workspace = await parley.workspace({ sandbox: true })
  await workspace.inbound('+919812345680', 'Hello')
  const [contact] = (await workspace.get('/contacts')).body.contacts
  await workspace.patch(`/contacts/${contact.id}`, {
    displayName: 'Zoya Khan',
    tags: ['vip'],
    attributes: { size: '42' },
  })
  const matches = async (field: string, op: string, value?: unknown, data: object = {}) =>
    (await evaluate(workspace, { conditions: [{ field, op, value }] }, { contactId: contact.id, data }))
      .starts
  expect(await matches('contact.displayName', 'eq', 'zoya khan')).toBe(true)
  expect(await matches('contact.phone', 'starts', '+9198')).toBe(true)
  expect(await matches('contact.tags', 'in', ['vip', 'x'])).toBe(true)
  expect(await matches('contact.attributes.size', 'gte', 42)).toBe(true)
  expect(await matches('contact.blocked', 'eq', true)).toBe(false)
  expect(await matches('conversation.state', 'eq', 'open')).toBe(true)
  expect(await matches('conversation.windowOpen', 'eq', true)).toBe(true)
  expect(await matches('conversation.unreadCount', 'gte', 1)).toBe(true)
  expect(await matches('conversation.assignedAgentId', 'empty')).toBe(true)
  expect(await matches('event.to.kind', 'in', ['won', 'lost'], { to: { kind: 'won' } })).toBe(true)
  expect(await matches('event.lead.tags', 'contains', 'hot', { lead: { tags: ['hot'] } })).toBe(true)
  // No business hours are set.
  expect(await matches('now.open', 'eq', true)).toBe(false)
  expect(await matches('now.open', 'eq', false)).toBe(false)
  expect(await matches('now.open', 'empty')).toBe(true)
  await workspace.call('PUT', '/business-hours', {
    timeZone: 'Asia/Kolkata',
    weekly: [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' })),
  })
  expect(await matches('now.open', 'eq', true)).toBe(true)
})

test('hours from 20:00 to 04:00 are open at 01:00 and closed at 05:00', async () => {
  const workspace = await parley.workspace({ sandbox: true })
  const goTo = async (time: string) => {
    const now = Date.parse((await workspace.get('/sandbox/clock')).body.now)
    const today = new Date(now + 330 * 60_000).toISOString().slice(0, 10)
    const ahead = Date.parse(`${today}T${time}:00+05:30`) - now
    await workspace.advance(Math.ceil((ahead > 0 ? ahead : ahead + 86_400_000) / 1_000))
  }
  const isOpen = async () =>
    (await evaluate(workspace, { conditions: [{ field: 'now.open', op: 'eq', value: true }] }, {})).starts
  const weekly = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '20:00', to: '04:00' }))
  const saved = await workspace.call('PUT', '/business-hours', { timeZone: 'Asia/Kolkata', weekly })
  expect(saved.status, saved.text).toBe(200)
  await goTo('21:00')
  expect(await isOpen()).toBe(true)
  await goTo('01:00')
  expect(await isOpen()).toBe(true)
  await goTo('05:00')
  expect(await isOpen()).toBe(false)
})

test('a missing subject is empty', async () => {
  const workspace = await parley.workspace()
  const { contact } = (await workspace.post('/contacts', { phone: newPhone() })).body
  const fields = [
    'lead.name',
    'lead.tags',
    'lead.owner',
    'lead.attributes.x',
    'lead.createdAt',
    'conversation.state',
    'event.lostReason.label',
  ]
  const body = await evaluate(
    workspace,
    { conditions: fields.map((field) => ({ field, op: 'empty' })) },
    { contactId: contact.id, data: {} },
  )
  expect(body.conditions.map(({ held }: Body) => held)).toEqual(fields.map(() => true))
  const comparisons = await evaluate(
    workspace,
    {
      conditions: [
        { field: 'lead.rating', op: 'gte', value: 0 },
        { field: 'lead.stage', op: 'neq', value: 'Won' },
      ],
    },
    { contactId: contact.id, data: {} },
  )
  expect(comparisons.conditions.map(({ held }: Body) => held)).toEqual([false, true])
})
