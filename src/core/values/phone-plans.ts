/** Reads numbering plans from the phone library. It checks only whether a number is possible, never whether it is assigned. */
import { getCountries, getCountryCallingCode, Metadata, parsePhoneNumberFromString } from 'libphonenumber-js'
import { parsePhoneNumberFromString as parseMobile } from 'libphonenumber-js/mobile'
import { otherSpellings } from './phone-spellings.ts'

export const E164 = /^\+[1-9]\d{6,14}$/

/** Facts that the numbering plans of one calling code share. */
type SharedPlan = { lengths: Set<number>; prefix: RegExp }

let sharedPlans: Map<string, SharedPlan> | undefined

/** Returns the calling code (`91`) of an E.164 number; undefined for a code that no country has. */
export function callingCodeOf(e164: string): string | undefined {
  sharedPlans ??= readSharedPlans()
  for (let codeDigits = 1; codeDigits <= 3; codeDigits++) {
    const code = e164.slice(1, 1 + codeDigits)
    if (sharedPlans.has(code)) return code
  }
  return undefined
}

/**
 * Whether the library would return this E.164 number unchanged: its length is possible in every country of its calling code,
 * and it starts with no national prefix that the library would strip. False means "ask the library".
 */
export function isPlainlyPossible(e164: string): boolean {
  const code = callingCodeOf(e164)
  if (code === undefined) return false
  const plan = sharedPlans!.get(code)!
  return plan.lengths.has(e164.length - 1 - code.length) && !plan.prefix.test(e164.slice(1 + code.length))
}

/**
 * Returns the number as its country writes it (`+9109811…` is `+919811…`), if today's plan or an earlier plan of the country
 * allows it. Undefined when the number cannot exist.
 */
export function possibleNumber(international: string): string | undefined {
  const e164 = parseWithLibrary(international)
  // The library strips one national prefix after the country code. If it would strip a second one, the same person would have
  // two numbers.
  if (e164 !== undefined && parseWithLibrary(e164) === e164) return e164
  return E164.test(international) && otherSpellings(international).length > 0 ? international : undefined
}

/** Whether the number fits a pattern of its country's mobile numbers, not only a length. */
export const isMobile = (e164: string): boolean => parseMobile(e164, { extract: false })?.isValid() ?? false

/** Whether the number, or today's spelling of it, fits a pattern of its country's plan, not only a length. */
export const fitsPlan = (e164: string): boolean =>
  [e164, ...otherSpellings(e164)].some(
    (spelling) => parsePhoneNumberFromString(spelling, { extract: false })?.isValid() ?? false,
  )

function parseWithLibrary(international: string): string | undefined {
  const phone = parsePhoneNumberFromString(international, { extract: false })
  if (!phone?.isPossible() || phone.ext !== undefined) return undefined
  return E164.test(phone.number) ? phone.number : undefined
}

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
    const existing = plans.get(code) ?? { lengths, prefixes: [] }
    const prefix = plan.nationalPrefixForParsing()
    plans.set(code, {
      lengths: existing.lengths.intersection(lengths),
      prefixes: prefix ? [...existing.prefixes, prefix] : existing.prefixes,
    })
  }
  const neverMatching = '(?!)'
  return new Map(
    Array.from(plans, ([code, { lengths, prefixes }]) => [
      code,
      {
        lengths,
        prefix: new RegExp(
          `^(?:${prefixes.length === 0 ? neverMatching : [...new Set(prefixes)].join('|')})`,
        ),
      },
    ]),
  )
}
