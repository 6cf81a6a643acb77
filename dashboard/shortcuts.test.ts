import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SHORTCUT_PAGES, shortcutsOf } from './shortcuts.ts'

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8')

test('for every page with letters, its commands are among those whose keys can be changed', async () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('/commands.ts') && /keys: '.'/.test(read(path)))
  const table = read('shortcuts.ts')
  expect(files.length).toBeGreaterThan(9)
  expect(files.filter((path) => !table.includes(`import('./${path}')`))).toEqual([])
  for (const { id } of SHORTCUT_PAGES) expect(await shortcutsOf(id), id).not.toEqual([])
})
