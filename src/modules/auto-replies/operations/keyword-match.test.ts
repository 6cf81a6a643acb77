import { expect, test } from 'vitest'
import { matchesKeyword } from './keyword-match.ts'

test.each([
  ['price', true],
  ['the price?', true],
  ['😀price😀', true],
  ['prices', false],
  ['𐐨price', false],
  ['price𐐨', false],
  ['a price-list', true],
  ['priceprice', false],
  ['priceprice price', true],
  ['caprice', false],
  ['price\u0301', false],
])('as a whole word, with no letter of any script beside it: %s holds price: %s', (text, holds) => {
  expect(matchesKeyword(text, ['Price'], 'word')).toBe(holds)
})
