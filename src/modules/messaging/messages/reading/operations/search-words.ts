/**
 * Extracts the searchable words of a message, in any language and of any type
 * (src/modules/reporting/search/DECISIONS.md).
 */
import { cutText } from '../../../../../core/values/cut-text.ts'
import { isObject } from '../../../../../core/values/storable.ts'
import { messageWords } from './message-words.ts'

/** Longer texts are indexed up to here: more than the operator's longest text, and a few milliseconds of work. */
const MAX_READ_CHARACTERS = 8_192
const MAX_WORDS = 1_000
const MAX_WORD_CHARACTERS = 64
const MAX_WANTED_WORDS = 10

/**
 * Returns the words of a text in the form of the index: letters, marks and digits in lower case, each word
 * once.
 */
function wordsIn(text: string): string[] {
  const found =
    text
      .slice(0, MAX_READ_CHARACTERS)
      .normalize('NFKC')
      // One character can become eighteen.
      .slice(0, 2 * MAX_READ_CHARACTERS)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const cut = found.map((word) => cutText(word, MAX_WORD_CHARACTERS))
  return [...new Set(cut)]
}

/** Returns the text of a message with the name of its file; '' without text. */
export function searchedText(
  type: string,
  content: Record<string, unknown>,
  templateText: string | null,
): string {
  const filename = isObject(content) && typeof content.filename === 'string' ? content.filename : ''
  return `${messageWords(type, content, templateText) ?? ''} ${filename}`.trim()
}

/** Returns the words of a text for the index, separated by spaces. */
export const wordsOfText = (text: string): string => wordsIn(text).slice(0, MAX_WORDS).join(' ')

/** Returns the words of a message for the index, separated by spaces. */
export const indexedWords = (message: {
  type: string
  content: Record<string, unknown>
  templateText: string | null
}): string => wordsOfText(searchedText(message.type, message.content, message.templateText))

export type WantedWords = {
  words: string[]
  /** The query for PostgreSQL: every word, or a word with that prefix. */
  tsquery: string
  /** True if all words are too short for the index to narrow the result. */
  vague: boolean
}

/** Returns the words of a search text; undefined if it has none. */
export function wantedWords(text: string): WantedWords | undefined {
  const words = wordsIn(text).slice(0, MAX_WANTED_WORDS)
  if (words.length === 0) return undefined
  return {
    words,
    tsquery: words.map((word) => `'${word}':*`).join(' & '),
    vague: words.every((word) => Array.from(word).length < 3),
  }
}

const BEFORE_HIT = 40

/** Returns the text from a little before the first match, in one line. */
export function snippetAround(text: string, words: readonly string[], max: number): string {
  const line = Array.from(text.replace(/\s+/g, ' '))
  const lower = line.map((character) => character.toLowerCase()).join('')
  const position = Math.min(
    ...words
      .map((word) => lower.indexOf(word))
      .map((found) => (found < 0 ? Number.POSITIVE_INFINITY : found)),
  )
  const from = Number.isFinite(position)
    ? Math.max(0, Array.from(lower.slice(0, position)).length - BEFORE_HIT)
    : 0
  const shown = line.slice(from, from + max).join('')
  return `${from > 0 ? '… ' : ''}${shown}${from + max < line.length ? ' …' : ''}`
}
