/** No code names the schema of the default cell, so that all of it works in any cell (docs/cells.md). */
import { expect, onTestFinished, test } from 'vitest'
import { withCell } from '../../src/core/values/cell.ts'
import { inNewCell } from '../../src/database/cells.ts'
import { migrate } from '../../src/database/migrate.ts'
import { onDatabase } from '../../src/database/on-database.ts'
import { createTestDatabase } from '../support/database.ts'
import { filesIn, read } from './source-files.ts'

/** Ways to name the schema: as a qualifier, in the catalog, and in statements about schemas. */
const NAMED = [
  /\bpublic\.[a-z_]+\s/i,
  /'public'::regnamespace/,
  /(?:namespace|schema|schemaname|nspname)\s*(?:=|in|<>)\s*\(?'public'/i,
  /\bschema\s+"?public\b/i,
  /search_path\s*(?:=|to)[^\n;]*\bpublic\b/i,
]
const isNamed = (text: string): boolean => NAMED.some((pattern) => pattern.test(text))

/** The last migration that a release carried before cells existed. `migrationWriter` writes it and the earlier ones for a cell. */
const LAST_BEFORE_CELLS = '0070'

/** Returns the lines that name the schema, with their place. */
const linesThatNameIt = (paths: string[]): string[] =>
  paths.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, i) => (isNamed(line) ? [`${path}:${i + 1} ${line.trim()}`] : [])),
  )

test('the patterns find every way in which earlier code named the schema', () => {
  for (const line of [
    'select * from public.contacts where id = $1',
    "where c.relnamespace = 'public'::regnamespace",
    "where c.table_schema = 'public' and t.table_type",
    'grant usage on schema public to parley_tenant',
    '  set search_path = pg_catalog, public',
    'drop schema public cascade',
  ])
    expect(isNamed(line), line).toBe(true)
  for (const line of ["source: z.enum(['public', 'staff'])", "source = 'public'", 'settings.publicPage'])
    expect(isNamed(line), line).toBe(false)
})

test('no source file names the schema of the default cell', () => {
  const sources = filesIn('src', /(?<!\.test)\.ts$/)
  expect(sources.length).toBeGreaterThan(1_000)
  expect(linesThatNameIt(sources)).toEqual([])
  // Values of that name are in one file.
  const literal = /= 'public'$/m
  const files = sources.filter((path) => literal.test(read(path)))
  expect(files).toEqual(['src/core/values/cell.ts'])
})

test('no migration names a schema, apart from those that a cell receives in its own words', () => {
  const migrations = filesIn('migrations', /\.sql$/)
  const later = migrations.filter((path) => path.slice('migrations/'.length).slice(0, 4) > LAST_BEFORE_CELLS)
  expect(later.length).toBeGreaterThan(0)
  expect(linesThatNameIt(later)).toEqual([])
  const earlier = linesThatNameIt(migrations.filter((path) => !later.includes(path)))
  expect(earlier.length).toBeGreaterThan(10)
  for (const line of earlier)
    expect(line).toMatch(/(?:set search_path = pg_catalog, public|grant usage on schema public .*)$/)
})

test('functions that run as the owner have the search path of their cell, and no function has another', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const address = withCell(url, 'pinned')
  await inNewCell(address, () => migrate(address))
  const { rows } = await onDatabase(address, (client) =>
    client.query<{ name: string; isDefiner: boolean; path: string | null }>(
      `select proname::text as name, prosecdef as "isDefiner",
              (select split_part(setting, '=', 2) from unnest(proconfig) setting where setting like 'search_path=%') as path
       from pg_proc where pronamespace = current_schema()::regnamespace`,
    ),
  )
  const own = 'pg_catalog, pinned'
  const wrong = rows.filter(
    ({ isDefiner, path }) => !(isDefiner ? [own] : [own, 'pg_catalog', null]).includes(path),
  )
  expect(wrong).toEqual([])
  expect(rows.filter(({ isDefiner }) => isDefiner).length).toBeGreaterThan(10)
})
