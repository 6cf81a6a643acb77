import { expect, test } from 'vitest'
import { cellOfApiKey, keyPrefix, looksLikeApiKey, newApiKey } from './api-key.ts'

test.each([
  [false, undefined, /^pk_live_[0-9A-Za-z]{38}$/, 'public', 12],
  [true, 'public', /^pk_test_[0-9A-Za-z]{38}$/, 'public', 12],
  [false, 'c7', /^pk_live_c7_[0-9A-Za-z]{38}$/, 'c7', 15],
  [true, 'north1', /^pk_test_north1_[0-9A-Za-z]{38}$/, 'north1', 19],
] as const)('a key (sandbox: %s) of the cell %s names it', (sandbox, cell, shape, expected, shown) => {
  const key = newApiKey(sandbox, cell)
  expect(key).toMatch(shape)
  expect(looksLikeApiKey(key)).toBe(true)
  expect(cellOfApiKey(key)).toBe(expected)
  expect(keyPrefix(key)).toBe(key.slice(0, shown))
})

test('a typing error is found without the database, also in the name of the cell', () => {
  const key = newApiKey(false, 'c7')
  expect(looksLikeApiKey(key.replace('_c7_', '_c8_'))).toBe(false)
  expect(looksLikeApiKey(key.replace('_c7_', '_'))).toBe(false)
  expect(looksLikeApiKey(key.replace('_c7_', '_c7__'))).toBe(false)
})
