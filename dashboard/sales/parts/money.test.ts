import { expect, test } from 'vitest'
import { formatMoney } from '../../kit/money.ts'
import { formatMinor, minorOf, numberOf, typedMinor } from './money.ts'

test('amounts are typed in units and stored in minor units, without rounding', () => {
  expect(
    ['1,250.50', '0', '7.5', '12.345', 'x', '1.2.3', '-1', ''].map((text) => minorOf(text, 'INR')),
  ).toEqual([125_050, 0, 750, undefined, undefined, undefined, undefined, undefined])
  expect([minorOf('900', 'JPY'), minorOf('900.5', 'JPY'), minorOf('1.234', 'KWD')]).toEqual([
    900,
    undefined,
    1234,
  ])
  for (const minor of [0, 5, 50, 100, 110_000, 125_050])
    expect(minorOf(typedMinor(minor, 'INR'), 'INR')).toBe(minor)
  expect(typedMinor(900, 'JPY')).toBe('900')
  expect(['2', '0.125', '1.2345', '18 %'].map(numberOf)).toEqual([2, 0.125, undefined, undefined])
})

test('rupees are grouped in lakhs and crores in every English locale', () => {
  expect(formatMinor(9_999_999_999_99, 'INR')).toBe('₹9,99,99,99,999.99')
  expect(formatMinor(-123_456_70, 'INR')).toBe('-₹1,23,456.70')
  expect([formatMoney(1_234_567), formatMoney(1_234_567.5)]).toEqual(['₹12,34,567', '₹12,34,567.50'])
})
