/**
 * Reads the beginning of a message in an exported chat: date, time, and writer, in the formats of both kinds of phones and of many
 * languages.
 */
import { plainDigits } from '../../../../../core/values/plain-digits.ts'

/** The parts of a time as written. `first` and `second` are day and month in an order that the file decides. */
export type Stamp = {
  year: number
  first: number
  second: number
  /** The year came first, so the month follows it. */
  isYearFirst: boolean
  sign: string
  hour: number
  minute: number
  second60: number
}

/** A line that begins a message. `sender` is undefined for a line of the app itself. */
export type MessageStart = { stamp: Stamp; sender: string | undefined; text: string }

/** Characters of a line that can contain its date, time, and separator. */
const MAX_HEADER = 120
const MAX_SENDER = 200
/** Marks of direction, byte order marks, and other signs without width. */
const MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g
const SPACES = /[\u00a0\u202f\u2009]/g

const HEADER =
  /^\[?(\d{1,4})([./-]) ?(\d{1,2})[./-] ?(\d{1,4})\.?(\D{1,24}?)(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(\D{0,20}?)(?:\] ?| [-–] )/

const AM = new Set([
  'am',
  'a',
  '上午',
  '오전',
  '午前',
  'ص',
  'صباحا',
  'पूर्वाह्न',
  'πμ',
  'sa',
  'öö',
  'de',
  'fm',
  'dop',
])
const PM = new Set([
  'pm',
  'p',
  '下午',
  '오후',
  '午後',
  'م',
  'مساء',
  'अपराह्न',
  'μμ',
  'ch',
  'ös',
  'du',
  'em',
  'odp',
])

/** Returns a text without invisible marks, with plain spaces. */
export const plainText = (text: string): string => text.replaceAll(MARKS, '').replaceAll(SPACES, ' ')

/** Returns the hour of the day; undefined for an impossible one. */
function hourOf(hour: number, words: string): number | undefined {
  const word = words
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[\s.,،à-]|\u064b/g, '')
  const isPm = PM.has(word)
  if (!isPm && !AM.has(word)) return hour <= 24 ? hour % 24 : undefined
  if (hour < 1 || hour > 12) return hour <= 23 ? hour : undefined
  return (hour % 12) + (isPm ? 12 : 0)
}

/** Returns the beginning of a message; undefined for a line that continues one. */
export function messageStart(line: string): MessageStart | undefined {
  const head = plainDigits(plainText(line.slice(0, MAX_HEADER)))
  const match = HEADER.exec(head)
  if (!match) return undefined
  const [header, part1, sign, part2, part3, between, hours, minutes, seconds, after] = match
  const isYearFirst = part1!.length === 4
  const year = Number(isYearFirst ? part1 : part3)
  const [first, second] = isYearFirst ? [Number(part2), Number(part3)] : [Number(part1), Number(part2)]
  const hour = hourOf(Number(hours), `${after!.trim()}` || between!.trim())
  if (hour === undefined || Number(minutes) > 59 || Number(seconds ?? 0) > 59) return undefined
  if (first < 1 || second < 1 || first > 31 || second > 31) return undefined
  const stamp = {
    year: year < 100 ? 2_000 + year : year,
    first,
    second,
    isYearFirst,
    sign: sign!,
    hour,
    minute: Number(minutes),
    second60: Number(seconds ?? 0),
  }
  const rest = restAfter(line, header.length)
  const colon = plainText(rest)
    .slice(0, MAX_SENDER + 2)
    .search(/:(?: |$)/)
  if (colon < 1) return { stamp, sender: undefined, text: rest }
  const plain = plainText(rest)
  const sender = plain.slice(0, colon).trim()
  // The text keeps its marks: a mark at its beginning shows lines of the app.
  const text = rest.slice(rest.indexOf(':') + 1).replace(/^ /, '')
  return sender.includes(':') ? { stamp, sender: undefined, text: rest } : { stamp, sender, text }
}

/** Returns the part of a line after its first `count` characters without marks. */
function restAfter(line: string, count: number): string {
  let seen = 0
  let at = 0
  while (at < line.length && seen < count) {
    if (plainText(line[at]!) !== '') seen++
    at++
  }
  return line.slice(at)
}
