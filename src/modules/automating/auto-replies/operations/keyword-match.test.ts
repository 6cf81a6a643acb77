import { expect, test } from 'vitest'
import { keywordMatcher } from './keyword-match.ts'

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
])('as a whole word, with no letter of any script next to it: %s contains price: %s', (text, expected) => {
  expect(keywordMatcher(text)(['Price'], 'word')).toBe(expected)
})

test.each([
  ['caf\u00e9', 'cafe\u0301'],
  ['\u095b\u0930\u0942\u0930', '\u091c\u093c\u0930\u0942\u0930'],
  ['İSTANBUL', 'istanbul'],
  ['istanbul', 'İstanbul'],
  ['GRÖSSE', 'größe'],
  ['ΟΔΟΣ', 'οδος'],
  ['\u200eprice\u200f', 'price'],
  ['price', 'pri\u200bce\ufeff'],
  ['❤\ufe0f', '❤'],
  ['ＰＲＩＣＥ　２', 'price 2'],
])('in one case and one spelling, without invisible characters: %j is %j', (text, keyword) => {
  expect(keywordMatcher(text)([keyword], 'exact')).toBe(true)
  expect(keywordMatcher(`so ${text}, please`)([keyword], 'word')).toBe(true)
})

test('a keyword of invisible characters is in no message', () => {
  expect(keywordMatcher('price')(['\u200b'], 'contains')).toBe(false)
  expect(keywordMatcher('price')(['\u200b'], 'starts')).toBe(false)
})
