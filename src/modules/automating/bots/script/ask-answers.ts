/** Reads answers of a given kind from messages. Pure. */
import { cutText } from '../../../../core/values/cut-text.ts'
import { parsePhone } from '../../../../core/values/phone.ts'
import { plainDigits } from '../../../../core/values/plain-digits.ts'
import { writtenNumber } from '../../../../core/values/written-number.ts'
import type { ASK_KINDS } from '../node-schema.ts'

const ANSWER_MAX = 1_000
const EMAIL = /^[^\s@<>,;:"]{1,64}@([a-z0-9-]{1,63}\.)+[a-z]{2,63}$/i
const DAY = /^(\d{4})-(\d{1,2})-(\d{1,2})$|^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/

/** Returns the date of `2026-12-01`, or of a text with the day first, as most countries write it. */
function parseDate(text: string): string | undefined {
  const [, year, month, day, first, second, last] = DAY.exec(text) ?? []
  const parts = year === undefined ? [last, second, first] : [year, month, day]
  if (parts[0] === undefined) return undefined
  const date = parts.map((part, index) => part!.padStart(index === 0 ? 4 : 2, '0')).join('-')
  const parsed = new Date(`${date}T00:00:00Z`)
  return Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== date ? undefined : date
}

function parseNumber(text: string): number | undefined {
  const plain = plainDigits(text)
  const number = /^[+-]?[\d\s.,]+$/.test(plain) ? writtenNumber(plain) : undefined
  return /^-?\d{1,15}(\.\d{1,6})?$/.test(String(number)) ? number : undefined
}

type Reader = (text: string, countryCode: string) => string | number | undefined
const READERS: Record<(typeof ASK_KINDS)[number], Reader> = {
  text: (text) => cutText(text, ANSWER_MAX),
  number: parseNumber,
  email: (text) => (EMAIL.test(text) ? text.toLowerCase() : undefined),
  phone: (text, countryCode) => parsePhone(plainDigits(text), countryCode),
  date: (text) => parseDate(plainDigits(text)),
}

/**
 * Returns the answer in a message; undefined if it is not of the kind. `countryCode` is for numbers without
 * one.
 */
export function parseAnswer(
  text: string,
  kind: (typeof ASK_KINDS)[number],
  countryCode: string,
): string | number | undefined {
  const trimmed = text.trim()
  return trimmed === '' ? undefined : READERS[kind](trimmed, countryCode)
}
