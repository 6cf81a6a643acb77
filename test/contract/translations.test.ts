/** Every catalog of texts is whole in every language (docs/translating.md). */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../src/core/values/languages.ts'

const ROOT = join(import.meta.dirname, '../..')
const catalogs = globSync(['dashboard/**/en.json', 'src/**/texts/en.json'], { cwd: ROOT }).sort()
const read = (path: string): Record<string, string> => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))

type Parts = { names: Set<string>; forms: string[][] }

/** Reads the placeholders of a message, and the forms of each of its plurals. Throws where a brace is wrong. */
function partsOf(text: string, parts: Parts = { names: new Set(), forms: [] }): Parts {
  let rest = text
  for (;;) {
    const start = rest.search(/[{}]/)
    if (start === -1) return parts
    const [head, name, kind] = /^\{\s*(\w+)\s*(,\s*(?:plural\s*,|number\s*))?/.exec(rest.slice(start)) ?? []
    if (head === undefined) throw new Error(`wrong brace in: ${text}`)
    parts.names.add(name!)
    rest = rest.slice(start + head.length)
    if (kind?.includes('plural')) rest = readForms(rest, parts)
    if (!/^\s*\}/.test(rest)) throw new Error(`missing } in: ${text}`)
    rest = rest.replace(/^\s*\}/, '')
  }
}

/** Reads the forms of a plural, and returns the text after them. */
function readForms(text: string, parts: Parts): string {
  const forms: string[] = []
  let rest = text
  for (;;) {
    const [head, form] = /^\s*(=?\w+)\s*\{/.exec(rest) ?? []
    if (head === undefined) break
    let depth = 1
    let end = head.length
    for (; end < rest.length && depth > 0; end++) depth += { '{': 1, '}': -1 }[rest[end]!] ?? 0
    forms.push(form!)
    partsOf(rest.slice(head.length, end - 1), parts)
    rest = rest.slice(end)
  }
  parts.forms.push(forms)
  return rest
}

test('there are catalogs', () => {
  expect(catalogs.length).toBeGreaterThan(30)
})

test.each(catalogs)('%s: its messages are well formed', (path) => {
  for (const text of Object.values(read(path)))
    for (const forms of partsOf(text).forms) expect(forms, text).toContain('other')
})

describe.each(LANGUAGES.filter((language) => language !== 'en'))('%s', (language) => {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()

  test.each(catalogs)('%s has the same keys, in the same order', (path) => {
    expect(Object.keys(read(join(dirname(path), `${language}.json`)))).toEqual(Object.keys(read(path)))
  })

  test.each(catalogs)('%s has the same placeholders, and all plural forms', (path) => {
    const translated = read(join(dirname(path), `${language}.json`))
    for (const [key, text] of Object.entries(read(path))) {
      const { names, forms } = partsOf(translated[key] ?? '')
      expect([...names].sort(), key).toEqual([...partsOf(text).names].sort())
      for (const form of forms) expect(form, key).toEqual(expect.arrayContaining(pluralCategories))
      expect(translated[key]!.trim(), key).not.toBe('')
    }
  })
})

/** The fixed parts of a text, between its placeholders. */
const fixedPartsOf = (text: string): string[] =>
  text
    .split(/\{\w+\}/)
    .map((part) => part.trim())
    .filter((part) => part.length > 8)

test('every stored reason that the pages translate is one that the server writes', () => {
  const source = globSync('src/**/*.ts', { cwd: ROOT })
    .map((path) => readFileSync(join(ROOT, path), 'utf8'))
    .join('\n')
  // The server composes some of its sentences of several values.
  const reasons = Object.entries(read('dashboard/api/server-texts/en.json')).filter(
    ([key]) => key.startsWith('reason.') && !key.startsWith('reason.composed.'),
  )
  expect(reasons.length).toBeGreaterThan(30)
  const unknown = reasons.filter(([, text]) => !fixedPartsOf(text).every((part) => source.includes(part)))
  expect(unknown).toEqual([])
})
