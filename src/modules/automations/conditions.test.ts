import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPhone } from '../../../test/support/automations.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../../../test/support/boot.ts'

let parley: TestParley
let shop: TestWorkspace
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley?.close())

const trigger = { event: 'lead.stage_changed' }
const actions = [{ type: 'add_note', text: 'x', on: 'lead' }]

/** Returns the result of each condition and of all together. */
async function judged(of: TestWorkspace, given: object, more: object): Promise<Body> {
  const { status, body } = await of.post('/automations/test', {
    automation: { trigger, actions, conditions: given },
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
const named = <One extends object>(field: string, of: fc.Arbitrary<One>) =>
  of.map((one) => ({ field, ...one }))
const condition = fc.oneof(
  named('name', texts),
  named('email', texts),
  named('source', texts),
  named('rating', numbers),
  named('dealValue', numbers),
  named('tags', tags),
  named('attributes.city', attribute),
  named('attributes.size', attribute),
  named(
    'createdAt',
    fc.constantFrom({ op: 'within', value: { last: 7 } }, { op: 'lt', value: '2020-01-01' }),
  ),
  named('owner', fc.constantFrom({ op: 'empty' }, { op: 'notEmpty' })),
  named('stage', fc.constantFrom({ op: 'eq', value: 'New' }, { op: 'nin', value: ['New', 'Won'] })),
)

test('conditions agree with GET /leads', async () => {
  shop = await parley.workspace()
  const leads: Body[] = []
  for (const one of LEADS) leads.push((await shop.post('/leads', { phone: newPhone(), ...one })).body.lead)
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('all', 'any'),
      fc.array(condition, { minLength: 1, maxLength: 3 }),
      fc.nat({ max: LEADS.length - 1 }),
      async (match, conditions, which) => {
        const filter = encodeURIComponent(JSON.stringify({ match, conditions }))
        const listed = await shop.get(`/leads?filter=${filter}`)
        const lead = leads[which]!
        const ofLead = conditions.map((one) => ({ ...one, field: `lead.${one.field}` }))
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
  const of = await parley.workspace({ sandbox: true })
  await of.inbound('+919812345680', 'Hello')
  const [contact] = (await of.get('/contacts')).body.contacts
  await of.patch(`/contacts/${contact.id}`, {
    displayName: 'Zoya Khan',
    tags: ['vip'],
    attributes: { size: '42' },
  })
  const holds = async (field: string, op: string, value?: unknown, data: object = {}) =>
    (await judged(of, { conditions: [{ field, op, value }] }, { contactId: contact.id, data })).starts
  expect(await holds('contact.displayName', 'eq', 'zoya khan')).toBe(true)
  expect(await holds('contact.phone', 'starts', '+9198')).toBe(true)
  expect(await holds('contact.tags', 'in', ['vip', 'x'])).toBe(true)
  expect(await holds('contact.attributes.size', 'gte', 42)).toBe(true)
  expect(await holds('contact.blocked', 'eq', true)).toBe(false)
  expect(await holds('conversation.state', 'eq', 'open')).toBe(true)
  expect(await holds('conversation.windowOpen', 'eq', true)).toBe(true)
  expect(await holds('conversation.unreadCount', 'gte', 1)).toBe(true)
  expect(await holds('conversation.assignedAgentId', 'empty')).toBe(true)
  expect(await holds('event.to.kind', 'in', ['won', 'lost'], { to: { kind: 'won' } })).toBe(true)
  expect(await holds('event.lead.tags', 'contains', 'hot', { lead: { tags: ['hot'] } })).toBe(true)
  // No business hours are set.
  expect(await holds('now.open', 'eq', true)).toBe(false)
  expect(await holds('now.open', 'eq', false)).toBe(false)
  expect(await holds('now.open', 'empty')).toBe(true)
  await of.call('PUT', '/business-hours', {
    timeZone: 'Asia/Kolkata',
    weekly: [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' })),
  })
  expect(await holds('now.open', 'eq', true)).toBe(true)
})

test('hours from 20:00 to 04:00 are open at 01:00 and closed at 05:00', async () => {
  const of = await parley.workspace({ sandbox: true })
  const goTo = async (time: string) => {
    const at = Date.parse((await of.get('/sandbox/clock')).body.now)
    const today = new Date(at + 330 * 60_000).toISOString().slice(0, 10)
    const ahead = Date.parse(`${today}T${time}:00+05:30`) - at
    await of.advance(Math.ceil((ahead > 0 ? ahead : ahead + 86_400_000) / 1_000))
  }
  const isOpen = async () =>
    (await judged(of, { conditions: [{ field: 'now.open', op: 'eq', value: true }] }, {})).starts
  const weekly = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '20:00', to: '04:00' }))
  const saved = await of.call('PUT', '/business-hours', { timeZone: 'Asia/Kolkata', weekly })
  expect(saved.status, saved.text).toBe(200)
  await goTo('21:00')
  expect(await isOpen()).toBe(true)
  await goTo('01:00')
  expect(await isOpen()).toBe(true)
  await goTo('05:00')
  expect(await isOpen()).toBe(false)
})

test('a missing subject is empty', async () => {
  const of = await parley.workspace()
  const { contact } = (await of.post('/contacts', { phone: newPhone() })).body
  const fields = [
    'lead.name',
    'lead.tags',
    'lead.owner',
    'lead.attributes.x',
    'lead.createdAt',
    'conversation.state',
    'event.lostReason.label',
  ]
  const body = await judged(
    of,
    { conditions: fields.map((field) => ({ field, op: 'empty' })) },
    { contactId: contact.id, data: {} },
  )
  expect(body.conditions.map(({ held }: Body) => held)).toEqual(fields.map(() => true))
  const not = await judged(
    of,
    {
      conditions: [
        { field: 'lead.rating', op: 'gte', value: 0 },
        { field: 'lead.stage', op: 'neq', value: 'Won' },
      ],
    },
    { contactId: contact.id, data: {} },
  )
  expect(not.conditions.map(({ held }: Body) => held)).toEqual([false, true])
})
