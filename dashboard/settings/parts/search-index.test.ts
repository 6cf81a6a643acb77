/** The search of the settings knows every section, part, and field. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PARTS, searchSettings } from './search-index.ts'
import { GROUPS } from './sections.ts'

const ROOT = join(import.meta.dirname, '../..')
const files = [
  ...readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => `settings/parts/${name}`),
  'sales/parts/settings.tsx',
  'reviews/parts/rating-settings.tsx',
  'reviews/parts/review-settings.tsx',
]

/** Fields and parts with a label of their own. Labels with a placeholder belong to one of many rows. */
const LABELED =
  /<(?:TextField|TextArea|SelectField|ColorField|Switch|Checkbox|Group)\b[^>]*?\blabel=\{t\('([^']+)'\)\}/gs
const TITLED = /<Section\b[^>]*?\btitle=\{t\('([^']+)'\)\}/gs

/** Not settings: the day of a row, and the form of the first steps, whose fields are in the profile. */
const OTHERS = ['hours.date', 'signIn.name', 'signIn.email', 'signIn.password']

const keysOf = (path: string): string[] => {
  const text = readFileSync(join(ROOT, path), 'utf8')
  return [LABELED, TITLED].flatMap((pattern) => [...text.matchAll(pattern)].map(([, key]) => key!))
}

test('every part and every field of the sections is in the index', () => {
  const known = new Set(Object.values(PARTS).flatMap((parts) => parts.flatMap(({ keys }) => keys)))
  const labels = files.flatMap(keysOf)
  expect(labels.length).toBeGreaterThan(60)
  expect([...new Set(labels)].filter((key) => !known.has(key) && !OTHERS.includes(key))).toEqual([])
})

test('every text key of the index exists', () => {
  for (const parts of Object.values(PARTS))
    for (const { t, keys } of parts) for (const key of keys) expect(t(key as never), key).not.toBe(key)
})

test('every section is found by its title, and by each of its other words', () => {
  const sections = Object.values(GROUPS).flatMap((group) => Object.keys(group))
  const found = (text: string) => searchSettings(text, () => true).map(({ section }) => section)
  for (const [text, section] of [
    ['business hours', 'hours'],
    ['canned', 'replies'],
    ['2fa', 'security'],
    ['CSAT', 'ratings'],
    ['audit log', 'activity'],
    ['appointments', 'bookings'],
  ] as const)
    expect(found(text)[0], text).toBe(section)
  expect(Object.keys(PARTS).sort()).toEqual([...sections].sort())
})

test('a field is found by words of its title and of its help, in any order, with or without accents', () => {
  const [first] = searchSettings('zone time', () => true)
  expect(first).toMatchObject({ title: 'Time zone', mark: 'Time zone' })
  expect(searchSettings('calling códe', () => true)[0]).toMatchObject({ id: 'workspace.countryCode' })
  expect(searchSettings('shirt_size', () => true)[0]).toMatchObject({
    id: 'fields.fields.key',
    mark: 'Contact fields',
  })
  expect(searchSettings('nothing like this', () => true)).toEqual([])
})

test('a member finds only the sections that they may open', () => {
  const sections = searchSettings('s', (lowest) => lowest !== 'admin').map(({ section }) => section)
  expect(sections).toContain('replies')
  expect(sections).not.toContain('security')
})
