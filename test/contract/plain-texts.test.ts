/** Texts that people read use plain English (CONTRIBUTING.md, "Plain English"). */
import { describe, expect, test } from 'vitest'
import { ERRORS } from '../../src/core/errors.ts'
import { findOdd } from './plain-phrases.ts'
import { filesIn, read } from './source-files.ts'

const MAX_WORDS = 25

/** The prose of a Markdown page: without code, addresses, and the marks of lists, tables, and emphasis. */
const stripMarkup = (markdown: string): string =>
  markdown
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/^ {4}.*$/gm, '')
    .replace(/`[^`]*`/g, 'X')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')

/** The sentences of a page. Headings, items of lists, and cells of tables end one. */
const sentencesOf = (markdown: string): string[] =>
  stripMarkup(markdown)
    .split(/\n\s*\n|\n(?=\s*(?:[-*#|>]|\d+\. ))|\|/)
    .flatMap((block) => block.replace(/\s+/g, ' ').split(/(?<=[.!?:;]) (?=[A-Z*"“])/))
    .map((sentence) => sentence.replace(/^[\s#>*-]+|\*\*/g, '').trim())
    .filter((sentence) => sentence !== '')

const textsOfPage = (path: string): string[] => {
  const values = (tree: unknown): string[] =>
    typeof tree === 'string' ? [tree] : Object.values(tree as object).flatMap(values)
  return values(JSON.parse(read(path)))
}

describe('texts of pages', () => {
  test.each(filesIn('dashboard', /\/en\.json$/))('%s', (path) => {
    expect(textsOfPage(path).flatMap((text) => findOdd(text).map((phrase) => `${phrase}: ${text}`))).toEqual(
      [],
    )
  })
})

const GUIDES = filesIn('docs/guides', /\.md$/)
/** The other pages, except the contract and its clarifications. */
const PAGES = [
  ...filesIn('docs', /^docs\/[a-z-]+\.md$/),
  ...filesIn('docs/decisions', /\.md$/),
  ...filesIn('src', /\/DECISIONS\.md$/),
].filter((path) => !/spec|clarifications|words/.test(path))

describe('documents', () => {
  test.each([
    'README.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'dashboard/README.md',
    'sdk/README.md',
    'n8n/README.md',
    'sdk-python/README.md',
    ...PAGES,
    ...GUIDES,
  ])('%s', (path) => {
    expect(
      sentencesOf(read(path)).flatMap((sentence) =>
        findOdd(sentence).map((phrase) => `${phrase}: ${sentence}`),
      ),
    ).toEqual([])
  })
})

describe(`sentences of guides have at most ${MAX_WORDS} words`, () => {
  test.each(GUIDES)('%s', (path) => {
    expect(sentencesOf(read(path)).filter((sentence) => sentence.split(' ').length > MAX_WORDS)).toEqual([])
  })
})

describe('errors of the API', () => {
  test.each(Object.entries(ERRORS))('%s', (_, { meaning }) => expect(findOdd(meaning)).toEqual([]))
})

const TEXTS = ['summary', 'description']

/** The descriptions in a part of the OpenAPI document. A repeated text counts once. */
function* descriptionsIn(part: unknown): Generator<string> {
  if (typeof part !== 'object' || part === null) return
  for (const [name, inside] of Object.entries(part))
    if (TEXTS.includes(name) && typeof inside === 'string') yield inside
    else yield* descriptionsIn(inside)
}

test('descriptions of the API', () => {
  const texts = [...new Set(descriptionsIn(JSON.parse(read('docs/reference/openapi.json'))))]
  expect(texts.length).toBeGreaterThan(2_000)
  expect(texts.flatMap((text) => findOdd(text).map((odd) => `${odd}: ${text}`))).toEqual([])
})

test('the search finds odd phrases, and leaves plain ones', () => {
  expect(findOdd('Whoever wrote it goes by that. What was given is wrong.')).toEqual([
    'Whoever',
    'goes by',
    'What was given is wrong',
  ])
  expect(findOdd('What would you like to book? Who can see it?')).toEqual([])
  expect(sentencesOf('# A title\n\nOne. Two `x.y` here.\n\n- An item\n- Another\n')).toEqual([
    'A title',
    'One.',
    'Two X here.',
    'An item',
    'Another',
  ])
})
