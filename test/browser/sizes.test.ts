/** The size of a page's downloads, in gzip: the budgets of the dashboard. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pagesFolder, readPagesState } from '../../bin/pages.mjs'

const KB = 1_000
const folder = pagesFolder(join(import.meta.dirname, '../..'))
const assets = () => join(folder, readPagesState(folder)!.hash, 'assets')
const sizeOf = (name: string): number => gzipSync(readFileSync(join(assets(), name))).length
const listAssets = (pattern: RegExp): string[] => readdirSync(assets()).filter((name) => pattern.test(name))
/** Returns a script with everything that it imports before it runs. */
function withImports(name: string, visited = new Set<string>()): Set<string> {
  if (visited.has(name)) return visited
  visited.add(name)
  const text = readFileSync(join(assets(), name), 'utf8')
  for (const [, other] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g))
    withImports(other!, visited)
  return visited
}
const total = (names: Iterable<string>): number => [...names].reduce((sum, name) => sum + sizeOf(name), 0)

/** Returns the scripts that the page names. */
const page = readFileSync(join(assets(), '../index.html'), 'utf8')
const entry = new Set(
  [...page.matchAll(/src="\.\/assets\/([\w.-]+\.js)"/g)].flatMap(([, name]) => [...withImports(name!)]),
)
/** Returns the files that `name` loads in addition to the first ones. */
const filesBeyondEntry = (name: string): string[] => [...withImports(name)].filter((file) => !entry.has(file))
const findTooHeavy = (pattern: RegExp, max: number) =>
  listAssets(pattern)
    .map((name) => [name, total(filesBeyondEntry(name))] as const)
    .filter(([, size]) => size > max)

test('the entry stays under 170 kB', () => {
  expect(total(entry)).toBeLessThan(170 * KB)
})

test('the inbox stays under 230 kB, including the entry and every shared part', () => {
  expect(total(entry) + total(filesBeyondEntry(listAssets(/^inbox-page-/)[0]!))).toBeLessThan(230 * KB)
})

test('any other page loads at most 60 kB, including shared parts', () => {
  expect(findTooHeavy(/^(?!inbox-)[\w-]+-page-[\w-]+\.js$/, 60 * KB)).toEqual([])
})

test('a first page is few files: on a slow connection every six of them cost time', () => {
  expect(entry.size + filesBeyondEntry(listAssets(/^inbox-page-/)[0]!).length).toBeLessThan(18)
})

test('every later part, including charts, is at most 120 kB', () => {
  expect(findTooHeavy(/\.js$/, 120 * KB)).toEqual([])
})

test('styles stay under 20 kB', () => {
  expect(total(listAssets(/\.css$/))).toBeLessThan(20 * KB)
})
