/**
 * The environment of every goal: a temporary PostgreSQL with full durability, and the processes of the run.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { onDatabase, withDatabase } from '../../src/database/on-database.ts'
import { type Child, startChild } from './children.ts'

/** `sql` runs as the service's own role, `admin` as the superuser. */
export type BenchDatabase = {
  url: string
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  admin(text: string): Promise<void>
}

export type Arena = {
  quick: boolean
  folder: string
  say(line: string): void
  /** Creates a new database; migrated unless `bare`. */
  database(name: string, bare?: boolean): Promise<BenchDatabase>
  child(name: string, options?: { execArgv?: string[]; env?: Record<string, string> }): Child
  /** Ends everything; with `atOnce` without letting the processes finish their work. */
  close(atOnce?: boolean): Promise<void>
}

const runQuery = (url: string, text: string): Promise<unknown> =>
  onDatabase(url, (client) => client.query(text))

export type OpenBenchDatabase = BenchDatabase & { close(): Promise<void> }

/** Opens an existing database by its address; `superuserUrl` leads to any database of its server. */
export function openBenchDatabase(url: string, superuserUrl: string): OpenBenchDatabase {
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  // The server stops before the last of its connections has learned that the pool is closed.
  pool.on('error', () => {})
  return {
    url,
    sql: async (text, values) => (await pool.query(text, values)).rows,
    admin: async (text) => {
      await runQuery(withDatabase(superuserUrl, new URL(url).pathname.slice(1)), text)
    },
    close: async () => {
      if (!pool.ended && !pool.ending) await pool.end()
    },
  }
}

/** Starts the database in a temporary folder, which is removed when the arena closes or the process ends. */
export async function openArena(options: {
  quick: boolean
  say(line: string): void
  /** Server settings that override the service's own. */
  settings?: Record<string, string>
}): Promise<Arena> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  const server = await startEmbedded({ dataDir: folder, log: options.say, settings: options.settings })
  const databases: OpenBenchDatabase[] = []
  const children: Child[] = []

  const database = async (name: string, bare = false): Promise<BenchDatabase> => {
    await runQuery(server.superuserUrl, `create database ${name} owner ${new URL(server.url).username}`)
    const url = withDatabase(server.url, name)
    if (!bare) await migrate(url)
    const opened = openBenchDatabase(url, server.superuserUrl)
    databases.push(opened)
    return opened
  }

  return {
    ...options,
    folder,
    database,
    child: (name, childOptions = {}) => {
      const child = startChild(name, { ...childOptions, logDir: folder })
      children.push(child)
      return child
    },
    close: async (atOnce = false) => {
      if (atOnce) for (const child of children) child.kill()
      else await Promise.all(children.map((child) => child.stop()))
      await Promise.all(databases.map((database) => database.close()))
      await server.stop()
      remove()
      process.off('exit', remove)
    },
  }
}
