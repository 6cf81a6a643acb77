import { randomBytes } from 'node:crypto'
import { withCell } from '../../src/core/values/cell.ts'
import { inNewCell } from '../../src/database/cells.ts'
import { distributeCell } from '../../src/database/distribute-cell.ts'
import { migrate } from '../../src/database/migrate.ts'
import { onDatabase } from '../../src/database/on-database.ts'
import type { TestDatabase } from './database.ts'

/** The coordinator of a Citus cluster, on which each test database is a distributed cell. */
export const CITUS_URL = process.env.PARLEY_TEST_CITUS_URL

/** Creates, migrates, and distributes a cell of its own. */
export async function createDistributedCell(coordinatorUrl: string): Promise<TestDatabase> {
  const cell = `t${randomBytes(6).toString('hex')}`
  const url = withCell(coordinatorUrl, cell)
  await inNewCell(url, () => migrate(url))
  await distributeCell({ url, cell, say: () => {} })
  return { url, drop: () => dropCell(coordinatorUrl, cell) }
}

/** Removes a cell with its tables on all nodes. */
export const dropCell = (coordinatorUrl: string, cell: string): Promise<void> =>
  onDatabase(coordinatorUrl, async (client) => {
    await client.query(`drop schema if exists ${cell} cascade`)
  })
