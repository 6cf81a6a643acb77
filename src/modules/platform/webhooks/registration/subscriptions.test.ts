import { expect, test } from 'vitest'
import { z } from 'zod'
import type { KeyActor } from '../../../../core/context.ts'
import { Refusal } from '../../../../core/errors.ts'
import { type EventKind, event } from '../../../../core/event.ts'
import type { Scope } from '../../../../core/scopes.ts'
import { rightsOf } from './rights.ts'
import { catalogOf, requireAllReadable, subscriptionOf } from './subscriptions.ts'

const kind = (name: string, scope: Scope, adminOnly?: true): EventKind =>
  event({ name, when: name, scope, adminOnly, data: z.object({}), example: {}, touches: () => ({}) })
const catalog = catalogOf([
  kind('message.received', 'messages:read'),
  kind('message.status', 'messages:read'),
  kind('lead.created', 'crm:read'),
  kind('invoice.issued', 'invoicing:read', true),
])
const key = (role: KeyActor['role'], scopes: Scope[] | null) =>
  rightsOf({ kind: 'key', keyId: 'k', memberId: null, label: '', role, scopes, expiresAt: null })

function refusalOf(work: () => unknown): Refusal {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error
  }
  throw new Error('nothing was refused')
}

test('an admin key without scopes subscribes to every event by default, to a list, or to one', () => {
  const admin = key('admin', null)
  expect(subscriptionOf(catalog, admin, {})).toBeNull()
  expect(subscriptionOf(catalog, admin, { events: ['lead.created', 'lead.created'] })).toEqual([
    'lead.created',
  ])
  expect(subscriptionOf(catalog, admin, { event: 'invoice.issued' })).toEqual(['invoice.issued'])
})

test('an unknown event is rejected by name, with similar names', () => {
  const refusal = refusalOf(() =>
    subscriptionOf(catalog, key('admin', null), { events: ['mesage.recieved'] }),
  )
  expect(refusal).toMatchObject({ code: 'invalid', details: { issues: [{ path: 'events[0]' }] } })
  expect(refusal.message).toContain('mesage.recieved')
  expect(refusal.message).toContain('message.received')
  const noun = refusalOf(() => subscriptionOf(catalog, key('admin', null), { event: 'lead.archived' }))
  expect(noun.message).toContain('lead.created')
})

test('the first three unknown events get hints; a list longer than the list of all events is rejected immediately', () => {
  const admin = key('admin', null)
  const typos = ['lead.creatd', 'lead.create', 'lead.crated', 'lead.craeted']
  const { details } = refusalOf(() => subscriptionOf(catalog, admin, { events: typos }))
  expect(details.issues!.map(({ path, message }) => [path, message.includes('lead.created')])).toEqual([
    ['events[0]', true],
    ['events[1]', true],
    ['events[2]', true],
    ['events[3]', false],
  ])
  const tooMany = refusalOf(() => subscriptionOf(catalog, admin, { events: [...typos, 'lead.created'] }))
  expect(tooMany.details.issues).toEqual([
    { path: 'events', message: 'Must have at most 4 items, the number of events.' },
  ])
})

test('a key below admin subscribes only to events it may read; invoice events need an admin key', () => {
  const agent = key('agent', ['webhooks:manage', 'messages:read', 'invoicing:read'])
  expect(subscriptionOf(catalog, agent, { event: 'message.status' })).toEqual(['message.status'])
  expect(refusalOf(() => subscriptionOf(catalog, agent, {}))).toMatchObject({ code: 'forbidden' })
  expect(refusalOf(() => subscriptionOf(catalog, agent, { event: 'lead.created' }))).toMatchObject({
    code: 'insufficient_scope',
    details: { required: 'crm:read' },
  })
  expect(refusalOf(() => subscriptionOf(catalog, agent, { event: 'invoice.issued' }))).toMatchObject({
    code: 'forbidden',
    details: { required: 'admin' },
  })
})

test('an admin key narrowed to scopes is limited to them on all webhook endpoints (spec 5.5)', () => {
  const narrowedKey = key('admin', ['webhooks:manage', 'messages:read'])
  expect(refusalOf(() => subscriptionOf(catalog, narrowedKey, {}))).toMatchObject({ code: 'forbidden' })
  expect(refusalOf(() => requireAllReadable(catalog, narrowedKey, { events: null }))).toMatchObject({
    code: 'forbidden',
  })
  expect(
    refusalOf(() => requireAllReadable(catalog, narrowedKey, { events: ['lead.created'] })),
  ).toMatchObject({
    details: { required: 'crm:read' },
  })
  requireAllReadable(catalog, narrowedKey, { events: ['message.received'] })
})
