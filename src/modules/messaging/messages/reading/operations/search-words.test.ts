import { expect, test } from 'vitest'
import { wordsOfText } from './search-words.ts'

test('each word is listed once, in lower case and without its punctuation', () => {
  expect(wordsOfText('Is the BLUE one, the blue one, in stock?')).toBe('is the blue one in stock')
})

test('of a long text, the first 8,192 characters are read', () => {
  const filler = 'no '.repeat(2_731)
  expect(wordsOfText(`${filler}lamp`)).toBe('no')
  expect(wordsOfText(`${filler.slice(6)}lamp`)).toBe('no lamp')
})

test('characters that become eighteen do not lengthen the work', () => {
  expect(wordsOfText('\ufdfa '.repeat(30_000)).split(' ').slice(0, 4)).toEqual([
    'صلى',
    'الله',
    'عليه',
    'وسلم',
  ])
})

test('a word is cut after 64 characters, and no character is cut', () => {
  expect(Array.from(wordsOfText('𝕒'.repeat(10) + 'é'.repeat(100)))).toHaveLength(64)
  expect(Array.from(wordsOfText('𐐨'.repeat(100)))).toHaveLength(64)
})
