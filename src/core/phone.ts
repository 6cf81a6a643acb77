import {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  parsePhoneNumberFromString,
} from 'libphonenumber-js'

// Only whether a number is possible is asked, never whether it is assigned: the fictional 555-01xx numbers
// that people test with must work.
const MAX_INPUT_CHARACTERS = 40
const E164 = /^\+[1-9]\d{6,14}$/
/** Marks between digits, and those that nobody sees: phones put them around a number that is copied. */
const SEPARATORS = /[\s\u00ad\u200b-\u2015\u202a-\u202e\u2060\u2066-\u2069.()[\]-]/g
/** What spreadsheets and data frames make of a number: `919812345678.0`, `9.19812345678E+11`. */
const DECIMAL = /^\s*(\+?\d{7,})[.,]0+\s*$/
const SCIENTIFIC = /^\s*(\d)(?:[.,](\d+))?e\+?(\d{1,2})\s*$/i
const REMEMBERED = 10_000

/**
 * Reads a phone number as people write it (spec 2.1): with or without `+`, `00` for international, spaces, dashes,
 * dots and brackets. `defaultCountryCode` is a calling code in digits (`91`); a bare 10-digit number is national
 * under it, a longer string of digits is international when it can be. The `.0` that a spreadsheet adds is no digit.
 * Returns E.164 with `+`, or undefined when the text is no possible number.
 */
export function parsePhone(input: string, defaultCountryCode: string): string | undefined {
  if (E164.test(input)) return isPlainlyPossible(input) ? input : recall(input, '')
  if (input.length > MAX_INPUT_CHARACTERS) return undefined
  return recall(input, defaultCountryCode)
}

/** A customer as the API names one (spec 2.1): by number, or `chan:<user id>` for those without. */
export type CustomerRef = { kind: 'phone'; e164: string } | { kind: 'userId'; userId: string }

/** A chat-network user id, as the operator reports it. */
export const USER_ID = /^[A-Za-z0-9._-]{1,150}$/
const CHANNEL = 'chan:'

/** Reads a customer's number, or `chan:<user id>` exactly as reported; undefined when it is neither. */
export function parseCustomerRef(input: string, defaultCountryCode: string): CustomerRef | undefined {
  if (input.startsWith(CHANNEL)) {
    const userId = input.slice(CHANNEL.length)
    return USER_ID.test(userId) ? { kind: 'userId', userId } : undefined
  }
  const e164 = parsePhone(input, defaultCountryCode)
  return e164 === undefined ? undefined : { kind: 'phone', e164 }
}

/** The digits of an E.164 number, as leads store them (spec 2.1). */
export function digitsOf(e164: string): string {
  return e164.startsWith('+') ? e164.slice(1) : e164
}

/** The calling code (`91`) that an E.164 number begins with; undefined for a code nobody has. */
export function callingCodeOf(e164: string): string | undefined {
  sharedPlans ??= readSharedPlans()
  for (let codeDigits = 1; codeDigits <= 3; codeDigits++) {
    const code = e164.slice(1, 1 + codeDigits)
    if (sharedPlans.has(code)) return code
  }
  return undefined
}

/** The country is unknown. */
const NO_COUNTRY = 'ZZ'
let countriesByCode: Map<string, readonly string[]> | undefined

/**
 * The country (ISO 3166, `IN`) of a number in digits, or of a chat-network user id, which begins with it; `ZZ` where it
 * is unknown.
 */
export function countryOf(recipient: string | null): string {
  if (recipient === null) return NO_COUNTRY
  if (!/^\d+$/.test(recipient)) return /^([A-Z]{2})\./.exec(recipient)?.[1] ?? NO_COUNTRY
  const e164 = `+${recipient}`
  countriesByCode ??= Map.groupBy(getCountries(), (country) => getCountryCallingCode(country))
  const countries = countriesByCode.get(callingCodeOf(e164) ?? '') ?? []
  // Few codes are shared; only for those are the digits after it looked at.
  if (countries.length === 1) return countries[0]!
  return (countries.length > 1 && parsePhoneNumberFromString(e164, { extract: false })?.country) || NO_COUNTRY
}

/** The calling code (`91`) of a country (ISO 3166, `IN`); undefined for what is no country. */
export const callingCodeIn = (country: string): string | undefined =>
  isSupportedCountry(country) ? getCountryCallingCode(country) : undefined

/** Whether a spreadsheet wrote a number in scientific notation with fewer digits than it has: `9.19812E+11`. */
export const hasLostDigits = (text: string): boolean => {
  const [, , decimals = '', exponent] = SCIENTIFIC.exec(text) ?? []
  return exponent !== undefined && decimals.length < Number(exponent)
}

/** The digits as they were before a spreadsheet took them for a quantity; any other text as it is. */
function withoutDecimals(text: string): string {
  const [, first, decimals = '', exponent] = SCIENTIFIC.exec(text) ?? []
  if (first !== undefined && decimals.length === Number(exponent)) return first + decimals
  return DECIMAL.exec(text)?.[1] ?? text
}

/** A number for the log: the first two digits and the last two, `+91********10`. Anything short is all stars. */
export function maskPhone(e164: string): string {
  if (e164.length < 8) return '*'.repeat(e164.length)
  return e164.slice(0, 3) + '*'.repeat(e164.length - 5) + e164.slice(-2)
}

function read(input: string, defaultCountryCode: string): string | undefined {
  const bare = withoutDecimals(input).replace(SEPARATORS, '')
  if (!/^\+?\d{4,20}$/.test(bare)) return undefined
  if (bare.startsWith('+')) return possible(bare)
  if (bare.startsWith('00')) return possible(`+${bare.slice(2)}`)
  const national = `+${defaultCountryCode}${bare}`
  if (bare.length > 10) return possible(`+${bare}`) ?? possible(national)
  return possible(national)
}

function possible(international: string): string | undefined {
  const e164 = askLibrary(international)
  // The library strips one national prefix after the country code. Where a second would follow, the same
  // person would have two numbers.
  return e164 === undefined || askLibrary(e164) === e164 ? e164 : undefined
}

function askLibrary(international: string): string | undefined {
  const phone = parsePhoneNumberFromString(international, { extract: false })
  if (!phone?.isPossible() || phone.ext !== undefined) return undefined
  return E164.test(phone.number) ? phone.number : undefined
}

// Two generations stand in for a least-recently-used list: what was asked for lately survives the turn.
let recent = new Map<string, string | undefined>()
let older = new Map<string, string | undefined>()

function recall(input: string, defaultCountryCode: string): string | undefined {
  const key = `${defaultCountryCode} ${input}`
  const known = recent.get(key)
  if (known !== undefined) return known
  const result = older.get(key) ?? read(input, defaultCountryCode)
  if (recent.size >= REMEMBERED) {
    older = recent
    recent = new Map()
  }
  if (result !== undefined) recent.set(key, result)
  return result
}

/** What the numbering plans of one calling code have in common. */
type SharedPlan = { lengths: Set<number>; prefix: RegExp }

let sharedPlans: Map<string, SharedPlan> | undefined

/**
 * Whether the library would return this E.164 number unchanged: its length is possible in every country of its
 * calling code, and it begins with no national prefix that the library would strip. False means "ask the library".
 */
function isPlainlyPossible(e164: string): boolean {
  sharedPlans ??= readSharedPlans()
  for (let codeDigits = 1; codeDigits <= 3; codeDigits++) {
    const plan = sharedPlans.get(e164.slice(1, 1 + codeDigits))
    if (plan === undefined) continue
    return plan.lengths.has(e164.length - 1 - codeDigits) && !plan.prefix.test(e164.slice(1 + codeDigits))
  }
  return false
}

/** Whether some country has the calling code (digits only). */
export const isCallingCode = (digits: string): boolean =>
  getCountries().some((country) => getCountryCallingCode(country) === digits)

function readSharedPlans(): Map<string, SharedPlan> {
  const plans = new Map<string, { lengths: Set<number>; prefixes: string[] }>()
  for (const country of getCountries()) {
    const metadata = new Metadata()
    metadata.selectNumberingPlan(country)
    const plan = metadata.numberingPlan as unknown as {
      possibleLengths(): number[]
      nationalPrefixForParsing(): string | undefined
    }
    const code = getCountryCallingCode(country)
    const lengths = new Set(plan.possibleLengths())
    const shared = plans.get(code) ?? { lengths, prefixes: [] }
    const prefix = plan.nationalPrefixForParsing()
    plans.set(code, {
      lengths: shared.lengths.intersection(lengths),
      prefixes: prefix ? [...shared.prefixes, prefix] : shared.prefixes,
    })
  }
  const never = '(?!)'
  return new Map(
    Array.from(plans, ([code, { lengths, prefixes }]) => [
      code,
      {
        lengths,
        prefix: new RegExp(`^(?:${prefixes.length === 0 ? never : [...new Set(prefixes)].join('|')})`),
      },
    ]),
  )
}
