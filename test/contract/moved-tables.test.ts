/**
 * Every table moves with a workspace, is matched in the new cell, or stays, with the reason
 * (docs/decisions/workspace-moves.md). test/platform/workspace-move.test.ts proves that rows arrive.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ACCOUNT_COLUMNS } from '../../src/cli/move/match-accounts.ts'
import { listMovedTables, MATCHED, STAYING } from '../../src/cli/move/moved-tables.ts'
import { onDatabase } from '../../src/database/on-database.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const TABLES = `
select c.relname as name from pg_class c
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and c.relname <> 'schema_migrations' order by 1`

test.each(Object.entries(ACCOUNT_COLUMNS))(
  'every column of %s moves with an account',
  async (table, columns) => {
    const { rows } = await onDatabase(database.url, (client) =>
      client.query<{ name: string }>(
        `select attname::text as name from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [table],
      ),
    )
    expect([...columns].sort()).toEqual(rows.map(({ name }) => name).sort())
  },
)

/** Unique values that two workspaces can't share, so two cells can't either. They are random, or name something outside. */
const UNIQUE_IN_A_CELL = [
  'api_keys_hash_key',
  'booking_settings_page_token_key',
  'bookings_token',
  'integrations_intake_token',
  'invitations_hash_key',
  'phone_numbers_operator_id',
  'review_requests_public_token',
  'sales_documents_public_token',
  'social_accounts_holder',
  'weekly_mail_choices_token',
  'workspaces_capture_token_key',
]

test('every table moves, is matched, or stays with a reason', async () => {
  const [existing, moved] = await onDatabase(database.url, async (client) => [
    (await client.query<{ name: string }>(TABLES)).rows.map(({ name }) => name),
    (await listMovedTables(client)).map(({ name }) => name),
  ])
  expect([...moved!, ...Object.keys(MATCHED), ...Object.keys(STAYING)].sort()).toEqual(existing!.sort())
  expect(moved!.length).toBeGreaterThan(90)
})

test('rows of a moved table are found by their key, and no value of it depends on the server', async () => {
  const tables = await onDatabase(database.url, listMovedTables)
  // A key without further columns: at most one row for each workspace.
  const single = tables.filter(({ key }) => key.length === 0).map(({ name }) => name)
  expect(single).toContain('workspaces')
  const sequences = await onDatabase(database.url, (client) =>
    client.query(
      "select from pg_class where relkind = 'S' and relnamespace = current_schema()::regnamespace",
    ),
  )
  expect(sequences.rows).toEqual([])
})

test('values that are unique in a whole cell are random, or the move says which one is taken', async () => {
  const { rows } = await onDatabase(database.url, (client) =>
    client.query<{ name: string }>(
      `select x.relname as name from pg_index i join pg_class x on x.oid = i.indexrelid join pg_class c on c.oid = i.indrelid
       where i.indisunique and c.relnamespace = current_schema()::regnamespace and not c.relispartition
         and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id' or c.relname = 'workspaces')
         and pg_get_indexdef(i.indexrelid) !~ 'workspace_id' and x.relname <> 'workspaces_pkey' order by 1`,
    ),
  )
  expect(rows.map(({ name }) => name)).toEqual(UNIQUE_IN_A_CELL)
})
