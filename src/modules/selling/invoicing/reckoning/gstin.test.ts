import { expect, test } from 'vitest'
import { gstinCheckDigit, isGstin } from './gstin.ts'

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
])('the GSTIN of %s is valid: %s', (_, gstin) => {
  expect(isGstin(gstin)).toBe(true)
  const other = gstin.endsWith('A') ? 'B' : 'A'
  expect(isGstin(gstin.slice(0, -1) + other)).toBe(false)
})

test('a GSTIN of no state is invalid', () => {
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
