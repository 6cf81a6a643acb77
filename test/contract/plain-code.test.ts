/** Comments, titles of tests, and texts in the code use plain English (CONTRIBUTING.md, "Plain English"). */
import { describe, expect, test } from 'vitest'
import { findOdd, findOddInCode } from './plain-phrases.ts'
import { filesIn, parse } from './source-files.ts'

/** Files that quote the phrases: the tests of plain English. */
const QUOTES = /plain-(?:phrases|texts|code)/

const sourcesIn = (folder: string): string[] =>
  filesIn(folder, /\.(?:tsx?|mjs)$/).filter((path) => !QUOTES.test(path))

type Node = {
  type: string
  value?: unknown
  callee?: Node
  object?: Node
  name?: string
  [field: string]: unknown
}
type Texts = { comments: string[]; titles: string[]; strings: string[] }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Returns the name of the function that a call starts from: `test` for `test.each(rows)(title, run)`. */
const calledName = (callee: Node | undefined): string | undefined =>
  callee?.name ?? (callee && calledName(callee.object ?? callee.callee))

const TESTS = new Set(['test', 'describe'])

/** Returns the comments, the titles of tests, and the other texts of a file. */
function textsOf(path: string): Texts {
  const { comments, program } = parse(path)
  const texts: Texts = {
    comments: comments.map(({ value }) =>
      value
        .replace(/^\s*\*/gm, '')
        .replace(/\s+/g, ' ')
        .trim(),
    ),
    titles: [],
    strings: [],
  }
  const visit = (value: unknown, isTitle = false): void => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    if (!isNode(value)) return
    if (value.type === 'Literal' && typeof value.value === 'string')
      texts[isTitle ? 'titles' : 'strings'].push(value.value)
    if (value.type === 'TemplateElement') texts.strings.push((value.value as { cooked: string }).cooked)
    const isTest = value.type === 'CallExpression' && TESTS.has(calledName(value.callee) ?? '')
    for (const [field, child] of Object.entries(value))
      if (isTest && field === 'arguments') {
        const [title, ...others] = child as Node[]
        visit(title, true)
        visit(others)
      } else visit(child)
  }
  visit(program)
  return texts
}

const oddIn = (texts: string[], find: (text: string) => string[]): string[] =>
  texts.flatMap((text) => find(text).map((odd) => `${odd}: ${text}`))

describe.each(['src', 'dashboard', 'sdk', 'bin', 'bench', 'test'])('%s', (folder) => {
  const files = sourcesIn(folder).map((path) => ({ path, texts: textsOf(path) }))
  const report = (of: (texts: Texts) => string[]): string[] =>
    files.flatMap(({ path, texts }) => of(texts).map((odd) => `${path}: ${odd}`))

  test('comments', () => {
    expect(report(({ comments }) => oddIn(comments, findOddInCode))).toEqual([])
  })

  test('titles of tests', () => {
    expect(report(({ titles }) => oddIn(titles, findOddInCode))).toEqual([])
  })
})

test('texts of the API, the command line, and the logs', () => {
  const isSentence = (text: string): boolean =>
    / /.test(text) && !/\b(?:select|insert|update|delete) /i.test(text)
  const found = sourcesIn('src')
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) =>
      oddIn(textsOf(path).strings.filter(isSentence), findOdd).map((odd) => `${path}: ${odd}`),
    )
  expect(found).toEqual([])
})
