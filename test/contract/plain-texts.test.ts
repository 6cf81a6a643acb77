/** Texts that people read use plain English: the phrases below do not appear in them (CONTRIBUTING.md, "Plain English"). */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ERRORS } from '../../src/core/errors.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Vague pronouns and turns of phrase that a stranger reads twice. */
const PHRASES =
  /\b(?:whoever|whomever|whichever|nobody|somebody|anybody|anew|once more|(?:goes|go|went) by|stands?|stood|holds (?:for|that|where)|tak(?:es?|en|ing) back|(?:is|are) refused|at once)\b/gi

/** A sentence that begins with a question word and ends without a question mark. */
const CLAUSE = /(?:^|[.!:;] )((?:What|Who|Whose|Whatever) [a-z][^.!?]*)(?=[.!]|$)/g

/** Sentences that are right as they are: the phrase has its other meaning. */
const ALLOWED = new Set<string>([])

const MAX_WORDS = 25

/** Every phrase of `text` that plain English does without, and every sentence that has a clause as its subject. */
function findOddPhrases(text: string): string[] {
  if (ALLOWED.has(text)) return []
  return [...(text.match(PHRASES) ?? []), ...[...text.matchAll(CLAUSE)].map(([, clause]) => clause!)]
}

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

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const filesIn = (folder: string, name: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => name.test(path))
    .sort()

const textsOfPage = (path: string): string[] => {
  const values = (tree: unknown): string[] =>
    typeof tree === 'string' ? [tree] : Object.values(tree as object).flatMap(values)
  return values(JSON.parse(read(path)))
}

describe('texts of pages', () => {
  test.each(filesIn('dashboard', /\/en\.json$/))('%s', (path) => {
    expect(
      textsOfPage(path).flatMap((text) => findOddPhrases(text).map((phrase) => `${phrase}: ${text}`)),
    ).toEqual([])
  })
})

const GUIDES = filesIn('docs/guides', /\.md$/)
/** The other pages, except the contract and its clarifications. */
const PAGES = [...filesIn('docs', /^docs\/[a-z]+\.md$/), ...filesIn('docs/decisions', /\.md$/)].filter(
  (path) => !/spec|clarifications|words/.test(path),
)

describe('documents', () => {
  test.each([
    'README.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'dashboard/README.md',
    ...PAGES,
    ...GUIDES,
  ])('%s', (path) => {
    expect(
      sentencesOf(read(path)).flatMap((sentence) =>
        findOddPhrases(sentence).map((phrase) => `${phrase}: ${sentence}`),
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
  test.each(Object.entries(ERRORS))('%s', (_, { meaning }) => expect(findOddPhrases(meaning)).toEqual([]))
})

test('the search finds odd phrases, and leaves plain ones', () => {
  expect(findOddPhrases('Whoever wrote it goes by that. What was given is wrong.')).toEqual([
    'Whoever',
    'goes by',
    'What was given is wrong',
  ])
  expect(findOddPhrases('What would you like to book? Who can see it?')).toEqual([])
  expect(sentencesOf('# A title\n\nOne. Two `x.y` here.\n\n- An item\n- Another\n')).toEqual([
    'A title',
    'One.',
    'Two X here.',
    'An item',
    'Another',
  ])
})
