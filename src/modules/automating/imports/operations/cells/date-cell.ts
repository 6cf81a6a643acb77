/**
 * Reads dates and times in the formats of people and spreadsheets of all countries. The column decides
 * ambiguous cells.
 */
import { plainDigits } from '../../../../../core/values/plain-digits.ts'

export type DayOrder = 'dayFirst' | 'monthFirst'

const MAX_CHARACTERS = 60
const LANGUAGES = ['en', 'hi', 'pt', 'es', 'fr', 'de', 'it', 'nl', 'id', 'ru', 'tr']

let months: Map<string, number> | undefined

const monthKey = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/\./g, '')
    .toLowerCase()

/** Returns the month with this name, full or short, in several languages. */
function monthOf(name: string): number | undefined {
  months ??= new Map(
    LANGUAGES.flatMap((language) =>
      (['long', 'short'] as const).flatMap((width) => {
        const format = new Intl.DateTimeFormat(`${language}-u-nu-latn-ca-gregory`, {
          day: 'numeric',
          month: width,
          timeZone: 'UTC',
        })
        return Array.from({ length: 12 }, (_, month): [string, number] => [
          monthKey(
            format.formatToParts(Date.UTC(2001, month, 15)).find(({ type }) => type === 'month')!.value,
          ),
          month + 1,
        ])
      }),
    ).reverse(),
  )
  return months.get(monthKey(name)) ?? months.get(monthKey(name).slice(0, 3))
}

/** Time zones with unambiguous names. Other abbreviations differ between countries. */
const ZONES: Record<string, string> = {
  z: '+00:00',
  utc: '+00:00',
  gmt: '+00:00',
  ist: '+05:30',
  est: '-05:00',
  edt: '-04:00',
  cst: '-06:00',
  cdt: '-05:00',
  pst: '-08:00',
  pdt: '-07:00',
  cet: '+01:00',
  cest: '+02:00',
}
const TIME =
  /^(\d{1,2})(?:[:.](\d{2}))?(?:[:.](\d{2})(?:[.,]\d{1,9})?)?\s*([ap])?\.?\s?(?:m\.?)?\s*(?:\(?(?:(z|[a-z]{3,4})?\s?([+-]\d{1,2}(?::?\d{2})?)?)\)?)?$/i

/** Returns an offset such as `+0530` as `+05:30`. */
function offsetOf(text: string): string | undefined {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(text) ?? []
  return hours === undefined ? undefined : `${sign}${hours.padStart(2, '0')}:${minutes}`
}

type Time = { time: Temporal.PlainTime; offset: string | undefined }

function timeIn(text: string): Time | undefined {
  const [, hourText, minute, second = '0', half, zone, shift] = TIME.exec(text) ?? []
  if (hourText === undefined || (minute === undefined && half === undefined)) return undefined
  const zoneOffset = zone === undefined ? undefined : ZONES[zone.toLowerCase()]
  if (zone !== undefined && zoneOffset === undefined) return undefined
  const offset = shift === undefined ? zoneOffset : offsetOf(shift)
  let hour = Number(hourText)
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  }
  if (hour > 23 || Number(minute ?? 0) > 59 || Number(second) > 59) return undefined
  return {
    time: Temporal.PlainTime.from({ hour, minute: Number(minute ?? 0), second: Number(second) }),
    offset,
  }
}

/** The parts of a date as written. Numeric dates have one of two orders. */
type Parts =
  | { year: number; month: number; day: number; time: string }
  | { year: number; first: number; second: number; sign: string; time: string }

const WEEKDAY = /^\p{L}{2,12}\.?,?\s+(?=\d|\p{L}{3,12}\.?\s+\d)/u
const YEAR_FIRST = /^(\d{4})[-/.\s](\d{1,2})[-/.\s](\d{1,2})(?![\d])(.*)$/s
const FIGURES = /^(\d{1,2})\s?([-/.\s])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?!\d)(.*)$/s
const DAY_NAME_YEAR =
  /^(\d{1,2})(?:st|nd|rd|th|º|\.)?[-\s/,]*(?:de\s+|of\s+)?(\p{L}[\p{L}\p{M}]{2,14})\.?[-\s/,]*(?:de\s+)?'?(\d{4}|\d{2})(?!\d)(.*)$/su
const NAME_DAY_YEAR =
  /^(\p{L}[\p{L}\p{M}]{2,14})\.?[-\s]+(\d{1,2})(?:st|nd|rd|th)?[-\s,]+(\d{4})(?!\d)(.*)$/su
const YEAR_NAME_DAY = /^(\d{4})[-\s/](\p{L}[\p{L}\p{M}]{2,14})\.?[-\s/](\d{1,2})(?!\d)(.*)$/su
const COMPACT = /^((?:19|20)\d{2})(\d{2})(\d{2})$/
/** Days since the end of 1899, as in spreadsheets: 1954 to 2119. */
const SERIAL = /^([2-7]\d{4})(?:[.,](\d{1,12}))?$/
const SERIAL_BEGIN = '1899-12-30'
const DAY_SECONDS = 86_400

/** Returns the year for two digits: at most ten years ahead. */
function fullYear(text: string, thisYear: number): number {
  if (text.length === 4) return Number(text)
  const year = Math.floor(thisYear / 100) * 100 + Number(text)
  return year > thisYear + 10 ? year - 100 : year
}

function partsOfName(year: number, month: string, day: string, time: string): Parts | undefined {
  const number = monthOf(month)
  return number === undefined ? undefined : { year, month: number, day: Number(day), time }
}

/** Reads the parts with or without the day of the week, because some months are written like days. */
const partsOf = (text: string, thisYear: number): Parts | undefined =>
  partsWithout(text, thisYear) ?? partsWithout(text.replace(WEEKDAY, ''), thisYear)

function partsWithout(text: string, thisYear: number): Parts | undefined {
  const numericDate = COMPACT.exec(text) ?? YEAR_FIRST.exec(text)
  if (numericDate) {
    const [, year, month, day, time = ''] = numericDate
    return { year: Number(year), month: Number(month), day: Number(day), time }
  }
  const figures = FIGURES.exec(text)
  if (figures) {
    const [, first, sign, second, year, time] = figures
    return {
      year: fullYear(year!, thisYear),
      first: Number(first),
      second: Number(second),
      sign: sign!,
      time: time!,
    }
  }
  const dayFirst = DAY_NAME_YEAR.exec(text)
  if (dayFirst) return partsOfName(fullYear(dayFirst[3]!, thisYear), dayFirst[2]!, dayFirst[1]!, dayFirst[4]!)
  const nameFirst = NAME_DAY_YEAR.exec(text)
  if (nameFirst) return partsOfName(Number(nameFirst[3]), nameFirst[1]!, nameFirst[2]!, nameFirst[4]!)
  const yearFirst = YEAR_NAME_DAY.exec(text)
  return yearFirst
    ? partsOfName(Number(yearFirst[1]), yearFirst[2]!, yearFirst[3]!, yearFirst[4]!)
    : undefined
}

const plainText = (cell: string): string =>
  plainDigits(cell)
    .replace(/[\u200e\u200f]/g, '')
    .replace(/[\u00a0\u202f]/g, ' ')
    .trim()

/** A day, or the time if the cell has one. */
export type DateValue = { day: string } | { at: Date }
export type DateReading = DateValue | { either: [string, string] } | undefined
/** `order`: of day and month in numeric dates; null if the column doesn't decide. */
export type DateFormat = { order: DayOrder | null; timezone: string; thisYear: number }

const dayOf = (year: number, month: number, day: number): Temporal.PlainDate | undefined => {
  if (year < 1 || month < 1 || month > 12 || day < 1) return undefined
  const date = Temporal.PlainDate.from({ year, month, day })
  // A day beyond the end of the month would move to the next month.
  return date.day === day ? date : undefined
}

function withTime(date: Temporal.PlainDate, timeText: string, timezone: string): DateValue | undefined {
  const text = timeText.replace(/^[\sT,]+|(?<=\d)\s*hrs?$/gi, '').trim()
  if (text === '') return /^\s*T/.test(timeText) ? undefined : { day: date.toString() }
  const time = timeIn(text)
  if (!time) return undefined
  const zone = time.offset ?? timezone
  const zoned = date.toZonedDateTime({ timeZone: zone, plainTime: time.time })
  return { at: new Date(zoned.epochMilliseconds) }
}

function serialDate(days: string, fraction: string | undefined, timezone: string): DateValue {
  const date = Temporal.PlainDate.from(SERIAL_BEGIN).add({ days: Number(days) })
  const seconds = Math.round(Number(`0.${fraction ?? 0}`) * DAY_SECONDS)
  if (seconds === 0) return { day: date.toString() }
  const zoned = date.toPlainDateTime().add({ seconds }).toZonedDateTime(timezone)
  return { at: new Date(zoned.epochMilliseconds) }
}

const inOrder = (parts: { year: number; first: number; second: number }, order: DayOrder) =>
  order === 'dayFirst'
    ? dayOf(parts.year, parts.second, parts.first)
    : dayOf(parts.year, parts.first, parts.second)

/** Returns the date in a cell; both dates if the column doesn't decide; undefined if the cell has no date. */
export function dateIn(cell: string, { order, timezone, thisYear }: DateFormat): DateReading {
  if (cell.length > MAX_CHARACTERS || !/\p{Nd}/u.test(cell)) return undefined
  const text = plainText(cell)
  const [, days, fraction] = SERIAL.exec(text) ?? []
  if (days !== undefined) return serialDate(days, fraction, timezone)
  const parts = partsOf(text, thisYear)
  if (!parts) return undefined
  if ('day' in parts) {
    const date = dayOf(parts.year, parts.month, parts.day)
    return date && withTime(date, parts.time, timezone)
  }
  const [dayFirst, monthFirst] = [inOrder(parts, 'dayFirst'), inOrder(parts, 'monthFirst')]
  // A number over 12 is certainly the day, regardless of the other cells in the column.
  const chosen = orderOf(parts) ?? order
  const date = chosen === 'dayFirst' ? dayFirst : chosen === 'monthFirst' ? monthFirst : undefined
  if (date) return withTime(date, parts.time, timezone)
  if (chosen !== null || !dayFirst || !monthFirst) return undefined
  if (dayFirst.equals(monthFirst)) return withTime(dayFirst, parts.time, timezone)
  return { either: [dayFirst.toString(), monthFirst.toString()] }
}

/**
 * Returns the order that the digits show: a number over 12 is a day, and dots separate day and month in that
 * order.
 */
function orderOf({ first, second, sign }: { first: number; second: number; sign: string }): DayOrder | null {
  if (first > 12 && second <= 12) return 'dayFirst'
  if (second > 12 && first <= 12) return 'monthFirst'
  return sign === '.' ? 'dayFirst' : null
}

/** Returns the order of day and month that a cell shows for its column. `open`: either order is possible. */
export function dayOrderIn(cell: string): DayOrder | 'open' | undefined {
  if (cell.length > MAX_CHARACTERS) return undefined
  const text = plainText(cell)
  const figures = FIGURES.exec(/^\p{L}/u.test(text) ? text.replace(WEEKDAY, '') : text)
  if (!figures) return undefined
  const [first, second] = [Number(figures[1]), Number(figures[3])]
  const order = orderOf({ first, second, sign: figures[2]! })
  if (order !== null) return order
  return first === second || first > 12 ? undefined : 'open'
}
