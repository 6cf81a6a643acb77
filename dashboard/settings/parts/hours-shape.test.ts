import { describe, expect, test } from 'vitest'
import { endsNextDay, faultOf, faultOfDay, formOf, hoursOf } from './hours-shape.ts'

const range = (from: string, to: string) => ({ from, to })
const night = range('20:00', '04:00')

describe('a night is shown as one line', () => {
  test('and is sent as it was typed; only an end at midnight is sent as 24:00', () => {
    const hours = {
      timeZone: 'Asia/Kolkata',
      weekly: [
        { day: 5, ...night },
        { day: 6, ...range('00:00', '24:00') },
      ],
      overrides: [{ date: '2026-12-31', ranges: [range('18:00', '05:00')] }],
    }
    expect(formOf(hours).week[4]).toEqual([night])
    expect(hoursOf(formOf(hours))).toEqual(hours)
  })

  test.each([
    [night, true],
    [range('20:00', '00:00'), false],
    [range('09:00', '18:00'), false],
    [range('20:00', ''), false],
  ])('%j ends on the next day: %s', (hours, isNext) => {
    expect(endsNextDay(hours)).toBe(isNext)
  })
})

test.each([
  [[night], undefined],
  [[range('00:00', '00:00')], undefined],
  [[range('09:00', '09:00')], 'same'],
  [[range('09:00', '')], 'missing'],
  [[night, range('23:00', '00:00')], 'overlap'],
  [[night, range('04:00', '20:00')], undefined],
])('the hours of one day %j: %s', (ranges, fault) => {
  expect(faultOf(ranges)).toBe(fault)
})

test.each([
  [[night], [range('04:00', '12:00')], undefined],
  [[night], [range('03:00', '12:00')], 'nextDay'],
  [[range('20:00', '00:00')], [range('00:00', '12:00')], undefined],
])('%j before a day with %j: %s', (ranges, next, fault) => {
  expect(faultOf(ranges, next)).toBe(fault)
})

test('Sunday night continues into Monday', () => {
  const week = [[range('03:00', '12:00')], [], [], [], [], [], [night]]
  expect(week.map((_, index) => faultOfDay(week, index))).toEqual([...Array(6).fill(undefined), 'nextDay'])
})
