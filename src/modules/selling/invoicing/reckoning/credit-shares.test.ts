import fc from 'fast-check'
import { expect, test } from 'vitest'
import { creditShares } from './credit-shares.ts'

test('credit notes split an invoice into shares that are never negative or above the remaining amount', () => {
  const minor = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 10_000_000 }))
  const anyInvoice = fc.record({
    taxableMinor: minor,
    half: minor,
    igstMinor: minor,
    cessMinor: minor,
    reverseCharge: fc.boolean(),
  })
  const fields = ['taxableMinor', 'cgstMinor', 'sgstMinor', 'igstMinor', 'cessMinor'] as const
  fc.assert(
    fc.property(anyInvoice, fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (invoice, parts) => {
      const { half, ...rest } = invoice
      const amounts = { ...rest, cgstMinor: half, sgstMinor: half }
      const total = fields.reduce((sum, field) => sum + amounts[field], 0)
      const left = { ...amounts, totalMinor: invoice.reverseCharge ? amounts.taxableMinor : total }
      for (const part of [...parts, 1]) {
        const amount = Math.ceil(left.totalMinor * part)
        if (amount === 0) continue
        const shares = creditShares(left, amount)
        const charged = invoice.reverseCharge ? (['taxableMinor'] as const) : fields
        expect(charged.reduce((sum, field) => sum + shares[field], 0)).toBe(amount)
        expect(Math.abs(shares.cgstMinor - shares.sgstMinor)).toBeLessThanOrEqual(1)
        for (const field of fields) {
          expect(shares[field]).toBeGreaterThanOrEqual(0)
          expect(shares[field]).toBeLessThanOrEqual(left[field])
          left[field] -= shares[field]
        }
        left.totalMinor -= amount
      }
      if (amounts.taxableMinor > 0) for (const field of fields) expect(left[field]).toBe(0)
    }),
  )
})
