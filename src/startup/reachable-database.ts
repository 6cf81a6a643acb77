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

/** Why a database that answers cannot be used. */
function unfitness({ version, encoding, schema }: Found): string[] {
  if (Number.parseInt(version, 10) < OLDEST_SERVER)
    return [`PostgreSQL ${version} is too old: give one of version ${OLDEST_SERVER} or later`]
  return [
    ...(encoding === ENCODING
      ? []
      : [`the database is in ${encoding}: give one that was made with encoding '${ENCODING}'`]),
    ...(schema === SCHEMA
      ? []
      : [
          `tables would be made in ${schema === null ? 'no schema' : `the schema ${schema}`}: let the search_path of its user begin with ${SCHEMA}`,
        ]),
  ]
}

async function faultOf(name: string, url: string): Promise<string[]> {
  let client: pg.Client | undefined
  try {
    // Reads the files that the address names, and throws where it cannot.
    client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
    // A connection that is lost while it is looked at rejects what was asked; nobody else need hear of it.
    client.on('error', () => {})
    await client.connect()
    const { rows } = await client.query<Found>(
      `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
              current_schema() as schema`,
    )
    return unfitness(rows[0]!).map((why) => `${name}: ${why}`)
  } catch (error) {
    return [`${name}: the database cannot be reached: ${messageOf(error)}`]
  } finally {
    await client?.end().catch(() => {})
  }
}

/** Looks whether the databases that the environment names answer. Throws ConfigError, naming each variable. */
export async function requireReachableDatabase({ databaseUrl, pooler }: Config): Promise<void> {
  if (databaseUrl === undefined) return
  const named: [string, string][] = [['DATABASE_URL', databaseUrl]]
  if (pooler) named.push(['PARLEY_LISTEN_DATABASE_URL', pooler.listenUrl])
  const faults = await Promise.all(named.map(([name, url]) => faultOf(name, url)))
  if (faults.flat().length > 0) throw new ConfigError(faults.flat())
}
