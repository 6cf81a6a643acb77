/**
 * The rows of statements have the types of the schema (src/database/sql/tables.ts), so that a changed column is a compile error.
 * A row type for SQL text is picked: `Pick<Selectable<Tables['contacts']>, 'id' | 'phone'>`, with `& { count: number }` for
 * computed values. The compiler knows the row of a built statement.
 */
import { describe, expect, test } from 'vitest'
import { findAssertedRows } from './asserted-rows.ts'
import { filesIn, read } from './source-files.ts'

const paths = filesIn('src', /(?<!\.test)\.ts$/)
const isSource = new Set(paths)
const readSource = (path: string): string | undefined => (isSource.has(path) ? read(path) : undefined)

/** Returns the findings in a file with this text. */
const inText = (text: string): string[] => findAssertedRows('src/example.ts', text, readSource)

describe('row types come from the schema', () => {
  test('no statement asserts its row', () => {
    expect(paths.flatMap((path) => findAssertedRows(path, read(path), readSource))).toEqual([])
  })

  test('the check itself finds a row that is written at the call, also around the text of a constant', () => {
    expect(inText("tx.sql<{ id: string; count: number }>('select id, count(*) from tags')")).toEqual([
      'src/example.ts:1 writes by hand: id',
    ])
    expect(inText("const TAGS = 'select name from tags'\nquery<{ name: string }>(TAGS)")).toEqual([
      'src/example.ts:2 writes by hand: name',
    ])
  })

  test('the check itself finds a row in a named type, a returned type, and a cast', () => {
    const found = ['src/example.ts:2 writes by hand: name']
    const row = 'type Row = { name: string }\n'
    expect(inText(`${row}tx.sql<Row>('select name from tags')`)).toEqual(found)
    expect(inText(`${row}const find = (tx): Promise<Row[]> => tx.sql('select name from tags')`)).toEqual(
      found,
    )
    expect(inText(`${row}const rows = (await tx.sql('select name from tags')) as Row[]`)).toEqual(found)
    expect(inText(`\nconst rows: { name: string }[] = await query('select name from tags')`)).toEqual(found)
  })

  test('the check itself finds a column beside picked ones, and a row that is named for a built statement', () => {
    const tag = "Pick<Selectable<Tables['tags']>, 'id'>"
    expect(inText(`tx.sql<${tag} & { name: string }>('select id, name from tags')`)).toEqual([
      'src/example.ts:1 writes by hand: name',
    ])
    expect(inText("tx.first<{ id: string }>(db.selectFrom('tags').select('name'))")).toEqual([
      'src/example.ts:1 names the row of first, which the statement knows',
    ])
  })

  test('computed values, and columns that a type narrows, are no assertions', () => {
    const lead = "Pick<Selectable<Tables['leads']>, 'id' | 'tags'>"
    const text = "'select id, tags, count(*) from leads'"
    expect(inText(`tx.sql<${lead} & { tags: Tag[]; count: number }>(${text})`)).toEqual([])
    expect(
      inText(`type Row = ${lead}\ntx.sql<Pick<Row, 'id'> & { tags: Row['tags'] | null }>(${text})`),
    ).toEqual([])
  })
})
