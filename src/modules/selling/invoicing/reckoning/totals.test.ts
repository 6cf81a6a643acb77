import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Basis, netOf, type ReckonedLine, reckon, SUPPLY_TYPES, TAX_SCHEMES } from './totals.ts'

const basis: Basis = {
  currency: 'INR',
  taxScheme: 'regular',
  pricesIncludeTax: false,
  roundToUnit: false,
  supplyType: 'regular',
  reverseCharge: false,
  isSameState: true,
}
const line = (unitMinor: number, taxRate: number, more: Partial<ReckonedLine> = {}): ReckonedLine => ({
  quantity: 1,
  unitMinor,
  taxRate,
  ...more,
})

const rate = fc.integer({ min: 0, max: 100_000 }).map((thousandths) => thousandths / 1_000)
const anyLine: fc.Arbitrary<ReckonedLine> = fc.record({
  quantity: fc.integer({ min: 1, max: 1_000_000 }).map((thousandths) => thousandths / 1_000),
  unitMinor: fc.integer({ min: 0, max: 1_000_000_000 }),
  taxRate: rate,
  cessRate: fc.option(rate, { nil: undefined }),
  discountPercent: fc.option(rate, { nil: undefined }),
})
const anyBasis: fc.Arbitrary<Basis> = fc.record({
  currency: fc.constantFrom('INR', 'USD', 'JPY'),
  taxScheme: fc.constantFrom(...TAX_SCHEMES),
  pricesIncludeTax: fc.boolean(),
  roundToUnit: fc.boolean(),
  supplyType: fc.constantFrom(...SUPPLY_TYPES),
  reverseCharge: fc.boolean(),
  isSameState: fc.boolean(),
})
const anyLines = fc.array(anyLine, { minLength: 1, maxLength: 20 })

test("in the seller's state it is CGST and SGST, in another IGST", () => {
  const kurtas = [line(110_000, 5, { quantity: 2 })]
  expect(reckon(kurtas, basis)).toMatchObject({
    taxableMinor: 220_000,
    cgstMinor: 5_500,
    sgstMinor: 5_500,
    igstMinor: 0,
    taxMinor: 11_000,
    totalMinor: 231_000,
  })
  expect(reckon(kurtas, { ...basis, isSameState: false })).toMatchObject({
    cgstMinor: 0,
    sgstMinor: 0,
    igstMinor: 11_000,
    totalMinor: 231_000,
  })
})

test('an inclusive price stays the total: 24,900 rupees at 28 % are 19,453.12 and twice 2,723.44', () => {
  expect(reckon([line(2_490_000, 28)], { ...basis, pricesIncludeTax: true })).toMatchObject({
    taxableMinor: 1_945_312,
    cgstMinor: 272_344,
    sgstMinor: 272_344,
    totalMinor: 2_490_000,
  })
})

test('a special economic zone and an export with tax pay IGST; under a letter of undertaking both pay none', () => {
  const lines = [line(10_000, 18)]
  for (const supplyType of ['sez', 'export_tax'] as const)
    expect(reckon(lines, { ...basis, supplyType })).toMatchObject({ igstMinor: 1_800, cgstMinor: 0 })
  for (const supplyType of ['sez_lut', 'export_lut'] as const)
    expect(reckon(lines, { ...basis, supplyType })).toMatchObject({ taxMinor: 0, totalMinor: 10_000 })
})

test('composition charges no tax, and an unregistered seller charges none either', () => {
  for (const taxScheme of ['composition', 'none'] as const)
    expect(reckon([line(10_000, 18)], { ...basis, taxScheme })).toMatchObject({
      taxMinor: 0,
      totalMinor: 10_000,
    })
})

test('reverse charge is shown but not charged', () => {
  expect(reckon([line(10_000, 18)], { ...basis, reverseCharge: true })).toMatchObject({
    cgstMinor: 900,
    sgstMinor: 900,
    taxMinor: 1_800,
    totalMinor: 10_000,
  })
})

test('a discount is deducted before tax, and cess is added separately', () => {
  const lines = [
    line(10_000, 28, { discountPercent: 12.5, cessRate: 12 }),
    line(333, 18, { quantity: 1.5, discountMinor: 100 }),
  ]
  expect(reckon(lines, basis).lines).toEqual([
    { taxableMinor: 8_750, cgstMinor: 1_225, sgstMinor: 1_225, igstMinor: 0, cessMinor: 1_050 },
    { taxableMinor: 400, cgstMinor: 36, sgstMinor: 36, igstMinor: 0, cessMinor: 0 },
  ])
})

test('the round-off makes the total whole rupees', () => {
  expect(reckon([line(9_999, 18)], { ...basis, roundToUnit: true })).toMatchObject({
    taxMinor: 1_800,
    roundOffMinor: 1,
    totalMinor: 11_800,
  })
})

test('CGST always equals SGST', () => {
  fc.assert(
    fc.property(anyLines, anyBasis, (lines, options) => {
      for (const line of reckon(lines, options).lines) expect(line.cgstMinor).toBe(line.sgstMinor)
    }),
  )
})

test('an inclusive total equals the price at any rate and place', () => {
  fc.assert(
    fc.property(anyLines, anyBasis, (lines, options) => {
      const inclusive = { ...options, pricesIncludeTax: true, reverseCharge: false, roundToUnit: false }
      const price = lines.reduce((sum, line) => sum + netOf(line), 0n)
      const { totalMinor, taxableMinor } = reckon(lines, inclusive)
      expect(BigInt(totalMinor)).toBe(price)
      expect(taxableMinor).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('sums of lines, taxes and round-off agree with the total', () => {
  fc.assert(
    fc.property(anyLines, anyBasis, (lines, options) => {
      const reckoned = reckon(lines, options)
      for (const field of ['taxableMinor', 'cgstMinor', 'sgstMinor', 'igstMinor', 'cessMinor'] as const)
        expect(reckoned.lines.reduce((sum, line) => sum + line[field], 0)).toBe(reckoned[field])
      expect(reckoned.cgstMinor + reckoned.sgstMinor + reckoned.igstMinor + reckoned.cessMinor).toBe(
        reckoned.taxMinor,
      )
      const charged = options.reverseCharge ? 0 : reckoned.taxMinor
      expect(reckoned.taxableMinor + charged + reckoned.roundOffMinor).toBe(reckoned.totalMinor)
      expect(reckoned.cgstMinor * reckoned.igstMinor).toBe(0)
    }),
  )
})
