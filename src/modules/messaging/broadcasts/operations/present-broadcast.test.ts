import { expect, test } from 'vitest'
import type { BroadcastRow, Tally } from '../queries/broadcasts.ts'
import { presentBroadcast } from './present-broadcast.ts'

const NOW = new Date('2026-06-01T10:00:00Z')
const row = {
  status: 'running',
  sending: true,
  walked: true,
  testPhase: null,
  matched: 2000,
  willSend: 2000,
  suppressed: 0,
  recipients: 500,
  queued: 500,
  waiting: 0,
  skipped: 0,
  scheduledAt: null,
  startedAt: NOW,
  completedAt: null,
  cancelledAt: null,
  createdAt: NOW,
  updatedAt: NOW,
} as unknown as BroadcastRow
const sent = (count: number): Tally => ({ sent: count, delivered: 0, read: 0, failed: 0, skipped: 0 })
const progressOf = (more: object, tally: Tally): number =>
  presentBroadcast({ ...row, ...more }, tally, []).progress

test('the progress is a share of the whole audience, also when all its stretches are laid out', () => {
  // The walkers have passed a quarter of the stretches, and all their messages are sent.
  expect(progressOf({}, sent(500))).toBe(25)
  expect(progressOf({ recipients: 1500, queued: 1500 }, sent(1000))).toBe(50)
})

test('once every contact was reached, contacts who left the audience no longer count', () => {
  const reached = { status: 'completed', completedAt: NOW, recipients: 1000, queued: 1000 }
  expect(progressOf(reached, sent(500))).toBe(50)
  expect(progressOf({ ...reached, sending: false }, sent(1000))).toBe(100)

  const canceled = { status: 'cancelled', cancelledAt: NOW, recipients: 1000, queued: 500, skipped: 500 }
  expect(progressOf(canceled, sent(500))).toBe(100)
})
