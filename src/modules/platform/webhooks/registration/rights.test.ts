import { describe, expect, test } from 'vitest'
import type { Actor } from '../../../../core/context.ts'
import type { EventKind } from '../../../../core/event.ts'
import { isOwn, mayManage, mayRead, type Rights, requireReadable, rightsOf, shownUrl } from './rights.ts'

const rights = (more: Partial<Rights> = {}): Rights => ({
  keyId: 'k1',
  admin: true,
  scopes: null,
  full: true,
  ...more,
})
const kind = (more: Partial<EventKind> = {}) =>
  ({ name: 'lead.created', scope: 'crm:read', adminOnly: false, ...more }) as EventKind

const key = (role: string, scopes: string[] | null) =>
  ({ kind: 'key', keyId: 'k1', role, scopes }) as unknown as Actor
test.each<[string, Actor, Rights]>([
  ['the platform', { kind: 'platform' } as Actor, rights({ keyId: null })],
  ['an admin', { kind: 'member', role: 'admin' } as Actor, rights({ keyId: null })],
  [
    'an agent',
    { kind: 'member', role: 'agent' } as Actor,
    rights({ keyId: null, admin: false, full: false }),
  ],
  ['the key of an admin', key('admin', null), rights()],
  ['a narrowed key', key('admin', ['crm:read']), rights({ scopes: ['crm:read'], full: false })],
  ['the key of an agent', key('agent', null), rights({ admin: false, full: false })],
])('the rights of %s', (_title, actor, expected) => {
  expect(rightsOf(actor)).toEqual(expected)
})

describe('an event', () => {
  test.each<[Partial<Rights>, Partial<EventKind>, string | undefined]>([
    [{}, {}, undefined],
    [{ scopes: ['crm:read'] }, {}, undefined],
    [{ scopes: ['messages:read'] }, {}, 'insufficient_scope'],
    [{}, { adminOnly: true }, undefined],
    [{ admin: false }, { adminOnly: true }, 'forbidden'],
    [{ admin: false }, {}, undefined],
  ])('with the rights %j and the event %j: %s', (more, event, code) => {
    expect(mayRead(rights(more), kind(event))).toBe(code === undefined)
    const read = () => requireReadable(rights(more), kind(event))
    if (code === undefined) read()
    else expect(read).toThrow(expect.objectContaining({ code }))
  })
})

describe('an endpoint', () => {
  const ADDRESS = 'https://shop.example/hooks?secret=1'
  test.each<[string, Partial<Rights>, string | null, boolean, string]>([
    ['of the same key', { admin: false, full: false }, 'k1', true, ADDRESS],
    ['of another key, for an agent', { admin: false, full: false }, 'k2', false, 'https://shop.example'],
    ['of another key, for an admin', {}, 'k2', true, ADDRESS],
    ['of another key, for a narrowed key', { full: false, scopes: [] }, 'k2', true, 'https://shop.example'],
    [
      'of no key, for a member',
      { keyId: null, admin: false, full: false },
      null,
      false,
      'https://shop.example',
    ],
  ])('%s', (_title, more, keyId, manages, shown) => {
    expect(mayManage(rights(more), { keyId })).toBe(manages)
    expect(shownUrl(rights(more), { keyId }, ADDRESS)).toBe(shown)
    expect(isOwn(rights(more), { keyId })).toBe(keyId === 'k1')
  })
})
