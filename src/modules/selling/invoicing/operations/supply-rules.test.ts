import { expect, test } from 'vitest'
import { type SupplyFacts, supplyIssues } from './supply-rules.ts'

const ABROAD = { line1: '1 Main Street', city: 'Dubai', state: 'Dubai', country: 'AE' } as const
const AT_HOME = { line1: '1 MG Road', city: 'Pune', state: '27', country: 'IN' } as const
const GOODS = [{ description: 'Kurta', hsn: '6211', quantity: 1, unit: 'NOS', unitMinor: 100, taxRate: 5 }]
const GSTIN = '27AAPFU0939F1ZV'

const facts = (more: object = {}): SupplyFacts =>
  ({
    placeOfSupply: '27',
    supplyType: 'regular',
    reverseCharge: false,
    customer: {},
    lines: GOODS,
    ...more,
  }) as unknown as SupplyFacts

const exported = { placeOfSupply: '96', customer: { billingAddress: ABROAD } }

test.each<[string, object]>([
  ['a supply at home', {}],
  [
    'goods that are delivered in the state',
    { customer: { billingAddress: ABROAD, shippingAddress: AT_HOME } },
  ],
  ['an export to an address abroad', { supplyType: 'export_lut', ...exported }],
  ['an export without an address', { supplyType: 'export_tax', placeOfSupply: '96' }],
  ['a special economic zone', { supplyType: 'sez', customer: { gstin: GSTIN } }],
  [
    'reverse charge of a zone that pays tax',
    { supplyType: 'sez', reverseCharge: true, customer: { gstin: GSTIN } },
  ],
])('%s is allowed', (_title, more) => {
  expect(supplyIssues(facts(more), 'regular')).toEqual([])
})

test.each<[string, object, string[]]>([
  ['an export at home', { supplyType: 'export_lut', customer: { billingAddress: AT_HOME } }, ['supplyType']],
  [
    'an export that is delivered at home',
    {
      supplyType: 'export_lut',
      placeOfSupply: '96',
      customer: { billingAddress: ABROAD, shippingAddress: AT_HOME },
    },
    ['supplyType'],
  ],
  [
    'an export with reverse charge',
    { supplyType: 'export_tax', reverseCharge: true, ...exported },
    ['reverseCharge'],
  ],
  ['a zone without a GSTIN', { supplyType: 'sez' }, ['customer.gstin']],
  [
    'a zone with the GSTIN of an embassy',
    { supplyType: 'sez', customer: { gstin: '0717UNO00154UNU' } },
    ['customer.gstin'],
  ],
  [
    'a zone abroad',
    { supplyType: 'sez', placeOfSupply: '96', customer: { gstin: GSTIN } },
    ['placeOfSupply'],
  ],
  [
    'a zone under a letter of undertaking with reverse charge',
    { supplyType: 'sez_lut', reverseCharge: true, customer: { gstin: GSTIN } },
    ['reverseCharge'],
  ],
  [
    'another place than the delivery',
    { placeOfSupply: '29', customer: { shippingAddress: AT_HOME } },
    ['placeOfSupply'],
  ],
])('%s is not allowed, and the error names the field', (_title, more, paths) => {
  expect(supplyIssues(facts(more), 'regular').map(({ path }) => path)).toEqual(paths)
})

test.each(['composition', 'none'] as const)('the tax scheme %s allows only regular supplies', (scheme) => {
  expect(supplyIssues(facts({ supplyType: 'sez' }), scheme)).toMatchObject([{ path: 'supplyType' }])
  expect(supplyIssues(facts(), scheme)).toEqual([])
})
