/** Reads the configuration, opens the database, starts web and worker, and stops them cleanly. */
import { writeSync } from 'node:fs'
import { ConfigError, directDatabaseUrl, ensureSecretKey, readConfig } from '../config.ts'
import { systemClock } from '../core/clock.ts'
import { startEmbedded } from '../database/embedded.ts'
import { migrate } from '../database/migrate.ts'
import { endProcess, openLog, sayAmid } from '../logging/log.ts'
import type { FirstRun } from './first-run.ts'
import { requireFreeAddress } from './free-address.ts'
import { requireReachableDatabase } from './reachable-database.ts'
import { welcome } from './welcome.ts'

const say = (line: string): void => {
  try {
    writeSync(process.stderr.fd, `${line}\n`)
  } catch {
    // Whoever should hear it is gone, or its disk is full: that is no reason not to go on.
  }
}

const ONE_SIGNAL_MS = 1_000

/** Most of a start is loading the service. The database starts meanwhile: it is a process of its own. */
async function loadService() {
  const [{ startParley }, { firstRun }] = await Promise.all([import('./start.ts'), import('./first-run.ts')])
  return { startParley, firstRun }
}

async function run(): Promise<void> {
  const config = readConfig(process.env, process.cwd())
  await requireFreeAddress(config)
  await requireReachableDatabase(config)
  const secretKey = config.secretKey ?? ensureSecretKey(config.dataDir)
  const log = openLog(config.logLevel)
  const closers: (() => Promise<void>)[] = []
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }

  let stoppingSince: number | undefined
  const stop = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      // A terminal signals the whole group and a launcher passes it on: that is one signal sent twice.
      if (systemClock.monotonicMs() - stoppingSince < ONE_SIGNAL_MS) return
      sayAmid(log, 'Stopping at once.')
      endProcess(log, 1, signal)
      return
    }
    stoppingSince = systemClock.monotonicMs()
    sayAmid(log, `${signal}: finishing what is under way …`)
    closeAll().then(
      () => endProcess(log, 0, signal),
      (error: unknown) => {
        sayAmid(log, `The stop was not clean: ${error instanceof Error ? error.message : String(error)}`)
        endProcess(log, 1, signal)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  process.on('unhandledRejection', (error) =>
    log.error({ err: error }, 'a promise was rejected and nobody looked'),
  )
  // Node itself would print what the error holds, values of customers among it.
  process.on('uncaughtException', (error) => {
    // Not `fatal`: that writes at once, and for ever where nothing can be written.
    log.error({ err: error }, 'something was thrown and nobody caught it')
    endProcess(log, 1, 'SIGKILL')
  })

  let made: FirstRun | undefined
  try {
    const starting = config.databaseUrl
      ? undefined
      : startEmbedded({ dataDir: config.dataDir, log: (line) => sayAmid(log, line) })
    const loading = loadService()
    loading.catch(() => {})
    const embedded = await starting
    if (embedded) closers.push(embedded.stop)
    const databaseUrl = config.databaseUrl ?? (embedded?.url as string)
    const directUrl = directDatabaseUrl(config) ?? databaseUrl
    await migrate(directUrl, (line) => sayAmid(log, line))
    const { startParley, firstRun } = await loading
    // Its key is shown once, by a process that people talk to.
    made = config.roles.web ? await firstRun(directUrl, secretKey) : undefined
    const parley = await startParley({ config, databaseUrl, secretKey, log })
    closers.push(() => parley.close({ gently: config.roles.web }))
    process.stdout.write(
      config.roles.web
        ? `${welcome(config.siteUrl, made)}\n`
        : `Parley's background work is running. Its health: ${parley.url}/readyz\n`,
    )
  } catch (error) {
    if (made)
      sayAmid(log, `A sandbox workspace was made before that. Its admin key, shown this once: ${made.apiKey}`)
    await closeAll().catch(() => {})
    sayAmid(log, whyNotStarted(error))
    // `process.exit` would write what is left of the log first, and for ever where its disk is full.
    endProcess(log, 1, 'SIGTERM')
  }
}

const whyNotStarted = (error: unknown): string =>
  error instanceof ConfigError
    ? error.message
    : `Parley could not start: ${error instanceof Error ? error.message : String(error)}`

/** Starts what the environment names and resolves when it serves, or when the process is about to end because it cannot. */
export function serve(): Promise<void> {
  return run().catch((error: unknown) => {
    say(whyNotStarted(error))
    process.exit(1)
  })
}
