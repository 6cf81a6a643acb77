/** Writes a booking as a calendar file (RFC 5545). */
const MAX_OCTETS = 75

const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n')
const utc = (time: Date): string => `${time.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

/** Folds lines longer than 75 octets, never within a character. */
function folded(line: string): string {
  const rows: string[] = []
  let row = ''
  for (const character of line) {
    const max = rows.length === 0 ? MAX_OCTETS : MAX_OCTETS - 1
    if (Buffer.byteLength(row + character) > max) {
      rows.push(row)
      row = ''
    }
    row += character
  }
  return [...rows, row].join('\r\n ')
}

export type CalendarEntry = {
  id: string
  /** The number of changes so far. */
  changes: number
  status: 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED'
  startAt: Date
  endAt: Date
  changedAt: Date
  summary: string
  location: string | null
}

/** Returns a booking as a calendar file: times in UTC, the same UID after each change. */
export const calendarFile = (entry: CalendarEntry): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Parley//Bookings//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${entry.id}`,
    `SEQUENCE:${entry.changes}`,
    `DTSTAMP:${utc(entry.changedAt)}`,
    `DTSTART:${utc(entry.startAt)}`,
    `DTEND:${utc(entry.endAt)}`,
    `STATUS:${entry.status}`,
    `SUMMARY:${escaped(entry.summary)}`,
    ...(entry.location === null ? [] : [`LOCATION:${escaped(entry.location)}`]),
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]
    .map(folded)
    .join('\r\n')
