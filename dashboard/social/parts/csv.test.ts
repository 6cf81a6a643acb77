import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('writes rows, and quotes what would break them', () => {
  expect(
    csvOf([
      ['Figure', 'Value'],
      ['Views, in all', 1200],
      ['Said "yes"', null],
    ]),
  ).toBe('Figure,Value\r\n"Views, in all",1200\r\n"Said ""yes""",\r\n')
})

test('keeps a formula a text, and a negative number a number', () => {
  expect(csvOf([['=1+1', -3]])).toBe("'=1+1,-3\r\n")
})
