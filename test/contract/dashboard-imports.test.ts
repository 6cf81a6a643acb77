/**
 * The imports that dashboard code may have: two files from the server, and in each folder only from folders
 * earlier in the order. Pages name the rules that their imports would otherwise add unseen.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../dashboard')

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && path !== 'vite.config.ts')
const IMPORT =
  /^(?:import|export)\b[^'"`;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm
const importsOf = (path: string): string[] =>
  [...readFileSync(join(ROOT, path), 'utf8').matchAll(IMPORT)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  )
const resolvePath = (from: string, specifier: string): string =>
  relative(ROOT, join(ROOT, dirname(from), specifier)).replaceAll('\\', '/')
const folderOf = (path: string): string => (path.includes('/') ? path.split('/')[0]! : '')

/** Folders of pages in their order: a page may use the `parts` of earlier folders. */
const NOUNS = [
  'sign-in',
  'payments',
  'trace',
  'inbox',
  'sandbox',
  'tasks',
  'leads',
  'contacts',
  'sales',
  'bookings',
  'customer',
  'templates',
  'forms',
  'campaigns',
  'webhooks',
  'developers',
  'keys',
  'connect-app',
  'members',
  'profile',
  'billing',
  'reviews',
  'settings',
  'integrations',
  'auto-replies',
  'bots',
  'automations',
  'social',
  'notifications',
  'analytics',
]
/** Folders that every folder may use. */
const GROUND = ['kit', 'api', 'shell', '']
const BELOW: Record<string, string[]> = {
  kit: ['kit', ''],
  api: ['api', ''],
  // The frame shows the phone next to every page.
  shell: ['kit', 'api', 'shell', '', 'sandbox', 'sign-in', 'connect-app'],
  // The service worker is a program of its own.
  worker: ['worker'],
  '': ['', 'kit', 'api', 'shell', 'languages', 'worker', ...NOUNS],
}

/** Parts that load later parts when they show them: the records of a customer come from many folders. */
const LOADED_LATER: Record<string, string> = {
  'inbox/parts/side-panel.tsx': 'customer/parts/overview.tsx',
  'contacts/parts/contact-page.tsx': 'customer/parts/overview.tsx',
  'leads/parts/lead-page.tsx': 'customer/parts/of-lead.tsx',
}

/** Files of the server that only compute, and import nothing else. */
const SHARED = ['../src/core/values/languages.ts', '../src/core/values/message-format.ts']

function mayImport(from: string, to: string): boolean {
  if (to.startsWith('../')) return to.startsWith('../sdk/') || SHARED.includes(to)
  const [own, other] = [folderOf(from), folderOf(to)]
  const below = BELOW[own]
  if (below) return below.includes(other)
  if (LOADED_LATER[from] === to) return true
  if (own === other || GROUND.includes(other)) return true
  return NOUNS.indexOf(other) < NOUNS.indexOf(own) && /^[\w-]+\/(parts\/|queries\.ts|texts\.ts)/.test(to)
}

describe('the code of the pages', () => {
  test('imports only two files from the server, and only the allowed own folders', () => {
    const violations = files.flatMap((from) =>
      importsOf(from)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => resolvePath(from, specifier))
        .filter((to) => !mayImport(from, to))
        .map((to) => `${from} imports ${to}`),
    )
    expect(violations).toEqual([])
  })

  test('imports parts of Base UI only in the kit', () => {
    const violations = files.filter(
      (path) =>
        folderOf(path) !== 'kit' && importsOf(path).some((specifier) => specifier.startsWith('@base-ui')),
    )
    expect(violations).toEqual([])
  })

  test('lists every folder in the order', () => {
    const folders = [...new Set(files.map(folderOf))].filter(
      (folder) => !GROUND.includes(folder) && !['languages', 'worker'].includes(folder),
    )
    expect(folders.filter((folder) => !NOUNS.includes(folder))).toEqual([])
  })

  test('names every rule of a list in the page that shows it, and adds none by an import alone', () => {
    const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
    const rules = files.flatMap((path) =>
      [...textOf(path).matchAll(/^export const (\w+): ListRule/gm)].map(([, rule]) => rule),
    )
    const named = files.flatMap(
      (path) =>
        textOf(path)
          .match(/^export const lists = \[([^\]]*)\]/m)?.[1]
          ?.split(', ') ?? [],
    )
    expect(rules.length).toBeGreaterThan(0)
    expect(rules.filter((rule) => !named.includes(rule!))).toEqual([])
    const hidden = files.filter(
      (path) => path !== 'main.tsx' && /^(?:patchLists|onChange)\(/m.test(textOf(path)),
    )
    expect(hidden).toEqual([])
  })

  test('the table detects violations', () => {
    expect(mayImport('inbox/page.tsx', '../src/core/ids.ts')).toBe(false)
    expect(mayImport('kit/button.tsx', 'api/request.ts')).toBe(false)
    expect(mayImport('inbox/page.tsx', 'developers/page.tsx')).toBe(false)
    expect(mayImport('inbox/page.tsx', '../sdk/api.ts')).toBe(true)
  })
})
