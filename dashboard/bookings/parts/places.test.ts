import { describe, expect, test } from 'vitest'
import type { Booking, BookingService, BookingSlot } from '../../../sdk/api.ts'
import { partsOn } from './day-spans.ts'
import { groupStarts, placeNear } from './places.ts'

const ZONE = 'Asia/Kolkata'
const DAY = '2026-06-02'
const at = (clock: string): string => new Date(`${DAY}T${clock}:00+05:30`).toISOString()
const minute = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
const meera = { id: 'meera', name: 'Meera', kind: 'person' } as const
const ravi = { id: 'ravi', name: 'Ravi', kind: 'person' } as const
const bookingAt = (id: string, clock: string, until: string, staff: Booking['staff'] = meera) =>
  ({
    id,
    staff,
    startAt: at(clock),
    endAt: at(until),
    durationMinutes: 60,
    status: 'confirmed',
  }) as Booking
const slot = (clock: string, staffId = 'meera'): BookingSlot => ({
  startAt: at(clock),
  endAt: at(clock),
  staffId,
  remaining: 1,
})
const service = {
  stepMinutes: 30,
  bufferBeforeMinutes: 0,
  bufferAfterMinutes: 0,
  staffIds: ['meera'],
} as unknown as BookingService

const booking = bookingAt('own', '10:00', '11:00')
const move = {
  zone: ZONE,
  now: Date.parse(at('08:45')),
  booking,
  service,
  starts: groupStarts(ZONE, [slot('13:00'), slot('13:30'), slot('14:00', 'ravi')]),
}
const column = {
  day: DAY,
  staff: meera,
  parts: partsOn(ZONE, DAY, [booking, bookingAt('next', '11:30', '12:30')]),
}
const near = (clock: string, change: object = {}, place: object = {}) => {
  const found = placeNear({ ...move, ...change }, { ...column, ...place }, minute(clock))
  return [found.startAt, found.staff?.id, found.refusal]
}

describe('the place of a dragged booking', () => {
  test.each([
    ['a free start near the pointer', near('13:10'), [at('13:00'), 'meera', undefined]],
    ['its own place', near('10:05'), [at('10:00'), 'meera', undefined]],
    ['a start that only the booking itself takes', near('10:25'), [at('10:30'), 'meera', undefined]],
    ['a time of another booking', near('12:02'), [at('12:00'), 'meera', 'taken']],
    ['a time that was', near('08:10'), [at('08:15'), 'meera', 'past']],
    ['a time outside of the offered ones', near('16:10'), [at('16:15'), 'meera', 'closed']],
    [
      'staff who do not offer the service',
      near('13:10', {}, { staff: ravi }),
      [at('13:15'), 'ravi', 'staff'],
    ],
    [
      'the own staff in a column of a day',
      near('13:10', {}, { staff: undefined }),
      [at('13:00'), 'meera', undefined],
    ],
    [
      'unknown until the times are loaded',
      near('16:10', { starts: undefined }),
      [at('16:15'), 'meera', undefined],
    ],
  ])('%s', (_, found, expected) => expect(found).toEqual(expected))

  test('a canceled booking takes no time', () => {
    const cancelled = { ...bookingAt('next', '11:30', '12:30'), status: 'cancelled' } as Booking
    expect(near('12:02', {}, { parts: partsOn(ZONE, DAY, [booking, cancelled]) })).toEqual([
      at('12:00'),
      'meera',
      'closed',
    ])
  })
})
