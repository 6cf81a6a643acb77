import { expect, test } from 'vitest'
import { csvLine } from '../../src/core/values/csv.ts'
import { csvOf } from './csv.ts'

test('cells are quoted where necessary, and no text becomes a formula', () => {
  expect(
    csvOf([
      ['Name', 'Value'],
      ['Rao, "Asha"', -5],
      ['=HYPERLINK("x")', null],
      ['two\nlines', '-1+2'],
    ]),
  ).toBe(`Name,Value\r\n"Rao, ""Asha""",-5\r\n"'=HYPERLINK(""x"")",\r\n"two\nlines",'-1+2\r\n`)
})

test.each([
  ['=1+1', "'=1+1"],
  ['  =1+1', "'  =1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM', "'＠SUM"],
  ['\tx', `"'\tx"`],
  ['x;=1+1', '"x;=1+1"'],
  ['x\t=1+1', '"x\t=1+1"'],
  ['\n=1', `"'\n=1"`],
  ['a, "b"', '"a, ""b"""'],
  ['1 = 1', '1 = 1'],
  [-5, '-5'],
  [null, ''],
])('the pages and the server write %j as the same cell', (value, cell) => {
  expect(csvOf([[value]])).toBe(`${cell}\r\n`)
  expect(csvLine([value])).toBe(`${cell}\r\n`)
})
