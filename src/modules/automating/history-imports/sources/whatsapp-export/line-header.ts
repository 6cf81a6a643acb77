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
  /** All three numbers have one or two digits, so the first can be the year. */
  isShort: boolean
  /** Korean phones write short years first. */
  hasHangul: boolean
  sign: string
  hour: number
  minute: number
  second60: number
}

/**
 * A line that begins a message. `form`: how the line writes its time; all lines of a chat have the same. `sender` is undefined for
 * a line of the app itself.
 */
export type MessageStart = { stamp: Stamp; form: string; sender: string | undefined; text: string }

/** Characters of a line that can contain its date, time, and separator. */
const MAX_HEADER = 120
const MAX_SENDER = 200
/** The first number can be a short year. */
const MAX_SHORT_YEAR = 60
const HANGUL = /\p{Script=Hangul}/u
/** Marks of direction, byte order marks, and other signs without width. */
const MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g
const SPACES = /[\u00a0\u202f\u2009]/g

const DATE = String.raw`(?<part1>\d{1,4})(?<sign>[./-]) ?(?<part2>\d{1,2})[./-] ?(?<part3>\d{1,4})\.?`
const TIME = String.raw`(?<hours>\d{1,2})[:.](?<minutes>\d{2})(?:[:.](?<seconds>\d{2}))?`
/** One kind of phones writes the time in brackets, the other puts a dash after it. */
const END = String.raw`(?:\] ?| [-–] )`
const DATE_FIRST = new RegExp(String.raw`^\[?${DATE}(?<before>\D{1,24}?)${TIME}(?<after>\D{0,20}?)${END}`)
const TIME_FIRST = new RegExp(String.raw`^\[?${TIME}(?<after>\D{1,24}?)${DATE}(?<before>\D{0,20}?)${END}`)

// cspell:disable
/** Words for the first and the second half of the day, as the locales of phones have them, without spaces and signs. */
const AM = new Set(
  'a am sa pg sf vm pd dop ap de fm fh öö πμ to bn gh priekšp priešpiet дп тң үө претпл ص صباحا غم صبح قظ पूर्वाह्न পূৰ্বাহ্ন පෙව 上午 凌晨 清晨 早上 오전 午前 နံနက် ກ່ອນທ່ຽງ ጥዋት àárọ̀'
    .normalize('NFC')
    .split(' '),
)
const PM = new Set(
  'p pm ch ptg ym nm md odp ip du em eh ös μμ tk pn gd pēcp popiet pop пп тк попл үх م مساء غو شام بظ अपराह्न অপৰাহ্ন පව 下午 晚上 傍晚 오후 午後 ညနေ ຫຼັງທ່ຽງ ከሰዓት ọ̀sán'
    .normalize('NFC')
    .split(' '),
)
const NOON = new Set(['中午', '正午'])
// cspell:enable
const LAST_HOUR_BEFORE_NOON = 11

/** Returns a text without invisible marks, with plain spaces. */
export const plainText = (text: string): string => text.replaceAll(MARKS, '').replaceAll(SPACES, ' ')

const plainWord = (word: string): string =>
  word
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}]|\u064b/gu, '')

/** Returns the hour of the day; undefined for an impossible one. `words`: between the date and the time, or after the time. */
function hourOf(hour: number, words: string): number | undefined {
  // "p. m." is one word, "ч. pm" has two.
  const found = [words, ...words.split(' ')].map(plainWord)
  const has = (known: ReadonlySet<string>) => found.some((word) => known.has(word))
  if (has(NOON)) return hour >= LAST_HOUR_BEFORE_NOON ? hour : hour + 12
  const isPm = has(PM)
  if (!isPm && !has(AM)) return hour <= 24 ? hour % 24 : undefined
  if (hour < 1 || hour > 12) return hour <= 23 ? hour : undefined
  return (hour % 12) + (isPm ? 12 : 0)
}

/** Returns the beginning of a message; undefined for a line that continues one. */
export function messageStart(line: string): MessageStart | undefined {
  const head = plainDigits(plainText(line.slice(0, MAX_HEADER)))
  const isTimeFirst = !DATE_FIRST.test(head)
  const match = (isTimeFirst ? TIME_FIRST : DATE_FIRST).exec(head)
  if (!match) return undefined
  const { part1, sign, part2, part3, before, hours, minutes, seconds, after } = match.groups!
  const isYearFirst = part1!.length === 4
  const [first, second] = isYearFirst ? [Number(part2), Number(part3)] : [Number(part1), Number(part2)]
  const hour = hourOf(Number(hours), after!.trim() || before!.trim())
  if (hour === undefined || Number(minutes) > 59 || Number(seconds ?? 0) > 59) return undefined
  if (first < 1 || second < 1 || first > MAX_SHORT_YEAR || second > 31) return undefined
  const stamp = {
    year: yearOf(isYearFirst ? part1! : part3!),
    first,
    second,
    isYearFirst,
    isShort: part1!.length < 3 && part3!.length < 3,
    hasHangul: HANGUL.test(match[0]),
    sign: sign!,
    hour,
    minute: Number(minutes),
    second60: Number(seconds ?? 0),
  }
  const form = `${head.startsWith('[') ? 'brackets' : 'dash'} ${isTimeFirst ? 'time first' : 'date first'}`
  const rest = restAfter(line, match[0].length)
  const plain = plainText(rest)
  const colon = plain.slice(0, MAX_SENDER + 2).search(/:(?: |$)/)
  const sender = plain.slice(0, Math.max(0, colon)).trim()
  if (colon < 1 || sender.includes(':') || isSentence(sender))
    return { stamp, form, sender: undefined, text: rest }
  // The text keeps its marks: a mark at its beginning shows lines of the app.
  return { stamp, form, sender, text: rest.slice(rest.indexOf(':') + 1).replace(/^ /, '') }
}

/** Short years of the Buddhist calendar begin here, because the chat app is younger. */
const FIRST_BUDDHIST_YEAR = 52

function yearOf(digits: string): number {
  const year = Number(digits)
  if (digits.length > 2) return year
  return year + (year < FIRST_BUDDHIST_YEAR ? 2_000 : 2_500)
}

const MAX_NAME = 60
/** A notice of the app can contain a colon: "The security code changed. Tap to learn more: …" */
const isSentence = (sender: string): boolean => sender.length > MAX_NAME && /[.!?] |[。！？]/.test(sender)

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
