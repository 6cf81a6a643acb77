/** Reads the configuration, opens the database, starts web and worker, and stops them cleanly. */
import { writeSync } from 'node:fs'
import { type Config, ConfigError, directDatabaseUrl, readConfig } from '../config.ts'
import { unknownSettings } from '../core/settings.ts'
import { withCell } from '../core/values/cell.ts'
import { startEmbedded } from '../database/embedded.ts'
import { migrate, queryOf } from '../database/migrate.ts'
import { onDatabase } from '../database/on-database.ts'
import { databaseFaults, type SchemaDifference, schemaDifferences } from '../database/schema-parts.ts'
import { endProcess, type Log, openLog, printLine } from '../logging/log.ts'
import { hasAnyWorkspace } from '../modules/platform/workspaces/queries/any-workspace.ts'
import type { FirstRun } from './first-run.ts'
import { requireFreeAddress } from './free-address.ts'
import { logUncaughtFaults, stopOnSignals } from './process-events.ts'
import { requireReachableDatabase } from './reachable-database.ts'
import { recordRunningServer } from './running-server.ts'
import { findSecretKey, requireSecretKey, warnOfWrongKey } from './secret-key.ts'
import { requireUsableDataDir } from './usable-data-dir.ts'
import { framed, welcome } from './welcome.ts'

const printError = (line: string): void => {
  try {
    writeSync(process.stderr.fd, `${line}\n`)
  } catch {
    // The reader of the output is gone, or the disk is full: the service continues.
  }
}

/** Loading the service takes most of a start. The database is a separate process and starts meanwhile. */
async function loadService() {
  const [{ startParley }, { firstRun }] = await Promise.all([import('./start.ts'), import('./first-run.ts')])
  return { startParley, firstRun }
}

type Closer = () => Promise<void>

/** A start in progress: on failure, opened parts are closed in reverse order. */
type Start = {
  config: Config
  log: Log
  closers: Closer[]
  /** The sandbox that a first run created: its key is shown once. */
  createdSandbox: FirstRun | undefined
}

/** Returns the configured database, or starts the embedded one. */
async function openDatabaseUrl({ config, log, closers }: Start): Promise<string> {
  if (config.databaseUrl) return config.databaseUrl
  const embedded = await startEmbedded({ dataDir: config.dataDir, log: (line) => printLine(log, line) })
  closers.push(embedded.stop)
  return withCell(embedded.url, config.cell)
}

type CheckedDatabase = {
  secretKey: string
  /** The differences of its tables for readiness, if they were read. */
  knownDifferences: SchemaDifference[] | undefined
  hasWorkspaces: boolean
}

/** Logs why this version can't use the database, and which secrets its key doesn't open. All checks share a connection. */
const checkDatabase = (url: string, { config, log }: Start): Promise<CheckedDatabase> =>
  onDatabase(url, async (client) => {
    let knownDifferences: SchemaDifference[] | undefined
    const query = queryOf(client)
    const faults = await databaseFaults(query, async () => {
      knownDifferences = await schemaDifferences(query)
      return knownDifferences
    })
    for (const fault of faults) log.error(`This version can't use the database: ${fault}.`)
    const secretKey = await requireSecretKey(url, config)
    await warnOfWrongKey(client, { config, secretKey, warn: (line) => log.error(line) })
    return { secretKey, knownDifferences, hasWorkspaces: await hasAnyWorkspace(query) }
  })

async function openService(start: Start): Promise<void> {
  const { config, log, closers } = start
  const opening = openDatabaseUrl(start)
  const loading = loadService()
  loading.catch(() => {})
  const databaseUrl = await opening
  const directUrl = directDatabaseUrl(config) ?? databaseUrl
  await migrate(directUrl, (line) => printLine(log, line))
  const { secretKey, knownDifferences, hasWorkspaces } = await checkDatabase(directUrl, start)
  const { startParley, firstRun } = await loading
  // Its key is shown once, by a process that people use.
  start.createdSandbox = config.roles.web && !hasWorkspaces ? await firstRun(directUrl, secretKey) : undefined
  // `npm run dev`.
  const pages = process.argv.includes('--live-pages') ? { pages: 'live' } : {}
  const parley = await startParley({ config, databaseUrl, secretKey, log, knownDifferences, ...pages })
  closers.push(() => parley.close({ gently: config.roles.web }))
  if (config.roles.web) recordRunningServer(config)
  // Earlier log lines come first: the key is shown once, and should be the last output on the screen.
  log.flush()
  const text = config.roles.web
    ? `${welcome(config.siteUrl, start.createdSandbox)}\n`
    : `Parley's background work is running. Its health: ${parley.url}/readyz\n`
  process.stdout.write(process.stdout.isTTY ? framed(text, process.stdout.columns) : text)
}

const startFailureText = (error: unknown): string =>
  error instanceof ConfigError
    ? error.message
    : `Parley couldn't start: ${error instanceof Error ? error.message : String(error)}`

async function run(): Promise<void> {
  const config = readConfig(process.env, process.cwd())
  await requireFreeAddress(config)
  await requireReachableDatabase(config)
  requireUsableDataDir(config)
  // An unusable key file is reported before anything starts.
  findSecretKey(config)
  const log = openLog(config.logLevel)
  for (const fault of unknownSettings(process.env)) log.warn(fault)
  const closers: Closer[] = []
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  stopOnSignals(log, closeAll)
  logUncaughtFaults(log)
  const start: Start = { config, log, closers, createdSandbox: undefined }
  try {
    await openService(start)
  } catch (error) {
    if (start.createdSandbox)
      printLine(
        log,
        `Parley had already created a sandbox workspace. Its admin key, shown only once: ${start.createdSandbox.apiKey}`,
      )
    await closeAll().catch(() => {})
    printLine(log, startFailureText(error))
    // `process.exit` would first write the rest of the log, and hang if its disk is full.
    endProcess(log, 1, 'SIGTERM')
  }
}

/**
 * Starts the roles in the environment. Resolves when the service is ready, or when the process is about to
 * end because it cannot start.
 */
export function serve(): Promise<void> {
  return run().catch((error: unknown) => {
    printError(startFailureText(error))
    process.exit(1)
  })
}
