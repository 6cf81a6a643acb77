import { describe, expect, test } from 'vitest'
import { placeOfSupply } from './place-of-supply.ts'

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
})
