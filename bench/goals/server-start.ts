/**
 * Measures the start of the server over a database that is up and migrated, until it is ready: its processor time as a multiple of
 * an empty program in the same Node, its time on the clock, and its memory at rest.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { allocatorSettings, heapFlags } from '../../bin/heap-flags.mjs'
import { freePort } from '../../test/support/redis-server.ts'
import type { Arena } from '../ground/arena.ts'
import { boundOf, withAim } from '../ground/rounds.ts'
import { median } from '../ground/statistics.ts'
import type { Figure } from '../report.ts'
import { cpuMsOf } from './command-line.ts'

const ROOT = join(import.meta.dirname, '../..')
const RATIO_AIM = { reach: 6, dream: 4 }
const READY_AIM = { reach: 600 }
const REST_AIM = { reach: 110 }
/** After this time the work of a start is over. */
const REST_MS = 5_000
const GIVE_UP_MS = 60_000
const POLL_MS = 10
const TICK_MS = 10
const EMPTY = { file: process.execPath, words: ['-e', '0'] }

export const isReady = async (url: string): Promise<boolean> => {
  try {
    const { statusCode, body } = await request(`${url}/readyz`)
    await body.dump()
    return statusCode === 200
  } catch {
    return false
  }
}

/** Returns the processor time of a process in milliseconds; NaN if the system does not report it. */
export function processorMs(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, user, system] = /\) \S (?:\S+ ){10}(\d+) (\d+)/.exec(stat) ?? []
    return (Number(user) + Number(system)) * TICK_MS
  } catch {
    return Number.NaN
  }
}

function residentMb(pid: number | undefined): number {
  try {
    const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kb) / 1024
  } catch {
    return Number.NaN
  }
}

type Start = { readyMs: number; cpuMs: number; restMb: number }

async function startOnce(databaseUrl: string, dataDir: string, compiled: string): Promise<Start> {
  const port = await freePort()
  const startedMs = performance.now()
  const child = spawn(process.execPath, [...heapFlags, join(ROOT, 'bin/serve.mjs')], {
    env: {
      ...allocatorSettings,
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      PARLEY_DATA_DIR: dataDir,
      NODE_COMPILE_CACHE: compiled,
      LOG_LEVEL: 'error',
    },
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  try {
    while (!(await isReady(`http://127.0.0.1:${port}`))) {
      if (child.exitCode !== null || performance.now() - startedMs > GIVE_UP_MS)
        throw new Error('The server did not get ready.')
      await wait(POLL_MS)
    }
    const ready = { readyMs: performance.now() - startedMs, cpuMs: processorMs(child.pid) }
    await wait(REST_MS)
    return { ...ready, restMb: residentMb(child.pid) }
  } finally {
    child.kill('SIGTERM')
    await exited
  }
}

/** `compiled` is the folder of the compile cache. */
export async function measureServerStart(arena: Arena, compiled: string): Promise<Figure[]> {
  const { url } = await arena.database('server_start')
  const dataDir = join(arena.folder, 'server-start')
  await startOnce(url, dataDir, compiled)
  const rounds: (Start & { emptyMs: number })[] = []
  for (let round = 0; round < (arena.quick ? 3 : 7); round++)
    rounds.push({ emptyMs: cpuMsOf(EMPTY), ...(await startOnce(url, dataDir, compiled)) })
  const middle = (read: (round: (typeof rounds)[number]) => number) => median(rounds.map(read))
  const ratios = rounds.map(({ cpuMs, emptyMs }) => cpuMs / emptyMs)
  const ratio = median(ratios)
  const title = 'start of the server, database up, to ready'
  arena.say(`${title}: ${ratio.toFixed(1)} times an empty program`)
  return [
    {
      goal: 'start',
      what: title,
      denominator: '`node -e 0`',
      bare: middle(({ emptyMs }) => emptyMs),
      ours: middle(({ cpuMs }) => cpuMs),
      unit: 'ms of processor',
      ratio,
      ...withAim(ratio, RATIO_AIM, '<='),
      rounds: ratios,
    },
    {
      goal: 'start',
      what: `${title}, on the clock`,
      ...boundOf(
        middle(({ readyMs }) => readyMs),
        'ms',
        READY_AIM,
      ),
    },
    {
      goal: 'memory',
      what: `the server at rest, ${REST_MS / 1000} s after its start`,
      ...boundOf(
        middle(({ restMb }) => restMb),
        'MB',
        REST_AIM,
      ),
    },
  ]
}
