/** Whether a message holds a keyword. Pure. */
import { plainWords } from '../../../core/plain-words.ts'
import type { MATCHES } from '../schema.ts'

export type Match = (typeof MATCHES)[number]

const isPartOfWord = (char: string | undefined): boolean =>
  char !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(char)

function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    // One character, of two units at most: a long text may hold the word thousands of times.
    const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1)
    const [after] = text.slice(at + word.length)
    if (!isPartOfWord(before) && !isPartOfWord(after)) return true
  }
  return false
}

const MATCHERS: Record<Match, (text: string, keyword: string) => boolean> = {
  exact: (text, keyword) => text === keyword,
  contains: (text, keyword) => text.includes(keyword),
  starts: (text, keyword) => text.startsWith(keyword),
  word: holdsWord,
}

/** Whether any of the keywords is in the message, in whatever case. */
export function matchesKeyword(message: string, keywords: readonly string[], match: Match): boolean {
  const text = plainWords(message)
  const sought = keywords.map(plainWords).filter((keyword) => keyword !== '')
  return text !== '' && sought.some((keyword) => MATCHERS[match](text, keyword))
}
