import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('cells are quoted where they must be, and no text becomes a formula', () => {
  expect(
    csvOf([
      ['Name', 'Value'],
      ['Rao, "Asha"', -5],
      ['=HYPERLINK("x")', null],
      ['two\nlines', '-1+2'],
    ]),
  ).toBe(`Name,Value\r\n"Rao, ""Asha""",-5\r\n"'=HYPERLINK(""x"")",\r\n"two\nlines",'-1+2\r\n`)
})
