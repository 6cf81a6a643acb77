import { expect, test } from 'vitest'
import { formatDuration } from './duration.ts'

test.each([
  [0, '0 minutes'],
  [1, '1 minute'],
  [60, '1 hour'],
  [90, '1 hour 30 minutes'],
  [120, '2 hours'],
  [1_440, '1 day'],
  [3_001, '2 days 2 hours 1 minute'],
])('%i minutes are shown as %s', (minutes, text) => {
  expect(formatDuration(minutes)).toBe(text)
})
