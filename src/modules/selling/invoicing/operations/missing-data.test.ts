import { expect, test } from 'vitest'
import { missingDataOf } from './missing-data.ts'

type Row = Parameters<typeof missingDataOf>[0]
type Settings = Parameters<typeof missingDataOf>[1]

const ADDRESS = { line1: '1 MG Road', city: 'Pune', state: '27', country: 'IN' }
const GSTIN = '27AAPFU0939F1ZV'
const SELLER = { legalName: 'Rao Traders', gstin: GSTIN, address: ADDRESS }
const row = (more: object = {}) =>
  ({
    kind: 'invoice',
    totalMinor: 10_000,
    placeOfSupply: '27',
    supplyType: 'regular',
    reverseCharge: false,
    customer: {},
    lines: [{ description: 'Kurta', hsn: '6211', quantity: 1, unit: 'NOS', unitMinor: 10_000, taxRate: 5 }],
    ...more,
  }) as unknown as Row
const settings = (more: object = {}) =>
  ({ seller: SELLER, taxScheme: 'regular', hsnDigits: 4, ...more }) as unknown as Settings

test.each<[string, object, object, string[]]>([
  ['nothing', {}, {}, []],
  ['a seller', {}, { seller: null }, ['seller']],
  ['an amount', { totalMinor: 0 }, {}, ['lines']],
  ['the GSTIN of the seller', {}, { seller: { ...SELLER, gstin: undefined } }, ['seller.gstin']],
  ['no GSTIN outside the tax', {}, { seller: { ...SELLER, gstin: undefined }, taxScheme: 'none' }, []],
  ['no GSTIN on a quotation', { kind: 'quotation' }, { seller: { ...SELLER, gstin: undefined } }, []],
  [
    'the own state under composition',
    { placeOfSupply: '29' },
    { taxScheme: 'composition' },
    ['placeOfSupply'],
  ],
  [
    'digits of HSN for a registered customer',
    { customer: { gstin: GSTIN } },
    { hsnDigits: 6 },
    ['lines[0].hsn'],
  ],
  ['no digits of HSN for others', {}, { hsnDigits: 6 }, []],
  ['the customer from ₹50,000', { totalMinor: 5_000_000 }, {}, ['customer.name', 'customer.billingAddress']],
  ['no customer below', { totalMinor: 4_999_999 }, {}, []],
  [
    'no more for a named customer',
    { totalMinor: 5_000_000, customer: { name: 'Asha', billingAddress: ADDRESS } },
    {},
    [],
  ],
  ['the rules of supplies', { supplyType: 'sez' }, {}, ['customer.gstin']],
])('an invoice lacks %s', (_title, more, rules, paths) => {
  expect(missingDataOf(row(more), settings(rules)).map(({ path }) => path)).toEqual(paths)
})
