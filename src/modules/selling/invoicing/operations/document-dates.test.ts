import { expect, test } from 'vitest'
import { datesOf } from './document-dates.ts'

const DAY = '2026-03-30'
const settings = { dueDays: 7, validDays: 15 }
const noDates = { dueDate: null, validUntil: null }

test.each([
  ['an invoice', { kind: 'invoice', ...noDates }, { dueDate: '2026-04-06', validUntil: null }],
  ['a quotation', { kind: 'quotation', ...noDates }, { dueDate: null, validUntil: '2026-04-14' }],
  ['a proforma', { kind: 'proforma', ...noDates }, { dueDate: '2026-04-06', validUntil: '2026-04-14' }],
  ['a voucher, which is paid', { kind: 'voucher', dueDate: '2026-05-01', validUntil: '2026-05-01' }, noDates],
  [
    'an invoice with a due date',
    { kind: 'invoice', dueDate: DAY, validUntil: null },
    { dueDate: DAY, validUntil: null },
  ],
] as const)('the dates of %s', (_title, row, dates) => {
  expect(datesOf(row, DAY, settings)).toEqual(dates)
})

test('without days in the settings there are no dates', () => {
  const row = { kind: 'proforma', ...noDates } as const
  expect(datesOf(row, DAY, { dueDays: null, validDays: null })).toEqual(noDates)
})

test('dates before the day of issue are invalid', () => {
  const row = { kind: 'invoice', dueDate: '2026-03-29', validUntil: '2026-03-01' } as const
  expect(() => datesOf(row, DAY, settings)).toThrow(
    expect.objectContaining({
      details: {
        issues: [
          { path: 'dueDate', message: expect.any(String) },
          { path: 'validUntil', message: expect.any(String) },
        ],
      },
    }),
  )
})
