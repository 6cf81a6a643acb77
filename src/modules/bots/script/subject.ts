/** What a bot knows of the customer and the moment, by name: in its texts, and in its conditions. Pure. */
import { plainWords } from '../../../core/plain-words.ts'
import { fillText } from '../../messages/sending/operations/fill-text.ts'
import type { BotNode } from '../node-schema.ts'

export type Subject = {
  contact: { name: string | null; phone: string; tags: string[]; attributes: Record<string, unknown> }
  answers: Record<string, string>
  /** What the customer has just written. */
  text: string
  /** Undefined: nobody has said when the business is open. */
  open: boolean | undefined
  /** Of numbers that customers write without one. */
  countryCode: string
}

const ATTRIBUTE = 'contact.attributes.'
const ANSWER = 'answers.'

/** Lists and objects as texts: a script names the same attribute in many places. */
const texts = new WeakMap<object, string>()
function written(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value !== 'object') return JSON.stringify(value)
  const text = texts.get(value) ?? JSON.stringify(value)
  texts.set(value, text)
  return text
}

/** How texts are compared, for each subject: many conditions look at the same text. */
const compared = new WeakMap<Subject, Map<string, string>>()
function plainOf(subject: Subject, text: string): string {
  const known = compared.get(subject) ?? new Map<string, string>()
  compared.set(subject, known)
  const plain = known.get(text) ?? plainWords(text)
  known.set(text, plain)
  return plain
}

/** A value by its name: `contact.name`; empty where nothing is known. */
function knownValue({ contact, answers, text, open }: Subject, name: string): string {
  if (name.startsWith(ANSWER))
    return Object.hasOwn(answers, name.slice(ANSWER.length)) ? answers[name.slice(ANSWER.length)]! : ''
  if (name.startsWith(ATTRIBUTE)) {
    const key = name.slice(ATTRIBUTE.length)
    return Object.hasOwn(contact.attributes, key) ? written(contact.attributes[key]) : ''
  }
  if (name === 'contact.name') return contact.name ?? ''
  if (name === 'contact.phone') return contact.phone
  if (name === 'contact.tags') return contact.tags.join(', ')
  if (name === 'message.text') return text
  return name === 'now.open' ? written(open) : ''
}

/** A text of the bot as this customer reads it. */
export const filled = (subject: Subject, text: string, max: number): string =>
  fillText(text, (name) => knownValue(subject, name), max)

type Condition = Extract<BotNode, { type: 'condition' }>

const numbers = (left: string, right: string): [number, number] | undefined => {
  const both: [number, number] = [Number(left), Number(right)]
  return left.trim() !== '' && right.trim() !== '' && both.every(Number.isFinite) ? both : undefined
}

/** Whether a condition holds; case and white space make no difference. */
export function holds(subject: Subject, { field, is, value }: Condition): boolean {
  const raw = knownValue(subject, field)
  const [left, right] = [plainOf(subject, raw), plainWords(value)]
  const has =
    field === 'contact.tags'
      ? subject.contact.tags.some((tag) => plainWords(tag) === right)
      : left.includes(right)
  const pair = numbers(raw, value)
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
