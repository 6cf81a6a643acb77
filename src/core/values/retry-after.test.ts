import { describe, expect, test } from 'vitest'
import { retryAfterSeconds } from './retry-after.ts'

describe('the waiting time that the operator or the network requests', () => {
  const date = 'Mon, 01 Jun 2026 09:30:00 GMT'
  const usage = (minutes: unknown) =>
    JSON.stringify({ '102': [{ type: 'messaging', estimated_time_to_regain_access: minutes }] })

  test.each([
    ['nothing', {}, null],
    ['seconds', { 'retry-after': '30' }, 30],
    ['zero', { 'retry-after': '0' }, null],
    [
      'a date, relative to the date of the answer',
      { date, 'retry-after': 'Mon, 01 Jun 2026 09:31:30 GMT' },
      90,
    ],
    ['a date in the past', { date, 'retry-after': 'Mon, 01 Jun 2026 09:29:00 GMT' }, null],
    ['a date in an answer without a date', { 'retry-after': 'Mon, 01 Jun 2026 09:31:30 GMT' }, null],
    ['minutes of the usage header', { 'x-business-use-case-usage': usage(4) }, 240],
    ['no minutes', { 'x-business-use-case-usage': usage(0) }, null],
    ['the longer of both', { 'retry-after': '30', 'x-business-use-case-usage': usage(1) }, 60],
    ['odd headers', { 'retry-after': 'soon', 'x-business-use-case-usage': '{' }, null],
    ['odd minutes', { 'x-business-use-case-usage': usage('many') }, null],
    ['more than a day', { 'retry-after': '99999999999' }, 86_400],
  ])('%s', (_what, headers, seconds) => {
    expect(retryAfterSeconds(headers)).toBe(seconds)
  })
})
