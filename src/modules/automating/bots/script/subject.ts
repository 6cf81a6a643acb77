/** Values that a bot's texts and conditions can use, by name. Pure. */
import { normalizeWords } from '../../../../core/values/plain-words.ts'
import { fillText } from '../../../messaging/messages/sending/operations/fill-text.ts'
import type { BotNode } from '../node-schema.ts'

export type Subject = {
  contact: { name: string | null; phone: string; tags: string[]; attributes: Record<string, unknown> }
  answers: Record<string, string>
  /** The customer's last message. */
  text: string
  /** Undefined if the workspace has no business hours. */
  open: boolean | undefined
  /** For numbers that customers write without a country code. */
  countryCode: string
}

const ATTRIBUTE = 'contact.attributes.'
const ANSWER = 'answers.'

/** Caches lists and objects as text, because a script uses the same attribute in many places. */
const textCache = new WeakMap<object, string>()
function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value !== 'object') return JSON.stringify(value)
  const text = textCache.get(value) ?? JSON.stringify(value)
  textCache.set(value, text)
  return text
}

/** Caches normalized texts by subject, because many conditions compare the same text. */
const normalizedTexts = new WeakMap<Subject, Map<string, string>>()
function normalizedText(subject: Subject, text: string): string {
  const cache = normalizedTexts.get(subject) ?? new Map<string, string>()
  normalizedTexts.set(subject, cache)
  const plain = cache.get(text) ?? normalizeWords(text)
  cache.set(text, plain)
  return plain
}

/** Returns a value by its name, such as `contact.name`; empty if it is unknown. */
export function readValue({ contact, answers, text, open }: Subject, name: string): string {
  if (name.startsWith(ANSWER))
    return Object.hasOwn(answers, name.slice(ANSWER.length)) ? answers[name.slice(ANSWER.length)]! : ''
  if (name.startsWith(ATTRIBUTE)) {
    const key = name.slice(ATTRIBUTE.length)
    return Object.hasOwn(contact.attributes, key) ? toText(contact.attributes[key]) : ''
  }
  if (name === 'contact.name') return contact.name ?? ''
  if (name === 'contact.phone') return contact.phone
  if (name === 'contact.tags') return contact.tags.join(', ')
  if (name === 'message.text') return text
  return name === 'now.open' ? toText(open) : ''
}

/** Returns a text of the bot with this customer's values. */
export const filled = (subject: Subject, text: string, max: number): string =>
  fillText(text, (name) => readValue(subject, name), max)

type Condition = Extract<BotNode, { type: 'condition' }>

const parseNumbers = (left: string, right: string): [number, number] | undefined => {
  const pair: [number, number] = [Number(left), Number(right)]
  return left.trim() !== '' && right.trim() !== '' && pair.every(Number.isFinite) ? pair : undefined
}

/** Returns whether a condition matches, ignoring case and white space. */
export function matchesCondition(subject: Subject, { field, is, value }: Condition): boolean {
  const raw = readValue(subject, field)
  const [left, right] = [normalizedText(subject, raw), normalizeWords(value)]
  const has =
    field === 'contact.tags'
      ? subject.contact.tags.some((tag) => normalizeWords(tag) === right)
      : left.includes(right)
  const pair = parseNumbers(raw, value)
  switch (is) {
    case 'equals':
      return field === 'contact.tags' ? has : left === right
    case 'not_equals':
      return field === 'contact.tags' ? !has : left !== right
    case 'contains':
      return has
    case 'not_contains':
      return !has
    case 'empty':
      return left === ''
    case 'not_empty':
      return left !== ''
    case 'greater':
      return pair !== undefined && pair[0] > pair[1]
    case 'less':
      return pair !== undefined && pair[0] < pair[1]
  }
}
