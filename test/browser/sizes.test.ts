/** What a page costs to load, in gzip: the budgets of the dashboard. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pagesFolder, readPagesState } from '../../bin/pages.mjs'

const KB = 1_000
const folder = pagesFolder(join(import.meta.dirname, '../..'))
const assets = () => join(folder, readPagesState(folder)!.hash, 'assets')
const sizeOf = (name: string): number => gzipSync(readFileSync(join(assets(), name))).length
const named = (pattern: RegExp): string[] => readdirSync(assets()).filter((name) => pattern.test(name))
const ENTRY = /^index-[\w-]+\.js$/

/** A script with everything that it imports before it runs. */
function withImports(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  const text = readFileSync(join(assets(), name), 'utf8')
  for (const [, other] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) withImports(other!, seen)
  return seen
}
const total = (names: Iterable<string>): number => [...names].reduce((sum, name) => sum + sizeOf(name), 0)

test('the entry stays under 195 kB', () => {
  expect(total(withImports(named(ENTRY)[0]!))).toBeLessThan(195 * KB)
})

test('a page brings at most 40 kB of its own, and at most 100 kB with the parts that it shares with others', () => {
  const entry = withImports(named(ENTRY)[0]!)
  const heavy = named(/^page-[\w-]+\.js$/)
    .map(
      (name) => [name, sizeOf(name), total([...withImports(name)].filter((one) => !entry.has(one)))] as const,
    )
    .filter(([, own, all]) => own > 40 * KB || all > 100 * KB)
  expect(heavy).toEqual([])
})

test('styles stay under 20 kB', () => {
  expect(total(named(/\.css$/))).toBeLessThan(20 * KB)
})
