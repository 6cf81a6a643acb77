/**
 * Reads the person's data from a submission of any shape and with any field names
 * (DECISIONS.md "The lead-capture link").
 */
import { cutText } from '../../../../core/values/cut-text.ts'
import { Email } from '../schema.ts'
import { type Answer, answersOf, opened, placeOf, withoutPlaces } from './capture-answers.ts'
import {
  isOurs,
  isSecret,
  isTechnical,
  isThing,
  type Meaning,
  meaningAmong,
  meaningOf,
  plainName,
} from './capture-names.ts'
import { findNumber } from './capture-number.ts'
import { isInside, isSecretAnswer, secretPlaces } from './capture-secrets.ts'

export { type Meaning, meaningOf } from './capture-names.ts'

/** The fields of a submission that we know, and the rest as it arrived. */
export type CapturedFields = {
  /** As written. */
  phone: string | null
  /** The country next to the number, as written. */
  country: string | null
  name: string | null
  email: string | null
  note: string | null
  source: string | null
  form: string | null
  /** utm_source, utm_medium …: the source of the visit. */
  utm: Record<string, string>
  extra: Record<string, unknown>
  /** Other answers, by their label in the form. */
  asked: Record<string, string>
  /** The meaning of each answer, by its path. */
  meanings: Record<string, Meaning>
  /** The state of the number; `named` if its field's name means a number. */
  number: 'named' | 'guessed' | 'unusable' | 'missing'
}

/** The meaning of each answer, by path, as a person decided for submissions of this shape. */
export type FieldMapping = Readonly<Record<string, string>>
/** The prefix of an answer that is mapped to a custom field. */
export const TO_ATTRIBUTE = 'attributes.'

export type ReadOptions = {
  /** Looks for numbers and email addresses under meaningless names. */
  guess?: boolean
  mapping?: FieldMapping | undefined
  /** The result of `enquiryAnswers(values)`, if it is known already. */
  answers?: Answer[]
}

const UTM = /^utm_?(source|medium|campaign|term|content|id)$/

/** Fields for us, not part of the enquiry: the trap for robots, and the redirect of the browser. */
export const HONEYPOT = '_gotcha'
export const REDIRECT = 'redirect'
const OURS = new Set([HONEYPOT, REDIRECT])

const MAX = {
  name: 200,
  note: 5000,
  source: 120,
  form: 200,
  utm: 200,
  asked: 40,
  askedName: 100,
  askedText: 1000,
}
/** A lead's custom fields have 64 KB in all. */
const MAX_ASKED_BYTES = 16 * 1024
/** Texts that people enter to leave a field empty. */
const NOTHING = /^(?:n\/?a|none|nil|null|undefined|-+|\.+|0)$/i

const withoutOurs = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !OURS.has(name)))

/** Returns the answers in a submission, without the fields for this service. */
export const enquiryAnswers = (values: Record<string, unknown>): Answer[] => answersOf(withoutOurs(values))

/**
 * Reads a submission. National numbers belong to `countryCode`. Each field gets the first meaning that fits.
 * Unusable values, and further values under one name, are kept in `extra`.
 */
export function readFields(
  values: Record<string, unknown>,
  countryCode: string,
  { guess = false, mapping, answers = enquiryAnswers(values) }: ReadOptions = {},
): CapturedFields {
  const used = new Set<Answer>()
  const mapped = (meaning: string): Answer | undefined =>
    mapping && answers.find(({ path, text }) => mapping[path] === meaning && !NOTHING.test(text))
  const unmapped = answers.filter(({ path }) => mapping?.[path] === undefined)
  const open = unmapped.filter((answer) => !isSecretAnswer(answer))

  const phoneAnswer = mapped('phone')
  const byMapping =
    phoneAnswer && findNumber([{ ...phoneAnswer, names: ['phone'], inside: [] }], countryCode, false)
  const number =
    phoneAnswer && byMapping?.usable
      ? { ...byMapping, answer: phoneAnswer }
      : findNumber(mapping ? unmapped : answers, countryCode, guess)
  if (number?.usable) used.add(number.answer)
  const found = new Map<Meaning, string>()
  const meanings: Record<string, Meaning> = number?.usable ? { [number.answer.path]: 'phone' } : {}
  const take = (meaning: Meaning, answer: Answer | undefined): void => {
    if (answer === undefined || found.has(meaning)) return
    used.add(answer)
    found.set(meaning, answer.text)
    meanings[answer.path] = meaning
  }
  const utm = takeCampaign(answers, used)
  for (const meaning of ['email', 'firstName', 'lastName', 'name', 'note', 'source', 'form'] as const) {
    take(meaning, mapped(meaning))
    take(meaning, bestOf(meaning, open, used, number?.answer.within))
  }
  if (guess && !found.has('email'))
    take(
      'email',
      open.find((answer) => !used.has(answer) && isCustomerEmail(answer)),
    )
  const name = wholeName(found)
  return {
    phone: number?.answer.text ?? null,
    country: number?.country ?? null,
    name: name === null ? null : cutText(name, MAX.name),
    email: found.get('email') ?? null,
    note: found.has('note') ? cutText(found.get('note')!, MAX.note) : null,
    source: cutOrNull(found.get('source') ?? utm.utm_source, MAX.source),
    form: cutOrNull(found.get('form'), MAX.form),
    utm,
    extra: extraOf(withoutOurs(values), used, answers),
    meanings,
    asked: askedOf(answers, used, mapping),
    number:
      number === undefined ? 'missing' : !number.usable ? 'unusable' : number.byName ? 'named' : 'guessed',
  }
}

function takeCampaign(answers: readonly Answer[], used: Set<Answer>): Record<string, string> {
  const utm: Record<string, string> = {}
  for (const answer of answers) {
    const campaign = answer.names
      .map((name) => UTM.exec(name.toLowerCase().replaceAll('-', '_')))
      .find((parsed) => parsed !== null)
    if (!campaign || utm[`utm_${campaign[1]}`] !== undefined) continue
    utm[`utm_${campaign[1]}`] = cutText(answer.text, MAX.utm)
    used.add(answer)
  }
  return utm
}

const isEmail = (text: string): boolean => text.includes('@') && Email.safeParse(text).success

/** Names of objects that contain the fields of a form. A `name` next to them is the form's name. */
const HOLDERS = new Set([
  'data',
  'fields',
  'values',
  'answers',
  'payload',
  'formfields',
  'submission',
  'submissions',
  'fielddata',
])

/**
 * Returns how well an answer fits a meaning: 0 is best, undefined means not at all. `nearPath`: where the
 * number is.
 */
function rankOf(meaning: Meaning, answer: Answer, nearPath: string | undefined): number | undefined {
  const { names, inside, within, text } = answer
  if (meaning === 'email' && (!isEmail(text) || names.some(isOurs))) return undefined
  if (meaning !== 'form' && inside.some(isThing)) return undefined
  // The meaning of the key itself takes precedence over its container's: the `first` of a `name`.
  const first = names.findIndex((name) => meaningOf(name) !== undefined)
  const own = first < 0 ? undefined : meaningOf(names[first]!)
  const inForm = inside.some((key) => plainName(key) === 'form')
  if (meaning === 'form') {
    if (inForm && ['name', 'title', 'id'].includes(plainName(names[0]!)))
      return plainName(names[0]!) === 'id' ? 2 : 0
    if (own === 'name' && isBesideFields(within, nearPath)) return 1
    return own === 'form' ? (/id$/i.test(names[0]!) ? 3 : 0) : undefined
  }
  if (inForm || (meaning === 'name' && isBesideFields(within, nearPath))) return undefined
  const distance = nearPath === undefined || within === nearPath ? 0 : 1
  if (own === meaning) return (first === 0 ? 0 : 2) + distance
  if (own !== undefined || meaning === 'source') return undefined
  return names.some((name) => meaningAmong(name) === meaning) ? 4 + distance : undefined
}

/**
 * Returns whether a field is one level outside the fields of a form. There a `name` is the form's, not the
 * person's.
 */
function isBesideFields(within: string, nearPath: string | undefined): boolean {
  if (nearPath === undefined || !(within === '' || nearPath.startsWith(`${within}.`)) || nearPath === within)
    return false
  const segmentsBetween = nearPath.slice(within === '' ? 0 : within.length + 1).split('.')
  return segmentsBetween.some((key) => HOLDERS.has(plainName(key)))
}

function bestOf(
  meaning: Meaning,
  answers: readonly Answer[],
  used: ReadonlySet<Answer>,
  nearPath: string | undefined,
): Answer | undefined {
  let best: Answer | undefined
  let bestRank = Number.POSITIVE_INFINITY
  for (const answer of answers) {
    if (used.has(answer) || (meaning !== 'form' && NOTHING.test(answer.text))) continue
    const rank = rankOf(meaning, answer, nearPath)
    if (rank === undefined || rank >= bestRank) continue
    best = answer
    bestRank = rank
  }
  return best
}

const isCustomerEmail = ({ names, inside, text }: Answer): boolean =>
  isEmail(text) &&
  !names.some((name) => isOurs(name) || /admin|from|reply|sender|to$/.test(plainName(name))) &&
  !inside.some(isThing)

/**
 * Returns the person's name: given whole, in parts, or as a last name next to the rest (`nome` and
 * `cognome`).
 */
function wholeName(found: Map<Meaning, string>): string | null {
  const first = found.get('firstName')
  const last = found.get('lastName')
  const name = found.get('name')
  if (name === undefined) return [first, last].filter((part) => part !== undefined).join(' ') || null
  if (first !== undefined && last === undefined && !name.includes(first)) return `${first} ${name}`
  if (first === undefined && last !== undefined && !name.includes(last)) return `${name} ${last}`
  return name
}

/** Returns the submission without the recognized fields and without secrets, at every depth. */
function extraOf(
  values: Record<string, unknown>,
  used: ReadonlySet<Answer>,
  answers: readonly Answer[],
): Record<string, unknown> {
  const tree = opened(values)
  const places = secretPlaces(tree, answers)
  for (const { place } of used) places.add(place)
  const changedRoots = new Set([...places].map((place) => place.split('\u001f')[0]!))
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (isSecret(name)) return []
      const place = placeOf(name)
      const root = place.split('\u001f')[0]!
      // A field without recognized parts is kept as it arrived.
      const source = changedRoots.has(root) && Object.hasOwn(tree, name) ? tree[name] : value
      if (isInside(place, places)) return []
      const left =
        changedRoots.has(root) || Array.isArray(value) || value === ''
          ? withoutPlaces(source, places, place)
          : value
      return left === undefined || (typeof left === 'string' && left.trim() === '') ? [] : [[name, left]]
    }),
  )
}

/** Returns the form's other answers for people: each label once, with all its answers. */
function askedOf(
  answers: readonly Answer[],
  used: ReadonlySet<Answer>,
  mapping: FieldMapping | undefined,
): Record<string, string> {
  const textsByName = new Map<string, string[]>()
  const usedTexts = new Set([...used].map(({ text }) => text))
  for (const answer of answers) {
    const to = mapping?.[answer.path]
    const attributeName = to?.startsWith(TO_ATTRIBUTE) ? to.slice(TO_ATTRIBUTE.length) : undefined
    // A field that a person mapped to something else is not a question.
    if (used.has(answer) || (to !== undefined && attributeName === undefined)) continue
    if (attributeName === undefined && (usedTexts.has(answer.text) || isNoQuestion(answer))) continue
    const name = cutText((attributeName ?? answer.label).trim(), MAX.askedName)
    if (name === '' || name === '__proto__' || (!textsByName.has(name) && textsByName.size >= MAX.asked))
      continue
    const texts = textsByName.get(name) ?? []
    if (!texts.includes(answer.text)) textsByName.set(name, [...texts, answer.text])
  }
  const entries = [...textsByName].map(
    ([name, texts]) => [name, cutText(texts.join(', '), MAX.askedText)] as const,
  )
  let room = MAX_ASKED_BYTES
  return Object.fromEntries(
    entries.filter(([name, text]) => {
      room -= Buffer.byteLength(name) + Buffer.byteLength(text)
      return room >= 0
    }),
  )
}

const isNoQuestion = (answer: Answer): boolean => {
  const { names, inside, text } = answer
  return (
    NOTHING.test(text) ||
    isSecretAnswer(answer) ||
    isTechnical(names[0]!) ||
    inside.some((key) => ['meta', 'metadata'].includes(plainName(key)))
  )
}

const cutOrNull = (text: string | undefined, max: number): string | null =>
  text === undefined ? null : cutText(text, max)
