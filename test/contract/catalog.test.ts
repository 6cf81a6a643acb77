/** The catalog lists every endpoint, event, and job once, through the modules. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { ENDPOINTS, EVENTS, JOB_KINDS, WORK_SOURCES } from '../../src/catalog.ts'

const SRC = join(import.meta.dirname, '../../src')
const textOf = (path: string): string => readFileSync(join(SRC, path), 'utf8')
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && path !== 'catalog.ts')
const sources = files.filter((path) => basename(path) !== 'module.ts')

/** Returns the list in which a file's values must be: that of its module, or the catalog. */
const listOf = (path: string): string => {
  const module = /^modules\/[^/]+\/[^/]+\//.exec(path)?.[0]
  return textOf(module ? `${module}module.ts` : 'catalog.ts')
}
const findUnlisted = (pattern: RegExp): { found: number; unlisted: string[] } => {
  const names = sources.flatMap((path) =>
    [...textOf(path).matchAll(pattern)].map((match) => ({ path, name: match[1] ?? '' })),
  )
  const unlisted = names.filter(({ path, name }) => !new RegExp(`\\b${name}\\b`).test(listOf(path)))
  return { found: names.length, unlisted: unlisted.map(({ path, name }) => `${path}: ${name}`) }
}
const findRepeated = (names: string[]): string[] => names.filter((name, i) => names.indexOf(name) !== i)

test.each([
  ['endpoint', /^export const (\w+)(?:: [^=\n]+)? = (?:endpoint|(?:outside|account|upload|hot)Endpoint)\(/gm],
  ['event', /^export const (\w+) = event\(/gm],
  ['job', /^export const (\w+)(?:: [^=\n]+)? = (?:outsideJob|job)\(/gm],
])('every declared %s is in the list of its module', (_, pattern) => {
  const { found, unlisted } = findUnlisted(pattern)
  expect(unlisted).toEqual([])
  expect(found).toBeGreaterThan(0)
})

test('every module is in the catalog', () => {
  const modules = files.filter((path) => basename(path) === 'module.ts')
  expect(modules.length).toBeGreaterThan(0)
  expect(modules.filter((path) => !textOf('catalog.ts').includes(`'./${path}'`))).toEqual([])
})

/** Sources of imports read messages of the past; they are no background work of their own. */
const IS_OF_IMPORTS = /^modules\/automating\/history-imports\/(?:sources\/|history-source)/
const isWorkSource = (path: string): boolean => path.endsWith('-source.ts') && !IS_OF_IMPORTS.test(path)

test('every work source is in the list of its module, and in the order of the catalog', () => {
  const paths = sources.filter(isWorkSource)
  expect(paths.length).toBeGreaterThan(0)
  expect(paths.filter((path) => !listOf(path).includes(basename(path)))).toEqual([])
  const named = files
    .filter((path) => basename(path) === 'module.ts')
    .flatMap((path) => [...textOf(path).matchAll(/^ {4}(\w+|'[\w-]+'): \w+Source,$/gm)])
    .map(([, name]) => name!.replaceAll("'", ''))
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((name) => !Object.hasOwn(WORK_SOURCES, name))).toEqual([])
})

test('background sources of modules are in MODULE/work/NAME-source.ts', () => {
  const strays = sources.filter(
    (path) =>
      path.startsWith('modules/') && isWorkSource(path) && !/^modules\/[^/]+\/[^/]+\/work\/[^/]+$/.test(path),
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
