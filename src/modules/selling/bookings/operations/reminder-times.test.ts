import { expect, test } from 'vitest'
import { reminderTimes } from './reminder-times.ts'

const START = new Date('2026-03-10T10:00:00Z')
const reminders = [{ minutesBefore: 1_440 }, { minutesBefore: 60 }]

test.each([
  ['2026-03-01T00:00:00Z', ['2026-03-09T10:00:00.000Z', '2026-03-10T09:00:00.000Z']],
  ['2026-03-09T10:00:00Z', ['2026-03-10T09:00:00.000Z']],
  ['2026-03-10T09:00:00Z', []],
])('at %s, the reminders to come are %j', (now, times) => {
  expect(reminderTimes(reminders, START, new Date(now)).map(({ at }) => at.toISOString())).toEqual(times)
})
