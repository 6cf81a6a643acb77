import { describe, expect, test } from 'vitest'
import type { BookingRow } from '../queries/bookings.ts'
import { advanceAfterCancel, type Change, judgeStatusChange, type StatusStep } from './judge-status-change.ts'

const NOW = new Date('2026-03-10T10:00:00Z')
const [EARLIER, LATER] = [new Date('2026-03-10T09:00:00Z'), new Date('2026-03-10T11:00:00Z')]
type Judged = Parameters<typeof judgeStatusChange>[0]
const booking = (more: Partial<Judged> = {}): Judged => ({
  status: 'confirmed',
  startAt: LATER,
  confirmedAt: EARLIER,
  advanceStatus: null,
  ...more,
})
const judge = (before: Partial<Judged>, change: Partial<Change>) =>
  judgeStatusChange(booking(before), { status: undefined, reason: null, advance: undefined, ...change }, NOW)

test.each<[string, Partial<Judged>, Partial<Change>, StatusStep]>([
  ['its own status', {}, { status: 'confirmed' }, { step: 'none' }],
  ['canceled twice', { status: 'cancelled' }, { status: 'cancelled' }, { step: 'none' }],
  [
    'confirmed without an advance',
    { status: 'held', confirmedAt: null },
    { status: 'confirmed', advance: 'waive' },
    { step: 'confirm' },
  ],
  ['canceled', {}, { status: 'cancelled' }, { step: 'cancel' }],
  ['canceled while it is held', { status: 'held' }, { status: 'cancelled' }, { step: 'cancel' }],
  [
    'completed from its start',
    { startAt: NOW },
    { status: 'completed' },
    { step: 'visit', status: 'completed' },
  ],
  ['missed', { startAt: EARLIER }, { status: 'no_show' }, { step: 'visit', status: 'no_show' }],
  [
    'confirmed after a cancellation',
    { status: 'cancelled' },
    { status: 'confirmed' },
    { step: 'restore', from: 'cancelled' },
  ],
  [
    'confirmed after a visit',
    { status: 'completed' },
    { status: 'confirmed' },
    { step: 'restore', from: 'completed' },
  ],
  [
    'confirmed after a missed visit',
    { status: 'no_show' },
    { status: 'confirmed' },
    { step: 'restore', from: 'no_show' },
  ],
  ['refunded', { advanceStatus: 'refund_due' }, {}, { step: 'refund' }],
  ['refunded twice', { advanceStatus: 'refunded' }, {}, { step: 'none' }],
])('a booking is %s', (_title, before, change, step) => {
  expect(judge(before, change)).toEqual(step)
})

test.each<[string, Partial<Judged>, Partial<Change>, string]>([
  [
    'a hold is confirmed without its payment',
    { status: 'held' },
    { status: 'confirmed' },
    "The advance isn't paid",
  ],
  [
    'an expired hold is confirmed',
    { status: 'expired' },
    { status: 'confirmed', advance: 'waive' },
    'The hold has expired',
  ],
  [
    'a hold that was canceled is confirmed',
    { status: 'cancelled', confirmedAt: null },
    { status: 'confirmed' },
    'never confirmed',
  ],
  ['a visit is canceled', { status: 'completed' }, { status: 'cancelled' }, 'The booking is completed'],
  ['an expired hold is canceled', { status: 'expired' }, { status: 'cancelled' }, 'The booking is expired'],
  [
    'a visit is completed before it starts',
    {},
    { status: 'completed' },
    'starts at 2026-03-10T11:00:00.000Z',
  ],
  [
    'a canceled booking is missed',
    { status: 'cancelled' },
    { status: 'no_show' },
    'Only a confirmed booking can become no_show',
  ],
  ['an advance is refunded that is not due', { advanceStatus: 'paid' }, {}, 'No refund is due'],
])('it is a conflict if %s', (_title, before, change, message) => {
  expect(judge(before, change)).toMatchObject({ code: 'conflict', message: expect.stringContaining(message) })
})

describe('the advance after a cancellation', () => {
  type Advance = Pick<BookingRow, 'advanceStatus' | 'refundPolicy'>
  test.each<[Advance['advanceStatus'], Advance['refundPolicy'], Change['advance'], string | null]>([
    ['paid', 'keep', undefined, 'kept'],
    ['paid', 'refund', undefined, 'refund_due'],
    ['paid', 'keep', 'refund', 'refund_due'],
    ['paid', 'refund', 'keep', 'kept'],
    ['refund_due', 'keep', undefined, 'refund_due'],
    [null, 'keep', undefined, null],
  ])('%s under the policy %s, with %s: %s', (advanceStatus, refundPolicy, advance, after) => {
    expect(advanceAfterCancel({ advanceStatus, refundPolicy }, advance)).toBe(after)
  })

  test.each(['refund', 'keep'] as const)("can't be %s if none was paid", (advance) => {
    expect(advanceAfterCancel({ advanceStatus: null, refundPolicy: 'keep' }, advance)).toMatchObject({
      code: 'conflict',
    })
  })
})
