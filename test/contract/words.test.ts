/** Words that were given up don't return in identifiers and file names, nor pronouns as names (docs/words.md). */
import { expect, test } from 'vitest'
import { filesIn, parse, read } from './source-files.ts'

const table = read('docs/words.md').split('## Words given up')[1] ?? ''
const givenUp = new Set(
  [...table.matchAll(/^\| ([a-z, ]+) \| .+ \|$/gm)]
    .flatMap(([, words]) => (words ?? '').split(', '))
    .filter((word) => word !== 'not'),
)
/** Places where the word is another product's, or has its other meaning. */
const ALLOWED = new Set(['atMost', 'Visitor'])
/** Icons have the names of their library. */
const ICONS = /^(Circle[A-Z]\w*|MessageCircle)$/

const segmentsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
const isGivenUp = (name: string): boolean =>
  !ALLOWED.has(name) &&
  !ICONS.test(name) &&
  !/in_?flight/i.test(name) &&
  segmentsOf(name).some((word) => givenUp.has(word))

const files = ['src', 'test', 'bench', 'dashboard'].flatMap((folder) => filesIn(folder, /\.tsx?$/))

/** A line that is only a comment. */
const COMMENT = /^\s*(?:\/\/|(?:\/\*|\*)(?!.*\*\/\s*\S))/

/** Returns the names and other words of a file, without its comments: more than its identifiers, and without a syntax tree. */
const wordsOf = (path: string): Set<string> =>
  new Set(
    read(path)
      .split('\n')
      .flatMap((line) => (COMMENT.test(line) ? [] : (line.match(/[\p{L}\p{N}_$]+/gu) ?? []))),
  )

function identifiersOf(path: string): Set<string> {
  const names = new Set<string>()
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const child of node) visit(child)
    } else if (typeof node === 'object' && node !== null) {
      const { type, name } = node as { type?: string; name?: unknown }
      if (type === 'Identifier' && typeof name === 'string') names.add(name)
      for (const child of Object.values(node)) visit(child)
    }
  }
  visit(parse(path).program)
  return names
}

test('no identifier uses a word that was given up', () => {
  const found = files
    .filter((path) => [...wordsOf(path)].some(isGivenUp))
    .flatMap((path) => [...identifiersOf(path)].filter(isGivenUp).map((name) => `${path}: ${name}`))
  expect(found).toEqual([])
})

test('no file name uses one', () => {
  const names = files.map((path) => path.split('/').at(-1) ?? '')
  expect(names.filter((name) => isGivenUp(name.replace(/\.ts$/, '')))).toEqual([])
})

/** Names that leave a reader asking "which?": pronouns, question words, and participles without a noun. */
const VAGUE = new Set(
  'all anew asked begun given heard here how meant mine one said taken theirs them there told tries wanted what who whom whose'.split(
    ' ',
  ),
)

/** Returns the names that a pattern declares. A field that is destructured under its own name is not one. */
function declaredIn(pattern: Pattern | null): string[] {
  if (pattern === null) return []
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name!]
    case 'ObjectPattern':
      return pattern.properties!.flatMap((property) =>
        property.shorthand ? [] : declaredIn(property.argument ?? property.value ?? null),
      )
    case 'ArrayPattern':
      return pattern.elements!.flatMap(declaredIn)
    case 'AssignmentPattern':
      return declaredIn(pattern.left!)
    case 'RestElement':
      return declaredIn(pattern.argument!)
    default:
      return []
  }
}

type Pattern = {
  type: string
  name?: string
  shorthand?: boolean
  properties?: Pattern[]
  elements?: (Pattern | null)[]
  argument?: Pattern
  value?: Pattern
  left?: Pattern
}

/** Returns the variables, parameters, and functions that a file declares. */
function declaredNamesOf(path: string): string[] {
  const names: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const item of node) visit(item)
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return
    const { type, id, params } = node as { type?: string; id?: Pattern | null; params?: Pattern[] }
    if (type === 'VariableDeclarator' || type === 'FunctionDeclaration') names.push(...declaredIn(id ?? null))
    if (/Function/.test(type ?? '') && Array.isArray(params)) names.push(...params.flatMap(declaredIn))
    for (const child of Object.values(node)) visit(child)
  }
  visit(parse(path).program)
  return names
}

test('no variable, parameter, or function has a pronoun as its name', () => {
  const found = files
    .filter((path) => !wordsOf(path).isDisjointFrom(VAGUE))
    .flatMap((path) =>
      declaredNamesOf(path)
        .filter((name) => VAGUE.has(name))
        .map((name) => `${path}: ${name}`),
    )
  expect(found).toEqual([])
})

test('the check itself finds violations', () => {
  expect(givenUp.size).toBeGreaterThan(10)
  expect(['toldAt', 'MOST_ROWS', 'refuseTwin', 'inFlight', 'mostly'].filter(isGivenUp)).toEqual([
    'toldAt',
    'MOST_ROWS',
    'refuseTwin',
  ])
})
