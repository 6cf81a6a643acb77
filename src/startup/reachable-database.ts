import type pg from 'pg'
import { type Config, ConfigError } from '../config.ts'
import { DEFAULT_CELL } from '../core/values/cell.ts'
import { describeMissingCell } from '../database/cells.ts'
import { DatabaseClient } from '../database/client.ts'

const OLDEST_SERVER = 15
const ENCODING = 'UTF8'

const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

type ServerInfo = { version: string; encoding: string; schema: string | null }

/** Returns why a reachable database cannot be used. */
function problemsOf({ version, encoding }: ServerInfo): string[] {
  if (Number.parseInt(version, 10) < OLDEST_SERVER)
    return [`PostgreSQL ${version} is too old. Use version ${OLDEST_SERVER} or later.`]
  if (encoding === ENCODING) return []
  return [`The database uses the encoding ${encoding}. Use a database created with encoding '${ENCODING}'.`]
}

type Expected = { isPooler: boolean; cell: string; mayLackCell: boolean }

/** Returns why the schema of a connection cannot be used. A pooler's connections to a cell are checked with its other settings. */
function schemaFaults(
  name: string,
  { schema }: ServerInfo,
  { isPooler, cell, mayLackCell }: Expected,
): string[] {
  if (schema === cell) return []
  if (cell !== DEFAULT_CELL)
    return isPooler || mayLackCell ? [] : [`PARLEY_SCHEMA: ${describeMissingCell(cell)}`]
  return [
    `${name}: New tables would go to ${schema === null ? 'no schema' : `the schema ${schema}`}. Let the search_path of the database user start with ${DEFAULT_CELL}.`,
  ]
}

/**
 * A pooler's error for a connection with startup settings, before any state is left in its own connections.
 */
const REFUSED_BY_POOLER = /unsupported startup parameter/
const POOLER_ADVICE =
  'The address is a pooler. Set DATABASE_URL to it, and PARLEY_LISTEN_DATABASE_URL to the database itself (docs/growing.md, "Connections").'

async function faultOf(name: string, url: string, expected: Expected): Promise<string[]> {
  const { isPooler } = expected
  let client: pg.Client | undefined
  try {
    // Reads the files that the address names; throws if it cannot.
    const settings = isPooler ? {} : { statement_timeout: 10_000 }
    client = new DatabaseClient({ connectionString: url, connectionTimeoutMillis: 10_000, ...settings })
    await client.connect()
    const { rows } = await client.query<ServerInfo>(
      `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
              current_schema() as schema`,
    )
    const server = rows[0]!
    return [
      ...problemsOf(server).map((problem) => `${name}: ${problem}`),
      ...schemaFaults(name, server, expected),
    ]
  } catch (error) {
    if (!isPooler && REFUSED_BY_POOLER.test(messageOf(error))) return [`${name}: ${POOLER_ADVICE}`]
    return [`${name}: The database can't be reached: ${messageOf(error)}`]
  } finally {
    await client?.end().catch(() => {})
  }
}

/**
 * Checks whether the databases in the environment answer, and have the cell unless it may be missing. Throws ConfigError with
 * the name of each variable.
 */
export async function requireReachableDatabase(
  { databaseUrl, pooler, cell }: Config,
  { mayLackCell = false } = {},
): Promise<void> {
  if (databaseUrl === undefined) return
  const faults = await Promise.all([
    faultOf('DATABASE_URL', databaseUrl, { isPooler: pooler !== undefined, cell, mayLackCell }),
    ...(pooler
      ? [faultOf('PARLEY_LISTEN_DATABASE_URL', pooler.listenUrl, { isPooler: false, cell, mayLackCell })]
      : []),
  ])
  if (faults.flat().length > 0) throw new ConfigError(faults.flat())
}
