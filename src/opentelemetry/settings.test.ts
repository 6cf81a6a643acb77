import { expect, test } from 'vitest'
import { parsePairs, parseRatio, parseWhole } from './settings.ts'

test('pairs have percent-encoded values, and spaces around them do not count', () => {
  expect(parsePairs('authorization=Basic%20abc%3D, x-tenant = a=b ,')).toEqual({
    value: { authorization: 'Basic abc=', 'x-tenant': 'a=b' },
  })
})

test.each(['novalue', '=value', 'bad name=1', 'a=%E0%A4%A', 'a=line%0D%0Abreak'])('%s is no pair', (text) => {
  expect(parsePairs(text)).toHaveProperty('problem')
})

test('a ratio is from 0 to 1', () => {
  expect(['0', '0.01', '1'].map((text) => parseRatio(text))).toEqual([
    { value: 0 },
    { value: 0.01 },
    { value: 1 },
  ])
  for (const text of ['1.1', '-1', 'half', '', '0.0.1']) expect(parseRatio(text)).toHaveProperty('problem')
})

test('a whole number is in its range', () => {
  expect(parseWhole(1, 10)('10')).toEqual({ value: 10 })
  for (const text of ['0', '11', '1.5', '1e3', '']) expect(parseWhole(1, 10)(text)).toHaveProperty('problem')
})
