/** Finds the customer's number among the answers of a submission. */

import { callingCodeOfCountry } from '../../../../core/values/country.ts'
import { parsePhone, readNumber } from '../../../../core/values/phone.ts'
import { isMobile } from '../../../../core/values/phone-plans.ts'
import type { Answer } from './capture-answers.ts'
import {
  countryRank,
  isOtherNumber,
  isOurs,
  isSecond,
  isThing,
  meaningOf,
  mentionsMobile,
  mentionsPhone,
} from './capture-names.ts'

/**
 * The answer with the number, and the country next to it. `usable`: it is a number regardless of stored
 * contacts.
 */
export type FoundNumber = { answer: Answer; country: string | null; usable: boolean; byName: boolean }

/** Returns how well an answer's name means the customer's number: 0 is best, undefined means not at all. */
function rankByName({ names, inside }: Answer): number | undefined {
  if (names.some(isOurs) || inside.some(isOurs)) return undefined
  const isExact = names.some((name) => meaningOf(name) === 'phone')
  if (!isExact && !names.some(mentionsPhone)) return undefined
  const second = names.some(isSecond) || inside.some(isThing)
  if (second) return 4
  if (!isExact) return names.some(mentionsMobile) ? 2 : 3
  return names.some(mentionsMobile) ? 0 : 1
}

/** An integer of seconds or milliseconds since 1970, a date, or a decimal. */
const NO_NUMBER =
  /^1[4-9]\d{8}(?:\d{3})?$|^(?:19|20)\d\d[-/.]?[01]\d[-/.]?[0-3]\d|^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}$|^\d{1,3}(?:\.\d{1,3}){3}$|^-?\d+[.,]\d{1,6}$|:\d\d/

/** Returns whether an answer can be a number by its length and name. */
const mayRead = (answer: Answer): boolean => {
  if (answer.text.length > MAX_CHARACTERS || NO_NUMBER.test(answer.text)) return false
  const digits = answer.text.replace(/\P{Nd}/gu, '').length
  return digits >= MIN_DIGITS && digits <= MAX_DIGITS && canBeANumber(answer)
}

const MAX_CHARACTERS = 40
const MIN_DIGITS = 8
const MAX_DIGITS = 15

/** Returns whether an answer under any name is only a number of its country, as people write numbers. */
function looksLikeNumber(text: string, countryCode: string, country: string | null): boolean {
  const e164 = parsePhone(text, countryCode, country)
  return e164 !== undefined && isMobile(e164)
}

const canBeANumber = ({ names, inside }: Answer): boolean =>
  ![...names, ...inside].some((name) => isOurs(name)) && !names.some(isOtherNumber) && !inside.some(isThing)

/** A country named in a submission. `rank` 0: the country of a number. */
type Country = { text: string; rank: number; within: string }

const NONE = 9

/** Returns the countries in the answers. Texts that name no country are skipped. */
function countriesIn(answers: readonly Answer[]): Country[] {
  return answers.flatMap((answer) => {
    const rank = Math.min(...answer.names.map((name) => countryRank(name) ?? NONE))
    if (rank === NONE || callingCodeOfCountry(answer.text) === undefined) return []
    return [{ text: answer.text, rank, within: answer.within }]
  })
}

/**
 * Returns the country for a number: a country in the same group of fields first, and there a field about
 * numbers.
 */
function nearestCountry(answer: Answer, countries: readonly Country[]): string | null {
  const rankOf = ({ rank, within }: Country): number => rank + (within === answer.within ? 0 : 2)
  let nearest: Country | undefined
  for (const country of countries)
    if (nearest === undefined || rankOf(country) < rankOf(nearest)) nearest = country
  return nearest?.text ?? null
}

/** At most this many answers are tried as numbers, to limit the cost of a submission. */
const MAX_TRIED = 50

/**
 * Finds the number of a submission: the first usable number by field names, mobile numbers first; then, with
 * `guess`, the first value that is a number under any name. Without a usable number, returns the first phone
 * field, because a stored contact may match it.
 */
export function findNumber(
  answers: readonly Answer[],
  countryCode: string,
  guess: boolean,
): FoundNumber | undefined {
  const candidates = answers
    .flatMap((answer) => {
      const rank = rankByName(answer)
      return rank === undefined ? [] : [{ answer, rank }]
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_TRIED)
  const countries = countriesIn(answers)
  let unusable: FoundNumber | undefined
  for (const { answer } of candidates) {
    const country = nearestCountry(answer, countries)
    const { fresh, stored } = readNumber(answer.text, { countryCode, country })
    if (fresh !== undefined) return { answer, country, usable: true, byName: true }
    if (
      unusable === undefined ||
      (!unusable.usable && stored.length > 0 && !isStorableNumber(unusable, countryCode))
    )
      unusable = { answer, country, usable: false, byName: true }
  }
  if (guess)
    for (const answer of answers.filter(mayRead).slice(0, MAX_TRIED)) {
      const country = nearestCountry(answer, countries)
      if (looksLikeNumber(answer.text, countryCode, country))
        return { answer, country, usable: true, byName: false }
    }
  return unusable
}

const isStorableNumber = ({ answer, country }: FoundNumber, countryCode: string): boolean =>
  readNumber(answer.text, { countryCode, country }).stored.length > 0
