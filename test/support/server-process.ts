/**
 * The service in its own process, which a test can kill, stop, and continue.
 *
 *   const server = await startServer({ dataDir, port })
 *   process.kill(server.pid, 'SIGKILL')
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { request } from 'undici'
import { findRunningEmbedded } from '../../src/database/embedded.ts'
import { clusterFolders } from '../../src/database/embedded-place.ts'
import { findPostmaster, stopServer } from '../../src/database/embedded-server.ts'
import { SECRET_KEY } from './boot.ts'
import { withCellSetting } from './cell.ts'
import { freePort } from './redis-server.ts'
import { until, withinTime } from './until.ts'

const ROOT = join(import.meta.dirname, '..', '..')

export type ServerProcess = {
  url: string
  pid: number
  /** The output on standard error. */
  output(): string
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Sends the signal and waits until the process ends. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

export type Installation = {
  dataDir: string
  port: number
  /** Starts the server (or `script`, of this tree unless absolute) and waits until it is ready. */
  start(script?: string, more?: Record<string, string>): Promise<ServerProcess>
  /** The address of its embedded database. */
  databaseUrl(): string
  /** The main process of the embedded database. */
  postmaster(): number | undefined
  /** Kills the servers that still run: a failed test may have left some. */
  end(): Promise<void>
  /** Stops all remaining processes and removes the data directory. */
  remove(): Promise<void>
}

/** Longer than the limit of a graceful stop, however much work is under way. */
const ENDED_WITHIN_MS = 90_000

/** A data directory and a port for consecutive processes. */
export async function newInstallation(
  env: Record<string, string> = {},
  /** A command that runs the server's command, such as `prlimit`. */
  wrapper: string[] = [],
): Promise<Installation> {
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'parley-fault-')))
  const port = await freePort()
  const children: ChildProcess[] = []
  const postmaster = () =>
    clusterFolders(dataDir)
      .map((folder) => findPostmaster(folder)?.pid)
      .find((pid) => pid !== undefined)

  const start = async (
    script = 'bin/serve.mjs',
    more: Record<string, string> = {},
  ): Promise<ServerProcess> => {
    const [program, ...before] = [...wrapper, process.execPath]
    const child = spawn(program!, [...before, resolve(ROOT, script)], {
      cwd: ROOT,
      env: withCellSetting({
        PATH: process.env.PATH,
        LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'error',
        PORT: String(port),
        PARLEY_DATA_DIR: dataDir,
        PARLEY_SECRET_KEY: SECRET_KEY,
        ...env,
        ...more,
      }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8')
      })
    const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
    const url = `http://127.0.0.1:${port}`
    await until(
      async () => {
        if (child.exitCode !== null || child.signalCode !== null) return true
        const answer = await request(`${url}/readyz`)
        await answer.body.dump()
        return answer.statusCode === 200
      },
      'the server is ready',
      60_000,
    )
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the server ended:\n${output}`)
    return {
      url,
      pid: child.pid as number,
      output: () => output,
      exited,
      end: (signal) => {
        child.kill(signal)
        const reason = () =>
          `the server did not end within ${ENDED_WITHIN_MS} ms of ${signal}. It said:\n${output}`
        return withinTime(() => exited, ENDED_WITHIN_MS, reason)
      },
    }
  }

  const end = async (): Promise<void> => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
  }

  return {
    dataDir,
    port,
    start,
    databaseUrl: () => {
      const running = findRunningEmbedded(dataDir)
      if (!running) throw new Error('no embedded database runs here')
      return running.url
    },
    postmaster,
    end,
    remove: async () => {
      await end()
      await stopServer(postmaster())
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
