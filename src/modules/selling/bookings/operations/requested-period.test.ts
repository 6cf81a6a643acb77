import { expect, test } from 'vitest'
import { endOfRequested, slotsBetween, startOfRequested } from './requested-period.ts'

const placeIn = (timezone: string) => ({ workspace: { timezone } })
const india = placeIn('Asia/Kolkata')
const moment = new Date('2026-03-10T10:00:00Z')

test('a day starts and ends at midnight of the workspace; a time is taken as it is', () => {
  expect(startOfRequested(india, '2026-03-10').toISOString()).toBe('2026-03-09T18:30:00.000Z')
  expect(endOfRequested(india, '2026-03-10').toISOString()).toBe('2026-03-10T18:30:00.000Z')
  expect([startOfRequested(india, moment), endOfRequested(india, moment)]).toEqual([moment, moment])
})

test.each([
  ['before its start', '2026-03-10', '2026-03-09', 'Must be after from'],
  ['of no time', moment, moment, 'Must be after from'],
  ['of more days than the maximum', '2026-03-01', '2026-06-01', 'Must be at most'],
] as const)('a period %s is invalid', (_title, from, to, message) => {
  expect(() => slotsBetween(india, { from, to })).toThrow(message)
})

test('the longest period may have the hour that is repeated when the clocks are put back', () => {
  const berlin = placeIn('Europe/Berlin')
  const days = (from: string, to: string) => slotsBetween(berlin, { from, to })
  expect(days('2026-10-01', '2026-10-31').to.toISOString()).toBe('2026-10-31T23:00:00.000Z')
})
