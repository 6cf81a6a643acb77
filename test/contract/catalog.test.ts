/** The catalog lists every endpoint, event, and job once. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ENDPOINTS, EVENTS, JOB_KINDS } from '../../src/catalog.ts'

const SRC = join(import.meta.dirname, '../../src')
const catalog = readFileSync(join(SRC, 'catalog.ts'), 'utf8')
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && path !== 'catalog.ts')

const namesIn = (pattern: RegExp): string[] =>
  sources.flatMap((path) =>
    [...readFileSync(join(SRC, path), 'utf8').matchAll(pattern)].map((match) => match[1] ?? ''),
  )
const findUnlisted = (names: string[]): string[] =>
  names.filter((name) => !new RegExp(`\\b${name}\\b`).test(catalog))
const findRepeated = (names: string[]): string[] => names.filter((name, i) => names.indexOf(name) !== i)

test('every declared endpoint, event, and job is in the catalog', () => {
  const endpoints = namesIn(/^export const (\w+)(?:: [^=\n]+)? = endpoint\(/gm)
  const events = namesIn(/^export const (\w+) = event\(/gm)
  const jobs = namesIn(/^export const (\w+)(?:: [^=\n]+)? = (?:outsideJob|job)\(/gm)
  expect(findUnlisted([...endpoints, ...events, ...jobs])).toEqual([])
  expect(Math.min(endpoints.length, events.length, jobs.length)).toBeGreaterThan(0)
})

test('every work source is in the catalog', () => {
  const files = sources.filter((path) => path.endsWith('-source.ts'))
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((path) => !catalog.includes(`'./${path}'`))).toEqual([])
})

test('background sources of modules are in MODULE/work/NAME-source.ts', () => {
  const strays = sources.filter(
    (path) =>
      path.startsWith('modules/') &&
      path.endsWith('-source.ts') &&
      !/^modules\/[^/]+\/[^/]+\/work\/[^/]+$/.test(path),
  )
  expect(strays).toEqual([])
})

test('names of operations, events, and jobs are unique, and operations are named after their effect', () => {
  const names = ENDPOINTS.map((value) => value.name)
  expect(findRepeated(names)).toEqual([])
  expect(findRepeated(EVENTS.map((kind) => kind.name))).toEqual([])
  expect(findRepeated(JOB_KINDS.map((kind) => kind.name))).toEqual([])
  expect(names.filter((name) => !/^[a-z]+[A-Z][A-Za-z]*$|^redeliver$/.test(name))).toEqual([])
  expect(names.filter((name) => /^(post|patch|put)[A-Z]/.test(name))).toEqual([])
})
