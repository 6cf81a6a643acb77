import { expect, test } from 'vitest'
import type { Broadcast } from '../../../sdk/api.ts'
import { SKIP_REASONS } from '../../../src/modules/messaging/broadcasts/schema.ts'
import { actionsOf, reasonOf, stateOf, toSendOf } from './state.tsx'

test('every reason for which a campaign skips a recipient has a text', () => {
  for (const reason of [...SKIP_REASONS, 'cool_off', 'cancelled']) expect(reasonOf(reason)).not.toBe(reason)
})

const NONE = {
  recipients: 0,
  queued: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  skipped: 0,
  waiting: 0,
}

test.each([
  ['draft', {}, 'draft', ['start', 'cancel']],
  ['scheduled', {}, 'scheduled', ['start', 'cancel']],
  ['running', {}, 'preparing', ['pause', 'cancel']],
  ['running', { recipients: 20, queued: 5, skipped: 2 }, 'sending', ['pause', 'cancel']],
  ['running', { recipients: 20, queued: 5, sent: 5, waiting: 15 }, 'sending', ['pause', 'cancel']],
  ['completed', { recipients: 13, queued: 13 }, 'sending', ['pause', 'cancel']],
  ['completed', { recipients: 13, queued: 13, sent: 11, failed: 1 }, 'sending', ['pause', 'cancel']],
  ['completed', { recipients: 13, queued: 13, sent: 12, failed: 1 }, 'sent', []],
  ['completed', { recipients: 13, queued: 13, failed: 13 }, 'notSent', []],
  ['completed', { recipients: 3, skipped: 3 }, 'notSent', []],
  ['paused', { recipients: 13, queued: 13, sent: 4 }, 'paused', ['resume', 'cancel']],
  ['cancelled', { recipients: 13, queued: 13, sent: 4 }, 'cancelled', []],
] as const)('%s with %j is %s', (status, counts, state, actions) => {
  const campaign = { status, counts: { ...NONE, ...counts } }
  expect(stateOf(campaign)).toBe(state)
  expect(actionsOf(campaign)).toEqual(actions)
})

test('a running campaign whose sample is sent compares its variants', () => {
  const counts = { ...NONE, recipients: 20, queued: 20, sent: 20 }
  const test = { state: 'measuring' } as Broadcast['test']
  expect(stateOf({ status: 'running', counts, test })).toBe('comparing')
  expect(stateOf({ status: 'paused', counts, test })).toBe('paused')
  // The rest of the audience is still to be reached.
  const audience = { matched: 110, willSend: 100, suppressed: 10 }
  expect(toSendOf({ status: 'running', counts, test, audience })).toBe(80)
  expect(toSendOf({ status: 'cancelled', counts, test, audience })).toBe(0)
})

test('while a campaign reaches its audience, the rest of it is still to be sent', () => {
  const counts = { ...NONE, recipients: 400, queued: 380, sent: 380, skipped: 20 }
  const audience = { matched: 2000, willSend: 1900, suppressed: 100 }
  expect(toSendOf({ status: 'running', counts, audience, completedAt: null })).toBe(1520)
  // Contacts who left the audience meanwhile are not waited for.
  expect(toSendOf({ status: 'completed', counts, audience, completedAt: '2026-06-01T10:00:00Z' })).toBe(0)
})

test('the recipients to send are those without a result', () => {
  const counts = { ...NONE, recipients: 40, queued: 18, sent: 8, failed: 1, skipped: 2, waiting: 20 }
  expect(toSendOf({ status: 'running', counts })).toBe(29)
})
