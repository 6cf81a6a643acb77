import { expect, test } from 'vitest'
import {
  documentNumber,
  financialYearName,
  financialYearOf,
  isDocumentNumber,
  nextFinancialYear,
} from './numbers.ts'

test('a financial year begins on its first day', () => {
  expect(financialYearOf('2026-03-31', '04-01')).toBe('2025-04-01')
  expect(financialYearOf('2026-04-01', '04-01')).toBe('2026-04-01')
  expect(nextFinancialYear('2026-04-01', 9)).toBe('2035-04-01')
})

test('numbers contain the year, and have at most sixteen characters', () => {
  const number = documentNumber({ prefix: 'INV/{FY}/', digits: 4 }, '2026-04-01', 7)
  expect(number).toBe('INV/26-27/0007')
  expect(documentNumber({ prefix: '{FY}-', digits: 1 }, '2099-04-01', 12)).toBe('99-00-12')
  expect([number, '/1', 'INV 1', 'A'.repeat(17)].map(isDocumentNumber)).toEqual([true, false, false, false])
})

test.each([
  ['2026-04-01', '26-27'],
  ['2099-04-01', '99-00'],
  ['2026-01-01', '2026'],
])('the name of the year that begins on %s is %s', (firstDay, name) => {
  expect(financialYearName(firstDay)).toBe(name)
})
