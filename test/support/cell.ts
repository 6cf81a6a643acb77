import { cellOf, DEFAULT_CELL } from '../../src/core/values/cell.ts'

/** The cell of the test databases. `PARLEY_TEST_SCHEMA=c7 npm test -- PATH` runs tests in another one than the default. */
export const TEST_CELL = process.env.PARLEY_TEST_SCHEMA ?? DEFAULT_CELL

/** Returns the settings of a process, with the cell that its database's address names. */
export function withCellSetting<Env extends Record<string, string | undefined>>(env: Env): Env {
  const cell = cellOf(env.PARLEY_LISTEN_DATABASE_URL ?? env.DATABASE_URL ?? '')
  return cell === DEFAULT_CELL ? env : { PARLEY_SCHEMA: cell, ...env }
}
