import { expect, test } from 'vitest'
import { payableOf } from './payable.ts'

test.each([
  ['issued', 100, 100],
  ['partially_paid', 40, 40],
  ['issued', -5, 0],
  ['paid', 0, 0],
  ['draft', 100, 0],
  ['cancelled', 100, 0],
])('of a document that is %s with a balance of %i, %i has to be paid', (status, balanceMinor, expected) => {
  expect(payableOf({ status, balanceMinor })).toBe(expected)
})
