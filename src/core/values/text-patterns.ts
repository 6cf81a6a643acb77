/**
 * Regular expressions that people write, in the syntax of RE2. The engine reads a text once and never
 * backtracks, so no pattern can hold the event loop (src/modules/automating/auto-replies/DECISIONS.md).
 */
import { RE2JS, RE2JSSyntaxException, RE2Set } from 're2js'
import { normalizeWords } from './plain-words.ts'

export const PATTERN_MAX = 200
/** The maximum of instructions of a list of patterns: the work for each character of a text. */
export const PATTERN_STEPS_MAX = 500
/** Patterns read only the beginning of a text, so that a message costs a bounded number of steps. */
export const PATTERN_TEXT_MAX = 1_000
/** The states that a matcher may remember to be faster. With more states, it computes them again. */
const STATE_BYTES_MAX = 256 * 1024
const MATCHERS_MAX = 64

const FLAGS = RE2JS.CASE_INSENSITIVE

/** An escape, a class, a repetition, the beginning of a group, or one character. */
const TOKEN =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|\(\?(?:P?<[^>]*>|[\w-]*:)?|[\s\S]/gu

type Token = { text: string; index: number }
const tokensOf = (pattern: string): Token[] =>
  Array.from(pattern.matchAll(TOKEN), ({ 0: text, index }) => ({ text, index }))

const isGroup = (token: Token | undefined): boolean => token?.text.startsWith('(') ?? false
const REPETITION = /^(?:[*+?]|\{(\d+)(,(\d*))?\})$/u

/** Returns the number of copies that a repetition makes of what it repeats; undefined for other tokens. */
function copiesOf(text: string): number | undefined {
  const found = REPETITION.exec(text)
  if (!found) return undefined
  const [, least, range, largest] = found
  if (least === undefined) return 1
  return Math.max(1, range === undefined ? Number(least) : largest ? Number(largest) : Number(least) + 1)
}

/**
 * Estimates the instructions of a pattern before it is compiled, because compiling many nested repetitions
 * takes long.
 */
export function estimateSteps(pattern: string): number {
  const outer: number[] = []
  let [size, last] = [0, 0]
  for (const token of tokensOf(pattern)) {
    const copies = copiesOf(token.text)
    if (copies !== undefined) {
      size += last * (copies - 1) + 1
      last *= copies
    } else if (isGroup(token)) {
      outer.push(size)
      size = 0
      last = 0
    } else if (token.text === ')') {
      last = size + 2
      size = (outer.pop() ?? 0) + last
    } else {
      last = token.text.startsWith('\\Q') ? token.text.length : 1
      size += last
    }
  }
  return outer.reduce((sum, part) => sum + part, size)
}

const OPEN = 'missing closing )'
const NOTHING = 'missing argument to repetition operator'
const ESCAPE = 'invalid escape sequence'
/** The engine's reasons in plain words. */
const REASONS: Record<string, string> = {
  [OPEN]: "this parenthesis isn't closed",
  'unexpected )': 'this parenthesis closes nothing',
  'missing closing ]': "this bracket isn't closed",
  'invalid character class': 'this class of characters is unknown',
  'invalid character class range': 'this range or class of characters is unknown',
  'invalid repeat count': 'a repetition must be from 0 to 1000, with the lower number first',
  [NOTHING]: 'there is nothing to repeat before this character',
  'invalid nested repetition operator': 'two repetitions follow each other',
  [ESCAPE]: 'this escape is unknown',
  'trailing backslash at end of expression': 'this backslash escapes nothing',
  'invalid named capture': 'the name of this group is invalid, or it looks behind, which is not supported',
  'duplicate capture group name': 'another group already has this name',
  'invalid or unsupported Perl syntax':
    'this kind of group is not supported. Groups that look ahead or behind are not available',
  'expression nests too deeply': 'the groups are nested too deeply',
}

/** Returns where the fault of a pattern is, as an index; undefined if the engine does not say it. */
function faultIndex(pattern: string, reason: string, part: string | null): number | undefined {
  const tokens = tokensOf(pattern)
  if (reason === OPEN) {
    const open: number[] = []
    for (const token of tokens) {
      if (isGroup(token)) open.push(token.index)
      if (token.text === ')') open.pop()
    }
    return open.at(-1)
  }
  if (reason === 'unexpected )') {
    let depth = 0
    return tokens.find((token) => {
      if (isGroup(token)) depth += 1
      else if (token.text === ')') depth -= 1
      return depth < 0
    })?.index
  }
  if (reason === NOTHING)
    return tokens.find(({ text }, at) => {
      const before = tokens[at - 1]
      return copiesOf(text) !== undefined && (!before || isGroup(before) || before.text === '|')
    })?.index
  if (part === null) return pattern.length - 1
  const index = pattern.indexOf(part)
  return index < 0 ? undefined : index
}

const RULE = 'Must be a regular expression in RE2 syntax.'
const TOO_COMPLEX = `Must be simpler. Use fewer or shorter repetitions, such as {1,20} instead of {1,500}.`

/** Returns why a pattern can't be used, in plain words; undefined if it can. */
export function findPatternFault(pattern: string): string | undefined {
  if (estimateSteps(pattern) > PATTERN_STEPS_MAX) return TOO_COMPLEX
  try {
    RE2JS.compile(pattern, FLAGS)
    RE2JS.compile(plainPattern(pattern), FLAGS)
    return undefined
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) return RULE
    const reason = error.getDescription()
    const index = faultIndex(pattern, reason, error.getPattern())
    const why =
      reason === ESCAPE && /^\\[1-9]/.test(error.getPattern() ?? '')
        ? 'references to groups are not supported'
        : REASONS[reason]
    if (why === undefined) return RULE
    return index === undefined
      ? `${RULE} ${why[0]!.toUpperCase()}${why.slice(1)}.`
      : `${RULE} At character ${Array.from(pattern.slice(0, index)).length + 1}, ${why}.`
  }
}

/** Returns whether patterns cost more steps together than a list may. */
export const areTooComplex = (patterns: readonly string[]): boolean =>
  patterns.reduce((sum, pattern) => sum + estimateSteps(pattern), 0) > PATTERN_STEPS_MAX

/**
 * Returns the pattern with its letters spelled like those of normalized texts. ASCII characters stay, because
 * they are the syntax.
 */
const plainPattern = (pattern: string): string =>
  pattern.normalize('NFC').replace(/[^\p{ASCII}]/gu, (letter) => {
    const plain = normalizeWords(letter)
    return /[\p{ASCII}&&[^a-z0-9]]/v.test(plain) ? letter : plain
  })

/** Matchers by their patterns, the last used at the end. */
const matchers = new Map<string, RE2Set>()

function matcherOf(patterns: readonly string[]): RE2Set {
  const name = JSON.stringify(patterns)
  const matcher = matchers.get(name) ?? compileMatcher(patterns)
  matchers.delete(name)
  matchers.set(name, matcher)
  if (matchers.size > MATCHERS_MAX) matchers.delete(matchers.keys().next().value!)
  return matcher
}

function compileMatcher(patterns: readonly string[]): RE2Set {
  const matcher = new RE2Set(RE2Set.UNANCHORED, FLAGS, STATE_BYTES_MAX)
  for (const pattern of patterns) matcher.add(plainPattern(pattern))
  matcher.compile()
  return matcher
}

/**
 * Returns the first pattern that is found in a text that `normalizeWords` returned; undefined if none is.
 * Patterns that `findPatternFault` reports must not be passed.
 */
export function findPattern(patterns: readonly string[], normalizedText: string): string | undefined {
  if (patterns.length === 0) return undefined
  const found = matcherOf(patterns).match(normalizedText.slice(0, PATTERN_TEXT_MAX))
  return found.length === 0 ? undefined : patterns[Math.min(...found)]
}
