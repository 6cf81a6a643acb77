// The embedded PostgreSQL: a real server, started as a child of this process, with its files in the data
// directory. It outlives a killed parent; the next start stops the orphan and continues with its files.
import type { ChildProcess } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  DataDirInUse,
  type DataDirLock,
  dataDirOwner,
  type LockPurpose,
  lockDataDir,
} from './data-dir-lock.ts'
import { openServerLog, type ServerLog } from './embedded-log.ts'
import {
  choosePlace,
  clusterFolders,
  makeSocketDir,
  type Place,
  readPasswords,
  refuseOtherMajor,
} from './embedded-place.ts'
import { embeddedRole, ensureRoleAndDatabase, socketUrl } from './embedded-roles.ts'
import { findPostmaster, initializeCluster, startServer, stopServer } from './embedded-server.ts'
import { embeddedSettings } from './embedded-settings.ts'

/**
 * A running embedded database. `url` connects as the service's own role (subject to row-level security),
 * `superuserUrl` as the superuser, to the database `postgres`. `stop` ends the server and unlocks the data
 * directory.
 */
export type EmbeddedDatabase = { url: string; superuserUrl: string; stop(): Promise<void> }

export type EmbeddedOptions = {
  dataDir: string
  /** Called with one line about events that the administrator should know. */
  log?: (line: string) => void
  /** Server settings that override ours. */
  settings?: Record<string, string>
  /** With `command`, other processes wait for the lock; with `server`, they use its database. */
  purpose?: LockPurpose
}

/**
 * Starts the embedded database of a data directory and creates it on the first run. Throws DataDirInUse if a
 * live process already runs it. Restarts a server that dies, until `stop`.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const lock = lockDataDir(options.dataDir, options.purpose)
  try {
    return await startLocked(options, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Returns the addresses of the database that another live process serves from this data directory now. */
export function findRunningEmbedded(dataDir: string): { url: string; superuserUrl: string } | undefined {
  if (!existsSync(dataDir) || dataDirOwner(dataDir)?.purpose !== 'server') return undefined
  const postmaster = clusterFolders(dataDir)
    .map(findPostmaster)
    .find((candidate) => candidate?.ready)
  return postmaster && addressesOf(dataDir, postmaster.socketDir)
}

/**
 * Opens the database of a data directory for a command, whether a server runs on it or not. `stop` ends only
 * what this call started. Waits while another command has the lock, or while a server is starting.
 */
export async function openEmbedded(
  options: EmbeddedOptions & { waitSeconds?: number },
): Promise<EmbeddedDatabase> {
  const deadline = performance.now() + (options.waitSeconds ?? 60) * 1000
  for (;;) {
    const running = findRunningEmbedded(options.dataDir)
    if (running) return { ...running, stop: async () => {} }
    try {
      return await startEmbedded({ ...options, purpose: 'command' })
    } catch (error) {
      if (!(error instanceof DataDirInUse) || performance.now() > deadline) throw error
      await wait(100)
    }
  }
}

async function startLocked(options: EmbeddedOptions, lock: DataDirLock): Promise<EmbeddedDatabase> {
  const log = options.log ?? (() => {})
  const place = choosePlace(options.dataDir, log)
  const orphan = findPostmaster(place.clusterDir)
  if (orphan) {
    log(`stopping the database (process ${orphan.pid}) that a killed Parley left running`)
    await stopServer(orphan.pid)
  }
  const passwords = readPasswords(options.dataDir)
  const socketDir = makeSocketDir(place)
  if (!existsSync(place.clusterDir)) await initializeCluster(place, socketDir, passwords.superuser)
  refuseOtherMajor(place.clusterDir)
  const serverLog = openServerLog(join(options.dataDir, 'postgres.log'))
  const settings = { ...embeddedSettings, ...options.settings }
  const stopServing = await supervise({ place, socketDir, settings, serverLog, log })
  const stop = async () => {
    await stopServing()
    rmSync(socketDir, { recursive: true, force: true })
    serverLog.close()
    lock.release()
  }
  try {
    const urls = addressesOf(options.dataDir, socketDir)
    await ensureRoleAndDatabase(urls.superuserUrl, passwords.parley)
    let stopping: Promise<void> | undefined
    return {
      ...urls,
      stop() {
        stopping ??= stop()
        return stopping
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

type SupervisionOptions = {
  place: Place
  socketDir: string
  settings: Record<string, string>
  serverLog: ServerLog
  log: (line: string) => void
}

const restartDelaysMilliseconds = [0, 100, 250, 500, 1000, 2000, 5000]

/** Runs the server, and restarts it when it dies, until the returned function is called. */
async function supervise(options: SupervisionOptions): Promise<() => Promise<void>> {
  const stopped = new AbortController()
  const run = () => startServer(options.place, options.socketDir, options.settings, options.serverLog)
  let server = await startWithRetries(run, options.log, stopped.signal, memoryStillHeld)
  // A process that exits without stop() must not leave a server running; only a kill can.
  const interrupt = () => {
    server?.kill('SIGINT')
    rmSync(options.socketDir, { recursive: true, force: true })
  }
  process.on('exit', interrupt)
  const keepRunning = async () => {
    while (server) {
      await waitForExit(server)
      if (stopped.signal.aborted) return
      options.log('database server crashed, restarting it')
      server = await startWithRetries(run, options.log, stopped.signal)
    }
  }
  const supervision = keepRunning()
  return async () => {
    stopped.abort()
    await stopServer(server?.pid)
    await supervision
    // A restart may have been in progress during the abort.
    await stopServer(server?.pid)
    process.off('exit', interrupt)
  }
}

async function startWithRetries(
  run: () => Promise<ChildProcess>,
  log: (line: string) => void,
  stopped: AbortSignal,
  isPassing: (error: unknown, attempt: number) => boolean = () => true,
): Promise<ChildProcess | undefined> {
  for (let attempt = 1; !stopped.aborted; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (!isPassing(error, attempt)) throw error
      log(error instanceof Error ? error.message : String(error))
    }
    const delay = restartDelaysMilliseconds[Math.min(attempt, restartDelaysMilliseconds.length - 1)]
    await wait(delay, undefined, { signal: stopped }).catch(() => {})
  }
  return undefined
}

// Right after a server was killed, its last busy processes may still have its memory.
const memoryStillHeld = (error: unknown, attempt: number) =>
  attempt < 12 && error instanceof Error && error.message.includes('shared memory block')

const waitForExit = (server: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) resolve()
    else server.once('exit', () => resolve())
  })

function addressesOf(dataDir: string, socketDir: string): { url: string; superuserUrl: string } {
  const passwords = readPasswords(dataDir)
  return {
    url: socketUrl(embeddedRole, passwords.parley, socketDir),
    superuserUrl: socketUrl('postgres', passwords.superuser, socketDir),
  }
}
