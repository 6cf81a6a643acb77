import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'

test('test files get their own databases, migrated, and under a role that row-level security binds', async () => {
  const [first, other] = await Promise.all([createTestDatabase(), createTestDatabase()])
  const client = new pg.Client({ connectionString: first.url })
  await client.connect()
  const role = await client.query('select rolsuper, rolbypassrls from pg_roles where rolname = current_user')
  expect(role.rows).toEqual([{ rolsuper: false, rolbypassrls: false }])
  const migrations = await client.query('select name from schema_migrations')
  expect(migrations.rowCount).toBeGreaterThan(0)
  await client.end()
  await Promise.all([first.drop(), other.drop()])
})
