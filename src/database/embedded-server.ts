// Runs the PostgreSQL server program: starts it, waits until it is ready, and stops it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServerLog } from './embedded-log.ts'
import type { Place } from './embedded-place.ts'
import { spawnArguments } from './embedded-user.ts'
import { commandLine, identifyProcess } from './process-identity.ts'

/** The content of a server's `postmaster.pid`. `ready` is false while it starts or stops. */
export type Postmaster = { pid: number; socketDir: string; ready: boolean }

const pollMilliseconds = 15
const startTimeoutMilliseconds = 60_000
// Fast stop (writes a checkpoint), then immediate stop (recovery at the next start), then kill.
const stopSteps = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const

/** Creates a new cluster in `place.clusterDir`; an interrupted run leaves no files that break a later one. */
export async function initializeCluster(place: Place, socketDir: string, password: string): Promise<void> {
  const draftDir = `${place.clusterDir}.new`
  rmSync(draftDir, { recursive: true, force: true })
  mkdirSync(draftDir, { mode: 0o700 })
  // The socket's folder is private and accessible to the server's user.
  const passwordFile = join(socketDir, 'password')
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  const { uid, gid } = place.runAs
  if (uid !== undefined) for (const path of [draftDir, passwordFile]) chownSync(path, uid, gid ?? uid)
  const [file, args, options] = spawnArguments(place.runAs, join(place.bin, 'initdb'), [
    `--pgdata=${draftDir}`,
    '--username=postgres',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
  ])
  const initdb = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [initdb.stdout, initdb.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
    })
  const code = await new Promise((resolve, reject) => initdb.once('error', reject).once('close', resolve))
  rmSync(passwordFile, { force: true })
  if (code !== 0) throw new Error(`The embedded database couldn't be created:\n${output.trim()}`)
  renameSync(draftDir, place.clusterDir)
}

/**
 * Returns the command prefix that schedules a program and its children as a batch job, so that waking up does
 * not displace running processes. Empty if the system does not support it (docs/decisions/process.md).
 */
function batchScheduling(): string[] {
  const command = ['chrt', '--batch', '0']
  return spawnSync(command[0]!, [...command.slice(1), 'true'], { stdio: 'ignore' }).status === 0
    ? command
    : []
}

/**
 * Starts the server and waits until it accepts connections. If it does not, throws with its last log lines.
 */
export async function startServer(
  place: Place,
  socketDir: string,
  settings: Record<string, string>,
  serverLog: ServerLog,
): Promise<ChildProcess> {
  removeUnusableLocks(place.clusterDir, socketDir)
  const settingArgs = Object.entries({ ...settings, unix_socket_directories: socketDir }).flatMap(
    ([name, value]) => ['-c', `${name}=${value}`],
  )
  const [program, ...rest] = [...batchScheduling(), join(place.bin, 'postgres'), '-D', place.clusterDir]
  const [file, args, options] = spawnArguments(place.runAs, program!, [...rest, ...settingArgs])
  // In its own process group, Ctrl-C in the terminal reaches only our process, which first finishes its work.
  const server = spawn(file, args, { ...options, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  server.stderr?.on('data', serverLog.write)
  const failed = new Promise<never>((_, reject) => {
    server.once('error', reject)
    server.once('close', () => reject(new Error(`The embedded database didn't start:\n${serverLog.tail()}`)))
  })
  failed.catch(() => {})
  const deadline = performance.now() + startTimeoutMilliseconds
  while (!isReady(place.clusterDir, server.pid)) {
    if (performance.now() > deadline) {
      await stopServer(server.pid)
      throw new Error(`The embedded database wasn't ready in time:\n${serverLog.tail()}`)
    }
    await Promise.race([wait(pollMilliseconds), failed])
  }
  return server
}

/** Stops a server, ours or an orphan, and waits for its end. */
export async function stopServer(pid: number | undefined): Promise<void> {
  const target = pid === undefined ? undefined : identifyProcess(pid)
  if (!target) return
  for (const [signal, patienceMilliseconds] of stopSteps) {
    try {
      process.kill(target.pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return
      throw error
    }
    const deadline = performance.now() + patienceMilliseconds
    while (performance.now() < deadline) {
      if (identifyProcess(target.pid)?.startTime !== target.startTime) return
      await wait(pollMilliseconds)
    }
  }
  throw new Error(
    `The database process ${target.pid} doesn't stop. Stop it yourself, then start Parley again.`,
  )
}

/**
 * Returns the live server of a cluster, if any; ignores the file of a dead server and a reused process ID.
 */
export function findPostmaster(clusterDir: string): Postmaster | undefined {
  const lines = readLines(join(clusterDir, 'postmaster.pid'))
  const pid = Number(lines[0])
  if (!identifyProcess(pid)) return undefined
  const args = commandLine(pid) ?? []
  if (!args[0] || basename(args[0]) !== 'postgres' || !args.includes(clusterDir)) return undefined
  return { pid, socketDir: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' }
}

const isReady = (clusterDir: string, pid: number | undefined) => {
  const postmaster = findPostmaster(clusterDir)
  return postmaster?.pid === pid && postmaster?.ready === true
}

// PostgreSQL removes locks of dead servers, but does not start while any process has their ID (a restarted
// container assigns the same low IDs). The caller has checked that no server runs here. If the ID is free the
// file stays: it leads PostgreSQL to server processes that outlived their parent.
function removeUnusableLocks(clusterDir: string, socketDir: string): void {
  const file = join(clusterDir, 'postmaster.pid')
  if (isPidInUse(Number(readLines(file)[0]))) rmSync(file, { force: true })
  for (const name of readdirSync(socketDir)) rmSync(join(socketDir, name), { force: true })
}

// Zombies count: an ID is free only after the parent has collected the exit status.
function isPidInUse(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch {
    return []
  }
}
