/**
 * Interprets a text as a phone number (spec 2.1, docs/clarifications.md). A reading lists the numbers to look up among stored
 * contacts, and the number to use when none of them is stored (modules/messaging/contacts/operations/settle-numbers.ts decides).
 */
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js'
import { callingCodeOfCountry } from './country.ts'
import { callingCodeOf, E164, fitsPlan, isMobile, isPlainlyPossible, possibleNumber } from './phone-plans.ts'
import { otherSpellings } from './phone-spellings.ts'
import { numbersIn, type WrittenDigits } from './phone-text.ts'

/** A number of this many digits without a country code belongs to the workspace's country (spec 2.1). */
const NATIONAL_DIGITS = 10
const REMEMBERED = 10_000
const MAX_REMEMBERED_CHARACTERS = 40

/** Known facts about a number besides its text. All codes are calling codes without `+` (`91`). */
export type NumberHints = {
  /** The workspace's country. */
  countryCode: string
  /** The country of the sending number; a new number without a country code gets it (spec 2.1). */
  sendingCode?: string | undefined
  /** The countries of the workspace's own numbers, to find numbers that an earlier send stored. */
  ownCodes?: readonly string[] | undefined
  /** The country given with the number: a column, a field, an address. In any spelling (`IN`, `India`, `+91`). */
  country?: string | null | undefined
}

/**
 * `stored`: numbers in E.164 to look up among stored contacts, the most likely first. `fresh`: the number to use when none of
 * them is stored; undefined if the text is not a possible number. `several`: the text contains more than one number.
 */
export type NumberReading = { stored: readonly string[]; fresh: string | undefined; several: boolean }

/** Reads a text as a phone number. Never throws. */
export function readNumber(input: string, hints: NumberHints): NumberReading {
  if (E164.test(input) && isPlainlyPossible(input)) return { stored: [input], fresh: input, several: false }
  return readCached(input, hints)
}

/**
 * Returns a text that is a number in E.164 with a single spelling: hints and stored contacts cannot change its meaning. Undefined
 * for any other text.
 */
export const certainNumber = (input: string): string | undefined =>
  E164.test(input) && isPlainlyPossible(input) && otherSpellings(input).length === 0 ? input : undefined

/** Whether the reading is the same for any stored contacts. */
export const isCertain = ({ stored, fresh }: NumberReading): boolean =>
  stored.length === 1 && stored[0] === fresh

/**
 * Returns the number in a text without a look-up of stored contacts, in E.164 with `+`; undefined if it is not a possible
 * number. `countryCode` is the calling code of numbers that are written without one.
 */
export const parsePhone = (input: string, countryCode: string, country?: string | null): string | undefined =>
  readNumber(input, { countryCode, country }).fresh

/** A chat-network user id, as the operator reports it. */
export const USER_ID = /^[A-Za-z0-9._-]{1,150}$/
const CHANNEL = 'chan:'

/** Returns the user id in `chan:<user id>`; undefined for any other text. */
export function userIdIn(input: string): string | undefined {
  const userId = input.startsWith(CHANNEL) ? input.slice(CHANNEL.length) : ''
  return USER_ID.test(userId) ? userId : undefined
}

const CONTACT = /^contact:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/**
 * Returns the id in `contact:<id>`, which names a customer without their number; undefined for any other text. Callers from whom
 * numbers are hidden address customers like this.
 */
export const contactIdIn = (input: string): string | undefined => CONTACT.exec(input)?.[1]?.toLowerCase()

/** Returns the digits of an E.164 number, as leads store them (spec 2.1). */
export const digitsOf = (e164: string): string => (e164.startsWith('+') ? e164.slice(1) : e164)

/** The code for an unknown country. */
const NO_COUNTRY = 'ZZ'
let countriesByCode: Map<string, readonly string[]> | undefined

/**
 * Returns the country (ISO 3166, `IN`) of a number in digits, or of a chat-network user id, which starts with its country; `ZZ`
 * if it is unknown.
 */
export function countryOf(recipient: string | null): string {
  if (recipient === null) return NO_COUNTRY
  if (!/^\d+$/.test(recipient)) return /^([A-Z]{2})\./.exec(recipient)?.[1] ?? NO_COUNTRY
  const e164 = `+${recipient}`
  countriesByCode ??= Map.groupBy(getCountries(), (country) => getCountryCallingCode(country))
  const countries = countriesByCode.get(callingCodeOf(e164) ?? '') ?? []
  // Few codes are shared by countries; only their numbers need the slow look at the following digits.
  if (countries.length === 1) return countries[0]!
  return (countries.length > 1 && parsePhoneNumberFromString(e164, { extract: false })?.country) || NO_COUNTRY
}

/** Masks a number for the log: the first two and last two digits remain, `+91********10`. Short numbers become all stars. */
export function maskPhone(e164: string): string {
  if (e164.length < 8) return '*'.repeat(e164.length)
  return e164.slice(0, 3) + '*'.repeat(e164.length - 5) + e164.slice(-2)
}

/** Returns the reading of the first usable number. Without one, all numbers are looked up among stored contacts. */
function readText(input: string, hints: NumberHints): NumberReading {
  const readings = numbersIn(input).map((writtenNumber) => readDigits(writtenNumber, hints))
  const several = new Set(readings.map(({ fresh, stored }) => fresh ?? stored[0])).size > 1
  const usable = readings.find(({ fresh }) => fresh !== undefined)
  if (usable) return { ...usable, several }
  return { stored: distinct(readings.flatMap(({ stored }) => stored)), fresh: undefined, several }
}

function readDigits({ digits, international }: WrittenDigits, hints: NumberHints): NumberReading {
  const exact = `+${digits}`
  if (international) {
    const fresh = possibleNumber(exact)
    return { stored: distinct([storableNumber(exact), fresh]), fresh, several: false }
  }
  const { countryCode, sendingCode, ownCodes = [] } = hints
  const hintedCode = callingCodeOfCountry(hints.country)
  // A given country rules out all numbers of other countries, even stored ones.
  const hinted = hintedCode === undefined ? undefined : readInCountry(digits, hintedCode)
  const national = withCountryCode(digits, countryCode)
  const sending = sendingCode === undefined ? national : (withCountryCode(digits, sendingCode) ?? national)
  const own = ownCodes.map((code) => withCountryCode(digits, code))
  if (digits.length === NATIONAL_DIGITS)
    return {
      stored: distinct(
        hinted ? [hinted, storableNumber(exact)] : [national, sending, ...own, storableNumber(exact)],
      ),
      fresh: hinted ?? sending ?? possibleNumber(exact),
      several: false,
    }
  return {
    stored: distinct([storableNumber(exact), ...(hinted ? [hinted] : [national, sending, ...own])]),
    fresh: hinted ?? chooseReading(exact, digits.length, sending),
    several: false,
  }
}

/** Chooses a reading: long strings of digits usually start with a country code, short ones are usually national. */
function chooseReading(exact: string, length: number, national: string | undefined): string | undefined {
  const international = possibleNumber(exact)
  if (international === undefined || national === undefined) return international ?? national
  if (length < NATIONAL_DIGITS) return national
  return !isMobile(international) && isMobile(national) ? national : international
}

/** Reads digits in the given country; a full number of another country is kept. */
function readInCountry(digits: string, code: string): string | undefined {
  const national = withCountryCode(digits, code)
  const international = digits.length > NATIONAL_DIGITS ? possibleNumber(`+${digits}`) : undefined
  if (international === undefined || (national !== undefined && isMobile(national))) return national
  if (national === undefined || isMobile(international)) return international
  return fitsPlan(international) && !fitsPlan(national) ? international : national
}

/**
 * Reads digits without `+` in a country: with the country's code before them, or unchanged if they already start with it and
 * fit the country's plan only that way.
 */
function withCountryCode(digits: string, code: string): string | undefined {
  const national = possibleNumber(`+${code}${digits}`)
  if (!digits.startsWith(code) || (national !== undefined && isMobile(national))) return national
  const international = possibleNumber(`+${digits}`)
  if (international === undefined || national === undefined) return international ?? national
  return digits.length !== NATIONAL_DIGITS || isMobile(international) ? international : national
}

/** The operator also reports numbers outside all plans; numbers of this shape may be stored. */
const STORABLE = /^\+[1-9]\d{4,14}$/

const storableNumber = (e164: string): string | undefined => (STORABLE.test(e164) ? e164 : undefined)

const distinct = (numbers: (string | undefined)[]): string[] => [
  ...new Set(numbers.filter((number) => number !== undefined)),
]

// Two generations approximate a least-recently-used cache: recently read texts survive the switch to a new generation.
let recent = new Map<string, NumberReading>()
let older = new Map<string, NumberReading>()

function readCached(input: string, hints: NumberHints): NumberReading {
  if (input.length > MAX_REMEMBERED_CHARACTERS) return readText(input, hints)
  const { countryCode, sendingCode = '', ownCodes = [], country } = hints
  const key = [countryCode, sendingCode, ownCodes.join(), country ?? '', input].join('\n')
  const cached = recent.get(key)
  if (cached !== undefined) return cached
  const result = older.get(key) ?? readText(input, hints)
  if (recent.size >= REMEMBERED) {
    older = recent
    recent = new Map()
  }
  if (result.fresh !== undefined) recent.set(key, result)
  return result
}
