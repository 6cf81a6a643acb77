/** Splits a text in which people, forms, and files write one or several phone numbers. */
import { plainDigits } from './plain-digits.ts'

const MAX_CHARACTERS = 200
const MAX_NUMBERS = 5
/** Marks between digits, and invisible ones: phones put those around a copied number. */
const SEPARATORS = /[\s\u00ad\u200b-\u2015\u202a-\u202e\u2060\u2066-\u2069\ufeff.()[\]_~*/-]/g
/** Numbers in the notation of spreadsheets and data frames: `919812345678.0`, `9.19812345678E+11`. */
const DECIMAL = /^\s*(\+?\d{7,})[.,]0+\s*$/
const SCIENTIFIC = /^\s*(\d)(?:[.,](\d+))?e\+?(\d{1,2})\s*$/i
/** A formula or an apostrophe that makes a spreadsheet treat the number as text. */
const GUARD = /^\s*=\s*"([^"]*)"\s*$|^\s*['’‘`]\s*(.*)$/s
/** Labels before a number: `p:`, `tel:`, `WhatsApp -`, `Mob. No:`. */
const LABEL_BEFORE = /^\s*[\p{L}\p{M}][\p{L}\p{M} .#/]{0,30}[:=]\s*/u
const WORDS =
  'whats\\s?app|wa|tel(?:efon[eo]?|efono|éfono|ephone)?|phone|ph|mob(?:ile|il|)|cel(?:l|ular)?|móvil|movil|handy|home|work|office|main|' +
  'personal|primary|business|self|no|number|num|फ़ोन|फोन|मोबाइल|व्हाट्सएप'
const WORDS_BEFORE = new RegExp(`^\\s*(?:(?:${WORDS})[.\\s#:-]+)+(?=[+(\\d])`, 'iu')
const WORDS_AFTER = new RegExp(`(?<=[\\d)])[\\s,/-]+(?:(?:${WORDS})[.\\s]*)+$`, 'iu')
/** A note without digits: `(WhatsApp)`, `[home]`, `<mobile>`. */
const NOTE = /[([<{][^\d()[\]<>{}]*[)\]>}]/g
const BETWEEN_NUMBERS = /:::|[,;|\n\r،、，；]|\s(?:or|and|ou|oder|y|या|और)\s|\s[/&]\s/u
const DIGITS_OF_A_NUMBER = 7
/** A slash or a space separates two numbers only if each part has the length of a number. */
const MIN_BESIDE_SLASH = 8
const MAX_DIGITS = 15

/** The digits of a written number. */
export type WrittenDigits = { digits: string; international: boolean }

const digitsIn = (text: string): number => text.replace(/\D/g, '').length

/** Whether a spreadsheet wrote a number in scientific notation with lost digits: `9.19812E+11`. */
export const hasLostDigits = (text: string): boolean => {
  const [, , decimals = '', exponent] = SCIENTIFIC.exec(text) ?? []
  return exponent !== undefined && decimals.length < Number(exponent)
}

/** Undoes the decimal notation of spreadsheets; returns any other text unchanged. */
function withoutDecimals(text: string): string {
  const [, first, decimals = '', exponent] = SCIENTIFIC.exec(text) ?? []
  if (first !== undefined && decimals.length === Number(exponent)) return first + decimals
  return DECIMAL.exec(text)?.[1] ?? text
}

/** Returns one number's text without the words around it. */
function withoutLabels(text: string): string {
  return text.replace(NOTE, ' ').replace(LABEL_BEFORE, '').replace(WORDS_BEFORE, '').replace(WORDS_AFTER, '')
}

function writtenDigits(text: string): WrittenDigits | undefined {
  const bare = withoutDecimals(text).replace(SEPARATORS, '')
  const [, plus, digits] = /^(\+{0,2})(\d{4,20})$/.exec(bare) ?? []
  if (digits === undefined) return undefined
  if (plus !== '') return { digits, international: true }
  return digits.startsWith('00')
    ? { digits: digits.slice(2), international: true }
    : { digits, international: false }
}

/** Returns the text of each number. */
function splitNumbers(text: string): string[] {
  const parts = text.split(BETWEEN_NUMBERS).filter((part) => digitsIn(part) >= DIGITS_OF_A_NUMBER)
  if (parts.length > 1) return parts.flatMap(splitNumbers)
  const whole = parts[0] ?? text
  const bySlash = whole.split('/')
  if (bySlash.length > 1 && bySlash.every((part) => digitsIn(part) >= MIN_BESIDE_SLASH)) return bySlash
  if (digitsIn(whole) <= MAX_DIGITS) return [whole]
  const bySpace = whole.trim().split(/\s+(?=\+)|\s+/)
  return bySpace.length > 1 && bySpace.every((part) => digitsIn(part) >= MIN_BESIDE_SLASH) ? bySpace : [whole]
}

/**
 * Returns the numbers in a text, in order, at most five: in digits of any script, with or without a label (`p:+91…`,
 * `(WhatsApp)`) or marks of spreadsheets. Empty when there is none; a number with an extension (`ext. 5`) does not count.
 */
export function numbersIn(input: string): WrittenDigits[] {
  if (input.length > MAX_CHARACTERS) return []
  const match = GUARD.exec(input)
  const text = plainDigits(match?.[1] ?? match?.[2] ?? input).replace(/[\uff0b\ufe62\u207a]/g, '+')
  const single = digitsIn(text) > MAX_DIGITS ? undefined : writtenDigits(text)
  if (single) return [single]
  return splitNumbers(text.replace(NOTE, ' '))
    .slice(0, MAX_NUMBERS)
    .flatMap((part) => writtenDigits(withoutLabels(part)) ?? [])
}
