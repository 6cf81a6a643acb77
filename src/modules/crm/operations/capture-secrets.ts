/** Passwords, keys, tokens, and card numbers that came with a form: they go into no event, lead, or list. */
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

/** Whether digits have the check digit of a card number (ISO/IEC 7812). */
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

/** Whether an answer, or what it is in, is called like a secret. */
export const isSecretAnswer = ({ names, inside, text }: Answer): boolean =>
  names.some((name) => isSecretValue(name, text)) || inside.some(isSecret)

/** The places of all secrets in an opened submission, at every depth. Nothing inside a secret is listed. */
export function secretPlaces(tree: Fields, answers: readonly Answer[]): Set<string> {
  const places = new Set(answers.filter(isSecretAnswer).map(({ place }) => place))
  addPlaces(tree, '', places)
  return places
}

function addPlaces(value: unknown, place: string, places: Set<string>): void {
  if (!isObject(value) && !Array.isArray(value)) return
  for (const [key, item] of Object.entries(value)) {
    const at = under(place, key)
    if ((!Array.isArray(value) && isSecretValue(key, item)) || isSecretPair(item)) places.add(at)
    else addPlaces(item, at, places)
  }
}

/** `{name: 'password', value: …}`. */
const isSecretPair = (item: unknown): boolean => {
  const pair = isObject(item) ? nameInPair(item) : undefined
  return pair?.names.some((name) => isSecretValue(name, pair.value)) ?? false
}

/** Whether `place` is inside one of `places`. */
export function isInside(place: string, places: ReadonlySet<string>): boolean {
  for (let end = place.lastIndexOf(BETWEEN); end > 0; end = place.lastIndexOf(BETWEEN, end - 1))
    if (places.has(place.slice(0, end))) return true
  return false
}
