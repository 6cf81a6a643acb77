/**
 * The data that a key with a narrowed scope can see, and the effects of its rules (spec 5.4, 5.5;
 * src/modules/platform/access/DECISIONS.md "Narrowed keys").
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isWrite } from '../../src/core/endpoint.ts'
import type { Scope } from '../../src/core/scopes.ts'
import { boot, type Client, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { arrange, arranging, newPhone } from './arrange.ts'
import { KEYED, named } from './requests.ts'

const ARRANGING = await arranging()

let parley: TestParley
let shop: TestWorkspace
const keys = new Map<string, Promise<Client>>()
const clientWith = (...scopes: Scope[]): Promise<Client> => {
  const name = scopes.join()
  const client = keys.get(name) ?? shop.as('admin', { scopes, memberId: shop.ownerId })
  keys.set(name, client)
  return client
}
beforeAll(async () => {
  parley = await boot(ARRANGING)
})
// Settings have small buckets.
beforeEach(async () => {
  keys.clear()
  shop = await parley.workspace({ sandbox: true })
})
afterAll(() => parley?.close())

/** Endpoints that change data which another scope allows to read. */
const WRITING = KEYED.filter((value) => isWrite(value) && value.scope?.endsWith(':write'))

/** Returns every object inside the reply that shows more than its id. */
function shownObjects(body: unknown): string[] {
  if (body === null || typeof body !== 'object') return []
  return Object.entries(body).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.filter((item) => 'id' in Object(item)).flatMap(shownIn(name))
    return value !== null && typeof value === 'object' ? shownIn(name)(value) : []
  })
}
const shownIn = (name: string) => (value: object) =>
  Object.keys(value)
    .filter((field) => field !== 'id')
    .map((field) => `${name}.${field}`)

describe('a key that may write but not read', () => {
  test.each(named(WRITING))(
    '%s shows it the id of the written record, and nothing else of it',
    async (_, value) => {
      const { path, body } = await arrange(value, shop)
      const narrowed = await clientWith(value.scope!)
      const answer = await narrowed.call(value.method, path, body)
      if (answer.status === 403) {
        // Options to return more data, or to do more, require their own scope.
        expect(answer.body.error).toBe('insufficient_scope')
        expect(answer.body.required).not.toBe(value.scope)
        return
      }
      expect(answer.status, answer.text).toBeLessThan(300)
      expect(shownObjects(answer.body)).toEqual([])
      if ('id' in answer.body) expect(Object.keys(answer.body)).toEqual(['id'])
      expect(answer.body).not.toHaveProperty('url')
    },
  )

  test.each([
    ['contacts', 'contact', 'contacts:write'],
    ['leads', 'lead', 'crm:write'],
    ['tasks', 'task', 'crm:write'],
    ['quick-replies', 'quickReply', 'quick-replies:write'],
    ['macros', 'macro', 'quick-replies:write'],
    ['teams', 'team', 'conversations:write'],
    ['automations', 'automation', 'automations:write'],
    ['quotations', 'quotation', 'invoicing:write'],
    ['sales-invoices', 'invoice', 'invoicing:write'],
  ] as const)('PATCH {} of %s shows no existing data', async (path, noun, scope) => {
    const value = KEYED.find((endpoint) => endpoint.method === 'PATCH' && endpoint.path === `/${path}/:id`)!
    const prepared = await arrange(value, shop)
    const full = await shop.patch(prepared.path, {})
    expect(full.status, full.text).toBe(200)
    const { id } = full.body[noun]
    const answer = await (await clientWith(scope)).patch(prepared.path, {})
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body[noun]).toEqual({ id })
    const read = scope.replace(':write', ':read') as Scope
    expect((await (await clientWith(scope, read)).patch(prepared.path, {})).body[noun]).toEqual(
      full.body[noun],
    )
  })

  test('a retry gets the answer of the first request', async () => {
    const narrowed = await clientWith('contacts:write')
    const request = () =>
      narrowed.post('/contacts', { phone: '+919811100077' }, { idempotencyKey: 'the same contact' })
    const [first, replay] = [await request(), await request()]
    expect([first.status, replay.text]).toEqual([201, first.text])
    expect(replay.headers['idempotent-replayed']).toBe('true')
  })
})

const missingScope = (required: Scope) => ({ status: 403, body: { error: 'insufficient_scope', required } })

describe('an automation that a narrowed key saves or tests', () => {
  const rule = (fields: object) => ({
    name: 'Rule',
    trigger: { event: 'lead.created' },
    actions: [{ type: 'wait', minutes: 5 }],
    ...fields,
  })
  const condition = (field: string) => ({ conditions: { conditions: [{ field, op: 'notEmpty' }] } })
  const text = (text: string) => ({ actions: [{ type: 'add_note', text, on: 'conversation' }] })

  const CASES: [string, object, Scope[]][] = [
    ['a field of the lead', condition('lead.name'), ['crm:read']],
    ['a field of the contact', condition('contact.displayName'), ['contacts:read']],
    ['a field of the chat', condition('conversation.state'), ['conversations:read']],
    ['a field of the event', condition('event.lead.phone'), ['crm:read']],
    [
      'a field in a later step',
      {
        actions: [{ type: 'stop_if', conditions: { conditions: [{ field: 'lead.name', op: 'notEmpty' }] } }],
      },
      ['crm:read'],
    ],
    ['a placeholder of the lead', text('{{lead.name}}'), ['conversations:write', 'crm:read']],
    ['a placeholder of the contact', text('{{ contact.phone }}'), ['conversations:write', 'contacts:read']],
    ['a placeholder of the event', text('{{event.lead.name}}'), ['conversations:write', 'crm:read']],
    ['a text', { actions: [{ type: 'send_text', text: 'Hello' }] }, ['messages:send']],
    [
      'a tag on the contact',
      { actions: [{ type: 'add_tags', tags: ['vip'], on: 'contact' }] },
      ['contacts:write'],
    ],
    ['a tag on the lead', { actions: [{ type: 'add_tags', tags: ['vip'], on: 'lead' }] }, ['crm:write']],
    [
      'a field that is set',
      { actions: [{ type: 'set_field', field: 'contact.displayName', value: 'x' }] },
      ['contacts:write'],
    ],
    [
      'a field of the lead that is set',
      { actions: [{ type: 'set_field', field: 'lead.name', value: 'x' }] },
      ['crm:write'],
    ],
    ['an assignment', { actions: [{ type: 'assign_conversation', member: null }] }, ['conversations:write']],
    ['an assignment of the lead', { actions: [{ type: 'assign_lead', member: null }] }, ['crm:write']],
    [
      'a state of the chat',
      { actions: [{ type: 'set_conversation', state: 'resolved' }] },
      ['conversations:write'],
    ],
    ['a lead', { actions: [{ type: 'create_lead' }] }, ['crm:write']],
    ['a task', { actions: [{ type: 'create_task', dueInMinutes: 5 }] }, ['crm:write']],
    ['a note on the lead', { actions: [{ type: 'add_note', text: 'x', on: 'lead' }] }, ['crm:write']],
    ['a request for a review', { actions: [{ type: 'request_review' }] }, ['reviews:write']],
  ]
  test.each(CASES)('%s requires its scope', async (_, fields, scopes) => {
    for (const [i, required] of scopes.entries()) {
      const narrowed = await clientWith('automations:write', ...scopes.filter((scope) => scope !== required))
      expect(await narrowed.post('/automations', rule(fields)), `${i}`).toMatchObject(missingScope(required))
      expect(await narrowed.post('/automations/test', { automation: rule(fields) })).toMatchObject(
        missingScope(required),
      )
      const { id } = (await shop.post('/automations', { ...rule({}), enabled: false })).body.automation
      expect(await narrowed.patch(`/automations/${id}`, fields)).toMatchObject(missingScope(required))
      await shop.delete(`/automations/${id}`)
    }
    const narrowed = await clientWith('automations:write', ...scopes)
    const response = await narrowed.post('/automations', rule(fields))
    // A missing tag or module is another error.
    expect(response.body.error, response.text).not.toBe('insufficient_scope')
    if (response.status === 201) await shop.delete(`/automations/${response.body.automation.id}`)
  })

  test("a teammate's automation is saved, and a narrowed key can't turn it on, test it, or read it", async () => {
    const fields = { ...text('{{lead.name}}'), enabled: false }
    const { id } = (await shop.post('/automations', rule(fields))).body.automation
    const narrowed = await clientWith('automations:write', 'automations:read')
    expect(await narrowed.patch(`/automations/${id}`, { enabled: true })).toMatchObject({ status: 403 })
    expect(await narrowed.post('/automations/test', { automationId: id })).toMatchObject({ status: 403 })
    expect((await narrowed.patch(`/automations/${id}`, { enabled: false, name: 'Other' })).status).toBe(200)
    const blind = await clientWith('automations:write')
    expect(await blind.post('/automations/test', { automationId: id })).toMatchObject(
      missingScope('automations:read'),
    )
    await shop.delete(`/automations/${id}`)
  })

  test('a test does not show whether a contact exists', async () => {
    const { id } = (await shop.post('/contacts', { phone: newPhone() })).body.contact
    const narrowed = await clientWith('automations:write')
    const answer = await narrowed.post('/automations/test', { automation: rule({}), contactId: id })
    expect(answer).toMatchObject(missingScope('contacts:read'))
  })
})

describe('a bot that a narrowed key saves', () => {
  const bot = (...nodes: object[]) => ({
    name: 'Menu',
    fallback: { text: 'Sorry?' },
    start: 'a',
    nodes: nodes.map((node, i) => ({
      id: 'abcdef'[i],
      ...node,
      ...(nodes[i + 1] ? { next: 'abcdef'[i + 1] } : {}),
    })),
  })
  const CASES: [string, object, Scope[]][] = [
    ['a text', { type: 'message', text: 'Hello' }, []],
    [
      'a placeholder of the contact',
      { type: 'message', text: 'Hello {{ contact.name }}' },
      ['contacts:read'],
    ],
    [
      'a condition on the contact',
      { type: 'condition', field: 'contact.tags', is: 'contains', value: 'vip' },
      ['contacts:read'],
    ],
    [
      'an answer that is kept',
      { type: 'ask', text: 'Your name?', saveTo: 'contact.name' },
      ['contacts:write'],
    ],
    ['a tag', { type: 'action', action: { type: 'add_tags', tags: ['vip'] } }, ['contacts:write']],
    [
      'a field',
      { type: 'action', action: { type: 'set_attribute', key: 'city', value: 'Pune' } },
      ['contacts:write'],
    ],
    [
      'an assignment',
      { type: 'action', action: { type: 'assign_conversation', memberId: null } },
      ['conversations:write'],
    ],
    [
      'a state',
      { type: 'action', action: { type: 'set_conversation', state: 'resolved' } },
      ['conversations:write'],
    ],
    ['a lead', { type: 'action', action: { type: 'create_lead' } }, ['crm:write']],
    ['a note', { type: 'action', action: { type: 'add_note', note: 'x' } }, ['conversations:write']],
    ['a hand-over', { type: 'handover', assign: null }, ['conversations:write']],
  ]
  test.each(CASES)('%s requires its scope', async (_, node, scopes) => {
    const allScopes: Scope[] = ['messages:send', ...scopes]
    for (const required of allScopes) {
      const narrowed = await clientWith(
        'automations:write',
        ...allScopes.filter((scope) => scope !== required),
      )
      expect(await narrowed.post('/bots', bot(node))).toMatchObject(missingScope(required))
    }
    const narrowed = await clientWith('automations:write', ...allScopes)
    const response = await narrowed.post('/bots', bot(node))
    expect(response.body.error, response.text).not.toBe('insufficient_scope')
    if (response.status !== 201) return
    const { id } = response.body.bot
    const client = await clientWith('automations:write')
    expect(await client.patch(`/bots/${id}`, { enabled: true })).toMatchObject({ status: 403 })
    expect(await client.post(`/bots/${id}/test`, { turns: [{ text: 'hi' }] })).toMatchObject(
      missingScope('automations:read'),
    )
    expect((await client.patch(`/bots/${id}`, { enabled: false })).status).toBe(200)
    await shop.delete(`/bots/${id}`)
  })
})

describe('an auto-reply that a narrowed key saves', () => {
  const reply = (text: string) => ({ kind: 'keyword', keywords: ['price'], reply: { text } })
  test('requires the scope to send, and to read the inserted data', async () => {
    const [writing, sender] = [
      await clientWith('automations:write'),
      await clientWith('automations:write', 'messages:send'),
    ]
    expect(await writing.post('/auto-replies', reply('From 100.'))).toMatchObject(
      missingScope('messages:send'),
    )
    expect(await sender.post('/auto-replies', reply('Dear {{contact.name}}'))).toMatchObject(
      missingScope('contacts:read'),
    )
    const response = await sender.post('/auto-replies', reply('From 100.'))
    expect(response.status, response.text).toBe(201)
    const path = `/auto-replies/${response.body.autoReply.id}`
    expect(await writing.patch(path, { reply: { text: 'Free!' } })).toMatchObject(
      missingScope('messages:send'),
    )
    expect((await writing.patch(path, { enabled: false })).status).toBe(200)
    expect(await writing.patch(path, { enabled: true })).toMatchObject(missingScope('messages:send'))
    expect((await sender.delete(path)).status).toBe(200)
  })
})

describe("conditions don't allow reading contacts", () => {
  test.each([
    ['tags', { tags: ['vip'] }],
    ['excludeTags', { excludeTags: ['vip'] }],
    ['optInStatus', { optInStatus: 'opted_out' }],
    ['lastSeenWithinDays', { lastSeenWithinDays: 3 }],
    ['contactIds', { contactIds: ['01a2225e-fb7c-771b-b5ad-ba0451f27679'] }],
    ['segmentId', { segmentId: '01a2225e-fb7c-771b-b5ad-ba0451f27679' }],
  ])('a campaign and its preview by %s require contacts:read', async (_, segment) => {
    const narrowed = await clientWith('broadcasts:write', 'broadcasts:read')
    const id = '01a2225e-fb7c-771b-b5ad-ba0451f27679'
    const plan = { templateId: id, phoneNumberId: id, segment }
    expect(await narrowed.post('/broadcasts/preview', plan)).toMatchObject(missingScope('contacts:read'))
    expect(await narrowed.post('/broadcasts', { name: 'Offer', ...plan })).toMatchObject(
      missingScope('contacts:read'),
    )
  })
})
