/** Removes passwords, keys, tokens, and card numbers in forms from events, leads, and lists. */
import {
  type Answer,
  BETWEEN,
  type Fields,
  isObject,
  isScalar,
  nameInPair,
  under,
} from './capture-answers.ts'
import { isSecret, plainName } from './capture-names.ts'

const CARD_DIGITS = /^\d{13,19}$/

/** Returns whether digits have a valid check digit of a card number (ISO/IEC 7812). */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '')
  if (!CARD_DIGITS.test(digits)) return false
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, i) => {
      const value = Number(digit) * (i % 2 === 0 ? 1 : 2)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}

const isSecretValue = (name: string, value: unknown): boolean =>
  isSecret(name) || (isScalar(value) && plainName(name).includes('card') && isCardNumber(String(value)))

/** Returns whether an answer, or its container, has the name of a secret. */
export const isSecretAnswer = ({ names, inside, text }: Answer): boolean =>
  names.some((name) => isSecretValue(name, text)) || inside.some(isSecret)

/**
 * Returns the places of all secrets in an opened submission, at every depth. Places inside a secret aren't
 * listed.
 */
export function secretPlaces(tree: Fields, answers: readonly Answer[]): Set<string> {
  const places = new Set(answers.filter(isSecretAnswer).map(({ place }) => place))
  addPlaces(tree, '', places)
  return places
}

function addPlaces(value: unknown, place: string, places: Set<string>): void {
  if (!isObject(value) && !Array.isArray(value)) return
  for (const [key, item] of Object.entries(value)) {
    const itemPlace = under(place, key)
    if ((!Array.isArray(value) && isSecretValue(key, item)) || isSecretPair(item)) places.add(itemPlace)
    else addPlaces(item, itemPlace, places)
  }
}

/** Returns whether an item is a secret with its name: `{name: 'password', value: …}`. */
const isSecretPair = (item: unknown): boolean => {
  const pair = isObject(item) ? nameInPair(item) : undefined
  return pair?.names.some((name) => isSecretValue(name, pair.value)) ?? false
}

/** Returns whether `place` is inside one of `places`. */
export function isInside(place: string, places: ReadonlySet<string>): boolean {
  for (let end = place.lastIndexOf(BETWEEN); end > 0; end = place.lastIndexOf(BETWEEN, end - 1))
    if (places.has(place.slice(0, end))) return true
  return false
}
