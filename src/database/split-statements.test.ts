import { expect, test } from 'vitest'
import { listMigrations } from './migrate.ts'
import { splitStatements } from './split-statements.ts'

test('a semicolon in a text, a name, a function, or a comment ends no statement', () => {
  const statements = [
    "select 'a;b', 'it''s; so', e.\"x;y\" from e",
    'create function f() returns void language plpgsql as $$ begin perform 1; end $$',
    "do $body$ begin raise notice '$$;'; end $body$",
    '-- A comment; with more.\ninsert into t values (1) /* and; this */',
  ]
  expect(splitStatements(`${statements.join(';\n')};\n-- The end;\n`)).toEqual(statements)
  expect(splitStatements(statements[0]!)).toEqual([statements[0]])
  expect(splitStatements(' ;; ')).toEqual([])
})

test('every migration splits into the statements of its file', async () => {
  for (const { name, sql } of await listMigrations()) {
    const statements = splitStatements(sql)
    expect(statements.length, name).toBeGreaterThan(0)
    for (const statement of statements)
      expect(statement.replace(/^(?:\s|--[^\n]*\n)+/, ''), name).toMatch(
        /^(?:create|alter|drop|insert|update|delete|select|with|do|grant|set|comment|lock)\b/i,
      )
  }
})
