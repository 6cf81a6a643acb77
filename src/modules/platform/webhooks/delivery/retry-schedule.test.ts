import { expect, test } from 'vitest'
import { RETRY_WAITS_SECONDS, waitAfter } from './retry-schedule.ts'

test('a non-2xx answer is retried with backoff: 12 attempts over about 17 hours (spec 6.1)', () => {
  expect(RETRY_WAITS_SECONDS.length + 1).toBe(12)
  const hours = RETRY_WAITS_SECONDS.reduce((sum, seconds) => sum + seconds, 0) / 3600
  expect(hours).toBeGreaterThan(16.5)
  expect(hours).toBeLessThan(17.5)
})

test('each wait is within 10 % of its number, and nothing follows the twelfth attempt', () => {
  for (const [i, seconds] of RETRY_WAITS_SECONDS.entries()) {
    expect(waitAfter(i + 1, 0)).toBe(seconds * 900)
    expect(waitAfter(i + 1, 0.5)).toBe(seconds * 1000)
    expect(waitAfter(i + 1, 1)).toBe(seconds * 1100)
  }
  expect(waitAfter(12)).toBeUndefined()
})
