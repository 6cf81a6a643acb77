/** The search that proves erasures: it must search the whole database. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, type TestParley } from '../support/boot.ts'
import { TEST_CELL } from '../support/cell.ts'
import { findEverywhere } from '../support/database-search.ts'

let parley: TestParley
beforeAll(async () => {
  parley = await boot()
})
afterAll(() => parley.close())

test('a text is found in any table of any schema: in text, lists, JSON, bytes, and partitions, in upper and lower case', async () => {
  const word = `w${randomUUID()}`
  await parley.system(async (tx) => {
    await tx.sql('create schema beside')
    await tx.sql(
      'create table beside."odd ""name" (a text, b text[], c jsonb, d bytea, e varchar, f json, g int)',
    )
    await tx.sql(
      `insert into beside."odd ""name" select $1, array['x', $1], jsonb_build_object($1::text, 1), convert_to($1, 'UTF8'), upper($1),
         json_build_array($1::text), 1`,
      [word],
    )
    await tx.sql(
      `insert into events (workspace_id, id, name, data, created_at)
       values (gen_random_uuid(), gen_random_uuid(), 'odd', jsonb_build_object('deep', jsonb_build_array($1::text)), now())`,
      [word],
    )
  })
  const found = await findEverywhere(parley, [word, 'nothing like it'])
  const places = ['a', 'b', 'c', 'd', 'e', 'f'].map((column) => `beside.odd "name.${column}`)
  expect(found.map(({ needle, place }) => [needle, place]).sort()).toEqual(
    [...places, `${TEST_CELL}.events.data`].map((place) => [word, place]),
  )
})
