import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { classifyError, classifyHttpStatus } from './error-classes.ts'

describe('an error of the operator (docs/formats.md section 4)', () => {
  test.each([
    [130429, 'throttle', false],
    [131056, 'throttle', false],
    [131048, 'quality_limit', false],
    [131000, 'transient', false],
    [190, 'auth', false],
    [131031, 'account', true],
    [131026, 'recipient', true],
    [131047, 'window', true],
    [131049, 'policy', false],
    [131009, 'request', true],
    [132001, 'template', true],
    [215, 'auth', true],
  ])('%i is of class %s, permanent %s', (code, category, permanent) => {
    expect(classifyError({ code })).toMatchObject({ code, category, permanent, retryable: !permanent })
  })

  test("keeps the operator's text", () => {
    const raw = { code: 131026, title: 'T', message: 'M', error_data: { details: 'D' } }
    expect(classifyError(raw)).toMatchObject({ title: 'T', message: 'M', details: 'D' })
    expect(classifyError({ code: '131026', error_data: 'as text' })).toMatchObject({
      code: 131026,
      title: 'Message Undeliverable',
      message: 'Message Undeliverable',
      details: 'as text',
    })
  })

  test('with an unknown code is not retried, unless the operator calls it transient', () => {
    expect(classifyError({ code: 999999 })).toMatchObject({ category: 'unknown', permanent: true })
    expect(classifyError({ code: 999999, is_transient: true })).toMatchObject({
      category: 'transient',
      permanent: false,
    })
  })

  test('with a code outside the range of a database column counts as one without a code', () => {
    for (const code of [2 ** 31, -(2 ** 31) - 1, '1099511627776'])
      expect(classifyError({ code, title: 'T' })).toMatchObject({ code: -1, title: 'T', permanent: true })
    expect(classifyError({ code: 2 ** 31 - 1 }).code).toBe(2 ** 31 - 1)
  })

  test('is created from any value', () => {
    fc.assert(
      fc.property(fc.anything(), (raw) => {
        const error = classifyError(raw)
        expect(error.retryable).toBe(!error.permanent)
        expect(Math.abs(error.code)).toBeLessThan(2 ** 31)
        expect(Number.isInteger(error.code)).toBe(true)
      }),
    )
  })

  test('with only an HTTP status', () => {
    expect(classifyHttpStatus(429)).toMatchObject({ code: 429, category: 'throttle', permanent: false })
    expect(classifyHttpStatus(404)).toMatchObject({ category: 'http', permanent: true })
  })
})
