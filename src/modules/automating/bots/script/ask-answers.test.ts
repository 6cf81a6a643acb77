import { expect, test } from 'vitest'
import { parseAnswer } from './ask-answers.ts'

test.each([
  ['2,5', 2.5],
  ['2.5', 2.5],
  ['1.250,75', 1250.75],
  ['1,25,000', 125_000],
  ['1 250', 1250],
  ['-3', -3],
  ['२५', 25],
  ['١٢', 12],
  ['1,2,3', undefined],
  ['0x10', undefined],
  ['1e5', undefined],
  ['1234567890123456', undefined],
  ['two', undefined],
])('as a number, %s is %s', (text, number) => {
  expect(parseAnswer(text, 'number', '91')).toBe(number)
})

test('numbers and dates may use the digits of any script', () => {
  expect(parseAnswer('९८१२३ ४५६७८', 'phone', '91')).toBe('+919812345678')
  expect(parseAnswer('०१/१२/२०२६', 'date', '91')).toBe('2026-12-01')
  expect(parseAnswer('कमरा २५', 'text', '91')).toBe('कमरा २५')
})
