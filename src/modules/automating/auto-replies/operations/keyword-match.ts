/** Finds keywords and regular expressions in a message. Pure. */
import { normalizeWords } from '../../../../core/values/plain-words.ts'
import { findPattern } from '../../../../core/values/text-patterns.ts'
import { TEXT_MAX } from '../../../messaging/messages/schema.ts'
import type { MATCHES, WORD_MATCHES } from '../schema.ts'

export type Match = (typeof MATCHES)[number]
type WordMatch = (typeof WORD_MATCHES)[number]

const isPartOfWord = (char: string | undefined): boolean =>
  char !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(char)

function holdsWord(text: string, word: string): boolean {
  for (let position = text.indexOf(word); position >= 0; position = text.indexOf(word, position + 1)) {
    // Reads one character of at most two units, because a long text can contain the word thousands of times.
    const before = Array.from(text.slice(Math.max(0, position - 2), position)).at(-1)
    const [after] = text.slice(position + word.length, position + word.length + 2)
    if (!isPartOfWord(before) && !isPartOfWord(after)) return true
  }
  return false
}

const MATCHERS: Record<WordMatch, (text: string, keyword: string) => boolean> = {
  exact: (text, keyword) => text === keyword,
  contains: (text, keyword) => text.includes(keyword),
  starts: (text, keyword) => text.startsWith(keyword),
  word: holdsWord,
}

/**
 * Normalized keywords, cached by the list in their row, because every message is compared with all of them.
 */
const plainLists = new WeakMap<readonly string[], string[]>()
function plainKeywords(keywords: readonly string[]): string[] {
  const normalized = plainLists.get(keywords) ?? keywords.map(normalizeWords)
  plainLists.set(keywords, normalized)
  return normalized
}

/** Returns a function that returns the first of the keywords in a message, in any case. */
export function keywordFinder(
  message: string | undefined,
): (keywords: readonly string[], match: Match) => string | undefined {
  const text = normalizeWords((message ?? '').slice(0, TEXT_MAX))
  return (keywords, match) => {
    if (text === '') return undefined
    if (match === 'regex') return findPattern(keywords, text)
    // A keyword of invisible characters is in no message.
    const found = plainKeywords(keywords).findIndex(
      (keyword) => keyword !== '' && MATCHERS[match](text, keyword),
    )
    return keywords[found]
  }
}

/**
 * Returns a function that finds keywords in a message, in any case. The message is normalized once for all
 * lists of keywords.
 */
export function keywordMatcher(
  message: string | undefined,
): (keywords: readonly string[], match: Match) => boolean {
  const find = keywordFinder(message)
  return (keywords, match) => find(keywords, match) !== undefined
}
