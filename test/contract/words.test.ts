/** Words that were given up don't return in identifiers and file names (docs/words.md). */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

const table = readFileSync(join(ROOT, 'docs/words.md'), 'utf8').split('## Words given up')[1] ?? ''
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

const files = ['src', 'test', 'bench', 'dashboard'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path)),
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
  visit(parseSync(path, readFileSync(join(ROOT, path), 'utf8')).program)
  return names
}

test('no identifier uses a word that was given up', () => {
  const found = files.flatMap((path) =>
    [...identifiersOf(path)].filter(isGivenUp).map((name) => `${path}: ${name}`),
  )
  expect(found).toEqual([])
})

test('no file name uses one', () => {
  const names = files.map((path) => path.split('/').at(-1) ?? '')
  expect(names.filter((name) => isGivenUp(name.replace(/\.ts$/, '')))).toEqual([])
})

test('the check itself finds violations', () => {
  expect(givenUp.size).toBeGreaterThan(10)
  expect(['toldAt', 'MOST_ROWS', 'refuseTwin', 'inFlight', 'mostly'].filter(isGivenUp)).toEqual([
    'toldAt',
    'MOST_ROWS',
    'refuseTwin',
  ])
})
