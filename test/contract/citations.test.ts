/** Files that code and documents cite exist in the repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const FOLDERS = ['src', 'test', 'bench', 'bin', 'migrations', 'docs', 'examples']
const files = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  ),
]
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.(ts|mjs|sql|md)$/.test(path) && !path.startsWith('test/corpora/'))

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

test('every cited page under docs/ exists', () => {
  const missing = files.flatMap((path) =>
    [...textOf(path).matchAll(/\bdocs\/[\w./-]+\.md\b/g)]
      .filter(([cited]) => !existsSync(join(ROOT, cited)))
      .map(([cited]) => `${path} cites ${cited}`),
  )
  expect(missing).toEqual([])
})

test('every page that is named without its folder exists', () => {
  const names = new Set(files.map((path) => basename(path)))
  // Released migrations don't change.
  const missing = files
    .filter((path) => !path.startsWith('migrations/'))
    .flatMap((path) =>
      [...textOf(path).matchAll(/(?<![\w./-])[a-z][a-z-]*\.md\b/g)]
        .filter(([named]) => !names.has(named))
        .map(([named]) => `${path} names ${named}`),
    )
  expect(missing).toEqual([])
})

test('every relative link in a page leads to an existing file', () => {
  const dead = files
    .filter((path) => path.endsWith('.md') && path !== 'docs/spec.md')
    .flatMap((path) =>
      [...textOf(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .filter(([, to]) => !existsSync(join(ROOT, dirname(path), to ?? '')))
        .map(([, to]) => `${path} links to ${to}`),
    )
  expect(dead).toEqual([])
})

test('the index of decisions lists each page once, by its title under its module; each has a date and a status', () => {
  const folder = join(ROOT, 'docs/decisions')
  const [, ...sections] = readFileSync(join(folder, 'README.md'), 'utf8').split('\n## ')
  const listed = sections.flatMap((section) => {
    const [module = '', ...lines] = section.split('\n')
    return lines.filter((line) => line !== '').map((line) => `${module}: ${line}`)
  })
  const pages = readdirSync(folder)
    .filter((name) => name !== 'README.md')
    .map((name) => {
      const [title = '', , status = ''] = readFileSync(join(folder, name), 'utf8').split('\n')
      const module =
        /^Date: \d{4}-\d\d-\d\d · Status: (?:accepted|replaced by \S+) · Module: ([a-z-]+)$/.exec(status)
      return `${module?.[1]}: - [${title.replace(/^# /, '')}](${name})`
    })
  expect(listed.sort()).toEqual(pages.sort())
})
