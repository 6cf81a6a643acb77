import pg from 'pg'
import { type Config, ConfigError } from '../config.ts'

const OLDEST_SERVER = 15
const ENCODING = 'UTF8'
const SCHEMA = 'public'

const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

type Found = { version: string; encoding: string; schema: string | null }

/** Returns why a reachable database cannot be used. */
function unfitness({ version, encoding, schema }: Found): string[] {
  if (Number.parseInt(version, 10) < OLDEST_SERVER)
    return [`PostgreSQL ${version} is too old. Use version ${OLDEST_SERVER} or later.`]
  return [
    ...(encoding === ENCODING
      ? []
      : [`The database uses the encoding ${encoding}. Use a database created with encoding '${ENCODING}'.`]),
    ...(schema === SCHEMA
      ? []
      : [
          `New tables would go to ${schema === null ? 'no schema' : `the schema ${schema}`}. Let the search_path of the database user start with ${SCHEMA}.`,
        ]),
  ]
}

/**
 * A pooler's error for a connection with startup settings, before any state is left in its own connections.
 */
const REFUSED_BY_POOLER = /unsupported startup parameter/
const LEADS_TO_POOLER =
  'The address is a pooler. Set DATABASE_URL to it, and PARLEY_LISTEN_DATABASE_URL to the database itself (docs/growing.md, "Connections").'

async function faultOf(name: string, url: string, isPooler: boolean): Promise<string[]> {
  let client: pg.Client | undefined
  try {
    // Reads the files that the address names; throws if it cannot.
    const settings = isPooler ? {} : { statement_timeout: 10_000 }
    client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, ...settings })
    // A connection lost during the check rejects its query, which reports the fault.
    client.on('error', () => {})
    await client.connect()
    const { rows } = await client.query<Found>(
      `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
              current_schema() as schema`,
    )
    return unfitness(rows[0]!).map((why) => `${name}: ${why}`)
  } catch (error) {
    if (!isPooler && REFUSED_BY_POOLER.test(messageOf(error))) return [`${name}: ${LEADS_TO_POOLER}`]
    return [`${name}: The database can't be reached: ${messageOf(error)}`]
  } finally {
    await client?.end().catch(() => {})
  }
}

/**
 * Checks whether the databases in the environment answer. Throws ConfigError with the name of each variable.
 */
export async function requireReachableDatabase({ databaseUrl, pooler }: Config): Promise<void> {
  if (databaseUrl === undefined) return
  const faults = await Promise.all([
    faultOf('DATABASE_URL', databaseUrl, pooler !== undefined),
    ...(pooler ? [faultOf('PARLEY_LISTEN_DATABASE_URL', pooler.listenUrl, false)] : []),
  ])
  if (faults.flat().length > 0) throw new ConfigError(faults.flat())
}
