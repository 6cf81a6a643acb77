import { expect, test } from 'vitest'
import { amountInWords } from './amount-in-words.ts'

test.each([
  [0, 'INR', 'Rupees Zero Only'],
  [231_000, 'INR', 'Rupees Two Thousand Three Hundred Ten Only'],
  [
    123_456_780,
    'INR',
    'Rupees Twelve Lakh Thirty-Four Thousand Five Hundred Sixty-Seven and Eighty Paise Only',
  ],
  [10_000_000_000_000, 'INR', 'Rupees Ten Thousand Crore Only'],
  [1_900_000_001, 'INR', 'Rupees One Crore Ninety Lakh and One Paise Only'],
  [-150, 'INR', 'Minus Rupees One and Fifty Paise Only'],
  [
    123_456_705,
    'USD',
    'USD One Million Two Hundred Thirty-Four Thousand Five Hundred Sixty-Seven and 05/100 Only',
  ],
  [1_200, 'JPY', 'JPY One Thousand Two Hundred Only'],
  [1_205, 'KWD', 'KWD One and 205/1000 Only'],
])('%i of %s', (minor, currency, expected) => {
  expect(amountInWords(minor, currency)).toBe(expected)
})
