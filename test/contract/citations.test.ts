/** Files that code and documents cite exist in the repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const FOLDERS = ['src', 'test', 'bench', 'bin', 'migrations', 'docs', 'dashboard', 'deploy']
const files = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  ),
]
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.(tsx?|mjs|sql|md)$/.test(path) && !path.startsWith('test/corpora/'))
const pages = files.filter((path) => path.endsWith('.md'))

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** The text of a file as one line, without the marks of comments and of code. */
const flatTextOf = (path: string): string =>
  textOf(path)
    .replace(/\n\s*(?:\/\/|\*|--)?\s*/g, ' ')
    .replaceAll('`', '')

const headingsOf = (page: string): string[] =>
  [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!.replaceAll('`', ''))

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/\s+/g, '-')

const INDEX = 'docs/decisions/README.md'
const decisionPages = files.filter(
  (path) => basename(path) === 'DECISIONS.md' || (path.startsWith('docs/decisions/') && path !== INDEX),
)

/** The page that `DECISIONS.md` without a folder means in a file: the nearest one. */
const ownDecisions = (path: string): string | undefined => {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
    if (files.includes(`${folder}/DECISIONS.md`)) return `${folder}/DECISIONS.md`
  return undefined
}

const [indexed = '', earlier = ''] = textOf(INDEX).split('## Earlier names')

/** The names of pages that migrations cite and that are in a module now. Migrations don't change. */
const EARLIER = new Set(
  [...earlier.matchAll(/^\| ([a-z-]+) \| \[/gm)].map(([, name]) => `docs/decisions/${name}.md`),
)

test('every cited page exists', () => {
  const missing = files.flatMap((path) =>
    [...textOf(path).matchAll(/\b(?:docs\/[\w./-]+|src\/[\w./-]+\/DECISIONS)\.md\b/g)]
      .map(([cited]) => cited)
      .filter((cited) => !existsSync(join(ROOT, cited)))
      .filter((cited) => !(path.startsWith('migrations/') && EARLIER.has(cited)))
      .map((cited) => `${path} cites ${cited}`),
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

test('a file that cites DECISIONS.md without a folder is in a module with that page', () => {
  const lost = files
    .filter((path) => path.startsWith('src/') && /(?<![\w/])DECISIONS\.md\b/.test(textOf(path)))
    .filter((path) => ownDecisions(path) === undefined)
  expect(lost).toEqual([])
})

/** Whether a page has a heading that begins with `words`. The clarifications are a list without headings. */
const hasHeading = (page: string, words: string): boolean =>
  page === 'docs/clarifications.md'
    ? flatTextOf(page).includes(words)
    : headingsOf(page).some((heading) => heading.startsWith(words))

test('every heading that is cited with its page begins a heading there', () => {
  const missing = files
    .filter((path) => path !== 'test/contract/citations.test.ts')
    .flatMap((path) =>
      [...flatTextOf(path).matchAll(/((?:docs|src)\/[\w./-]+\.md|(?<![\w/])DECISIONS\.md),? "([^"]+)"/g)]
        .map(([, page = '', heading = '']) => ({
          page: page === 'DECISIONS.md' ? (ownDecisions(path) ?? page) : page,
          heading,
        }))
        .filter(({ page }) => existsSync(join(ROOT, page)))
        .filter(({ page, heading }) => !hasHeading(page, heading))
        .map(({ page, heading }) => `${path} cites "${heading}" of ${page}`),
    )
  expect(missing).toEqual([])
})

test('every relative link in a page leads to an existing file, and to a heading there', () => {
  const dead = pages
    .filter((path) => path !== 'docs/spec.md')
    .flatMap((path) =>
      [...textOf(path).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
        .filter(([, to = '', anchor]) => {
          const target = to === '' ? path : join(dirname(path), to)
          if (!existsSync(join(ROOT, target))) return true
          return anchor !== undefined && !headingsOf(target).map(anchorOf).includes(anchor)
        })
        .map(([link]) => `${path} links to ${link}`),
    )
  expect(dead).toEqual([])
})

test('the index lists each decision once, by its title; each has a date and a status', () => {
  const listed = indexed.split('\n').filter((line) => line.startsWith('- '))
  const decisions = decisionPages.flatMap((path) => {
    const lines = textOf(path).split('\n')
    const found = lines.flatMap((line, index) =>
      /^Date: \d{4}-\d\d-\d\d · Status: (?:accepted|replaced by \S+)$/.test(line)
        ? [lines[index - 2] ?? '']
        : [],
    )
    expect(found, `${path} has a decision with a date and a status`).not.toEqual([])
    return found.map((heading) => {
      const title = heading.replace(/^#+ /, '')
      const anchor = heading.startsWith('## ') ? `#${anchorOf(title)}` : ''
      if (path.startsWith('docs/')) return `- [${title}](${basename(path)})`
      const module = dirname(path).split('/').slice(3).join('/')
      return `- ${module}: [${title}](../../${path}${anchor})`
    })
  })
  expect(listed.sort()).toEqual(decisions.sort())
})

test('every page that migrations cite is in the index under its earlier name, or exists', () => {
  const unknown = files
    .filter((path) => path.startsWith('migrations/'))
    .flatMap((path) =>
      [...textOf(path).matchAll(/(?<=[\s(/])([a-z][a-z-]*)\.md\b/g)]
        .map(([, name]) => name!)
        .filter((name) => !files.some((file) => basename(file) === `${name}.md`))
        .filter((name) => !EARLIER.has(`docs/decisions/${name}.md`))
        .map((name) => `${path} names ${name}.md`),
    )
  expect(unknown).toEqual([])
})
