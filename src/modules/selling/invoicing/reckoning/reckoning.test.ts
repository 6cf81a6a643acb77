/** Tests of the totals of sales documents: GST by place of supply, inclusive prices, rounding, numbers. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { divideRounded, moneyText } from '../../../../core/values/money.ts'
import { amountInWords } from './amount-in-words.ts'
import { creditShares } from './credit-shares.ts'
import { gstinCheckDigit, isGstin } from './gstin.ts'
import { documentNumber, financialYearOf, isDocumentNumber, nextFinancialYear } from './numbers.ts'
import { placeOfSupply } from './place-of-supply.ts'
import { stateCode, stateTaxName } from './states.ts'
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

describe('tax', () => {
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
})

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

describe('money', () => {
  test('is rounded half away from zero', () => {
    expect([5n, -5n, 4n, -4n, 15n].map((value) => divideRounded(value, 10n))).toEqual([1n, -1n, 0n, 0n, 2n])
  })

  test('is written in the local format, to the last paisa', () => {
    expect(moneyText(123_456_780, 'INR')).toBe('₹12,34,567.80')
    expect(moneyText(5, 'INR')).toBe('₹0.05')
    expect(moneyText(-10_000, 'INR')).toBe('-₹100.00')
    expect(moneyText(9_999_999_999_999, 'INR')).toBe('₹99,99,99,99,999.99')
    expect(moneyText(-123_456_705, 'USD')).toBe('-$1,234,567.05')
    expect(moneyText(12_345_678, 'JPY')).toBe('¥12,345,678')
    expect(moneyText(-1_234_567_205, 'KWD')).toBe('-KWD\u00a01,234,567.205')
  })
})

describe('GSTIN', () => {
  test('27AAPFU0939F1ZV is valid, 27AAPFU0939F1ZW is not', () => {
    expect(isGstin('27AAPFU0939F1ZV')).toBe(true)
    expect(isGstin('27AAPFU0939F1ZW')).toBe(false)
    expect(isGstin('29ABCDE1234F1ZW')).toBe(true)
  })

  test.each([
    ['a tax deductor with a PAN', '33AAAGM0289C1DZ'],
    ['a tax deductor with a TAN', '07DELA12345B1DE'],
    ['a tax collector', '29AABCF8078M1C8'],
    ['a non-resident', '0717USA12345NFD'],
    ['a non-resident, as newer ones are written', '0717USA12345NRO'],
    ['a provider of online services from abroad', '9917SGP29001OST'],
    ['a body of the United Nations', '2117UNO00002UNF'],
    ['an embassy', '0717UNO00154UNU'],
    ['another notified person', '0717AUS12345ONT'],
    ['a department of the government', '27MUMA01234B1Z3'],
  ])('of %s is valid: %s', (_, gstin) => {
    expect(isGstin(gstin)).toBe(true)
    const other = gstin.endsWith('A') ? 'B' : 'A'
    expect(isGstin(gstin.slice(0, -1) + other)).toBe(false)
  })

  test('of no state is invalid', () => {
    for (const head of ['00AAPFU0939F1Z', '98AAPFU0939F1Z', '9917USA12345NF', '2717SGP29001OS'])
      expect(isGstin(head + gstinCheckDigit(head))).toBe(false)
  })

  test('one wrong character is always detected', () => {
    const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
    const head = '27AAPFU0939F1Z'
    for (let place = 0; place < head.length; place++)
      for (const other of characters) {
        const changed = head.slice(0, place) + other + head.slice(place + 1)
        if (other !== head[place]) expect(gstinCheckDigit(changed)).not.toBe('V')
      }
  })
})

describe('place of supply', () => {
  const seller = { gstin: '27AAPFU0939F1ZV' }
  test.each([
    ['as given', '07', { gstin: '29ABCDE1234F1ZW' }, '07'],
    ["the state of the customer's GSTIN", undefined, { gstin: '29ABCDE1234F1ZW' }, '29'],
    ['the billing state', undefined, { address: { state: 'tamil nadu', country: 'IN' } }, '33'],
    ['96 abroad', undefined, { address: { state: 'Dubai', country: 'AE' } }, '96'],
    ["the seller's state", undefined, {}, '27'],
  ])('%s', (_, requestedState, customer, expected) => {
    expect(placeOfSupply(requestedState, { customer, seller })).toBe(expected)
  })

  const GOODS = [{ hsn: '6211' }, { hsn: null }]
  const AT = (state: string, country = 'IN') => ({ state, country })
  test.each([
    ['where goods are delivered', undefined, { address: AT('27'), delivery: AT('29') }, GOODS, '29'],
    [
      'where goods without HSN are delivered',
      undefined,
      { address: AT('29'), delivery: AT('27') },
      [{}],
      '27',
    ],
    [
      'abroad, where goods are delivered there',
      undefined,
      { address: AT('27'), delivery: AT('Dubai', 'AE') },
      GOODS,
      '96',
    ],
    [
      'the address of a customer of services',
      undefined,
      { address: AT('27'), delivery: AT('29') },
      [{ hsn: '9983' }],
      '27',
    ],
    [
      'the state of the GSTIN, wherever goods go',
      undefined,
      { gstin: '29ABCDE1234F1ZW', delivery: AT('27') },
      GOODS,
      '29',
    ],
    [
      'where goods go for an embassy',
      undefined,
      { gstin: '0717UNO00154UNU', delivery: AT('29') },
      GOODS,
      '29',
    ],
    ['the address of an embassy', undefined, { gstin: '0717UNO00154UNU', address: AT('06') }, GOODS, '06'],
    ['the state of its number, else', undefined, { gstin: '0717UNO00154UNU' }, GOODS, '07'],
    ['abroad for a provider from there', undefined, { gstin: '9917SGP29001OST' }, GOODS, '96'],
    ['as given', '07', { delivery: AT('29') }, GOODS, '07'],
  ])('%s', (_, requestedState, customer, lines, expected) => {
    expect(placeOfSupply(requestedState, { customer, seller, lines })).toBe(expected)
  })

  test('UTGST applies in union territories without a legislature', () => {
    const territories = ['04', '26', '31', '35', '38', '97']
    expect(territories.map(stateTaxName)).toEqual(territories.map(() => 'UTGST'))
    expect(['07', '27', '34'].map(stateTaxName)).toEqual(['SGST', 'SGST', 'SGST'])
    expect(stateCode('Jammu & Kashmir')).toBe('01')
  })
})

describe('numbers', () => {
  test('a financial year begins on its first day', () => {
    expect(financialYearOf('2026-03-31', '04-01')).toBe('2025-04-01')
    expect(financialYearOf('2026-04-01', '04-01')).toBe('2026-04-01')
    expect(nextFinancialYear('2026-04-01', 9)).toBe('2035-04-01')
  })

  test('contain the year, and have at most sixteen characters', () => {
    const number = documentNumber({ prefix: 'INV/{FY}/', digits: 4 }, '2026-04-01', 7)
    expect(number).toBe('INV/26-27/0007')
    expect(documentNumber({ prefix: '{FY}-', digits: 1 }, '2099-04-01', 12)).toBe('99-00-12')
    expect([number, '/1', 'INV 1', 'A'.repeat(17)].map(isDocumentNumber)).toEqual([true, false, false, false])
  })
})

describe('amounts in words', () => {
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
})
