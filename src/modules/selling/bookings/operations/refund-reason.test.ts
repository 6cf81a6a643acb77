import { expect, test } from 'vitest'
import { refundReasonOf } from './refund-reason.ts'

test.each([
  ['held', 40_000, 'was less than the requested ₹500.00'],
  ['expired', 50_000, 'was paid after the time was booked by another customer'],
  ['cancelled', 50_000, 'was paid after the booking was canceled'],
  ['confirmed', 50_000, 'was paid after it had been waived'],
] as const)('an advance of a booking that is %s, with %i paid: it %s', (status, paidPaise, reason) => {
  expect(refundReasonOf({ status, advanceMinor: 50_000, currency: 'INR' }, { paidPaise })).toBe(reason)
})
