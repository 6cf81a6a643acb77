import { expect, test } from 'vitest'
import { type CalendarEntry, calendarFile } from './ics.ts'

const entry: CalendarEntry = {
  id: 'b1',
  changes: 2,
  status: 'CONFIRMED',
  startAt: new Date('2026-03-10T10:00:00Z'),
  endAt: new Date('2026-03-10T11:00:00Z'),
  changedAt: new Date('2026-03-01T00:00:00.500Z'),
  summary: 'Haircut',
  location: null,
}

test('a calendar file has the times in UTC, and the number of changes', () => {
  const lines = calendarFile(entry).split('\r\n')
  expect(lines).toEqual(
    expect.arrayContaining(['UID:b1', 'SEQUENCE:2', 'STATUS:CONFIRMED', 'SUMMARY:Haircut']),
  )
  expect(lines).toEqual(
    expect.arrayContaining([
      'DTSTAMP:20260301T000000Z',
      'DTSTART:20260310T100000Z',
      'DTEND:20260310T110000Z',
    ]),
  )
  expect(lines.at(-1)).toBe('')
  expect(lines.some((line) => line.startsWith('LOCATION'))).toBe(false)
})

test.each([
  ['a, b; c\\d', 'a\\, b\\; c\\\\d'],
  ['two\r\nlines\nmore', 'two\\nlines\\nmore'],
  ['\r\nATTACH:http://example.com', '\\nATTACH:http://example.com'],
])('the text %j is escaped', (text, escaped) => {
  expect(calendarFile({ ...entry, location: text })).toContain(`LOCATION:${escaped}\r\n`)
})

test.each(['x'.repeat(300), 'आ'.repeat(100), '😀'.repeat(60)])(
  'lines have at most 75 octets, and whole characters',
  (summary) => {
    const file = calendarFile({ ...entry, summary })
    for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(file.replaceAll('\r\n ', '')).toContain(`SUMMARY:${summary}`)
  },
)
