import { expect, test } from 'vitest'
import { divideRounded, moneyText } from './money.ts'

test('an amount is rounded half away from zero', () => {
  expect([5n, -5n, 4n, -4n, 15n].map((value) => divideRounded(value, 10n))).toEqual([1n, -1n, 0n, 0n, 2n])
})

test('an amount is written in the local format, to the last paisa', () => {
  expect(moneyText(123_456_780, 'INR')).toBe('₹12,34,567.80')
  expect(moneyText(5, 'INR')).toBe('₹0.05')
  expect(moneyText(-10_000, 'INR')).toBe('-₹100.00')
  expect(moneyText(9_999_999_999_999, 'INR')).toBe('₹99,99,99,99,999.99')
  expect(moneyText(-123_456_705, 'USD')).toBe('-$1,234,567.05')
  expect(moneyText(12_345_678, 'JPY')).toBe('¥12,345,678')
  expect(moneyText(-1_234_567_205, 'KWD')).toBe('-KWD\u00a01,234,567.205')
})
