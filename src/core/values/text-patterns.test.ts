import { expect, onTestFinished, test } from 'vitest'
import { normalizeWords } from './plain-words.ts'
import {
  areTooComplex,
  estimateSteps,
  findPattern,
  findPatternFault,
  PATTERN_STEPS_MAX,
  PATTERN_TEXT_MAX,
} from './text-patterns.ts'

const RULE = 'Must be a regular expression in RE2 syntax.'

test.each([
  ['a(b', "At character 2, this parenthesis isn't closed."],
  ['(a)(b', "At character 4, this parenthesis isn't closed."],
  ['a)b', 'At character 2, this parenthesis closes nothing.'],
  ['x[a-', "At character 2, this bracket isn't closed."],
  ['é[z-a]', 'At character 3, this range or class of characters is unknown.'],
  ['\\p{Nothing}', 'At character 1, this range or class of characters is unknown.'],
  ['a{5,2}', 'At character 2, a repetition must be from 0 to 1000, with the lower number first.'],
  ['a*|*', 'At character 4, there is nothing to repeat before this character.'],
  ['a**', 'At character 2, two repetitions follow each other.'],
  ['a\\q', 'At character 2, this escape is unknown.'],
  ['(a)\\1', 'At character 4, references to groups are not supported.'],
  ['ab\\', 'At character 3, this backslash escapes nothing.'],
  [
    'a(?=b)',
    'At character 2, this kind of group is not supported. Groups that look ahead or behind are not available.',
  ],
  [
    'a(?<=b)',
    'At character 2, the name of this group is invalid, or it looks behind, which is not supported.',
  ],
])('the reason and the position of a fault are in plain words: %s', (pattern, reason) => {
  expect(findPatternFault(pattern)).toBe(`${RULE} ${reason}`)
})

test.each([
  'price|cost',
  '^order #?\\d{4,8}$',
  '\\bh(i|ello)\\b',
  '[\\p{L}\\s]+@x',
  '(?P<n>a)b?',
  '.*',
  '[[:alpha:]]]',
])('a valid pattern has no fault: %s', (pattern) => {
  expect(findPatternFault(pattern)).toBeUndefined()
})

test.each([
  ['PRICE|cost', 'What is the Price?', true],
  ['^price$', ' price ', true],
  ['^price$', 'price list', false],
  ['order #?\\d{4}', 'Order\u00a0 #１２３４', true],
  ['café', 'CAFE\u0301', true],
  ['straße', 'STRASSE 5', true],
  ['ज़रूर', '\u095b\u0930\u0942\u0930', true],
  ['istanbul', 'İSTANBUL', true],
  ['İstanbul', 'istanbul', true],
  ['pri\u200bce', 'price', true],
  ['\\D', '12', false],
  ['\\W', 'price', false],
])('%s in %j: %s', (pattern, text, expected) => {
  expect(findPattern([pattern], normalizeWords(text))).toBe(expected ? pattern : undefined)
})

test('the first of several patterns in the list is returned', () => {
  expect(findPattern(['cost', 'price', 'pr.ce'], 'price')).toBe('price')
})

test.each(['(a+)+$', '(a|aa)+$', '(a*)*b', '(.*a){12}b', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
  'a pattern that backtracks reads a text of 64 kB once, and not more often: %s',
  (pattern) => {
    const { charCodeAt, codePointAt } = String.prototype
    onTestFinished(() => void Object.assign(String.prototype, { charCodeAt, codePointAt }))
    expect(findPatternFault(pattern)).toBeUndefined()
    findPattern([pattern], 'a')
    const countReads = (text: string): number => {
      let reads = 0
      Object.assign(String.prototype, {
        charCodeAt(this: string, at: number) {
          reads += 1
          return charCodeAt.call(this, at)
        },
        codePointAt(this: string, at: number) {
          reads += 1
          return codePointAt.call(this, at)
        },
      })
      findPattern([pattern], text)
      Object.assign(String.prototype, { charCodeAt, codePointAt })
      return reads
    }
    const bound = 8 * PATTERN_TEXT_MAX
    expect(countReads(`${'a'.repeat(900)}!`)).toBeLessThan(bound)
    // A longer text costs no more: only its beginning is read.
    expect(countReads(`${'a'.repeat(65_536)}!`)).toBeLessThan(bound)
  },
)

test('the steps for each character are limited before a pattern is compiled', () => {
  const heavy = ['\\pL{1000}', '((x{10}){10}){10}', '(.{0,100})'.repeat(10), 'x'.repeat(501)]
  for (const pattern of heavy) {
    expect(estimateSteps(pattern)).toBeGreaterThan(PATTERN_STEPS_MAX)
    expect(findPatternFault(pattern)).toMatch(/^Must be simpler\./)
  }
  expect(areTooComplex(['.{0,200}x', '.{0,200}y'])).toBe(false)
  expect(areTooComplex(['.{0,200}x', '.{0,200}y', '.{0,200}z'])).toBe(true)
})
