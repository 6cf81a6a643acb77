import { expect, test } from 'vitest'
import { formatPaise, paiseOf } from './amount.ts'

test.each([
  ['220', 22_000],
  ['1,250.50', 125_050],
  ['0.1', 10],
  ['4.35', 435],
  [' 40 ', 4_000],
])('%s rupees', (text, paise) => {
  expect(paiseOf(text)).toBe(paise)
})

test.each(['', 'free', '-4', '1.005', '1e3', '₹40'])('%j is not an amount', (text) => {
  expect(paiseOf(text)).toBeUndefined()
})

test('shows paise as rupees', () => {
  expect(formatPaise(48_050)).toMatch(/480\.50$/)
  expect(formatPaise(48_000)).toMatch(/480$/)
})
