/** Which answer of a submission is the customer's number. */

import { callingCodeOfCountry } from '../../../core/country.ts'
import { parsePhone, readNumber } from '../../../core/phone.ts'
import { isMobile } from '../../../core/phone-plans.ts'
import type { Answer } from './capture-answers.ts'
import {
  countryRank,
  isOtherNumber,
  isOurs,
  isSecond,
  isThing,
  meaningOf,
  speaksOfMobile,
  speaksOfPhone,
} from './capture-names.ts'

/** The answer that is the number, with the country beside it. `usable`: it is a number by itself, whatever is stored. */
export type FoundNumber = { answer: Answer; country: string | null; usable: boolean; byName: boolean }

/** How well an answer's name says that it is the customer's number; 0 is best, undefined: it says nothing. */
function rankByName({ names, inside }: Answer): number | undefined {
  if (names.some(isOurs) || inside.some(isOurs)) return undefined
  const exact = names.some((name) => meaningOf(name) === 'phone')
  if (!exact && !names.some(speaksOfPhone)) return undefined
  const second = names.some(isSecond) || inside.some(isThing)
  if (second) return 4
  if (!exact) return names.some(speaksOfMobile) ? 2 : 3
  return names.some(speaksOfMobile) ? 0 : 1
}

/** A whole number of seconds or milliseconds since 1970, a day, or a decimal. */
const NO_NUMBER =
  /^1[4-9]\d{8}(?:\d{3})?$|^(?:19|20)\d\d[-/.]?[01]\d[-/.]?[0-3]\d|^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}$|^\d{1,3}(?:\.\d{1,3}){3}$|^-?\d+[.,]\d{1,6}$|:\d\d/

/** Whether an answer of any name has the length and the name of a number: those are read. */
const mayRead = (answer: Answer): boolean => {
  if (answer.text.length > MAX_CHARACTERS || NO_NUMBER.test(answer.text)) return false
  const digits = answer.text.replace(/\P{Nd}/gu, '').length
  return digits >= MIN_DIGITS && digits <= MAX_DIGITS && canBeANumber(answer)
}

const MAX_CHARACTERS = 40
const MIN_DIGITS = 8
const MAX_DIGITS = 15

/** Whether an answer of any name reads as a number of its country, as people write one: nothing else in it. */
function looksLikeNumber(text: string, countryCode: string, country: string | null): boolean {
  const e164 = parsePhone(text, countryCode, country)
  return e164 !== undefined && isMobile(e164)
}

const canBeANumber = ({ names, inside }: Answer): boolean =>
  ![...names, ...inside].some((name) => isOurs(name)) && !names.some(isOtherNumber) && !inside.some(isThing)

/** A country that is named in a submission; `rank` 0: it is the country of a number. */
type Country = { text: string; rank: number; within: string }

const NONE = 9

/** The countries that are named; texts that name none are passed over. */
function countriesIn(answers: readonly Answer[]): Country[] {
  return answers.flatMap((one) => {
    const rank = Math.min(...one.names.map((name) => countryRank(name) ?? NONE))
    if (rank === NONE || callingCodeOfCountry(one.text) === undefined) return []
    return [{ text: one.text, rank, within: one.within }]
  })
}

/** The country that stands beside a number: of the same group of fields first, and there the one that is about numbers. */
function countryBeside(answer: Answer, countries: readonly Country[]): string | null {
  const rankOf = ({ rank, within }: Country): number => rank + (within === answer.within ? 0 : 2)
  let nearest: Country | undefined
  for (const one of countries) if (nearest === undefined || rankOf(one) < rankOf(nearest)) nearest = one
  return nearest?.text ?? null
}

/** More answers than these are not tried as numbers, so that no submission costs much. */
const MAX_TRIED = 50

/**
 * The number of a submission: the first usable one by the names of fields, mobile numbers before others, then with `guess` the first
 * that reads as a number under any name. Without a usable one, the first under a phone's name, which a stored contact may still have.
 */
export function findNumber(
  answers: readonly Answer[],
  countryCode: string,
  guess: boolean,
): FoundNumber | undefined {
  const named = answers
    .flatMap((answer) => {
      const rank = rankByName(answer)
      return rank === undefined ? [] : [{ answer, rank }]
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_TRIED)
  const countries = countriesIn(answers)
  let unusable: FoundNumber | undefined
  for (const { answer } of named) {
    const country = countryBeside(answer, countries)
    const { fresh, stored } = readNumber(answer.text, { countryCode, country })
    if (fresh !== undefined) return { answer, country, usable: true, byName: true }
    if (
      unusable === undefined ||
      (!unusable.usable && stored.length > 0 && !mayBeStored(unusable, countryCode))
    )
      unusable = { answer, country, usable: false, byName: true }
  }
  if (guess)
    for (const answer of answers.filter(mayRead).slice(0, MAX_TRIED)) {
      const country = countryBeside(answer, countries)
      if (looksLikeNumber(answer.text, countryCode, country))
        return { answer, country, usable: true, byName: false }
    }
  return unusable
}

const mayBeStored = ({ answer, country }: FoundNumber, countryCode: string): boolean =>
  readNumber(answer.text, { countryCode, country }).stored.length > 0
