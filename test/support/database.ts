import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { withCell } from '../../src/core/values/cell.ts'
import { onDatabase, withDatabase } from '../../src/database/on-database.ts'
import { TEST_CELL } from './cell.ts'
import { CITUS_URL, createDistributedCell } from './citus.ts'
import { onServer } from './global-setup.ts'

/** Gives a test file its own migrated, empty database; `url` connects as the service's role. */
export type TestDatabase = { url: string; drop(): Promise<void> }

/** Clones the run's template. `drop` also ends connections that are still open. */
export async function createTestDatabase(): Promise<TestDatabase> {
  if (CITUS_URL) return createDistributedCell(CITUS_URL)
  const { adminUrl, ownerUrl, template } = inject('testServer')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const owner = new URL(ownerUrl).username
  // Copied as files, because copying a thousand small relations through the log takes three times as long.
  await onServer(adminUrl, `create database ${name} template ${template} owner ${owner} strategy file_copy`)
  return {
    url: withCell(withDatabase(ownerUrl, name), TEST_CELL),
    drop: () => onServer(adminUrl, `drop database if exists ${name} with (force)`),
  }
}

/** Creates a database without tables, for a version that migrates it. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await onDatabase(database.url, (client) =>
    client.query(`drop schema ${TEST_CELL} cascade; create schema ${TEST_CELL}`),
  )
  return database
}
