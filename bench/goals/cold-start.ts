/**
 * Measures a cold start: from `npm start` to ready, with an existing data directory; and the start of the server alone
 * (server-start.ts).
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { dataDirOwner } from '../../src/database/data-dir-lock.ts'
import { freePort } from '../../test/support/redis-server.ts'
import type { Arena } from '../ground/arena.ts'
import { median } from '../ground/statistics.ts'
import type { Figure } from '../report.ts'
import type { Goal } from './goal.ts'
import { isReady, measureServerStart, processorMs } from './server-start.ts'

const ROOT = join(import.meta.dirname, '../..')
const READY_MS = 3_000
const GIVE_UP_MS = 60_000
const LOOK_MS = 10

type Started = { readyMs: number; cpuMs: number }

/** Starts, waits for readiness, and stops again. */
async function startOnce(dataDir: string, compiled: string): Promise<Started> {
  const port = await freePort()
  const startedMs = performance.now()
  const child = spawn('npm', ['start', '--silent'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
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
        throw new Error('`npm start` did not get ready')
      await wait(LOOK_MS)
    }
    return { readyMs: performance.now() - startedMs, cpuMs: processorMs(dataDirOwner(dataDir)?.pid) }
  } finally {
    child.kill('SIGTERM')
    await exited
    while (dataDirOwner(dataDir)) await wait(LOOK_MS)
  }
}

async function startsOf(rounds: number, startOnce: (round: number) => Promise<Started>): Promise<Started[]> {
  const starts: Started[] = []
  for (let round = 0; round < rounds; round++) starts.push(await startOnce(round))
  return starts
}

function figureOf(arena: Arena, label: string, starts: Started[], hasTarget: boolean): Figure {
  const readyMs = median(starts.map((start) => start.readyMs))
  arena.say(`${label}: ${Math.round(readyMs)} ms`)
  return {
    goal: 'start',
    what: label,
    ours: readyMs,
    unit: 'ms',
    target: hasTarget ? `<= ${READY_MS}` : 'none',
    ...(hasTarget ? { met: readyMs <= READY_MS } : {}),
    rounds: starts.map((start) => start.readyMs),
    notes: [
      `${label}: ${Math.round(median(starts.map((start) => start.cpuMs)))} ms of its own processor time`,
    ],
  }
}

export const measureColdStart: Goal = async (arena) => {
  const dataDir = join(arena.folder, 'installation')
  // As after the first `npm start` of a clone.
  execFileSync(process.execPath, [join(ROOT, 'bin/bundle.mjs'), 'server'])
  const compiled = join(arena.folder, 'compiled')
  await startOnce(dataDir, compiled)
  const rounds = arena.quick ? 3 : 7
  const start = await startsOf(rounds, () => startOnce(dataDir, compiled))
  const uncompiled = await startsOf(rounds, (round) => startOnce(dataDir, `${compiled}-${round}`))
  return {
    figures: [
      figureOf(arena, 'npm start to ready', start, true),
      figureOf(arena, 'the same, nothing compiled yet', uncompiled, false),
      ...(await measureServerStart(arena, compiled)),
    ],
  }
}
