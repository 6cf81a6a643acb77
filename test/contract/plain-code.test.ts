/** Comments, titles of tests, and texts in the code use plain English (CONTRIBUTING.md, "Plain English"). */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { findOdd, findOddInCode } from './plain-phrases.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Texts that are right as they are: the phrase has its other meaning, or is the input of a test. */
const ALLOWED = new Set<string>([])

/** Files that quote the phrases: the tests of plain English. */
const QUOTES = /plain-(?:phrases|texts|code)/

const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !QUOTES.test(path))
    .sort()

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
  const source = readFileSync(join(ROOT, path), 'utf8')
  const { comments, program } = parseSync(path, source)
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
  texts.filter((text) => !ALLOWED.has(text)).flatMap((text) => find(text).map((odd) => `${odd}: ${text}`))

describe.each(['src', 'dashboard', 'sdk', 'bin', 'bench', 'test'])('%s', (folder) => {
  const files = filesIn(folder).map((path) => ({ path, texts: textsOf(path) }))
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
  const found = filesIn('src')
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) =>
      oddIn(textsOf(path).strings.filter(isSentence), findOdd).map((odd) => `${path}: ${odd}`),
    )
  expect(found).toEqual([])
})
